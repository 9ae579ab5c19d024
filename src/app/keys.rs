//! From a key to an action, and what the actions do.

use super::State;
use super::dialogs::{self, ColumnChooser, Dialog, Palette, QuitQuestion};
use super::message::Tone;
use super::{launch, shell};
use crate::logic::{
    Action, Chord, Class, Effect, EngineFate, Key, Pane, Tab, Valid, View, World, applies, tail,
};
use crate::model::{Clean, Status};
use crate::panes::{Ctx, activity, agent, detail, help, list, logs, runs};
use crate::text::say;
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// Releases do nothing, repeats only move: a held key opens one dialog and confirms none.
pub(super) fn pressed(state: &mut State, event: KeyEvent) -> Vec<Effect> {
    if event.kind == KeyEventKind::Release {
        return Vec::new();
    }
    if let Some(id) = state.shell_with_keys() {
        return shell::pressed(state, id, &event);
    }
    let repeated = event.kind == KeyEventKind::Repeat;
    let key = Key::of(&event);
    let prefix = state.prefix.take_if(|_| !repeated);
    let prefix = prefix.filter(|_| reads_chords(state));
    let alone = state.keymap.action_for(key, state.view, state.pane);
    if let Some(action) = alone.filter(|action| !repeated && works_always(key, *action)) {
        return act(state, action);
    }
    if prefix.is_some() || reads_chords(state) && begins_chord(state, key) {
        return chord(state, prefix, key);
    }
    let action = alone.filter(|action| !repeated || is_movement(*action));
    if !state.dialogs.is_empty() {
        return dialogs::key(state, event, action);
    }
    state.message = None;
    if state.is_typing() {
        return typed(state, event);
    }
    action.map(|action| act(state, action)).unwrap_or_default()
}

fn typed(state: &mut State, event: KeyEvent) -> Vec<Effect> {
    if state.pane == Pane::List {
        list::key(&mut state.list, &state.world, event);
        return Vec::new();
    }
    if state.pane == Pane::Runs {
        runs::key(&mut state.runs, event);
        return Vec::new();
    }
    if state.pane == Pane::Agent {
        state.typed_in_run(event);
        return Vec::new();
    }
    with_logs(state, |logs, world, ctx| logs::key(logs, world, event, ctx))
}

pub(super) fn pasted(state: &mut State, text: &str) {
    if state.pane == Pane::List {
        return list::paste(&mut state.list, text);
    }
    if state.pane == Pane::Runs {
        return runs::paste(&mut state.runs, text);
    }
    if state.pane == Pane::Agent {
        return state.pasted_in_run(text);
    }
    with_logs(state, |logs, world, ctx| {
        logs::paste(logs, world, text, ctx);
    });
}

