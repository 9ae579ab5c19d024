//! Draws the commands and the lines in view.

use super::below;
use super::commands::{Entry, Standing, current_session, entries, listing};
use super::gutter::Gutter;
use super::layout::places;
use super::line::Kind;
use super::shown::Shown;
use super::sieve::Sieve;
use super::sources;
use super::state::State;
use super::title;
use super::update::with_line;
use crate::logic::{Pane, Tail, TailState, World};
use crate::model::{Status, Timestamp};
use crate::panes::{Ctx, age, whole};
use crate::text::{figures, say};
use crate::ui::{Column, Panel, Piece, Role, Table, TableRow, label, span, text};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

const COMMANDS: &[Column] = &[
    Column::of_words("state", 9, 12, 3),
    Column::of_words("command", 10, 10, 4).sharing(1),
    Column::of_figures("took", 8, 9, 2),
    Column::of_figures("age", 5, 6, 1),
];

pub fn draw(state: &State, world: &World, ctx: &Ctx<'_>, area: Rect, buffer: &mut Buffer) {
    let places = places(area, ctx.pane);
    let entries = entries(state, world, ctx);
    if let Some(merged) = world.merged.as_ref().filter(|_| state.merges) {
        if !places.commands.is_empty() {
            sources::draw(state, merged, world, ctx, places.commands, buffer);
        }
    } else if !places.commands.is_empty() {
        draw_commands(state, world, &entries, ctx, places.commands, buffer);
    }
    if !places.lines.is_empty() {
        draw_lines(state, world, &entries, ctx, places.lines, buffer);
    }
}

fn draw_commands(
    state: &State,
    world: &World,
    entries: &[Entry<'_>],
    ctx: &Ctx<'_>,
    area: Rect,
    buffer: &mut Buffer,
) {
    let known = listing(world, ctx);
    let more = if known.is_some_and(|known| known.more) {
        "+"
    } else {
        ""
    };
    let count = span(&say(format_args!("{}{more}", entries.len())), Role::Title);
    let trouble = known.and_then(|known| known.trouble.as_ref());
    // Without a session there is nothing to be read.
    let session = ctx.subject.and_then(|key| current_session(world, key));
    let panel = Panel {
        title: vec![label("Commands ", Role::Heading), count],
        state: if session.is_some() {
            age::state(known.and_then(|known| known.read), &world.link, ctx)
        } else {
            Vec::new()
        },
        hint: age::trouble(trouble, &world.link, ctx),
        focused: ctx.has_keys(Pane::Stage),
    };
    let inner = panel.draw(buffer, area, ctx.theme);
    if entries.is_empty() {
        return whole::draw(buffer, inner, ctx, &[why_empty(world, ctx)]);
    }
    let table = Table {
        focused: panel.focused,
        ..table(state, entries.len())
    };
    let service_now = world.service_now(ctx.now);
    table.draw(buffer, inner, ctx.theme, |at| {
        entries
            .get(at)
            .map(|entry| command_row(entry, state.is_marked(&entry.key()), service_now, ctx))
            .unwrap_or_default()
    });
}

pub(super) fn table(state: &State, len: usize) -> Table<'static> {
    Table {
        columns: COMMANDS,
        len,
        selected: state
            .cursor
            .at()
            .filter(|_| state.cursor.chosen() == state.chosen()),
        offset: state.cursor.top(),
        focused: false,
        titles: true,
    }
}

fn why_empty(world: &World, ctx: &Ctx<'_>) -> Piece {
    let known = listing(world, ctx);
    let trouble = known.and_then(|known| known.trouble.as_ref());
    match (ctx.subject, known) {
        (None, _) => label("No sandbox is selected.", Role::Dim),
        (_, Some(known)) if known.read.is_some() => {
            label("No command was run in this session yet.", Role::Dim)
        }
        (_, Some(_)) if trouble.is_some() => {
            trouble.map_or(label("", Role::Dim), |why| span(why, Role::Warn))
        }
        (Some(key), _) if current_session(world, key).is_none() => {
            label("It has no session yet.", Role::Dim)
        }
        _ => label("Reading the commands…", Role::Dim),
    }
}

fn command_row(entry: &Entry<'_>, marked: bool, service_now: Timestamp, ctx: &Ctx<'_>) -> TableRow {
    let role = if entry.earlier { Role::Dim } else { Role::Text };
    let age = entry.command.started_at.map(|at| service_now.since(at));
    let cells = vec![
        standing(entry.standing(), ctx).into(),
        span(&entry.line(), role).into(),
        span(&figures::duration(entry.duration(service_now)), role).into(),
        span(&figures::ago(age), role).into(),
    ];
    TableRow { marked, cells }
}

