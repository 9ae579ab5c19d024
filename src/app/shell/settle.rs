//! After every event: who has the keys, which size programs have, and what they are told.

use super::{State, keep_alive, opening};
use crate::logic::{Effect, Pane, ShellId, ShellState, Tab, View};
use crate::term::{self, Size};

/// A shell that begins while the stage has no room.
const USUAL: Size = Size {
    columns: 80,
    rows: 24,
};

/// Before the layout: a shell that is gone has no keys.
pub(in crate::app) fn hold(state: &mut State) {
    let is_here = state.view == View::Dashboard && state.pane == Pane::Shell;
    if is_here && state.tab != Tab::Shell {
        state.pane = Pane::Stage;
    }
    let has_keys = is_here && state.tab == Tab::Shell;
    let shown = state.shell_in_view().map(|shell| shell.id);
    state.shell.hold(shown.filter(|_| has_keys));
    if has_keys && shown.is_none() {
        state.pane = Pane::Stage;
        state.zoom = false;
    }
    if let Some(shell) = state.shell.held().and_then(|id| state.world.shells.get(id)) {
        state.shell.choose(shell);
    }
}

/// After the layout.
pub(in crate::app) fn settle(state: &mut State) -> Vec<Effect> {
    opening::fulfil(state);
    let shown = state.shell_in_view().map(|shell| shell.id);
    let shown = shown.filter(|_| !state.areas.stage.is_empty());
    let now = state.now;
    state.world.shells.watch(shown.filter(|_| state.focused));
    let mut effects = sizes(state, shown);
    let held = state.shell.held().and_then(|id| state.world.shells.get(id));
    state.shell.keep_copy(held);
    let focus = state.shell_with_keys().filter(|_| state.focused);
    effects.extend(tell_focus(state, focus));
    effects.extend(shape(state));
    effects.extend(keys_apart(state));
    effects.extend(focus.and_then(|id| keep_alive::tick(state, id)));
    effects.extend(state.world.shells.tick(now));
    effects
}

/// The one in view has the pane's size; one that begins gets it with its start.
fn sizes(state: &mut State, shown: Option<ShellId>) -> Vec<Effect> {
    let size = state.shell.size();
    let shells = &mut state.world.shells;
    let begin = shells
        .iter()
        .filter(|shell| shell.state == ShellState::Wanted);
    let begin: Vec<ShellId> = begin.map(|shell| shell.id).collect();
    let begun = begin.into_iter().map(|id| (id, size.unwrap_or(USUAL)));
    let shown = shown.zip(size);
    let all: Vec<(ShellId, Size)> = begun.chain(shown).collect();
    all.into_iter()
        .filter_map(|(id, size)| shells.resize(id, size, state.now))
        .collect()
}

/// Programs that asked for it hear when the keys come and go.
fn tell_focus(state: &mut State, focus: Option<ShellId>) -> Vec<Effect> {
    let before = std::mem::replace(&mut state.shelling.focus, focus);
    if before == focus {
        return Vec::new();
    }
    let shells = &mut state.world.shells;
    let told = [(before, false), (focus, true)];
    let mut effects = Vec::new();
    for (id, gained) in told {
        if let Some(shell) = id.and_then(|id| shells.get_mut(id))
            && let Some(bytes) = term::focus::encode(gained, shell.emulator.modes())
        {
            effects.extend(shell.type_in(bytes.to_vec()));
        }
    }
    effects
}

/// Shift-Enter and the like exist only where the terminal tells them apart: it does while a program wants them.
fn keys_apart(state: &mut State) -> Option<Effect> {
    let shell = state
        .shell_with_keys()
        .and_then(|id| state.world.shells.get(id));
    let modes = shell.map(|shell| shell.emulator.modes());
    let wanted = modes.is_some_and(|modes| modes.keyboard.0 != 0 || modes.other_keys > 0);
    let is_new = state.shelling.keys_apart != wanted;
    state.shelling.keys_apart = wanted;
    is_new.then_some(Effect::TellKeysApart(wanted))
}

/// The terminal's cursor looks as the program wants it.
fn shape(state: &mut State) -> Option<Effect> {
    let shell = state
        .shell_with_keys()
        .and_then(|id| state.world.shells.get(id));
    let copying = state.shell.is_copying();
    let cursor = shell
        .filter(|_| !copying)
        .and_then(|shell| shell.emulator.cursor());
    let shape = cursor.map(|cursor| (cursor.shape, cursor.blinking));
    let is_new = state.shelling.shape != shape;
    state.shelling.shape = shape;
    is_new.then_some(Effect::CursorShape(shape))
}
