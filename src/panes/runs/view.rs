//! Draws the runs, who waits first, and the selected one in full below.

use super::State;
use super::cells::{COLUMNS, cells, sentence};
use crate::logic::{Pane, World};
use crate::panes::{Ctx, age, whole};
use crate::text::{clean_str, say};
use crate::ui::{self, Panel, Piece, Role, Table, TableRow, label, span};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub fn draw(state: &State, world: &World, ctx: &Ctx<'_>, area: Rect, buffer: &mut Buffer) {
    let panel = Panel {
        title: title(state),
        state: waiting(world),
        hint: age::joined(age::connection(&world.link, ctx)),
        focused: ctx.has_keys(Pane::Runs),
    };
    panel.draw(buffer, area, ctx.theme);
    if state.has_filter_line() {
        draw_filter(state, ctx, buffer);
    }
    let body = body(state);
    if state.rows.is_empty() {
        return whole::draw(buffer, body, ctx, &nothing(state, world));
    }
    let table = Table {
        focused: panel.focused && !state.is_typing(),
        ..table(state)
    };
    table.draw(buffer, body, ctx.theme, |at| {
        let shown = state.rows.get(at).and_then(|key| {
            let stands = world.standing(key, ctx.now)?;
            Some(cells(key, &stands, world, ctx))
        });
        TableRow {
            marked: false,
            cells: shown.unwrap_or_default(),
        }
    });
    let selected = state
        .selected()
        .and_then(|key| Some((key, world.standing(key, ctx.now)?)));
    if let Some((key, stands)) = selected {
        whole::draw(
            buffer,
            strip(state),
            ctx,
            &sentence(key, &stands, world, ctx),
        );
    }
}

fn title(state: &State) -> Vec<Piece> {
    let count = match state.rows.len() {
        shown if shown == state.total => say(format_args!(" {shown}")),
        shown => say(format_args!(" {shown} of {}", state.total)),
    };
    vec![label("Agent runs", Role::Title), span(&count, Role::Dim)]
}

fn waiting(world: &World) -> Vec<Piece> {
    match world.agent_runs.waiting() {
        0 => Vec::new(),
        1 => vec![label("1 waits for you", Role::Warn)],
        count => vec![span(&say(format_args!("{count} wait for you")), Role::Warn)],
    }
}

fn nothing(state: &State, world: &World) -> Vec<Piece> {
    let sentence = match (state.total, world.swept) {
        (0, None) => "Reading the sandboxes…",
        (0, Some(_)) => {
            "No coding agent was seen yet: neither among the commands of the running sandboxes, nor in a log that was \
             opened. The commands of all running sandboxes are looked through every half minute."
        }
        _ => "No run matches the filter.",
    };
    vec![label(sentence, Role::Dim)]
}

fn draw_filter(state: &State, ctx: &Ctx<'_>, buffer: &mut Buffer) {
    let inner = Panel::inner(state.area);
    let line = Rect {
        height: inner.height.min(1),
        ..inner
    };
    if let Some(prompt) = &state.prompt {
        prompt.draw(buffer, line, ctx.theme, &[label("/", Role::Key)], true);
    } else {
        let typed = span(&clean_str(&state.filter), Role::Match);
        ui::text::draw(buffer, line, ctx.theme, &[label("/", Role::Dim), typed]);
    }
}

fn places(state: &State) -> (Rect, Rect) {
    let inner = Panel::inner(state.area);
    let line = u16::from(state.has_filter_line() && inner.height > 1);
    whole::split(Rect {
        y: inner.y + line,
        height: inner.height - line,
        ..inner
    })
}

/// Where the table stands.
pub(super) fn body(state: &State) -> Rect {
    places(state).0
}

fn strip(state: &State) -> Rect {
    places(state).1
}

/// As it is drawn, but for the focus.
pub(super) fn table(state: &State) -> Table<'static> {
    Table {
        columns: &COLUMNS,
        len: state.rows.len(),
        selected: state.cursor.at(),
        offset: state.cursor.top(),
        focused: false,
        titles: true,
    }
}
