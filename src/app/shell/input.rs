//! What is typed, pasted and pointed at while a shell has the keys: all of it is the program's, but for one key.

use crate::app::message::Tone;
use crate::app::{State, keys};
use crate::logic::{Action, Effect, Key, Pane, ShellId};
use crate::panes::shell;
use crate::text::say;
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, MouseEvent};
use ratatui::layout::Position;

/// The escape key waits for the next key, and delays no other; twice it goes to the program itself.
pub(in crate::app) fn pressed(state: &mut State, id: ShellId, event: &KeyEvent) -> Vec<Effect> {
    let key = Key::of(event);
    let action = state.keymap.action_for(key, state.view, Pane::Shell);
    let escapes = action == Some(Action::ShellEscape);
    match state.prefix.take() {
        None if escapes && event.kind == KeyEventKind::Repeat => Vec::new(),
        None if escapes => {
            state.message = None;
            state.prefix = Some(key);
            Vec::new()
        }
        Some(first) if !escapes => {
            let action = action.filter(|_| event.kind != KeyEventKind::Repeat);
            after_escape(state, first, key, action)
        }
        None => typed(state, id, event),
        Some(_) => {
            let effects = typed(state, id, event);
            // What the escape key showed goes.
            state.unchanged = false;
            effects
        }
    }
}

fn after_escape(state: &mut State, first: Key, key: Key, action: Option<Action>) -> Vec<Effect> {
    if let Some(action) = action {
        return keys::act(state, action);
    }
    if key.code != KeyCode::Esc {
        let (first, key) = (first.label(), key.label());
        let nothing = say(format_args!("`{first} {key}` does nothing in a shell."));
        state.say(nothing, Tone::Refused);
    }
    Vec::new()
}

fn typed(state: &mut State, id: ShellId, event: &KeyEvent) -> Vec<Effect> {
    if state.shell.is_copying() {
        let copied = state.shell.copy_key(event);
        return remember(state, copied.into_iter().collect());
    }
    if !may_type(state, id) {
        return Vec::new();
    }
    let said = state.message.take().is_some();
    let shells = &mut state.world.shells;
    let was_up = shells
        .get(id)
        .is_some_and(|shell| shell.emulator.scrolled() > 0);
    let effects = shell::key(shells, id, event);
    // What is typed shows when the program echoes it.
    state.unchanged = !said && !was_up;
    effects
}

pub(in crate::app) fn pasted(state: &mut State, id: ShellId, text: &str) -> Vec<Effect> {
    if state.shell.is_copying() {
        state.shell.copy_paste(text);
        return Vec::new();
    }
    if !may_type(state, id) {
        return Vec::new();
    }
    shell::paste(&mut state.world.shells, id, text)
}

/// Says so where nobody would get it.
fn may_type(state: &mut State, id: ShellId) -> bool {
    let is_over = state
        .world
        .shells
        .get(id)
        .is_some_and(|shell| shell.state.is_over());
    if state.read_only {
        state.say("Read-only: nothing is typed in shells.", Tone::Refused);
    } else if is_over {
        state.say("This shell is over: nothing was typed.", Tone::Refused);
    }
    !state.read_only && !is_over
}

/// The mouse over the shell with the keys; `None`: it is elsewhere.
pub(in crate::app) fn moused(state: &mut State, event: &MouseEvent) -> Option<Vec<Effect>> {
    let id = state.shell_with_keys()?;
    let position = Position::new(event.column, event.row);
    let inside = state.shell.inner().contains(position) || state.shell.is_selecting();
    if !inside || state.drags {
        return None;
    }
    let State {
        shell, world, now, ..
    } = state;
    let effects = shell::mouse(shell, &mut world.shells, id, event, *now);
    Some(remember(state, effects))
}

/// What was copied can be pasted in a shell.
fn remember(state: &mut State, effects: Vec<Effect>) -> Vec<Effect> {
    if let [Effect::CopyText(text)] = effects.as_slice() {
        state.shelling.copied = Some(text.clone());
    }
    effects
}
