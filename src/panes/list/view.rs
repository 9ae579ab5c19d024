//! Draws the list: title with counts, filter line, table; or what to do when there is nothing to list.

use super::{State, cells};
use crate::logic::{Action, Column, Mono, Pane, SandboxFact, World};
use crate::model::{SandboxKey, Span};
use crate::panes::{Ctx, standing};
use crate::text::{clean_str, figures, say};
use crate::ui::{self, Cell, Gauge, Panel, Piece, Role, Table, TableRow, label, span};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// A row that the service told longer ago than this shows its age.
const RECENT: Span = Span::seconds(45);

pub fn draw(state: &State, world: &World, ctx: &Ctx<'_>, area: Rect, buffer: &mut Buffer) {
    let focused = ctx.has_keys(Pane::List);
    let panel = Panel {
        title: title(state, world),
        state: order(state),
        hint: trouble(world),
        focused,
    };
    panel.draw(buffer, area, ctx.theme);
    if state.has_filter_line() {
        draw_filter(state, ctx, buffer);
    }
    let body = state.body();
    if state.rows().is_empty() {
        return draw_nothing(state, world, ctx, body, buffer);
    }
    let table = Table {
        focused: focused && !state.is_typing(),
        ..state.table()
    };
    table.draw(buffer, body, ctx.theme, |at| {
        let key = state.rows().get(at);
        let fact = key.and_then(|key| Some((key, world.fact(key)?)));
        fact.map(|(key, fact)| row(state, key, fact, world, ctx))
            .unwrap_or_default()
    });
}

fn title(state: &State, world: &World) -> Vec<Piece> {
    let total = world.sandboxes.len();
    let count = match state.is_filtered() {
        true => say(format_args!(" {} of {total}", state.rows().len())),
        false => say(format_args!(" {total}")),
    };
    let mut title = vec![label("Sandboxes", Role::Title), span(&count, Role::Dim)];
    if state.marked() > 0 {
        let marked = say(format_args!("  {} marked", state.marked()));
        title.push(span(&marked, Role::Mark));
    }
    title
}

fn order(state: &State) -> Vec<Piece> {
    let order = state.order();
    let direction = if order.is_descending() { "down" } else { "up" };
    vec![span(
        &say(format_args!(
            "by {} {direction}",
            order.column.title().to_lowercase()
        )),
        Role::Dim,
    )]
}

/// Why the list could not be read the last time, where the header does not tell it.
fn trouble(world: &World) -> Vec<Piece> {
    world
        .list_trouble
        .iter()
        .map(|why| span(why, Role::Bad))
        .collect()
}

fn draw_filter(state: &State, ctx: &Ctx<'_>, buffer: &mut Buffer) {
    let inner = Panel::inner(state.area());
    let line = Rect {
        height: inner.height.min(1),
        ..inner
    };
    let trouble = state.filter().trouble.as_ref();
    match &state.prompt {
        Some(prompt) => prompt.draw(buffer, line, ctx.theme, &[label("/", Role::Key)], true),
        None => {
            let typed = [
                label("/", Role::Dim),
                span(&clean_str(state.typed()), Role::Match),
            ];
            ui::text::draw(buffer, line, ctx.theme, &typed);
        }
    }
    if let Some(trouble) = trouble {
        ui::text::draw_right(buffer, line, ctx.theme, &[span(trouble, Role::Warn)]);
    }
}

fn row(
    state: &State,
    key: &SandboxKey,
    fact: &SandboxFact,
    world: &World,
    ctx: &Ctx<'_>,
) -> TableRow {
    let seen = ctx.now.mono.since(fact.seen);
    let age = if seen > RECENT {
        span(&figures::ago(Some(seen)), Role::Stale)
    } else {
        label("", Role::Dim)
    };
    let held = state.held.get(key);
    let cells = state
        .shown
        .iter()
        .map(|column| match (column, held) {
            (Column::Status, Some((verb, at))) => held_back(verb, *at, ctx),
            _ => cell(key, fact, *column, world, ctx),
        })
        .chain([age.into()]);
    TableRow {
        marked: state.marks.contains(key),
        cells: cells.collect(),
    }
}

fn cell(
    key: &SandboxKey,
    fact: &SandboxFact,
    column: Column,
    world: &World,
    ctx: &Ctx<'_>,
) -> Cell {
    let service_now = world.service_now(ctx.now);
    let sandbox = &fact.sandbox;
    match column {
        Column::Status => status(fact, ctx),
        Column::Agent => agent(key, world, ctx),
        Column::Left => left(fact, world, ctx),
        Column::Cost => span(&figures::money(fact.cost(service_now)), Role::Text).into(),
        Column::Name if fact.gone => {
            span(&cells::text(sandbox, column, service_now), Role::Dim).into()
        }
        Column::Name => span(&cells::text(sandbox, column, service_now), Role::Text).into(),
        _ => {
            let text = cells::text(sandbox, column, service_now);
            let role = if text.as_str() == figures::UNKNOWN {
                Role::Dim
            } else {
                Role::Text
            };
            span(&text, role).into()
        }
    }
}

