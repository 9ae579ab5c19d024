//! Moving through facts and sessions, copying them, opening a route.

use super::State;
use super::facts::{FactKey, facts, of_key};
use super::view::{FACTS, SESSIONS, table};
use crate::logic::{Action, Effect, Tab, World};
use crate::model::{SandboxKey, SessionId};
use crate::panes::{Ctx, whole};
use crate::text;
use crate::ui::Panel;
use ratatui::layout::{Position, Rect};

/// Follows the world: what was selected in the tab on screen stays selected, wherever it stands now.
pub fn settle(state: &mut State, world: &World, tab: Tab, ctx: &Ctx<'_>) {
    let inner = Panel::inner(state.area);
    let below_titles = |area: Rect| usize::from(area.height.saturating_sub(1));
    match (tab, ctx.subject) {
        (Tab::Sessions, Some(key)) => {
            state
                .sessions
                .entry(key.clone())
                .or_default()
                .settle(&session_ids(world, key), below_titles(inner));
        }
        (Tab::Sessions | Tab::Logs | Tab::Agent | Tab::Shell, _) => {}
        (Tab::Info, _) => {
            let (table, _) = whole::split(inner);
            state
                .facts
                .settle(&fact_keys(world, ctx), below_titles(table));
        }
    }
}

pub fn update(
    state: &mut State,
    world: &World,
    tab: Tab,
    action: Action,
    ctx: &Ctx<'_>,
) -> Vec<Effect> {
    match tab {
        Tab::Sessions => update_sessions(state, world, action, ctx),
        _ => update_facts(state, world, action, ctx),
    }
}

/// Selects the row under the mouse.
pub fn click(state: &mut State, world: &World, tab: Tab, ctx: &Ctx<'_>, position: Position) {
    match (tab, ctx.subject) {
        (Tab::Sessions, Some(key)) => {
            let ids = session_ids(world, key);
            let Some(cursor) = state.sessions.get_mut(key) else {
                return;
            };
            let row = table(SESSIONS, cursor, ids.len()).row_at(Panel::inner(state.area), position);
            if let Some(id) = row.and_then(|row| ids.get(row)) {
                cursor.choose(Some(id.clone()));
            }
        }
        (Tab::Sessions, None) => return,
        _ => {
            let keys = fact_keys(world, ctx);
            let (area, _) = whole::split(Panel::inner(state.area));
            let row = table(FACTS, &state.facts, keys.len()).row_at(area, position);
            if let Some(key) = row.and_then(|row| keys.get(row)) {
                state.facts.choose(Some(key.clone()));
            }
        }
    }
    settle(state, world, tab, ctx);
}

fn update_facts(state: &mut State, world: &World, action: Action, ctx: &Ctx<'_>) -> Vec<Effect> {
    if state.facts.step(&fact_keys(world, ctx), action) {
        return Vec::new();
    }
    let fact = state.facts.chosen().and_then(|key| of_key(world, ctx, key));
    let effect = match action {
        Action::Copy => fact.and_then(|fact| fact.copied()).map(Effect::Copy),
        Action::OpenUrl => fact.and_then(|fact| fact.url).map(Effect::OpenUrl),
        _ => None,
    };
    effect.into_iter().collect()
}

fn update_sessions(state: &mut State, world: &World, action: Action, ctx: &Ctx<'_>) -> Vec<Effect> {
    let Some(key) = ctx.subject else {
        return Vec::new();
    };
    let cursor = state.sessions.entry(key.clone()).or_default();
    if cursor.step(&session_ids(world, key), action) {
        return Vec::new();
    }
    let copied = cursor.chosen().filter(|_| action == Action::Copy);
    copied
        .map(|id| Effect::Copy(text::clean(id.as_foreign())))
        .into_iter()
        .collect()
}

fn fact_keys(world: &World, ctx: &Ctx<'_>) -> Vec<FactKey> {
    facts(world, ctx).into_iter().map(|fact| fact.key).collect()
}

fn session_ids(world: &World, key: &SandboxKey) -> Vec<SessionId> {
    let known = world.sessions.get(key);
    known
        .map(|known| {
            known
                .value
                .entries
                .iter()
                .map(|session| session.id.clone())
                .collect()
        })
        .unwrap_or_default()
}
