//! The footer: the keys that apply now, or for a while a message in their place.

use super::State;
use super::keys::{applies_now, refusal};
use super::message::{Message, Tone};
use crate::logic::{ACTIONS, Action, ActionRow, Class, Valid, keys_of};
use crate::text::say;
use crate::ui::{KeyHint, Role, draw_keys, span, text};
use ratatui::buffer::Buffer;

pub(super) fn draw(state: &State, buffer: &mut Buffer) {
    let area = state.areas.footer;
    match &state.message {
        Some(Message { sentence, tone, .. }) => {
            let role = match tone {
                Tone::Said => Role::Info,
                Tone::Refused => Role::Warn,
            };
            text::draw(buffer, area, &state.theme, &[span(sentence, role)]);
        }
        None => draw_keys(buffer, area, &state.theme, &hints(state)),
    }
}

/// One hint an action; of actions that come in pairs the first.
pub(super) fn hints(state: &State) -> Vec<KeyHint> {
    let rows = ACTIONS
        .iter()
        .filter(|row| applies_now(state, row.action) && refusal(state, row.action).is_none());
    let mut rows: Vec<&ActionRow> = rows.filter(|row| keep(row) > 0).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(place(row)));
    let hints = rows.into_iter().filter_map(|row| {
        let key = keys_of(row.action).next()?;
        let key = say(format_args!("{}", key.label()));
        Some(KeyHint {
            key,
            title: row.title,
            class: row.class,
            keep: keep(row),
        })
    });
    hints.collect()
}

/// Help and quit stand last, where they are always found.
fn place(row: &ActionRow) -> u8 {
    match row.action {
        Action::Quit => 0,
        Action::Help => 1,
        _ => keep(row),
    }
}

/// How long a key stays in a bar that has no room; 0 = known from help only.
fn keep(row: &ActionRow) -> u8 {
    match (row.action, row.valid) {
        (Action::PreviousPane | Action::PreviousTab | Action::SortReverse | Action::Redraw, _) => 0,
        (Action::Suspend, _) => 0,
        (Action::Help, _) => 100,
        (Action::Quit, _) => 99,
        (Action::Open, _) => 90,
        _ if row.class > Class::Free => 80,
        (Action::Back, _) => 75,
        (_, Valid::List | Valid::Stage | Valid::Lines) => 70,
        (_, Valid::Moving) => 0,
        (_, Valid::Dashboard) => 50,
        (_, Valid::Everywhere) => 40,
    }
}
