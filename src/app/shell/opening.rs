//! Opening shells: in what runs at once, in what has stopped after a question and one resume.

use super::State;
use crate::app::dialogs::{Dialog, Meant, ResumeQuestion};
use crate::app::message::Tone;
use crate::logic::draft::ShellDraft;
use crate::logic::{Deed, Effect, ShellId, Site, Target};
use crate::model::{Clean, SandboxKey, Status};
use crate::text::{clean, say};

/// A shell to be opened when its sandbox runs again.
#[derive(Debug)]
pub(super) struct Wish {
    pub(super) key: SandboxKey,
    /// The resume that makes it run.
    pub(super) operation: u64,
    pub(super) what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::app) enum What {
    New(ShellDraft),
    /// In place of this one.
    Again(ShellId),
}

/// The shell of the selected sandbox that was looked at last; else the last that is open; else a new one.
pub(super) fn go_in(state: &mut State) -> Vec<Effect> {
    let Some(key) = state.list.selected().cloned() else {
        state.say("No sandbox is selected.", Tone::Refused);
        return Vec::new();
    };
    let shells = &state.world.shells;
    let shown = state.shell.shown(shells, Some(&key));
    let shown = shown.filter(|shell| shell.site.key == key);
    let living = shells.of(&key).rev().find(|shell| !shell.state.is_over());
    let living = shown.filter(|shell| !shell.state.is_over()).or(living);
    match (living, shown) {
        (Some(shell), _) => state.go_into(shell.id),
        (None, Some(over)) => return again(state, over.id),
        (None, None) => open(state, &key, What::New(ShellDraft::default())),
    }
    Vec::new()
}

pub(super) fn again(state: &mut State, id: ShellId) -> Vec<Effect> {
    let key = state
        .world
        .shells
        .get(id)
        .map(|shell| shell.site.key.clone());
    if let Some(key) = key {
        open(state, &key, What::Again(id));
    }
    Vec::new()
}

/// Opens it; asks first where that would boot a session. What cannot be is told.
pub(in crate::app) fn open(state: &mut State, key: &SandboxKey, what: What) {
    match Site::of(key, &state.world) {
        Ok(site) => begin(state, site, what, true),
        Err(_) if is_stopped(state, key) => ask_to_resume(state, key, what),
        Err(why) => state.say(say(format_args!("No shell: {why}")), Tone::Refused),
    }
}

/// Whether the key bar should offer one.
pub(in crate::app) fn is_openable(state: &State) -> bool {
    let key = state.list.selected();
    key.is_some_and(|key| Site::of(key, &state.world).is_ok() || is_stopped(state, key))
}

fn is_stopped(state: &State, key: &SandboxKey) -> bool {
    let fact = state.world.fact(key).filter(|fact| !fact.gone);
    let status = fact.and_then(|fact| fact.sandbox.status.as_ref());
    status.is_some_and(Status::is_final)
}

fn ask_to_resume(state: &mut State, key: &SandboxKey, what: What) {
    let meant = Meant::of(
        &Deed::Resume,
        std::slice::from_ref(key),
        &state.world,
        |_| true,
    );
    let question = ResumeQuestion::new(meant).opening(what);
    state.dialogs.push(Dialog::Resume(question));
}

/// The person said yes: one resume, and the shell when it runs.
pub(super) fn resume(state: &mut State, targets: Vec<Target>, what: What) {
    let Some(key) = targets.first().map(|target| target.key.clone()) else {
        return;
    };
    let undo = state.settings.undo;
    let operation = state
        .operations
        .confirmed(Deed::Resume, targets, undo, state.now);
    state.shelling.wishes.retain(|wish| wish.key != key);
    state.shelling.wishes.push(Wish {
        key,
        operation,
        what,
    });
}

/// Opens what waited for a sandbox that runs by now; lets go of what never will.
pub(super) fn fulfil(state: &mut State) {
    for wish in std::mem::take(&mut state.shelling.wishes) {
        let operation = state.operations.get(wish.operation);
        let is_over = operation.is_none_or(|operation| operation.is_over());
        let done = operation.is_some_and(|operation| operation.count(|state| state.is_done()) > 0);
        match Site::of(&wish.key, &state.world) {
            Ok(site) if is_over => {
                let waits_here = state.dialogs.is_empty()
                    && !state.is_typing()
                    && state.list.selected() == Some(&wish.key);
                begin(state, site, wish.what, waits_here);
            }
            Err(_) if is_over && (!done || is_stopped(state, &wish.key)) => {
                let name = clean(wish.key.name.as_foreign());
                state.say(
                    say(format_args!("No shell in {name}: it does not run.")),
                    Tone::Refused,
                );
            }
            _ => state.shelling.wishes.push(wish),
        }
    }
}

fn begin(state: &mut State, site: Site, what: What, go_in: bool) {
    let own = own_directory(state, &site);
    let shells = &mut state.world.shells;
    let begun = match what {
        What::New(draft) => match draft.start(&site.session) {
            Ok(mut start) => {
                start.cwd = start.cwd.or(own);
                Some(shells.open(site, start, state.now))
            }
            // The form let nothing else through.
            Err(_) => None,
        },
        What::Again(id) => shells.reopen(id, site, state.now),
    };
    let Some(id) = begun else { return };
    if go_in {
        state.go_into(id);
    } else {
        let sentence: Clean = "The shell is open in the background.".into();
        state.say(sentence, Tone::Said);
    }
}

/// Where a shell begins when nothing else is said: the service's own clients always say it (api.md §5.4).
fn own_directory(state: &State, site: &Site) -> Option<String> {
    let detail = state.world.fact(&site.key)?.detail.as_ref()?;
    let session = detail.value.session.as_ref();
    let cwd = session
        .filter(|session| session.id == site.session)?
        .cwd
        .as_ref()?;
    Some(cwd.as_raw().to_owned())
}
