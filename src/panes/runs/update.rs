//! Following the runs, moving through them, filtering, copying.

use super::State;
use super::cells::{sandbox, sentence};
use super::view::{body, table};
use crate::logic::agents::rank;
use crate::logic::{Action, AgentRun, Effect, World};
use crate::model::{Clean, CommandKey};
use crate::panes::{Ctx, standing};
use crate::text::{clean, say};
use crate::ui::Prompt;
use crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Position;

/// Follows the world: who waits comes first, then who works, then what ended, each the newest first.
pub fn settle(state: &mut State, world: &World, ctx: &Ctx<'_>) {
    let runs = &world.agent_runs;
    let known = runs.keys().filter_map(|key| {
        let stands = world.standing(key, ctx.now)?;
        let began = std::cmp::Reverse(runs.started(key));
        Some(((rank(stands.state.as_ref()), began, key), stands))
    });
    let mut known: Vec<_> = known.collect();
    state.total = known.len();
    let words = state.filter.to_lowercase();
    let words: Vec<&str> = words.split_whitespace().collect();
    if !words.is_empty() {
        known.retain(|((_, _, key), stands)| {
            let text = searched(key, stands, world, ctx).as_str().to_lowercase();
            words.iter().all(|word| text.contains(word))
        });
    }
    known.sort_by_key(|(place, _)| *place);
    state.rows = known
        .into_iter()
        .map(|((_, _, key), _)| key.clone())
        .collect();
    let height = table(state).body(body(state)).height;
    state.cursor.settle(&state.rows, usize::from(height));
}

/// What words of the filter are looked for in.
fn searched(
    key: &CommandKey,
    stands: &crate::logic::Standing,
    world: &World,
    ctx: &Ctx<'_>,
) -> Clean {
    let model = world.agent_runs.get(key).map(AgentRun::run);
    let model = model.and_then(|run| run.model.as_ref()).map(clean);
    say(format_args!(
        "{} {} {} {} {} {}",
        standing::word(stands.state.as_ref()),
        sandbox(key, world),
        world.agent_runs.agent(key),
        model.unwrap_or_default(),
        standing::doing(key, stands, world, ctx),
        world.agent_runs.line(key),
    ))
}

pub fn update(state: &mut State, world: &World, action: Action, ctx: &Ctx<'_>) -> Vec<Effect> {
    if state.cursor.step(&state.rows, action) {
        return Vec::new();
    }
    match action {
        Action::Filter => state.prompt = Some(Prompt::with(&state.filter)),
        Action::Copy => {
            let copied = state.selected().and_then(|key| {
                let stands = world.standing(key, ctx.now)?;
                let pieces = sentence(key, &stands, world, ctx);
                let text: String = pieces.iter().map(crate::ui::Piece::as_str).collect();
                Some(Effect::Copy(crate::text::clean_str(&text)))
            });
            return copied.into_iter().collect();
        }
        _ => {}
    }
    Vec::new()
}

/// A key while the filter line is open: text, or the end of it.
pub fn key(state: &mut State, event: KeyEvent) {
    let Some(prompt) = &mut state.prompt else {
        return;
    };
    match event.code {
        KeyCode::Esc => {
            state.clear_filter();
        }
        KeyCode::Enter | KeyCode::Tab | KeyCode::BackTab => state.prompt = None,
        KeyCode::Up | KeyCode::Down => {
            let action = match event.code {
                KeyCode::Up => Action::Up,
                _ => Action::Down,
            };
            state.cursor.step(&state.rows, action);
        }
        _ => {
            if prompt.key(event) {
                prompt.text().clone_into(&mut state.filter);
            }
        }
    }
}

pub fn paste(state: &mut State, text: &str) {
    if let Some(prompt) = &mut state.prompt
        && prompt.paste(text)
    {
        prompt.text().clone_into(&mut state.filter);
    }
}

/// Selects the run under the mouse; a click elsewhere ends the typing.
pub fn click(state: &mut State, position: Position) {
    if let Some(row) = table(state).row_at(body(state), position) {
        state.cursor.choose(state.rows.get(row).cloned());
    }
    state.prompt = None;
}
