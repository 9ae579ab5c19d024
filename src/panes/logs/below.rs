//! The line below the rows: what is typed, or searched for, and what became of it.

use super::out;
use super::state::State;
use super::typing::Ask;
use crate::panes::asking::Asking;
use crate::panes::{Ctx, age};
use crate::text::{Log, Pattern, say};
use crate::ui::{Piece, Role, span};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub(super) fn draw(state: &State, log: &Log<'_>, ctx: &Ctx<'_>, line: Rect, buffer: &mut Buffer) {
    let (ask, typed) = match &state.typing {
        Some(typing) => (typing.ask, typing.prompt.text()),
        None => (
            Ask::Search,
            state.find.pattern.as_ref().map_or("", Pattern::typed),
        ),
    };
    let sign = match ask {
        Ask::Search => "/",
        Ask::Filter => "&",
        Ask::Time => "@",
        Ask::Save => "save as ",
        Ask::Pipe => "| ",
    };
    let asking = Asking {
        sign,
        typed,
        prompt: state.typing.as_ref().map(|typing| &typing.prompt),
        said: &said(state, log, ask),
    };
    asking.draw(ctx, line, buffer);
}

fn said(state: &State, log: &Log<'_>, ask: Ask) -> Vec<Piece> {
    let complaint = state.complaint().map(|why| span(why, Role::Warn));
    let sieve = || state.sieve.as_ref().map(|sieve| sieve.status(log));
    let status = match ask {
        Ask::Search => state.find.status(log),
        Ask::Filter => sieve().or(Some(
            "words, !not these, +2 lines around, \"in quotes\"".into(),
        )),
        Ask::Time if complaint.is_some() => None,
        Ask::Time => Some("14:03, 14:03:07 or -5m".into()),
        Ask::Save => Some(say(format_args!(
            "{} · .ansi as it came · .jsonl with times",
            out::words(state, log)
        ))),
        Ask::Pipe => Some(out::words(state, log)),
    };
    let status = status.map(|said| span(&said, Role::Info));
    age::joined(status.into_iter().chain(complaint))
}
