//! Draws the commands and the lines in view.

use super::commands::{Entry, Standing, current_session, entries, listing};
use super::layout::{GUTTER, places};
use super::line::Kind;
use super::state::State;
use super::title;
use super::update::with_line;
use super::window::WindowRow;
use crate::logic::{Pane, TailState, World};
use crate::model::{Status, Timestamp};
use crate::panes::{Ctx, age, whole};
use crate::text::{LogStore, Pattern, clean_str, figures, say};
use crate::ui::{Column, Panel, Piece, Role, Table, TableRow, label, span, text};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

const COMMANDS: &[Column] = &[
    Column::of_words("state", 9, 12, 3),
    Column::of_words("command", 10, 10, 4).sharing(1),
    Column::of_figures("took", 8, 9, 2),
    Column::of_figures("age", 5, 6, 1),
];

/// The signs before lines: words of colour are not enough to tell the streams apart.
const STDERR: &str = "!";
const OTHER: &str = "?";
const NOTE: &str = "*";
const EVICTED: &str = "x";

pub fn draw(state: &State, world: &World, ctx: &Ctx<'_>, area: Rect, buffer: &mut Buffer) {
    let places = places(area, ctx.pane);
    let entries = entries(state, world, ctx);
    if !places.commands.is_empty() {
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
            .map(|entry| command_row(entry, service_now, ctx))
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

fn command_row(entry: &Entry<'_>, service_now: Timestamp, ctx: &Ctx<'_>) -> TableRow {
    let role = if entry.earlier { Role::Dim } else { Role::Text };
    let age = entry.command.started_at.map(|at| service_now.since(at));
    let cells = vec![
        standing(entry.standing(), ctx).into(),
        span(&entry.line(), role).into(),
        span(&figures::duration(entry.duration(service_now)), role).into(),
        span(&figures::ago(age), role).into(),
    ];
    TableRow {
        marked: false,
        cells,
    }
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
    let entry = entries
        .iter()
        .find(|entry| Some(&entry.key()) == state.chosen());
    let name = entry.map_or(label("Lines", Role::Heading), |entry| {
        span(&entry.line(), Role::Title)
    });
    let panel = Panel {
        title: vec![name],
        state: tail
            .map(|tail| title::stream(tail, ctx))
            .unwrap_or_default(),
        hint: tail
            .map(|tail| title::hint(state, tail))
            .unwrap_or_default(),
        focused: ctx.has_keys(Pane::Lines),
    };
    let inner = panel.draw(buffer, area, ctx.theme);
    if state.window.rows.is_empty() {
        let sentence = match (tail.map(|tail| &tail.follow.state), state.chosen()) {
            (_, None) => label("No command is chosen.", Role::Dim),
            (None | Some(TailState::Closed), _) => label("The log is not open.", Role::Dim),
            (Some(TailState::Connecting), _) => label("Opening the log…", Role::Dim),
            (Some(TailState::Ended { .. }), _) => label("It printed nothing.", Role::Dim),
            (Some(other), _) => title::why(other)
                .map_or(label("No output yet.", Role::Dim), |why| {
                    span(why, Role::Warn)
                }),
        };
        return whole::draw(buffer, inner, ctx, &[sentence]);
    }
    let (inner, below) = with_line(state, inner);
    if let Some(tail) = tail.filter(|_| !below.is_empty()) {
        draw_search(state, &tail.store, ctx, below, buffer);
    }
    for (line, row) in inner.rows().zip(&state.window.rows) {
        draw_row(row, state.column.unwrap_or_default(), ctx, line, buffer);
    }
}

/// What is searched for; right of it what became of it.
fn draw_search(state: &State, store: &LogStore, ctx: &Ctx<'_>, line: Rect, buffer: &mut Buffer) {
    let typed = match &state.typing {
        Some(typing) => typing.prompt.text(),
        None => state.find.pattern.as_ref().map_or("", Pattern::typed),
    };
    let typed = clean_str(typed);
    let pieces = [label("/", Role::Dim), span(&typed, Role::Match)];
    // What is typed goes before what is said of it, with room for a letter more.
    let wide = u16::try_from(text::width(&pieces) + 3).unwrap_or(u16::MAX);
    let left = Rect {
        width: wide.min(line.width),
        ..line
    };
    let right = Rect {
        x: left.right(),
        width: line.width - left.width,
        ..line
    };
    if let Some(typing) = &state.typing {
        let sign = [label("/", Role::Key)];
        typing.prompt.draw(buffer, left, ctx.theme, &sign, true);
    } else {
        text::draw(buffer, left, ctx.theme, &pieces);
    }
    let status = state.find.status(store).map(|said| span(&said, Role::Info));
    let complaint = state.complaint().map(|why| span(why, Role::Warn));
    let said = age::joined(status.into_iter().chain(complaint));
    text::draw_right(buffer, right, ctx.theme, &said);
}

fn draw_row(row: &WindowRow, column: usize, ctx: &Ctx<'_>, line: Rect, buffer: &mut Buffer) {
    let first = row.spot.row == 0;
    let sign = match row.kind {
        _ if row.evicted && first => label(EVICTED, Role::Warn),
        Kind::Stderr if first => label(STDERR, Role::Stderr),
        Kind::Other if first => label(OTHER, Role::Info),
        Kind::Note if first => label(NOTE, Role::Info),
        _ => label(" ", Role::Dim),
    };
    text::draw(
        buffer,
        Rect {
            width: line.width.min(1),
            ..line
        },
        ctx.theme,
        &[sign],
    );
    let gutter = GUTTER.min(line.width);
    let place = Rect {
        x: line.x + gutter,
        width: line.width - gutter,
        ..line
    };
    let skip = if row.kind == Kind::Gap { 0 } else { column };
    text::draw_from(buffer, place, ctx.theme, &row.pieces, skip);
}
