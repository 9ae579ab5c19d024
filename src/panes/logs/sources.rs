//! Draws the sources of merged logs, and what the frame around their lines says.

use super::gutter::{LONGEST_NAME, names};
use super::state::State;
use super::title::exit_words;
use crate::logic::merged::{Count, Source};
use crate::logic::{Merged, Pane, Scope, Tail, TailState, World};
use crate::model::Clean;
use crate::panes::{Ctx, whole};
use crate::text::{Side, clean, cut, figures, say};
use crate::ui::{Column, Panel, Piece, Role, Table, TableRow, label, span};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Names that a sentence lists.
const NAMED: usize = 3;

pub(super) fn draw(
    state: &State,
    merged: &Merged,
    world: &World,
    ctx: &Ctx<'_>,
    area: Rect,
    buffer: &mut Buffer,
) {
    let count = span(&say(format_args!("{}", merged.sources.len())), Role::Title);
    let panel = Panel {
        title: vec![label("Sources ", Role::Heading), count],
        state: vec![label("esc leaves", Role::Dim)],
        hint: Vec::new(),
        focused: ctx.has_keys(Pane::Stage),
    };
    let inner = panel.draw(buffer, area, ctx.theme);
    if merged.sources.is_empty() {
        let why = label(
            "No command fits yet; those that begin will join.",
            Role::Dim,
        );
        return whole::draw(buffer, inner, ctx, &[why]);
    }
    let columns = columns(merged);
    let table = Table {
        focused: panel.focused,
        ..table(state, &columns, merged.sources.len())
    };
    let waiting: Vec<&Source> = merged.waiting(world).collect();
    table.draw(buffer, inner, ctx.theme, |at| {
        let Some(source) = merged.sources.get(at) else {
            return TableRow::default();
        };
        let waits = waiting.iter().any(|other| other.command == source.command);
        let tail = world.tails.get(&source.command);
        let heard = match merged.is_heard(at) {
            _ if merged.is_solo(at) => label("only", Role::Mark),
            true => label("", Role::Text),
            false => label("muted", Role::Dim),
        };
        let last = tail.and_then(|tail| tail.follow.last_piece);
        let last = last.map(|last| ctx.now.mono.since(last));
        let cells = vec![
            standing(tail, waits).into(),
            span(
                &cut(&source.name, LONGEST_NAME, Side::Middle),
                Role::of_source(at),
            )
            .into(),
            heard.into(),
            span(&source.line, Role::Text).into(),
            span(&figures::ago(last), Role::Text).into(),
        ];
        TableRow {
            marked: false,
            cells,
        }
    });
}

/// As wide as the names need it: by them lines are told apart.
pub(super) fn columns(merged: &Merged) -> [Column; 5] {
    let name = u16::try_from(names(merged)).unwrap_or(u16::MAX).max(6);
    [
        Column::of_words("state", 9, 11, 4),
        Column::of_words("source", name, name, 5),
        Column::of_words("heard", 5, 5, 3),
        Column::of_words("command", 8, 8, 1).sharing(1),
        Column::of_figures("last", 5, 6, 2),
    ]
}

pub(super) fn table<'a>(state: &State, columns: &'a [Column], len: usize) -> Table<'a> {
    Table {
        columns,
        len,
        selected: state.sources.at(),
        offset: state.sources.top(),
        focused: false,
        titles: true,
    }
}

fn standing(tail: Option<&Tail>, waits: bool) -> Piece {
    match tail.map(|tail| &tail.follow.state) {
        _ if waits => label("waits", Role::Warn),
        None | Some(TailState::Closed) => label("–", Role::Dim),
        Some(TailState::Connecting) => label("connecting", Role::Info),
        Some(TailState::Replaying) => label("replaying", Role::Info),
        Some(TailState::Live) => label("live", Role::Good),
        Some(TailState::Asking) => label("ended", Role::Info),
        Some(TailState::Ended { exit: 0 }) => label("exit 0", Role::Dim),
        Some(TailState::Ended { exit }) => span(&exit_words(*exit), Role::Bad),
        Some(TailState::Retrying { .. }) => label("retrying", Role::Warn),
        Some(TailState::GaveUp { .. }) => label("gave up", Role::Bad),
        Some(TailState::Unavailable { .. }) => label("unavailable", Role::Warn),
    }
}

/// What is merged, for the title of the lines.
pub(super) fn title(merged: &Merged) -> Piece {
    let said = match &merged.scope {
        Scope::Commands(_) => say(format_args!("{} logs merged", merged.sources.len())),
        Scope::Sandbox(key) => say(format_args!("all of {}", clean(key.name.as_foreign()))),
        Scope::Running(keys) => match keys.as_slice() {
            [key] => say(format_args!("running in {}", clean(key.name.as_foreign()))),
            keys => say(format_args!("running in {} sandboxes", keys.len())),
        },
        Scope::New => Clean::from("everything new"),
    };
    span(&said, Role::Title)
}

/// How the sources stand, and when one of them last told something.
pub(super) fn state(merged: &Merged, world: &World, ctx: &Ctx<'_>) -> Vec<Piece> {
    let Count {
        live,
        opening,
        over,
        waiting,
    } = merged.count(world);
    let parts = [
        (live, "live", Role::Good),
        (opening, "opening", Role::Info),
        (waiting, "wait", Role::Warn),
        (over, "ended", Role::Dim),
    ];
    let mut pieces = Vec::new();
    for (count, word, role) in parts.into_iter().filter(|(count, ..)| *count > 0) {
        if !pieces.is_empty() {
            pieces.push(label(" · ", Role::Dim));
        }
        pieces.push(span(&say(format_args!("{count} {word}")), role));
    }
    let tails = merged.sources.iter();
    let tails = tails.filter_map(|source| world.tails.get(&source.command));
    let last = tails.filter_map(|tail| tail.follow.last_piece).max();
    if let Some(last) = last.filter(|_| live > 0) {
        let ago = figures::ago(Some(ctx.now.mono.since(last)));
        pieces.push(span(
            &say(format_args!(" · last output {ago} ago")),
            Role::Good,
        ));
    }
    pieces
}

/// What is not read, and why.
pub(super) fn left_out(merged: &Merged, world: &World) -> Option<Clean> {
    let waiting: Vec<&Clean> = merged.waiting(world).map(|source| &source.name).collect();
    if !waiting.is_empty() {
        let names: Vec<&str> = waiting
            .iter()
            .take(NAMED)
            .map(|name| name.as_str())
            .collect();
        let more = match waiting.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let (most, names) = (world.keeping.limits.streams, names.join(", "));
        return Some(say(format_args!(
            "waiting for a place (logs.streams = {most}): {names}{more}"
        )));
    }
    let followed = merged.followed();
    (followed.left_out > 0).then(|| {
        let (asked, all) = (followed.keys.len(), followed.keys.len() + followed.left_out);
        say(format_args!(
            "only {asked} of {all} sandboxes are asked for new commands"
        ))
    })
}
