//! Draws the state; decides nothing.

use super::{State, footer, header, tabs, which_key};
use crate::logic::{Tab, View};
use crate::panes::{activity, agent, detail, list, logs, runs, shell};
use crate::ui::layout::draw_too_small;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub fn view(state: &State, frame: &mut Frame) {
    let screen = frame.area();
    draw(state, screen, frame.buffer_mut());
    let typed_in = state.shell_with_keys().filter(|_| state.prefix.is_none());
    let shell = typed_in.and_then(|id| state.world.shells.get(id));
    if let Some(position) = shell.and_then(|shell| shell::cursor(&state.shell, shell)) {
        frame.set_cursor_position(position);
    }
}

pub(super) fn draw(state: &State, screen: Rect, buffer: &mut Buffer) {
    if state.areas.too_small {
        draw_too_small(buffer, screen, &state.theme);
        return;
    }
    header::draw(state, buffer);
    match state.view {
        View::Dashboard => draw_dashboard(state, buffer),
        View::Runs => {
            let (area, ctx) = (state.areas.runs, state.ctx());
            runs::draw(&state.runs, &state.world, &ctx, area, buffer);
        }
        View::Activity => draw_activity(state, buffer),
    }
    footer::draw(state, buffer);
    which_key::draw(state, screen, buffer);
    for dialog in &state.dialogs {
        dialog.draw(&state.theme, screen, buffer);
    }
}

fn draw_dashboard(state: &State, buffer: &mut Buffer) {
    let (areas, ctx) = (&state.areas, state.ctx());
    if !areas.list.is_empty() {
        list::draw(&state.list, &state.world, &ctx, areas.list, buffer);
    }
    if areas.stage.is_empty() {
        return;
    }
    tabs::draw(state, buffer);
    match state.tab {
        Tab::Logs => logs::draw(&state.logs, &state.world, &ctx, areas.stage, buffer),
        Tab::Agent => agent::draw(&state.agent, &state.world, &ctx, areas.stage, buffer),
        Tab::Shell => shell::draw(&state.shell, &state.world, &ctx, areas.stage, buffer),
        tab => detail::draw(&state.detail, &state.world, tab, &ctx, areas.stage, buffer),
    }
}

fn draw_activity(state: &State, buffer: &mut Buffer) {
    let budgets = state.plan.budgets(state.now);
    let (area, ctx) = (state.areas.activity, state.ctx());
    activity::draw(&state.activity, &state.world, budgets, &ctx, area, buffer);
}
