//! Clicks and the wheel: they reach what lies under the mouse, and never answer more than a button says.

use super::{State, dialogs, footer, keys, tabs};
use crate::logic::{Action, Effect, Pane, Tab, View};
use crate::panes::list;
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

/// Rows a notch of the wheel moves.
const NOTCH: usize = 3;

pub(super) fn moved(state: &mut State, event: MouseEvent) -> Vec<Effect> {
    let position = Position::new(event.column, event.row);
    if matches!(event.kind, MouseEventKind::Down(_)) {
        state.prefix = None;
    }
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) if state.dialogs.is_empty() => {
            click(state, position)
        }
        MouseEventKind::Down(MouseButton::Left) => dialogs::click(state, position),
        MouseEventKind::ScrollUp => wheel(state, position, Action::Up),
        MouseEventKind::ScrollDown => wheel(state, position, Action::Down),
        _ => Vec::new(),
    }
}

fn click(state: &mut State, position: Position) -> Vec<Effect> {
    if let Some(action) = footer::action_at(state, position) {
        return keys::act(state, action);
    }
    if let Some(tab) = tabs::at(state, position) {
        state.open_tab(tab);
    } else if let Some(pane) = pane_at(state, position) {
        state.pane = pane;
        list::click(&mut state.list, position);
    }
    Vec::new()
}

fn wheel(state: &mut State, position: Position, action: Action) -> Vec<Effect> {
    if !state.dialogs.is_empty() {
        dialogs::scroll(state, action);
        return Vec::new();
    }
    let Some(pane) = pane_at(state, position) else {
        return Vec::new();
    };
    (0..NOTCH)
        .flat_map(|_| keys::to_pane(state, pane, action))
        .collect()
}

fn pane_at(state: &State, position: Position) -> Option<Pane> {
    let areas = &state.areas;
    match (state.view, state.tab) {
        (View::Activity, _) => areas.activity.contains(position).then_some(Pane::Activity),
        _ if areas.list.contains(position) => Some(Pane::List),
        (_, Tab::Logs) if areas.stage.contains(position) => Some(Pane::Lines),
        _ => areas.stage.contains(position).then_some(Pane::Stage),
    }
}
