//! Running commands and creating sandboxes: the forms, what they send, and what came of it.

use super::State;
use super::dialogs::{CreateForm, Dialog, Notice, RunAgain, RunForm};
use super::message::Tone;
use crate::logic::{Effect, Launch, Site, Tab};
use crate::model::request::{CreateSandbox, RunCommand};
use crate::model::{Clean, Command, CommandKey, SandboxKey};
use crate::panes::logs;

/// Where a command would run now: the selected sandbox and its session.
pub(super) fn site(state: &State) -> Result<Site, Clean> {
    match state.list.selected() {
        Some(key) => Site::of(key, &state.world),
        None => Err(Clean::from("No sandbox is selected.")),
    }
}

/// The chosen command, as far as it is told.
pub(super) fn chosen(state: &State) -> Option<&Command> {
    let key = state.logs.chosen()?;
    let known = state.world.commands.get(&key.session)?;
    let mut entries = known.value.entries.iter();
    entries.find(|command| command.id == key.command)
}

pub(super) fn ask_to_run(state: &mut State) {
    match site(state) {
        Ok(site) => state.dialogs.push(Dialog::Run(RunForm::new(site))),
        Err(why) => state.say(why, Tone::Refused),
    }
}

pub(super) fn ask_to_run_again(state: &mut State) {
    let asked = of_chosen(state).and_then(|(site, command)| RunAgain::new(site, command));
    open(state, asked.map(Dialog::RunAgain));
}

pub(super) fn ask_to_edit(state: &mut State) {
    let asked = of_chosen(state).and_then(|(site, command)| RunForm::edit(site, command));
    open(state, asked.map(Dialog::Run));
}

pub(super) fn ask_to_create(state: &mut State) {
    let form = CreateForm::new(state.world.backend.local);
    state.dialogs.push(Dialog::Create(form));
}

fn of_chosen(state: &State) -> Result<(Site, &Command), Clean> {
    let site = site(state)?;
    let command = chosen(state).ok_or(Clean::from("No command is chosen."))?;
    Ok((site, command))
}

fn open(state: &mut State, dialog: Result<Dialog, Clean>) {
    match dialog {
        Ok(dialog) => state.dialogs.push(dialog),
        Err(why) => state.say(why, Tone::Refused),
    }
}

pub(super) fn run(state: &mut State, site: Site, wanted: RunCommand) -> Vec<Effect> {
    let State {
        launches,
        calls,
        world,
        now,
        ..
    } = state;
    vec![launches.run(site, wanted, calls, world, *now)]
}

pub(super) fn create(state: &mut State, wanted: CreateSandbox) -> Vec<Effect> {
    let State {
        launches,
        calls,
        world,
        now,
        ..
    } = state;
    let effect = launches.create(wanted, calls, world, *now);
    state.say("The sandbox is being created.", Tone::Said);
    vec![effect]
}

/// What came of a run or a creation.
pub(super) fn take(state: &mut State, launch: Launch) -> Vec<Effect> {
    match launch {
        Launch::Sent(effects) => return effects,
        Launch::Command(sandbox, command, said) => started(state, &sandbox, command, said),
        Launch::Sandbox(sandbox, said) => {
            tell(state, said, Tone::Said);
            state.list.go_to(sandbox);
        }
        Launch::Refused(why) => tell(state, why, Tone::Refused),
        Launch::Unknown(why) => {
            state.world.activity.note(why.clone(), state.now);
            let notice = Notice::new("The answer was lost", &[why]);
            state.dialogs.push(Dialog::Notice(notice));
        }
        Launch::Nothing => {}
    }
    Vec::new()
}

/// Its log is shown, where its sandbox is still looked at.
fn started(state: &mut State, sandbox: &SandboxKey, command: CommandKey, said: Clean) {
    logs::choose_new(&mut state.logs, sandbox, command);
    if state.list.selected() == Some(sandbox) {
        state.tab = Tab::Logs;
    }
    tell(state, said, Tone::Said);
}

fn tell(state: &mut State, sentence: Clean, tone: Tone) {
    state.world.activity.note(sentence.clone(), state.now);
    state.say(sentence, tone);
}