fn standing(standing: Standing, ctx: &Ctx<'_>) -> Vec<Piece> {
    let glyphs = ctx.theme.glyphs;
    let (sign, role) = match standing {
        Standing::Running => glyphs.status(Some(&Status::Running)),
        Standing::Exit(0) => (glyphs.status(Some(&Status::Stopped)).0, Role::Dim),
        Standing::Exit(_) => glyphs.status(Some(&Status::Failed)),
        Standing::Killed(_) => glyphs.status(Some(&Status::Aborted)),
        Standing::Lost => glyphs.status(None),
    };
    let word = match standing {
        Standing::Running => label("running", role),
        Standing::Exit(code) | Standing::Killed(code) => span(&title::exit_words(code), role),
        Standing::Lost => label("exit –", role),
    };
    vec![label(sign, role), label(" ", role), word]
}

fn draw_lines(
    state: &State,
    world: &World,
    entries: &[Entry<'_>],
    ctx: &Ctx<'_>,
    area: Rect,
    buffer: &mut Buffer,
) {
    let tail = state.chosen().and_then(|key| world.tails.get(key));
    let shown = state.shown(world);
    let log = shown.as_ref().map(|shown| &shown.log);
    let merged = shown.as_ref().and_then(Shown::merged);
    let entry = entries
        .iter()
        .find(|entry| Some(&entry.key()) == state.chosen());
    let name = entry.map_or(label("Lines", Role::Heading), |entry| {
        span(&entry.line(), Role::Title)
    });
    let mut title = log.map(|log| title::filter(state, log)).unwrap_or_default();
    title.push(merged.map_or(name, sources::title));
    let why = match (merged, tail) {
        (Some(merged), _) => sources::left_out(merged, world),
        (None, tail) => tail.and_then(|tail| title::why(&tail.follow.state).cloned()),
    };
    let panel = Panel {
        title,
        state: match (merged, tail) {
            (Some(merged), _) => sources::state(merged, world, ctx),
            (None, tail) => tail.map_or(Vec::new(), |tail| title::stream(tail, ctx)),
        },
        hint: log.map_or(Vec::new(), |log| title::hint(state, log, why.as_ref())),
        focused: ctx.has_keys(Pane::Lines),
    };
    let inner = panel.draw(buffer, area, ctx.theme);
    let (inner, below) = with_line(state, inner);
    if let Some(log) = log.filter(|_| !below.is_empty()) {
        below::draw(state, log, ctx, below, buffer);
    }
    if state.window.rows.is_empty() {
        let sentence = why_no_lines(state, shown.is_some(), tail);
        return whole::draw(buffer, inner, ctx, &[sentence]);
    }
    let Some(shown) = &shown else { return };
    let gutter = Gutter::of(state.looks, shown, inner.width);
    let selected = state.selection.map_or(0..0, |selection| selection.lines());
    for (line, row) in inner.rows().zip(&state.window.rows) {
        let place = gutter.draw(row, (shown, state.looks.times), ctx, line, buffer);
        let aside = match row.kind {
            Kind::Gap | Kind::Away => 0,
            _ => state.column.unwrap_or_default(),
        };
        text::draw_from(buffer, place, ctx.theme, &row.pieces, aside);
        if selected.contains(&row.spot.line) {
            text::restyle(buffer, line, ctx.theme, Role::Selected);
        }
    }
}

fn why_no_lines(state: &State, is_shown: bool, tail: Option<&Tail>) -> Piece {
    let filtered = state.sieve.as_ref().map(Sieve::is_done);
    match (tail.map(|tail| &tail.follow.state), state.chosen()) {
        _ if is_shown && filtered == Some(false) => label("Filtering…", Role::Dim),
        _ if is_shown && filtered.is_some() => {
            label("The filter lets no line through; esc ends it.", Role::Dim)
        }
        (_, None) if state.merges => label("No output yet.", Role::Dim),
        (_, None) => label("No command is chosen.", Role::Dim),
        (None | Some(TailState::Closed), _) => label("The log is not open.", Role::Dim),
        (Some(TailState::Connecting), _) => label("Opening the log…", Role::Dim),
        (Some(TailState::Ended { .. }), _) => label("It printed nothing.", Role::Dim),
        (Some(other), _) => title::why(other).map_or(label("No output yet.", Role::Dim), |why| {
            span(why, Role::Warn)
        }),
    }
}
