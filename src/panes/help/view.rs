//! Draws help over what is open.

use super::State;
use crate::ui::{Panel, Role, Theme, label, text};
use ratatui::buffer::Buffer;

pub fn draw(state: &State, theme: &Theme, buffer: &mut Buffer) {
    let hint = match state.is_all_visible() {
        true => vec![label(" esc closes ", Role::Dim)],
        false => vec![label(" j k scroll, esc closes ", Role::Dim)],
    };
    let panel = Panel {
        title: vec![label("Keys", Role::Title)],
        state: Vec::new(),
        hint,
        focused: true,
    };
    let inner = panel.draw(buffer, state.area(), theme);
    for (line, pieces) in inner.rows().zip(state.visible()) {
        text::draw(buffer, line, theme, pieces);
    }
}
