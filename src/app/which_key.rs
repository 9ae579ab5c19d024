//! After the first key of a chord: what the second may be, from the same table as every other list of keys.

use super::State;
use crate::logic::{Action, Class, Key, Pane};
use crate::text::{Side, pad, say};
use crate::ui::{self, Panel, Piece, Role, label, span, text};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Columns for the second key.
const KEYS: usize = 10;
const TITLES: usize = 14;
/// In a grid: columns for a key, and between two.
const SHORT: usize = 7;
const GAP: usize = 3;

/// At the bottom, above the footer, as high as it needs to be.
pub(super) fn draw(state: &State, screen: Rect, buffer: &mut Buffer) {
    let Some(first) = state.prefix else {
        return;
    };
    let lines = match state.pane {
        Pane::Shell => columns(&state.keymap.in_shells(), screen.width),
        pane => {
            let followers = state.keymap.after(first, state.view, pane);
            followers
                .into_iter()
                .map(|(key, action)| line(key, action))
                .collect()
        }
    };
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

/// Many keys beside each other, without their sentences: what they are for is on the screen behind them.
fn columns(keys: &[(Key, Action)], width: u16) -> Vec<Vec<Piece>> {
    let across = (usize::from(width.saturating_sub(2)) / (SHORT + TITLES + GAP)).max(1);
    let rows = keys.len().div_ceil(across);
    let row = |at: usize| {
        let shown = keys.iter().skip(at).step_by(rows.max(1));
        shown
            .flat_map(|(key, action)| short(*key, *action))
            .collect()
    };
    (0..rows).map(row).collect()
}

fn short(key: Key, action: Action) -> Vec<Piece> {
    let row = action.row();
    let key = pad(&say(format_args!("{}", key.label())), SHORT, Side::End);
    let sign = ui::class_sign(row.class);
    let title = say(format_args!("{}{}", row.title, sign.as_str()));
    let title = pad(&title, TITLES + GAP, Side::End);
    let role = match row.class {
        Class::Free => Role::KeyLabel,
        class => ui::class_role(class),
    };
    vec![span(&key, Role::Key), span(&title, role)]
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
