//! A run, or a step of it, as Markdown: for the clipboard.

use super::diff;
use crate::agents::{Body, FileChange, Kind, Outcome, PlanEntry, Run, Step, ToolBody};
use crate::model::Foreign;
use std::fmt::Write as _;

pub(super) fn step(step: &Step) -> Foreign {
    Foreign::from(written(step).trim_end().to_owned())
}

/// What the agent said last, itself.
pub(super) fn answer(run: &Run) -> Option<Foreign> {
    let mut steps = run.steps.iter().rev();
    let said = steps.find(|step| step.kind == Kind::Text && step.parent.is_none())?;
    Some(text(said).clone())
}

pub(super) fn transcript(run: &Run) -> Foreign {
    let mut all = String::from("# ");
    all.push_str(match run.agent() {
        "" => "run",
        agent => agent,
    });
    for told in [&run.version, &run.model, &run.session]
        .into_iter()
        .flatten()
    {
        let _ = write!(all, " · {}", told.as_raw());
    }
    all.push_str("\n\n");
    let mut turn = 0;
    for step in &run.steps {
        if step.turn != turn {
            turn = step.turn;
            let _ = write!(all, "## Turn {turn}\n\n");
        }
        all.push_str(&written(step));
    }
    Foreign::from(all)
}

/// The whole text, as far as it is held.
fn text(step: &Step) -> &Foreign {
    match &step.body {
        Body::Text { text, .. } => text,
        _ => &step.short,
    }
}

fn written(step: &Step) -> String {
    let words = text(step).as_raw();
    match step.kind {
        Kind::Text => format!("{words}\n\n"),
        Kind::User => format!("{}\n\n", quoted(words)),
        Kind::Thinking => format!("*thinking*\n\n{}\n\n", quoted(words)),
        Kind::Raw => fenced("", words),
        _ => worked(step),
    }
}

fn worked(step: &Step) -> String {
    let name = step.tool.as_ref().map_or(step.kind.word(), Foreign::as_raw);
    let mut all = format!("**{name}** {}", step.short.as_raw());
    match step.status {
        None | Some(Outcome::Ok) => {}
        Some(outcome) => {
            let _ = write!(all, " ({})", outcome.word());
        }
    }
    all.push_str("\n\n");
    match &step.body {
        Body::None | Body::LetGo => {}
        Body::Text { text, .. } if text.as_raw().trim() == step.short.as_raw() => {}
        Body::Text { text, .. } => all.push_str(&fenced("", text.as_raw())),
        Body::Tool(tool) => all.push_str(&of_tool(step, tool)),
        Body::Plan(entries) => all.push_str(&plan(entries)),
        Body::Changes(changes) => all.push_str(&edits(changes)),
    }
    all
}

fn of_tool(step: &Step, tool: &ToolBody) -> String {
    let mut all = plan(&tool.plan);
    all.push_str(&edits(&tool.changes));
    if all.is_empty() && tool.input.as_raw().trim() != step.short.as_raw() {
        all.push_str(&fenced("", tool.input.as_raw()));
    }
    all.push_str(&fenced("", tool.output.as_raw()));
    all
}

fn plan(entries: &[PlanEntry]) -> String {
    let mut all = String::new();
    for entry in entries {
        let sign = if entry.status == Some(Outcome::Ok) {
            "x"
        } else {
            " "
        };
        let _ = writeln!(all, "- [{sign}] {}", entry.text.as_raw());
    }
    if !all.is_empty() {
        all.push('\n');
    }
    all
}

fn edits(changes: &[FileChange]) -> String {
    let of_one = |change: &FileChange| {
        let patch: String = change.hunks.iter().map(diff::patch).collect();
        let (word, path) = (change.change.word(), change.path.as_raw());
        format!("`{path}` ({word})\n\n{}", fenced("diff", &patch))
    };
    changes.iter().map(of_one).collect()
}

fn quoted(words: &str) -> String {
    let lines: Vec<String> = words.lines().map(|line| format!("> {line}")).collect();
    lines.join("\n")
}

/// A block of code, with a fence that the text cannot end.
fn fenced(language: &str, text: &str) -> String {
    let text = text.trim_end();
    if text.is_empty() {
        return String::new();
    }
    let ticks = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((ticks + 1).max(3));
    format!("{fence}{language}\n{text}\n{fence}\n\n")
}
