//! Draws the facts and the sessions.

use super::State;
use super::facts::{Fact, facts};
use super::words::word;
use crate::logic::{Listing, Pane, Tab, World};
use crate::model::{Session, Status, Timestamp};
use crate::panes::{Ctx, Cursor, age, whole};
use crate::text::{clean, figures, say};
use crate::ui::{Cell, Column, Panel, Piece, Role, Table, TableRow, label, span};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub(super) const FACTS: &[Column] = &[
    Column::of_words("", 8, 8, 1),
    Column::of_words("fact", 8, 16, 2),
    Column::of_words("value", 12, 24, 3).sharing(1),
];

pub(super) const SESSIONS: &[Column] = &[
    Column::of_words("status", 9, 12, 14),
    Column::of_words("session", 16, 20, 13).sharing(1),
    Column::of_figures("created", 8, 8, 12),
    Column::of_figures("duration", 9, 9, 11),
    Column::of_words("region", 6, 6, 6),
    Column::of_figures("memory", 6, 6, 5),
    Column::of_figures("vCPUs", 5, 5, 4),
    Column::of_words("runtime", 7, 8, 3),
    Column::of_figures("CPU", 9, 9, 8),
    Column::of_figures("net out", 8, 8, 10),
    Column::of_figures("net in", 8, 8, 9),
    Column::of_words("snapshot", 8, 16, 7),
];

pub fn draw(
    state: &State,
    world: &World,
    tab: Tab,
    ctx: &Ctx<'_>,
    area: Rect,
    buffer: &mut Buffer,
) {
    match tab {
        Tab::Sessions => draw_sessions(state, world, ctx, area, buffer),
        _ => draw_facts(state, world, ctx, area, buffer),
    }
}

fn draw_facts(state: &State, world: &World, ctx: &Ctx<'_>, area: Rect, buffer: &mut Buffer) {
    let fact = ctx.subject.and_then(|key| world.fact(key));
    let name = fact.map(|fact| span(&clean(fact.sandbox.name.as_foreign()), Role::Title));
    let panel = Panel {
        title: [label("Info ", Role::Heading)]
            .into_iter()
            .chain(name)
            .collect(),
        state: age::state(fact.map(|fact| fact.seen), &world.link, ctx),
        hint: age::trouble(None, &world.link, ctx),
        focused: ctx.has_keys(Pane::Stage),
    };
    let inner = panel.draw(buffer, area, ctx.theme);
    let facts = facts(world, ctx);
    if facts.is_empty() {
        return draw_sentence(buffer, inner, ctx, "No sandbox is selected.");
    }
    let (body, strip) = whole::split(inner);
    let table = Table {
        focused: panel.focused,
        ..table(FACTS, &state.facts, facts.len())
    };
    let first = table.visible(body).start;
    table.draw(buffer, body, ctx.theme, |at| {
        fact_row(&facts, at, at == first)
    });
    if let Some(fact) = state.facts.at().and_then(|at| facts.get(at)) {
        whole::draw(
            buffer,
            strip,
            ctx,
            &[
                label(fact.key.label, Role::Heading),
                label(" ", Role::Text),
                value(fact),
            ],
        );
    }
}

/// As it is drawn, but for the focus.
pub(super) fn table<K: Clone + PartialEq>(
    columns: &'static [Column],
    cursor: &Cursor<K>,
    len: usize,
) -> Table<'static> {
    Table {
        columns,
        len,
        selected: cursor.at(),
        offset: cursor.top(),
        focused: false,
        titles: true,
    }
}

/// The section stands before its first row, and before the first row in view.
fn fact_row(facts: &[Fact], at: usize, first: bool) -> TableRow {
    let Some(fact) = facts.get(at) else {
        return TableRow::default();
    };
    let before = at.checked_sub(1).and_then(|before| facts.get(before));
    let goes_on = before.is_some_and(|before| before.key.section == fact.key.section) && !first;
    let section = if goes_on { "" } else { fact.key.section };
    let cells = vec![
        label(section, Role::Heading).into(),
        label(fact.key.label, Role::Dim).into(),
        value(fact).into(),
    ];
    TableRow {
        marked: false,
        cells,
    }
}

