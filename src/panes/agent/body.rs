//! What a step holds beyond its one line, as rows of a width.

use super::diff;
use crate::agents::{Body, Kind, Outcome, PlanEntry, Step, ToolBody};
use crate::model::{Bytes, Foreign};
use crate::text::{clean, figures, pretty, runs, say};
use crate::ui::{Piece, Role, label, markdown, printed, span, text};

/// Columns between tab stops.
const TAB: usize = 8;

/// `whole`: it was opened; else what tells most of it.
pub(super) fn rows(step: &Step, width: usize, whole: bool) -> Vec<Vec<Piece>> {
    match &step.body {
        Body::None => Vec::new(),
        Body::LetGo => vec![vec![label(
            "Its text was let go to stay within memory; the lines are in the log.",
            Role::Dim,
        )]],
        Body::Text { text, size } => words(step, text, *size, width),
        Body::Tool(tool) => tool_rows(step, tool, width, whole),
        Body::Plan(entries) => plan(entries, width),
        Body::Changes(changes) => diff::rows(changes, width),
    }
}

fn words(step: &Step, text: &Foreign, size: u64, width: usize) -> Vec<Vec<Piece>> {
    let is_prose = matches!(step.kind, Kind::Text | Kind::User);
    if !is_prose && text.as_raw().trim() == step.short.as_raw() {
        return Vec::new();
    }
    let mut rows = match step.kind {
        Kind::Text | Kind::User | Kind::Thinking | Kind::Plan | Kind::Waiting => {
            markdown(text, u16::try_from(width).unwrap_or(u16::MAX))
        }
        _ => lines(text, width),
    };
    rows.extend(cut(text, size));
    rows
}

fn tool_rows(step: &Step, tool: &ToolBody, width: usize, whole: bool) -> Vec<Vec<Piece>> {
    let mut rows = plan(&tool.plan, width);
    rows.extend(diff::rows(&tool.changes, width));
    let is_told = !rows.is_empty();
    let is_more = tool.input.as_raw().trim() != step.short.as_raw() && !tool.input.is_empty();
    if !is_told && is_more && (whole || tool.output.is_empty()) {
        rows.extend(lines(&tool.input, width));
        if !tool.output.is_empty() {
            rows.push(vec![label("output", Role::Heading)]);
        }
    }
    if !is_told || step.status == Some(Outcome::Error) {
        rows.extend(lines(&tool.output, width));
        rows.extend(cut(&tool.output, tool.output_size));
    }
    rows
}

fn plan(entries: &[PlanEntry], width: usize) -> Vec<Vec<Piece>> {
    let entries = entries.iter().flat_map(|entry| plan_entry(entry, width));
    entries.collect()
}

/// One entry, with a sign for how it stands.
pub(super) fn plan_entry(entry: &PlanEntry, width: usize) -> Vec<Vec<Piece>> {
    let (sign, role) = match entry.status {
        Some(Outcome::Ok) => ("[x] ", Role::Dim),
        Some(Outcome::Running) => ("[>] ", Role::Info),
        Some(Outcome::Error) => ("[!] ", Role::Bad),
        Some(Outcome::Unknown) | None => ("[ ] ", Role::Text),
    };
    let room = u16::try_from(width.saturating_sub(4).max(1)).unwrap_or(u16::MAX);
    let mut rows = text::wrap(&[span(&clean(&entry.text), role)], room);
    for (nth, row) in rows.iter_mut().enumerate() {
        row.insert(0, label(if nth == 0 { sign } else { "    " }, role));
    }
    rows
}

/// What a program printed, or JSON, laid out.
pub(super) fn lines(text: &Foreign, width: usize) -> Vec<Vec<Piece>> {
    let raw = text.as_raw();
    if let Some(lines) = pretty(raw) {
        let rows = lines
            .iter()
            .flat_map(|line| chop(&printed_line(line), width));
        return rows.collect();
    }
    let rows = raw
        .lines()
        .flat_map(|line| chop(&printed_line(line), width));
    rows.collect()
}

pub(super) fn printed_line(line: &str) -> Vec<Piece> {
    let runs = runs(line, TAB, usize::MAX);
    runs.iter().map(|run| printed(run, Role::Text)).collect()
}

pub(super) fn chop(pieces: &[Piece], width: usize) -> Vec<Vec<Piece>> {
    text::chopped(pieces, width.max(1))
}

/// Of a text that is longer than what is kept of it.
fn cut(kept: &Foreign, size: u64) -> Option<Vec<Piece>> {
    let held = kept.as_raw().len() as u64;
    let bytes = |size: u64| figures::bytes(Some(Bytes(i64::try_from(size).unwrap_or(i64::MAX))));
    (size > held).then(|| {
        let (held, size) = (bytes(held), bytes(size));
        let said = say(format_args!(
            "The first {held} of {size}; all of it is in the log."
        ));
        vec![span(&said, Role::Dim)]
    })
}
