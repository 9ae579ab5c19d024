//! A step as rows: its one line with how it ended, and as much of its body as is open.

use super::folds::Opening;
use super::{body, diff};
use crate::agents::{Body, Kind, Outcome, Step};
use crate::model::{Bytes, Clean, Foreign, Timestamp};
use crate::text::{Pattern, clean, figures, say};
use crate::ui::text::Row;
use crate::ui::{Piece, Role, label, span, text};

/// Columns that a sign or a bar takes before the words.
const SIGN: usize = 2;

#[derive(Debug, Default)]
pub(super) struct Laid {
    pub(super) rows: Vec<Row>,
    /// Not all of it is in view.
    pub(super) is_cut: bool,
}

pub(super) fn lay(step: &Step, opening: Opening, width: u16) -> Laid {
    let aside = if step.parent.is_some() { "    " } else { "" };
    let room = usize::from(width).saturating_sub(aside.len() + SIGN).max(1);
    let body = match opening {
        Opening::Closed => Vec::new(),
        Opening::Peek(_) => body::rows(step, room, false),
        Opening::Whole => body::rows(step, room, true),
    };
    let most = match opening {
        Opening::Peek(most) if body.len() > most + 1 => most,
        _ => body.len(),
    };
    let hidden = body.len() - most;
    let is_prose = matches!(step.kind, Kind::Text | Kind::User);
    let mut rows = Vec::new();
    if !is_prose || body.is_empty() {
        rows.push(head(step, opening));
    }
    for (nth, line) in body.into_iter().take(most).enumerate() {
        let before = match (is_prose, nth) {
            (true, 0) => mark(step),
            (true, _) => label("  ", Role::Dim),
            (false, _) => label("│ ", Role::Dim),
        };
        let mut pieces = vec![before];
        pieces.extend(line);
        rows.push(pieces.into());
    }
    if hidden > 0 {
        let said = say(format_args!("… {hidden} more lines"));
        rows.push(vec![label("  ", Role::Dim), span(&said, Role::Dim)].into());
    }
    if !aside.is_empty() {
        for row in &mut rows {
            row.left.insert(0, label(aside, Role::Dim));
        }
    }
    let has_body = !matches!(step.body, Body::None);
    // Of a tool that failed only its output is in view unasked.
    let leaves_out = matches!(opening, Opening::Peek(_))
        && matches!(&step.body, Body::Tool(tool) if tool.changes.is_empty());
    Laid {
        rows,
        is_cut: hidden > 0 || leaves_out || opening == Opening::Closed && has_body,
    }
}

/// Before what is said.
fn mark(step: &Step) -> Piece {
    match step.kind {
        Kind::User => label("> ", Role::Key),
        _ => label("● ", Role::Info),
    }
}

fn head(step: &Step, opening: Opening) -> Row {
    let is_prose = matches!(step.kind, Kind::Text | Kind::User);
    let sign = match (&step.body, opening) {
        _ if is_prose => mark(step),
        (Body::None, _) => label("  ", Role::Dim),
        (_, Opening::Closed) => label("+ ", Role::Dim),
        _ => label("- ", Role::Dim),
    };
    let mut left = vec![sign];
    let (name, role) = name(step);
    if !name.as_str().is_empty() {
        left.push(span(&name, role));
        left.push(label(" ", Role::Text));
    }
    let words = match step.kind {
        Kind::Thinking | Kind::Notice | Kind::Unknown => Role::Dim,
        Kind::Retry | Kind::Waiting => Role::Warn,
        Kind::Error => Role::Bad,
        _ => Role::Text,
    };
    left.push(span(&clean(&step.short), words));
    Row {
        left,
        right: outcome(step),
    }
}

fn name(step: &Step) -> (Clean, Role) {
    let tool = step.tool.as_ref().map(clean);
    match step.kind {
        Kind::Text | Kind::User | Kind::Raw => (Clean::default(), Role::Text),
        Kind::Tool => (tool.unwrap_or("tool".into()), Role::Title),
        Kind::FileChange => (tool.unwrap_or("edit".into()), Role::Title),
        Kind::Plan => ("plan".into(), Role::Title),
        Kind::Thinking => ("thinking".into(), Role::Dim),
        Kind::Notice => ("notice".into(), Role::Dim),
        Kind::Unknown => ("unknown".into(), Role::Dim),
        Kind::Retry => ("tries again".into(), Role::Warn),
        Kind::Error => ("error".into(), Role::Bad),
        Kind::Waiting if step.status == Some(Outcome::Ok) => ("asked".into(), Role::Dim),
        Kind::Waiting => ("waits for you".into(), Role::Warn),
    }
}

