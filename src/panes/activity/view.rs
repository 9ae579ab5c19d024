//! Draws the entries, newest last, with the selected one in full below.

use super::State;

use crate::logic::{Action, ActivityEntry, Budgets, Outcome, Pane, World};
use crate::panes::{Ctx, age, whole};
use crate::text::{figures, say};
use crate::ui::{Column, Panel, Piece, Role, Table, TableRow, label, span};
use jiff::tz::TimeZone;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

const fn columns(time: &'static str) -> [Column; 5] {
    [
        Column::of_words(time, 8, 8, 3),
        Column::of_words("what", 8, 18, 5),
        Column::of_words("subject", 8, 18, 2).sharing(1),
        Column::of_words("outcome", 8, 24, 4).sharing(2),
        Column::of_words("request", 8, 16, 1),
    ]
}

const IN_UTC: [Column; 5] = columns("UTC");
const IN_LOCAL_TIME: [Column; 5] = columns("time");

pub fn draw(
    state: &State,
    world: &World,
    budgets: Budgets,
    ctx: &Ctx<'_>,
    area: Rect,
    buffer: &mut Buffer,
) {
    let activity = &world.activity;
    let entries = activity.entries();
    let panel = Panel {
        title: vec![
            label("Activity ", Role::Heading),
            span(&say(format_args!("{}", entries.len())), Role::Title),
        ],
        state: spent(budgets),
        hint: hint(state, world, ctx),
        focused: ctx.has_keys(Pane::Activity),
    };
    let inner = panel.draw(buffer, area, ctx.theme);
    if entries.is_empty() {
        return whole::draw(
            buffer,
            inner,
            ctx,
            &[label("Nothing was asked of the service yet.", Role::Dim)],
        );
    }
    let (body, strip) = whole::split(inner);
    let table = Table {
        focused: panel.focused,
        ..table(state, entries.len(), ctx)
    };
    table.draw(buffer, body, ctx.theme, |at| {
        let entry = entries.get(at);
        entry.map(|entry| row(entry, ctx)).unwrap_or_default()
    });
    if let Some(entry) = state.cursor.at().and_then(|at| entries.get(at)) {
        whole::draw(buffer, strip, ctx, &sentence(entry, ctx));
    }
}

/// As it is drawn, but for the focus.
pub(super) fn table(state: &State, len: usize, ctx: &Ctx<'_>) -> Table<'static> {
    let (selected, offset) = (state.cursor.at(), state.cursor.top());
    Table {
        columns: if *ctx.zone == TimeZone::UTC {
            &IN_UTC
        } else {
            &IN_LOCAL_TIME
        },
        len,
        selected,
        offset,
        focused: false,
        titles: true,
    }
}

/// What is not in view, and what the connection does.
fn hint(state: &State, world: &World, ctx: &Ctx<'_>) -> Vec<Piece> {
    let activity = &world.activity;
    let newest = activity.entries().back().map_or(0, |entry| entry.number);
    let below = state
        .cursor
        .chosen()
        .map_or(0, |chosen| newest.saturating_sub(*chosen));
    let follows = ctx.keymap.keys_of(Action::Bottom).next();
    let follows = follows.map(|key| format!(" · {} follows", key.label()));
    let follows = follows.unwrap_or_default();
    let newer = (!state.follows).then(|| {
        span(
            &say(format_args!("{below} newer below{follows}")),
            Role::Info,
        )
    });
    let older = (activity.dropped > 0).then(|| {
        span(
            &say(format_args!("{} older dropped", activity.dropped)),
            Role::Dim,
        )
    });
    age::joined(
        newer
            .into_iter()
            .chain(age::connection(&world.link, ctx))
            .chain(older),
    )
}

/// What the polling took of its budgets.
fn spent(budgets: Budgets) -> Vec<Piece> {
    let ((list, of_list), (detail, of_detail)) = (budgets.list, budgets.detail);
    let (looks, of_looks) = budgets.looks;
    let said = say(format_args!(
        "list {list}/{of_list} · detail {detail}/{of_detail} · looks {looks}/{of_looks} a minute"
    ));
    let role = if list >= of_list || detail >= of_detail || looks >= of_looks {
        Role::Warn
    } else {
        Role::Dim
    };
    vec![span(&said, role)]
}

fn row(entry: &ActivityEntry, ctx: &Ctx<'_>) -> TableRow {
    // A note is a sentence: it stands where there is room for one.
    let (what, told) = match entry.outcome {
        Outcome::Note => (label("note", Role::Dim), span(&entry.what, Role::Info)),
        _ => (span(&entry.what, Role::Text), outcome(&entry.outcome)),
    };
    let cells = vec![
        span(&figures::clock(Some(entry.at), ctx.zone), Role::Dim).into(),
        what.into(),
        known(entry.subject.as_ref(), Role::Text).into(),
        told.into(),
        known(entry.request_id.as_ref(), Role::Dim).into(),
    ];
    TableRow {
        marked: false,
        cells,
    }
}

fn known(text: Option<&crate::model::Clean>, role: Role) -> Piece {
    text.map_or(label("", Role::Dim), |text| span(text, role))
}

fn outcome(outcome: &Outcome) -> Piece {
    match outcome {
        Outcome::Pending => label("pending", Role::Info),
        Outcome::Done { took } => span(
            &say(format_args!("done {}", figures::duration(Some(*took)))),
            Role::Good,
        ),
        Outcome::Failed { why } => span(&say(format_args!("failed: {why}")), Role::Bad),
        Outcome::Note => label("", Role::Dim),
    }
}

/// The whole entry: for the strip and for copying.
pub(super) fn sentence(entry: &ActivityEntry, ctx: &Ctx<'_>) -> Vec<Piece> {
    let at = figures::moment(Some(entry.at), ctx.zone);
    let mut pieces = vec![
        span(&at, Role::Dim),
        label(" ", Role::Text),
        span(&entry.what, Role::Text),
    ];
    if let Some(subject) = &entry.subject {
        pieces.extend([label(" ", Role::Text), span(subject, Role::Title)]);
    }
    if entry.outcome != Outcome::Note {
        pieces.extend([label(" ", Role::Text), outcome(&entry.outcome)]);
    }
    if let Some(id) = &entry.request_id {
        pieces.extend([label(" request ", Role::Dim), span(id, Role::Dim)]);
    }
    pieces
}
