//! Shells in the dashboard: which one has the keys, what the keys after the escape key do, and what follows by itself.

mod answer;
mod input;
mod keep_alive;
mod opening;
mod settle;

pub(super) use answer::{Answer, Copies, answered};
pub(super) use input::{moused, pasted, pressed};
pub(super) use keep_alive::answered as kept_alive;
pub(super) use opening::{What, is_openable};
pub(super) use settle::{hold, settle};

use super::State;
use super::dialogs::{Dialog, ShellForm, ShellList, ShellQuestion};
use super::message::Tone;
use crate::logic::{
    Action, Call, Copying, Effect, Pane, Purpose, Shell, ShellId, ShellNews, ShellOrder,
    ShellState, Tab, View,
};
use crate::model::{Clean, Foreign, SandboxKey};
use crate::panes::shell;
use crate::term::Shape;
use crate::text::{clean, say};
use opening::Wish;
use std::path::PathBuf;

/// What the app keeps of shells beside the pane and the world.
#[derive(Debug, Default)]
pub(super) struct Shelling {
    /// To be opened once their sandboxes run.
    wishes: Vec<Wish>,
    /// The shell whose program was told that it has the keys.
    focus: Option<ShellId>,
    /// How the terminal's cursor looks.
    shape: Option<(Shape, bool)>,
    /// The terminal tells keys apart that look alike, since the program asked for that.
    keys_apart: bool,
    /// What was copied last in a shell.
    pub(super) copied: Option<Foreign>,
}

impl State {
    /// The shell that the stage shows.
    pub(super) fn shell_in_view(&self) -> Option<&Shell> {
        let on_stage = self.view == View::Dashboard && self.tab == Tab::Shell;
        let shown = || self.shell.shown(&self.world.shells, self.list.selected());
        on_stage.then(shown).flatten()
    }

    /// The shell that every key goes to.
    pub(super) fn shell_with_keys(&self) -> Option<ShellId> {
        let has_keys = self.view == View::Dashboard && self.pane == Pane::Shell;
        let held = self.shell.held().filter(|_| has_keys);
        held.filter(|_| self.dialogs.is_empty())
    }

    /// Shows that shell, and gives it the keys.
    pub(super) fn go_into(&mut self, id: ShellId) {
        let Some(shell) = self.world.shells.get(id) else {
            return;
        };
        self.shell.choose(shell);
        let key = shell.site.key.clone();
        self.open_view(View::Dashboard);
        if self.list.selected() != Some(&key) && self.world.fact(&key).is_some() {
            self.list.go_to(key);
        }
        self.tab = Tab::Shell;
        self.pane = Pane::Shell;
        self.shell.hold(Some(id));
    }

    /// The sandbox that the stage is about.
    pub(super) fn on_stage(&self) -> Option<&SandboxKey> {
        let held = self.shell.held().and_then(|id| self.world.shells.get(id));
        held.map(|shell| &shell.site.key)
            .or_else(|| self.list.selected())
    }
}

pub(super) fn act(state: &mut State, action: Action) -> Vec<Effect> {
    match action {
        Action::Shell => return opening::go_in(state),
        Action::NewShell => ask_for_new(state),
        Action::Shells => {
            let list = ShellList::new(state);
            state.dialogs.push(Dialog::Shells(list));
        }
        Action::ShellLeave => leave(state, Pane::Stage),
        Action::ShellDetach => {
            leave(state, Pane::List);
            state.tab = Tab::default();
        }
        Action::ShellNext | Action::ShellPrevious => scrolled(state, action),
        Action::ShellPaste => return paste(state),
        Action::ShellCopyMode | Action::ShellSearch => copy_mode(state, action),
        _ => return act_on(state, action),
    }
    Vec::new()
}

/// Movements over what was printed, and to a neighbour.
pub(super) fn scrolled(state: &mut State, action: Action) {
    let subject = state.on_stage().cloned();
    let shells = &mut state.world.shells;
    let shown = shell::update(&mut state.shell, shells, subject.as_ref(), action);
    if state.pane == Pane::Shell {
        state.shell.hold(shown);
    }
}

fn copy_mode(state: &mut State, action: Action) {
    let held = state.shell.held();
    if let Some(shell) = held.and_then(|id| state.world.shells.get(id)) {
        match action {
            Action::ShellSearch => state.shell.search(shell),
            _ => state.shell.toggle_copy(shell),
        }
    }
}