pub(super) fn with_logs<T>(
    state: &mut State,
    does: impl FnOnce(&mut logs::State, &World, &Ctx<'_>) -> T,
) -> T {
    let ctx = Ctx {
        theme: &state.theme,
        keymap: &state.keymap,
        zone: &state.zone,
        local: &state.given.zone,
        now: state.now,
        pane: state.pane,
        subject: state.list.selected(),
    };
    does(&mut state.logs, &state.world, &ctx)
}

/// Nothing open takes keys as text or as answers.
fn reads_chords(state: &State) -> bool {
    state.dialogs.is_empty() && !state.is_typing()
}

fn begins_chord(state: &State, key: Key) -> bool {
    !state.keymap.after(key, state.view, state.pane).is_empty()
}

/// The first key of a chord waits for the second; a second one that belongs to none ends it.
fn chord(state: &mut State, first: Option<Key>, key: Key) -> Vec<Effect> {
    state.message = None;
    let Some(first) = first else {
        state.prefix = Some(key);
        return Vec::new();
    };
    let chord = Chord {
        first,
        then: Some(key),
    };
    if let Some(action) = state.keymap.action_for(chord, state.view, state.pane) {
        return act(state, action);
    }
    if key.code != KeyCode::Esc {
        let nothing = say(format_args!("`{}` does nothing here.", chord.label()));
        state.say(nothing, Tone::Refused);
    }
    Vec::new()
}

fn is_movement(action: Action) -> bool {
    use Action::{Bottom, Down, Left, PageDown, PageUp, Right, Top, Up};
    matches!(
        action,
        Up | Down | PageUp | PageDown | Left | Right | Top | Bottom
    )
}

/// Leaving works under every dialog and prompt, by the keys that are no text.
fn works_always(key: Key, action: Action) -> bool {
    let is_text = !key.modifiers.contains(KeyModifiers::CONTROL);
    !is_text && matches!(action, Action::Quit | Action::Suspend | Action::Redraw)
}

/// Why an action is refused; `None`: it may go on.
pub(super) fn refusal(state: &State, action: Action) -> Option<Clean> {
    let row = action.row();
    if state.read_only && row.class > Class::Free {
        let class = row.class.word();
        return Some(say(format_args!(
            "Read-only: {} is {class}, so it is off.",
            row.title
        )));
    }
    match action {
        Action::Sample if !state.world.backend.local => {
            Some(Clean::from("Samples are made only on the local engine."))
        }
        Action::Mute | Action::Solo => state.cannot_hear(),
        _ => state.cannot_ask(action).map(Clean::from),
    }
}

/// Whether the key bar should speak of it: it applies here and would do something.
pub(super) fn applies_now(state: &State, action: Action) -> bool {
    if !applies(action, state.view, state.pane) {
        return false;
    }
    match action {
        Action::Dashboard | Action::Runs | Action::Activity => state.view != led_to(action),
        Action::Back => {
            state.zoom
                || state.pane != Pane::List
                || state.list.is_filtered()
                || state.list.marked() > 0
        }
        Action::Open => match state.pane {
            Pane::List => state.list.selected().is_some(),
            Pane::Stage => match state.tab {
                Tab::Logs => state.logs.merges() || state.logs.chosen().is_some(),
                Tab::Shell => state.shell_in_view().is_some(),
                _ => false,
            },
            Pane::Runs => state.runs.selected().is_some(),
            Pane::Agent => state.agent.is_reading(),
            Pane::Lines | Pane::Shell | Pane::Activity => false,
        },
        Action::Search if state.pane == Pane::Stage => {
            state.tab == Tab::Logs && state.logs.chosen().is_some()
        }
        Action::Copy => state.view != View::Dashboard || state.list.selected().is_some(),
        Action::Sample => state.world.backend.local,
        Action::OpenUrl => state.tab == Tab::Info,
        Action::Mute | Action::Solo => state.logs.merges(),
        Action::MarkCommand => state.tab == Tab::Logs,
        Action::Zoom => state.view == View::Dashboard,
        Action::Stop | Action::Extend => meant(state, |status| !status.is_final()),
        Action::Resume => meant(state, Status::is_final),
        Action::Delete => meant(state, |_| true),
        Action::Kill => state.pane != Pane::List && matches!(state.tab, Tab::Logs | Tab::Agent),
        Action::Raw => state.raw_line().is_some() || state.step_line().is_some(),
        Action::Undo => state.operations.held(state.now).is_some(),
        Action::MarkRange | Action::MarkInvert => state.list.marked() > 0,
        Action::Shell | Action::NewShell => shell::is_openable(state),
        Action::Shells => state.world.shells.iter().next().is_some(),
        Action::ShellReconnect => state
            .shell_in_view()
            .is_some_and(|shell| shell.state.is_over()),
        Action::Run => launch::site(state).is_ok(),
        Action::RunAgain | Action::EditRun => {
            launch::site(state).is_ok() && launch::chosen(state).is_some()
        }
        _ => true,
    }
}

/// One at least of those that an action is meant for is in such a state.
fn meant(state: &State, fits: impl Fn(&Status) -> bool) -> bool {
    let keys = state.list.meant();
    let mut facts = keys.iter().filter_map(|key| state.world.fact(key));
    facts.any(|fact| {
        let fits = fact.sandbox.status.as_ref().is_some_and(&fits);
        !fact.gone && fact.requested.is_none() && fits
    })
}

/// The view that the key of one opens.
fn led_to(action: Action) -> View {
    match action {
        Action::Runs => View::Runs,
        Action::Activity => View::Activity,
        _ => View::Dashboard,
    }
}

pub(super) fn act(state: &mut State, action: Action) -> Vec<Effect> {
    if let Some(why) = refusal(state, action) {
        state.say(why, Tone::Refused);
        return Vec::new();
    }
    match action {
        Action::Quit => return quit(state),
        Action::Help => open_help(state),
        Action::Dashboard | Action::Runs | Action::Activity => state.open_view(led_to(action)),
        Action::Refresh => {
            refresh(state);
            return vec![Effect::RereadSettings];
        }
        Action::Back => state.back(),
        Action::Zoom if state.view == View::Dashboard => state.zoom = !state.zoom,
        Action::NextPane => state.step_pane(1),
        Action::PreviousPane => state.step_pane(-1),
        Action::NextTab => state.open_tab(state.tab.step(1)),
        Action::PreviousTab => state.open_tab(state.tab.step(-1)),
        Action::Open if matches!(state.pane, Pane::List | Pane::Stage | Pane::Runs) => state.open(),
        Action::Stop
        | Action::Delete
        | Action::Kill
        | Action::Extend
        | Action::ExtendWarned
        | Action::Resume => state.ask(action),
        Action::Undo => state.take_back(),
        Action::Shell | Action::NewShell | Action::Shells => return shell::act(state, action),
        _ if action.row().valid == Valid::Shell => return shell::act(state, action),
        Action::MergeLogs => state.merge(),
        Action::MergeNew => state.merge_new(),
        Action::Mute | Action::Solo => state.hear(action),
        Action::MarkCommand if state.logs.merges() => state.hear(Action::Mute),
        Action::Run => launch::ask_to_run(state),
        Action::RunAgain => launch::ask_to_run_again(state),
        Action::EditRun => launch::ask_to_edit(state),
        Action::Create => launch::ask_to_create(state),
        Action::Columns => {
            let chooser = ColumnChooser::new(state);
            state.dialogs.push(Dialog::Columns(chooser));
        }
        Action::Palette => {
            let palette = Palette::new(state);
            state.dialogs.push(Dialog::Palette(Box::new(palette)));
        }
        Action::Sample => return create_samples(state),
        Action::Mouse => return toggle_mouse(state),
        Action::Raw => state.turn_to_raw(),
        Action::Redraw => return vec![Effect::Redraw],
        Action::Suspend => return vec![Effect::Suspend],
        Action::Search if state.pane == Pane::Stage => return search_beside(state),
        _ => return to_pane(state, state.pane, action),
    }
    Vec::new()
}

fn open_help(state: &mut State) {
    let keys = help::State::new(
        state.view,
        state.pane,
        state.read_only,
        state.keymap.clone(),
    );
    state.dialogs.push(Dialog::Help(keys));
}

/// Searches the lines beside the commands.
fn search_beside(state: &mut State) -> Vec<Effect> {
    if !applies_now(state, Action::Search) {
        return Vec::new();
    }
    state.pane = Pane::Lines;
    to_pane(state, Pane::Lines, Action::Search)
}

/// Hands an action to a pane.
pub(super) fn to_pane(state: &mut State, pane: Pane, action: Action) -> Vec<Effect> {
    let selected = state.list.selected().cloned();
    let ctx = Ctx {
        theme: &state.theme,
        keymap: &state.keymap,
        zone: &state.zone,
        local: &state.given.zone,
        now: state.now,
        pane: state.pane,
        subject: selected.as_ref(),
    };
    match (pane, state.tab) {
        (Pane::Shell, _) | (Pane::Stage, Tab::Shell) => {
            shell::scrolled(state, action);
            Vec::new()
        }
        (Pane::List, _) => list::update(&mut state.list, &state.world, action, &ctx),
        (Pane::Agent, _) | (Pane::Stage, Tab::Agent) => {
            agent::update(&mut state.agent, &state.world, action, &ctx)
        }
        (Pane::Lines, _) | (Pane::Stage, Tab::Logs) => {
            logs::update(&mut state.logs, &state.world, pane, action, &ctx)
        }
        (Pane::Stage, tab) => detail::update(&mut state.detail, &state.world, tab, action, &ctx),
        (Pane::Runs, _) => runs::update(&mut state.runs, &state.world, action, &ctx),
        (Pane::Activity, _) => activity::update(&mut state.activity, &state.world, action, &ctx),
    }
}

/// Asks where an engine of ours would take what runs with it, and where shells are open; asked once more meanwhile (Ctrl-C), it ends.
fn quit(state: &mut State) -> Vec<Effect> {
    let asked = state
        .dialogs
        .iter()
        .any(|dialog| matches!(dialog, Dialog::Quit(_)));
    let engine = state.world.backend.owned && !dialogs::running(&state.world).is_empty();
    let mut shells = state.world.shells.iter();
    let shells = shells.any(|shell| !shell.state.is_over());
    if asked || !engine && !shells {
        return vec![Effect::Quit(EngineFate::End)];
    }
    state.dialogs.push(Dialog::Quit(QuitQuestion::new(engine)));
    Vec::new()
}

fn refresh(state: &mut State) {
    state.plan.refresh(&mut state.world, state.now);
    for shown in state.logs.on_screen(&state.world) {
        tail::retry_now(&mut state.world, &shown, state.now);
    }
}

fn create_samples(state: &mut State) -> Vec<Effect> {
    let effects = state
        .sample
        .start(&mut state.calls, &mut state.world, state.now);
    let sentence = match effects.is_empty() {
        true => "The samples are being created already.",
        false => {
            "Creating three sample sandboxes: a web server, a build that fails, coding agents' runs."
        }
    };
    state.say(sentence, Tone::Said);
    effects
}

fn toggle_mouse(state: &mut State) -> Vec<Effect> {
    state.mouse = !state.mouse;
    let sentence = match state.mouse {
        true => "The mouse is sandtop's again.",
        false => "The mouse is the terminal's: select text as usual; the same key takes it back.",
    };
    state.say(sentence, Tone::Said);
    vec![Effect::MouseCapture(state.mouse)]
}