/// How it ended, how long it took, how much came back.
fn outcome(step: &Step) -> Vec<Piece> {
    let mut parts = Vec::new();
    let exit = match &step.body {
        Body::Tool(tool) => tool.exit_code.filter(|code| *code != 0),
        _ => None,
    };
    match (step.status, exit) {
        (_, Some(code)) => parts.push(span(&say(format_args!("exit {code}")), Role::Bad)),
        (Some(Outcome::Error), _) => parts.push(label("failed", Role::Bad)),
        (Some(Outcome::Running), _) if step.kind != Kind::Waiting => {
            parts.push(label("running", Role::Info));
        }
        (Some(Outcome::Unknown), _) => parts.push(label("no outcome", Role::Dim)),
        _ => {}
    }
    if let (came, went) = diff::count(step.changes())
        && came + went > 0
    {
        parts.push(span(&say(format_args!("+{came}")), Role::Added));
        parts.push(span(&say(format_args!("-{went}")), Role::Removed));
    }
    if step.took.is_some() {
        parts.push(span(&figures::duration(step.took), Role::Dim));
    }
    if let Body::Tool(tool) = &step.body
        && tool.output_size > 0
    {
        let size = Bytes(i64::try_from(tool.output_size).unwrap_or(i64::MAX));
        parts.push(span(&figures::bytes(Some(size)), Role::Dim));
    }
    joined(parts)
}

fn joined(parts: Vec<Piece>) -> Vec<Piece> {
    let mut all = Vec::new();
    for part in parts {
        if !all.is_empty() {
            all.push(label(" · ", Role::Dim));
        }
        all.push(part);
    }
    all
}

/// The line above a turn.
pub(super) fn turn(turn: u32, steps: &[Step], folded: bool) -> Row {
    let sign = if folded { "+ " } else { "- " };
    let count = match steps.len() {
        1 => "1 step".into(),
        count => say(format_args!("{count} steps")),
    };
    let mut left = vec![
        label(sign, Role::Dim),
        span(&say(format_args!("turn {turn}")), Role::Heading),
        span(&say(format_args!(" · {count}")), Role::Dim),
    ];
    if folded {
        let told = steps.iter().rev().find(|step| step.kind == Kind::Text);
        if let Some(step) = told.or(steps.first()) {
            left.push(label(" · ", Role::Dim));
            if let Some(tool) = &step.tool {
                left.push(span(&say(format_args!("{} ", clean(tool))), Role::Title));
            }
            left.push(span(&clean(&step.short), Role::Text));
        }
    }
    let began = steps.first().and_then(|step| step.at);
    let ended = steps
        .iter()
        .filter_map(|step| {
            let took = step.took.map_or(0, |took| took.0);
            Some(Timestamp(step.at?.0.saturating_add(took)))
        })
        .max();
    let took = ended.zip(began).map(|(ended, began)| ended.since(began));
    let right = took.filter(|took| took.0 > 0);
    let right = right.map(|took| span(&figures::duration(Some(took)), Role::Dim));
    Row {
        left,
        right: right.into_iter().collect(),
    }
}

/// The line where another session begins in the same log.
pub(super) fn section(session: Option<&Foreign>) -> Row {
    let name = session.map(clean).unwrap_or_default();
    let said = say(format_args!("── another session {name}"));
    vec![span(&said, Role::Heading)].into()
}

/// The words of a row, for what looks for some.
pub(super) fn words(row: &Row) -> String {
    row.left.iter().map(Piece::as_str).collect()
}

/// The row with what a search found in another look.
pub(super) fn marked(row: &Row, pattern: &Pattern, role: Role) -> Row {
    let words = words(row);
    let found: Vec<_> = pattern.matches(&words).collect();
    Row {
        left: text::marked(&row.left, &found, role),
        right: row.right.clone(),
    }
}
