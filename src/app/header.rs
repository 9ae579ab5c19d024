//! The header: whose sandboxes these are, how many in which state, what they cost, and how true the screen is.

use super::State;
use crate::logic::{Backend, Link, Mono};
use crate::model::{Clean, Span, Status};
use crate::text::{clean_str, figures, say};
use crate::ui::{Piece, Role, Row, label, span, text};
use ratatui::buffer::Buffer;

/// The list is read every few seconds: after this long without, its age is told instead of `live`.
const LIVE: Span = Span::seconds(15);

/// A part of the line; those that matter least go first when it is too long.
struct Part {
    keep: u8,
    pieces: Vec<Piece>,
}

pub(super) fn draw(state: &State, buffer: &mut Buffer) {
    let area = state.areas.header;
    let right = link(state);
    let room = usize::from(area.width).saturating_sub(text::width(&right) + 2);
    let mut parts = vec![
        Part {
            keep: 9,
            pieces: scope(&state.world.backend),
        },
        Part {
            keep: 8,
            pieces: counts(state),
        },
        Part {
            keep: 8,
            pieces: waiting(state),
        },
        Part {
            keep: 6,
            pieces: money(state),
        },
        Part {
            keep: 4,
            pieces: month(state),
        },
        Part {
            keep: 5,
            pieces: oldest(state),
        },
    ];
    if state.read_only {
        parts.push(Part {
            keep: 7,
            pieces: vec![label("read-only", Role::Info)],
        });
    }
    parts.retain(|part| !part.pieces.is_empty());
    while parts.len() > 1 && joined(&parts).1 > room {
        let least = parts.iter().enumerate().min_by_key(|(_, part)| part.keep);
        let Some((at, _)) = least else { break };
        parts.remove(at);
    }
    let row = Row {
        left: joined(&parts).0,
        right,
    };
    text::draw_row(buffer, area, &state.theme, &row);
}

/// The parts with gaps, and how many cells they take.
fn joined(parts: &[Part]) -> (Vec<Piece>, usize) {
    let mut pieces = Vec::new();
    for part in parts {
        if !pieces.is_empty() {
            pieces.push(label("  ", Role::Text));
        }
        pieces.extend_from_slice(&part.pieces);
    }
    let width = text::width(&pieces);
    (pieces, width)
}

fn scope(backend: &Backend) -> Vec<Piece> {
    let mut pieces = vec![span(&backend.name, Role::Title)];
    for more in [&backend.team, &backend.project, &backend.isolation]
        .into_iter()
        .flatten()
    {
        pieces.extend([label(" · ", Role::Dim), span(more, Role::Text)]);
    }
    pieces
}

fn counts(state: &State) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (status, count) in &state.summary.counts {
        let (sign, role) = state.theme.glyphs.status(Some(status));
        let word = clean_str(status.word());
        let role = if *status == Status::Stopped {
            Role::Dim
        } else {
            role
        };
        if !pieces.is_empty() {
            pieces.push(label(" ", Role::Text));
        }
        pieces.extend([
            label(sign, role),
            span(&say(format_args!(" {count} {word}")), role),
        ]);
    }
    if state.summary.unknown > 0 {
        let words = say(format_args!(
            " {} in an unknown state",
            state.summary.unknown
        ));
        pieces.push(span(&words, Role::Warn));
    }
    if pieces.is_empty() && state.world.swept.is_some() {
        pieces.push(label("no sandboxes", Role::Dim));
    }
    pieces
}

/// Agents that do nothing until a person answers.
fn waiting(state: &State) -> Vec<Piece> {
    match state.world.agent_runs.waiting() {
        0 => Vec::new(),
        1 => vec![label("1 agent waits", Role::Hit)],
        count => vec![span(&say(format_args!("{count} agents wait")), Role::Hit)],
    }
}

/// An estimate from list prices: the memory of what runs. The local engine costs nothing.
fn money(state: &State) -> Vec<Piece> {
    if state.summary.counts.is_empty() {
        return Vec::new();
    }
    let per_hour = figures::money(state.summary.per_hour);
    let unit = if state.world.backend.local {
        "/h at list price"
    } else {
        "/h now"
    };
    vec![span(&say(format_args!("~{per_hour}{unit}")), Role::Text)]
}

/// Needs a usage history.
fn month(state: &State) -> Vec<Piece> {
    if state.summary.counts.is_empty() {
        return Vec::new();
    }
    vec![
        label(figures::UNKNOWN, Role::Dim),
        label(" this month", Role::Dim),
    ]
}

/// Of the rows on screen.
fn oldest(state: &State) -> Vec<Piece> {
    let seen = state
        .list
        .visible()
        .iter()
        .filter_map(|key| state.world.fact(key))
        .map(|fact| fact.seen);
    let Some(oldest) = seen.min().map(|seen: Mono| state.now.mono.since(seen)) else {
        return Vec::new();
    };
    vec![span(
        &say(format_args!("oldest {}", figures::ago(Some(oldest)))),
        Role::Dim,
    )]
}

fn link(state: &State) -> Vec<Piece> {
    // What is due is under way: a call that takes long is no wait of 0 s.
    let wait = |at: Mono| match at.since(state.now.mono) {
        Span(..=0) => Clean::from("now"),
        wait => say(format_args!("in {}", figures::ago(Some(wait)))),
    };
    let tell = |words: Clean, role| vec![span(&words, role)];
    match &state.world.link {
        Link::Connecting => vec![label("connecting", Role::Info)],
        Link::Live { .. } => match state.world.swept.map(|swept| state.now.mono.since(swept)) {
            None => vec![label("reading", Role::Info)],
            Some(age) if age <= LIVE => vec![label("live", Role::Good)],
            Some(age) => tell(
                say(format_args!("{} old", figures::ago(Some(age)))),
                Role::Stale,
            ),
        },
        Link::Retrying {
            at, offline: true, ..
        } => tell(
            say(format_args!("offline · retrying {}", wait(*at))),
            Role::Bad,
        ),
        Link::Retrying { at, why, .. } => tell(
            say(format_args!("retrying {} · {why}", wait(*at))),
            Role::Warn,
        ),
        Link::Unauthorized { at, .. } => tell(
            say(format_args!("not signed in · trying again {}", wait(*at))),
            Role::Bad,
        ),
    }
}