fn value(fact: &Fact) -> Piece {
    fact.value
        .as_ref()
        .map_or(label("–", Role::Dim), |value| span(value, fact.role))
}

fn draw_sessions(state: &State, world: &World, ctx: &Ctx<'_>, area: Rect, buffer: &mut Buffer) {
    let known = ctx
        .subject
        .and_then(|key| world.sessions.get(key))
        .map(|known| &known.value);
    let mut title = vec![label("Sessions ", Role::Heading)];
    if let Some(known) = known {
        let more = if known.more { "+" } else { "" };
        title.push(span(
            &say(format_args!("{}{more}", known.entries.len())),
            Role::Title,
        ));
    }
    let trouble = known.and_then(|known| known.trouble.as_ref());
    let panel = Panel {
        title,
        state: age::state(known.and_then(|known| known.read), &world.link, ctx),
        hint: age::trouble(trouble, &world.link, ctx),
        focused: ctx.has_keys(Pane::Stage),
    };
    let inner = panel.draw(buffer, area, ctx.theme);
    let entries = known
        .map(|known| known.entries.as_slice())
        .unwrap_or_default();
    if entries.is_empty() {
        return draw_sentence(buffer, inner, ctx, why_empty(known, ctx));
    }
    let cursor = ctx.subject.and_then(|key| state.sessions.get(key));
    let Some(cursor) = cursor else { return };
    let table = Table {
        focused: panel.focused,
        ..table(SESSIONS, cursor, entries.len())
    };
    let service_now = world.service_now(ctx.now);
    table.draw(buffer, inner, ctx.theme, |at| {
        entries
            .get(at)
            .map(|session| session_row(session, service_now, ctx))
            .unwrap_or_default()
    });
}

fn why_empty(known: Option<&Listing<Session>>, ctx: &Ctx<'_>) -> &'static str {
    match known {
        _ if ctx.subject.is_none() => "No sandbox is selected.",
        Some(known) if known.read.is_some() => "No sessions yet.",
        Some(known) if known.trouble.is_some() => "The sessions could not be read; r tries again.",
        _ => "Reading the sessions…",
    }
}

fn session_row(session: &Session, service_now: Timestamp, ctx: &Ctx<'_>) -> TableRow {
    let (sign, role) = ctx.theme.glyphs.status(session.status.as_ref());
    let status = session.status.as_ref().map_or_else(|| "–".into(), word);
    let running = session.status == Some(Status::Running);
    let began = session.started_at.or(session.created_at);
    let live = || {
        began
            .filter(|_| running)
            .map(|began| service_now.since(began))
    };
    let transfer = session.network_transfer;
    let text = |text| span(&text, Role::Text);
    let foreign = |text: Option<&crate::model::Foreign>| {
        text.map_or(label("–", Role::Dim), |text| {
            span(&clean(text), Role::Text)
        })
    };
    let cells: Vec<Cell> = vec![
        vec![label(sign, role), label(" ", role), span(&status, role)].into(),
        span(&clean(session.id.as_foreign()), Role::Text).into(),
        text(figures::ago(
            session.created_at.map(|at| service_now.since(at)),
        ))
        .into(),
        text(figures::duration(session.duration.or_else(live))).into(),
        foreign(session.region.as_ref()).into(),
        text(figures::memory_mb(session.memory)).into(),
        text(figures::number(session.vcpus)).into(),
        foreign(session.runtime.as_ref()).into(),
        text(figures::duration(session.active_cpu_duration_ms)).into(),
        text(figures::bytes(
            transfer.and_then(|transfer| transfer.egress),
        ))
        .into(),
        text(figures::bytes(
            transfer.and_then(|transfer| transfer.ingress),
        ))
        .into(),
        foreign(
            session
                .source_snapshot_id
                .as_ref()
                .map(|id| id.as_foreign()),
        )
        .into(),
    ];
    TableRow {
        marked: false,
        cells,
    }
}

fn draw_sentence(buffer: &mut Buffer, area: Rect, ctx: &Ctx<'_>, sentence: &'static str) {
    whole::draw(buffer, area, ctx, &[label(sentence, Role::Dim)]);
}
