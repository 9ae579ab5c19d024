//! Clicks, drags and the wheel: they reach what lies under the mouse, and never answer more than a button says.

use super::{State, dialogs, footer, keys, shell, tabs};
use crate::logic::{Action, Effect, Pane, Tab, View};
use crate::panes::{Ctx, activity, agent, detail, list, logs, runs};
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

/// Rows a notch of the wheel moves.
const NOTCH: usize = 3;

pub(super) fn moved(state: &mut State, event: MouseEvent) -> Vec<Effect> {
    let position = Position::new(event.column, event.row);
    if matches!(event.kind, MouseEventKind::Down(_)) {
        state.prefix = None;
    }
    if let Some(effects) = shell::moused(state, &event) {
        return effects;
    }
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) if state.dialogs.is_empty() => {
            state.drags = state.areas.divider() == Some(position.y);
            click(state, position)
        }
        MouseEventKind::Down(MouseButton::Left) => dialogs::click(state, position),
        MouseEventKind::Drag(MouseButton::Left) if state.drags => {
            state.list_share = state.areas.share_at(position.y);
            Vec::new()
        }
        MouseEventKind::Drag(MouseButton::Left) => {
            keys::with_logs(state, |logs, world, ctx| {
                logs::drag(logs, world, ctx, position);
            });
            Vec::new()
        }
        MouseEventKind::Up(_) => {
            state.drags = false;
            logs::release(&mut state.logs);
            Vec::new()
        }
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
        state.logs.end_typing();
        state.agent.end_typing();
        list::click(&mut state.list, position);
        click_in(state, pane, position);
    }
    Vec::new()
}

fn click_in(state: &mut State, pane: Pane, position: Position) {
    let selected = state.list.selected().cloned();
    let ctx = Ctx {
        theme: &state.theme,
        now: state.now,
        pane: state.pane,
        subject: selected.as_ref(),
        keymap: &state.keymap,
        zone: &state.zone,
        local: &state.given.zone,
    };
    match (pane, state.tab) {
        (Pane::List | Pane::Shell, _) => {}
        (Pane::Runs, _) => runs::click(&mut state.runs, position),
        (Pane::Activity, _) => activity::click(&mut state.activity, &state.world, &ctx, position),
        (_, Tab::Shell) => {}
        (Pane::Lines, _) => logs::press(&mut state.logs, &ctx, position),
        (_, Tab::Agent) => agent::click(&mut state.agent, &state.world, position, &ctx),
        (_, Tab::Logs) => logs::click(&mut state.logs, &state.world, &ctx, position),
        (_, tab) => detail::click(&mut state.detail, &state.world, tab, &ctx, position),
    }
}

fn wheel(state: &mut State, position: Position, action: Action) -> Vec<Effect> {
    if !state.dialogs.is_empty() {
        dialogs::scroll(state, action);
        return Vec::new();
    }
    let Some(pane) = pane_at(state, position) else {
        return Vec::new();
    };
    if pane == Pane::Agent {
        state.wheel_in_run(action, NOTCH);
        return Vec::new();
    }
    (0..NOTCH)
        .flat_map(|_| keys::to_pane(state, pane, action))
        .collect()
}

fn pane_at(state: &State, position: Position) -> Option<Pane> {
    let areas = &state.areas;
    match (state.view, state.tab) {
        (View::Runs, _) => areas.runs.contains(position).then_some(Pane::Runs),
        (View::Activity, _) => areas.activity.contains(position).then_some(Pane::Activity),
        _ if areas.list.contains(position) => Some(Pane::List),
        (_, Tab::Logs) => logs::pane_at(&state.logs, &state.ctx(), position),
        (_, tab) => {
            let pane = match tab {
                Tab::Agent => Pane::Agent,
                Tab::Shell if state.shell_in_view().is_some() => Pane::Shell,
                _ => Pane::Stage,
            };
            areas.stage.contains(position).then_some(pane)
        }
    }
}