/// What is done to the shell in view.
fn act_on(state: &mut State, action: Action) -> Vec<Effect> {
    let Some(shell) = state.shell_in_view() else {
        state.say("No shell is in view.", Tone::Refused);
        return Vec::new();
    };
    let (id, key) = (shell.id, shell.site.key.clone());
    match action {
        Action::ShellRename => {
            let question = ShellQuestion::rename(shell);
            state.dialogs.push(Dialog::Shell(question));
        }
        Action::ShellAnswer => match &shell.copying {
            Copying::Asked(text) => {
                let question = ShellQuestion::copy(shell, text);
                state.dialogs.push(Dialog::Shell(question));
            }
            _ => state.say("No program in this shell asks for anything.", Tone::Refused),
        },
        Action::ShellRecord => return record(state, id),
        Action::ShellExtend => state.ask_to_extend(&[key]),
        Action::ShellKeepAlive => keep_alive::toggle(state, id),
        Action::ShellReconnect if shell.state.is_over() => return opening::again(state, id),
        Action::ShellReconnect => state.say("This shell is not over.", Tone::Refused),
        Action::ShellClose if shell.state.is_open() => {
            let question = ShellQuestion::close(shell);
            state.dialogs.push(Dialog::Shell(question));
        }
        Action::ShellClose => return close(state, id),
        _ => {}
    }
    Vec::new()
}

fn leave(state: &mut State, to: Pane) {
    state.pane = to;
    state.zoom = false;
    state.shell.hold(None);
}

/// Its neighbour takes its place, and the keys if there is one.
fn close(state: &mut State, id: ShellId) -> Vec<Effect> {
    state.world.shells.close(id).into_iter().collect()
}

fn ask_for_new(state: &mut State) {
    let Some(key) = state.on_stage().cloned() else {
        return state.say("No sandbox is selected.", Tone::Refused);
    };
    let form = ShellForm::new(key);
    state.dialogs.push(Dialog::NewShell(form));
}

fn paste(state: &mut State) -> Vec<Effect> {
    match (state.shell_with_keys(), state.shelling.copied.clone()) {
        (Some(id), Some(text)) => pasted(state, id, text.as_raw()),
        _ => {
            state.say("Nothing was copied in a shell yet.", Tone::Refused);
            Vec::new()
        }
    }
}

/// Begins a recording in the directory that sandtop was started in, or ends it.
fn record(state: &mut State, id: ShellId) -> Vec<Effect> {
    let Some(shell) = state.world.shells.get(id) else {
        return Vec::new();
    };
    let order = match &shell.recording {
        Some(_) => None,
        None => Some(recording(shell, state)),
    };
    vec![Effect::Shell(id, ShellOrder::Record(order))]
}

/// `sandtop-box-20261129T234500.cast`
fn recording(shell: &Shell, state: &State) -> PathBuf {
    let fits = |c: &char| c.is_ascii_alphanumeric() || *c == '-' || *c == '_';
    let name: String = shell.site.key.name.as_raw().chars().filter(fits).collect();
    let now = jiff::Timestamp::from_millisecond(state.now.wall.0).unwrap_or_default();
    let at = now.strftime("%Y%m%dT%H%M%S");
    PathBuf::from(format!("sandtop-{name}-{at}.cast"))
}

/// What a shell says, and what is told of it.
pub(super) fn news(state: &mut State, id: ShellId, news: &ShellNews) -> Vec<Effect> {
    let before = state.world.shells.get(id).map(|shell| shell.state.clone());
    let mut effects = state.world.shells.news(id, news, state.now);
    match news {
        ShellNews::Recording(file) => {
            let sentence = say(format_args!("Recording to {}.", clean(file)));
            tell(state, sentence, Tone::Said);
        }
        ShellNews::RecordingEnded(None) => {
            tell(state, "The recording is complete.".into(), Tone::Said);
        }
        ShellNews::RecordingEnded(Some(why)) => {
            let sentence = say(format_args!("The recording ended: {}", clean(why)));
            tell(state, sentence, Tone::Refused);
        }
        _ => {}
    }
    let shell = state.world.shells.get(id);
    let ended =
        shell.filter(|shell| Some(&shell.state) != before.as_ref() && shell.state.is_over());
    if let Some((key, sentence)) = ended.map(|shell| (shell.site.key.clone(), epitaph(shell))) {
        state.world.activity.note(sentence, state.now);
        // What ended it may have ended the session: the list follows.
        let call = Call::GetSandbox(key.name.clone());
        let State {
            calls, world, now, ..
        } = state;
        effects.push(calls.send(call, Purpose::Row(key), world, *now));
    }
    effects
}

fn epitaph(shell: &Shell) -> Clean {
    let name = clean(shell.site.key.name.as_foreign());
    let called = shell.called();
    match &shell.state {
        ShellState::Exited(Some(code)) => {
            say(format_args!("shell {called} in {name} exited with {code}"))
        }
        ShellState::Lost { why, .. } => {
            say(format_args!("shell {called} in {name} was lost: {why}"))
        }
        ShellState::Refused { why, .. } => say(format_args!("no shell in {name}: {why}")),
        _ => say(format_args!("shell {called} in {name} ended")),
    }
}

fn tell(state: &mut State, sentence: Clean, tone: Tone) {
    state.world.activity.note(sentence.clone(), state.now);
    state.say(sentence, tone);
}