/// Sign and word; what was asked for and is not confirmed is told as such.
fn status(fact: &SandboxFact, ctx: &Ctx<'_>) -> Cell {
    let glyphs = ctx.theme.glyphs;
    if fact.gone {
        return label("deleted", Role::Dim).into();
    }
    if fact.requested.is_some() {
        return label("stop requested", Role::Requested).into();
    }
    let (sign, role) = glyphs.status(fact.sandbox.status.as_ref());
    let word = cells::text(&fact.sandbox, Column::Status, ctx.now.wall);
    vec![label(sign, role), label(" ", role), span(&word, role)].into()
}

/// The run that tells most of what goes on in it.
fn agent(key: &SandboxKey, world: &World, ctx: &Ctx<'_>) -> Cell {
    let run = world.agent_runs.of_sandbox(key);
    match run.and_then(|run| world.standing(run, ctx.now)) {
        Some(standing) => standing::sign(&standing, ctx).into(),
        None => label(figures::UNKNOWN, Role::Dim).into(),
    }
}

/// Confirmed, not sent, and can be taken back.
fn held_back(verb: &'static str, at: Mono, ctx: &Ctx<'_>) -> Cell {
    let seconds = figures::countdown(at.since(ctx.now.mono));
    span(&say(format_args!("{verb} in {seconds}")), Role::Requested).into()
}

/// A shrinking bar and the live figure.
fn left(fact: &SandboxFact, world: &World, ctx: &Ctx<'_>) -> Cell {
    let Some(left) = fact.left(world.service_now(ctx.now)) else {
        return label(figures::UNKNOWN, Role::Dim).into();
    };
    let limit = fact
        .current_session()
        .and_then(|session| session.timeout)
        .or(fact.sandbox.timeout);
    let gauge = Gauge::time_left(left, limit.unwrap_or(left));
    let figure = span(&figures::left(Some(left)), gauge.role());
    if limit.is_some() {
        Cell::Gauge(gauge, vec![figure])
    } else {
        figure.into()
    }
}

/// Why there is nothing, and what to do about it.
fn draw_nothing(state: &State, world: &World, ctx: &Ctx<'_>, area: Rect, buffer: &mut Buffer) {
    let mut lines = Vec::new();
    for sentence in reasons(state, world, ctx) {
        lines.extend(ui::text::wrap(&sentence, area.width.saturating_sub(2)));
        lines.push(Vec::new());
    }
    let place = Rect {
        x: area.x + area.width.min(1),
        width: area.width.saturating_sub(2),
        ..area
    };
    for (line, pieces) in place.rows().zip(&lines) {
        ui::text::draw(buffer, line, ctx.theme, pieces);
    }
}

fn reasons(state: &State, world: &World, ctx: &Ctx<'_>) -> Vec<Vec<Piece>> {
    if state.is_filtered() && !world.sandboxes.is_empty() {
        let hidden = say(format_args!(
            "The filter hides all {} sandboxes.",
            world.sandboxes.len()
        ));
        return vec![
            vec![span(&hidden, Role::Text)],
            vec![label("Press esc to show them again.", Role::Dim)],
        ];
    }
    if let Some(trouble) = &world.list_trouble {
        return vec![vec![span(trouble, Role::Bad)]];
    }
    if world.swept.is_none() {
        return vec![vec![label("Reading the list of sandboxes…", Role::Dim)]];
    }
    if world.backend.local {
        welcome(ctx)
    } else {
        vec![vec![label("This project has no sandboxes.", Role::Text)]]
    }
}

fn welcome(ctx: &Ctx<'_>) -> Vec<Vec<Piece>> {
    let key_of = |action| {
        let key = ctx.keymap.keys_of(action).next();
        let key = key.map(|key| say(format_args!("{}", key.label())));
        span(&key.unwrap_or_default(), Role::Key)
    };
    vec![
        vec![label(
            "Welcome. The local engine runs, and has no sandboxes yet.",
            Role::Title,
        )],
        vec![
            label("Press ", Role::Text),
            key_of(Action::Sample),
            label(" for three samples, then ", Role::Text),
            key_of(Action::Run),
            label(" to run a command in the selected one.", Role::Text),
        ],
        vec![label(
            "Or let another program create them: sandtop serve prints a URL and a token for clients of the service's \
             API.",
            Role::Dim,
        )],
    ]
}
