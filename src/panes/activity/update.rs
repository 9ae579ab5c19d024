//! Moving through the entries, and copying one.

use super::State;
use super::view::{sentence, table};
use crate::logic::{Action, ActivityEntry, Effect, World};
use crate::panes::{Ctx, whole};
use crate::text;
use crate::ui::Panel;
use ratatui::layout::Position;

/// Follows the newest entry, or keeps the selected one in its place.
pub fn settle(state: &mut State, world: &World, _ctx: &Ctx<'_>) {
    let numbers = numbers(world);
    if state.follows {
        state.cursor.choose(numbers.last().copied());
    }
    let (area, _) = whole::split(Panel::inner(state.area));
    state
        .cursor
        .settle(&numbers, usize::from(area.height.saturating_sub(1)));
}

/// Selects the entry under the mouse.
pub fn click(state: &mut State, world: &World, ctx: &Ctx<'_>, position: Position) {
    let numbers = numbers(world);
    let (area, _) = whole::split(Panel::inner(state.area));
    if let Some(number) = table(state, numbers.len(), ctx)
        .row_at(area, position)
        .and_then(|row| numbers.get(row))
    {
        state.cursor.choose(Some(*number));
        state.follows = numbers.last() == Some(number);
        settle(state, world, ctx);
    }
}

pub fn update(state: &mut State, world: &World, action: Action, ctx: &Ctx<'_>) -> Vec<Effect> {
    let numbers = numbers(world);
    if state.cursor.step(&numbers, action) {
        state.follows = state.cursor.chosen() == numbers.last();
        return Vec::new();
    }
    if action != Action::Copy {
        return Vec::new();
    }
    let chosen = state.cursor.chosen();
    let entry = world
        .activity
        .entries()
        .iter()
        .find(|entry| Some(&entry.number) == chosen);
    entry
        .map(|entry| Effect::Copy(copied(entry, ctx)))
        .into_iter()
        .collect()
}

fn copied(entry: &ActivityEntry, ctx: &Ctx<'_>) -> crate::model::Clean {
    sentence(entry, ctx)
        .iter()
        .fold(crate::model::Clean::default(), |all, piece| {
            text::say(format_args!("{all}{}", piece.as_str()))
        })
}

fn numbers(world: &World) -> Vec<u64> {
    world
        .activity
        .entries()
        .iter()
        .map(|entry| entry.number)
        .collect()
}
