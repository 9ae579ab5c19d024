//! After the first key of a chord: what the second may be, from the same table as every other list of keys.

use super::State;
use crate::logic::{Action, Class, Key};
use crate::text::{Side, pad, say};
use crate::ui::{self, Panel, Piece, Role, label, span, text};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Columns for the second key.
const KEYS: usize = 10;
const TITLES: usize = 14;

/// At the bottom, above the footer, as high as it needs to be.
pub(super) fn draw(state: &State, screen: Rect, buffer: &mut Buffer) {
    let Some(first) = state.prefix else {
        return;
    };
    let lines: Vec<Vec<Piece>> = state
        .keymap
        .after(first, state.view, state.pane)
        .into_iter()
        .map(|(key, action)| line(key, action))
        .collect();
    let wanted = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX);
    let above = screen.height.saturating_sub(state.areas.footer.height);
    let height = wanted.min(above);
    let area = Rect {
        y: screen.y + above - height,
        height,
        ..screen
    };
    let panel = Panel {
        title: vec![span(&say(format_args!("{} …", first.label())), Role::Title)],
        hint: vec![label("esc", Role::Key), label(" leaves it", Role::Dim)],
        focused: true,
        ..Panel::default()
    };
    let inner = panel.draw(buffer, area, &state.theme);
    for (place, pieces) in inner.rows().zip(&lines) {
        text::draw(buffer, place, &state.theme, pieces);
    }
}

fn line(key: Key, action: Action) -> Vec<Piece> {
    let row = action.row();
    let key = pad(&say(format_args!("{}", key.label())), KEYS, Side::End);
    let mut line = vec![
        span(&key, Role::Key),
        span(&pad(&row.title.into(), TITLES, Side::End), Role::Text),
    ];
    if row.class != Class::Free {
        line.extend([ui::class_word(row.class), label("  ", Role::Text)]);
    }
    line.push(label(row.help, Role::Dim));
    line
}
