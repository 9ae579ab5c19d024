//! What the frame around the lines says: what the stream does, what is new below, what is missing.

use super::out;
use super::reading::Reading;
use super::state::State;
use crate::logic::{Mono, Tail, TailState};
use crate::model::Clean;
use crate::panes::{Ctx, age};
use crate::text::{Log, clean_str, figures, say};
use crate::ui::{Piece, Role, label, span};

/// The stream's state, for the title.
pub(super) fn stream(tail: &Tail, ctx: &Ctx<'_>) -> Vec<Piece> {
    let ago = |at: Mono| figures::ago(Some(ctx.now.mono.since(at)));
    let since = ago(tail.follow.since);
    let said = |said: Clean, role| vec![span(&said, role)];
    match &tail.follow.state {
        TailState::Closed => vec![label("not followed", Role::Dim)],
        TailState::Connecting => said(say(format_args!("connecting · {since}")), Role::Info),
        TailState::Replaying => said(say(format_args!("replaying · {since}")), Role::Info),
        // A replay is no output of now.
        TailState::Live => match tail.follow.last_piece.filter(|at| *at >= tail.follow.since) {
            Some(at) => said(
                say(format_args!("live · last output {} ago", ago(at))),
                Role::Good,
            ),
            None if tail.store.end() == 0 => said(
                say(format_args!("live · no output yet · {since}")),
                Role::Good,
            ),
            None => said(
                say(format_args!("live · nothing new for {since}")),
                Role::Good,
            ),
        },
        TailState::Asking => vec![label("ended · asking how", Role::Info)],
        TailState::Ended { exit } => {
            let role = if *exit == 0 { Role::Good } else { Role::Bad };
            said(say(format_args!("ended · {}", exit_words(*exit))), role)
        }
        TailState::Retrying { at, .. } => {
            let wait = figures::left(Some(at.since(ctx.now.mono)));
            said(
                say(format_args!("dropped · retrying in {wait}")),
                Role::Warn,
            )
        }
        TailState::GaveUp { .. } => vec![label("gave up · r retries", Role::Bad)],
        TailState::Unavailable { .. } => {
            said(say(format_args!("unavailable · {since}")), Role::Warn)
        }
    }
}

/// What the filter lets through, before the title.
pub(super) fn filter(state: &State, log: &Log<'_>) -> Vec<Piece> {
    let Some(sieve) = &state.sieve else {
        return Vec::new();
    };
    vec![
        label("&", Role::Key),
        span(&clean_str(&sieve.typed), Role::Match),
        label(" ", Role::Dim),
        span(&sieve.status(log), Role::Info),
        label(" · ", Role::Dim),
    ]
}

/// Why the stream does not go on.
pub(super) fn why(state: &TailState) -> Option<&Clean> {
    match state {
        TailState::Retrying { why, .. }
        | TailState::GaveUp { why }
        | TailState::Unavailable { why } => Some(why),
        _ => None,
    }
}

/// What is not in view, for the lower border. `why`: something does not go on.
pub(super) fn hint(state: &State, log: &Log<'_>, why: Option<&Clean>) -> Vec<Piece> {
    let mut parts = Vec::new();
    if let Some(selection) = state.selection {
        let lines = selection.lines();
        let count = out::count(lines.end - lines.start);
        let said = say(format_args!("{count} selected · y copies · esc ends"));
        parts.push(span(&said, Role::Key));
    }
    if let Reading::Still { unseen, .. } = state.reading() {
        let new = log.end().saturating_sub(unseen);
        let (said, role) = match new {
            0 => ("scrolled back · G follows".into(), Role::Info),
            _ => (say(format_args!("{new} new below · G follows")), Role::Warn),
        };
        parts.push(span(&said, role));
    }
    if state.window.rows.iter().any(|row| row.evicted) {
        parts.push(label("x no longer held, kept while in view", Role::Warn));
    }
    if log.dropped_lines() > 0 {
        let dropped = say(format_args!("{} older lines dropped", log.dropped_lines()));
        parts.push(span(&dropped, Role::Dim));
    }
    if let Some(column) = state.column {
        parts.push(span(
            &say(format_args!("not wrapped · from column {}", column + 1)),
            Role::Dim,
        ));
    }
    parts.extend(state.note.as_ref().map(|note| span(note, Role::Warn)));
    parts.extend(why.map(|why| span(why, Role::Warn)));
    age::joined(parts)
}

pub(super) fn exit_words(code: i64) -> Clean {
    match code {
        137 => "killed 137".into(),
        code => say(format_args!("exit {code}")),
    }
}
