//! The line above the stage: whose facts these are, and the tabs.

use super::State;
use crate::logic::Tab;
use crate::text::clean;
use crate::ui::{Piece, Role, label, span, tab_at, tabs, text};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// Longer names leave the tabs their room.
const NAME: u16 = 32;

pub(super) fn draw(state: &State, buffer: &mut Buffer) {
    let (line, name) = name(state);
    text::draw(buffer, line, &state.theme, &name);
    let open = Tab::ALL
        .iter()
        .position(|tab| *tab == state.tab)
        .unwrap_or_default();
    text::draw(buffer, strip(state), &state.theme, &tabs(&titles(), open));
}

/// The tab under the mouse.
pub(super) fn at(state: &State, position: Position) -> Option<Tab> {
    let strip = strip(state);
    // The kit counts from a panel's border, one cell before the first name.
    let column = position.x.checked_sub(strip.x)? + 1;
    let tab = tab_at(&titles(), column).filter(|_| strip.contains(position))?;
    Tab::ALL.get(tab).copied()
}

fn titles() -> [&'static str; Tab::ALL.len()] {
    Tab::ALL.map(Tab::title)
}

fn name(state: &State) -> (Rect, Vec<Piece>) {
    let merges = state.tab == Tab::Logs && state.logs.merges();
    let name = match state.on_stage() {
        _ if merges => label("merged logs", Role::Title),
        Some(key) => span(&clean(key.name.as_foreign()), Role::Title),
        None => label("no sandbox selected", Role::Dim),
    };
    let line = state.areas.tabs;
    let most = NAME.min(line.width / 2);
    let width = u16::try_from(name.width()).unwrap_or(most).min(most);
    let place = Rect {
        x: line.x.saturating_add(1),
        width,
        ..line
    }
    .intersection(line);
    (place, vec![name])
}

fn strip(state: &State) -> Rect {
    let line = state.areas.tabs;
    let x = name(state).0.right().saturating_add(1).min(line.right());
    Rect {
        x,
        width: line.right() - x,
        ..line
    }
}
