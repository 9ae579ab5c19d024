//! What the dialogs about shells lead to.

use super::opening::{self, What};
use super::{State, close};
use crate::logic::{Copying, Effect, ShellId, Target};
use crate::model::SandboxKey;
use crate::text::clean_str;

#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) enum Answer {
    Open(SandboxKey, What),
    /// Boots a session first.
    Resume(Vec<Target>, What),
    GoTo(ShellId),
    Close(ShellId),
    Rename(ShellId, String),
    /// A program's text goes to the clipboard, this time or from now on; or not.
    Copy(ShellId, Copies),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Copies {
    Never,
    Once,
    Always,
}

pub(in crate::app) fn answered(state: &mut State, answer: Answer) -> Vec<Effect> {
    match answer {
        Answer::Open(key, what) => opening::open(state, &key, what),
        Answer::Resume(targets, what) => opening::resume(state, targets, what),
        Answer::GoTo(id) => state.go_into(id),
        Answer::Close(id) => return close(state, id),
        Answer::Rename(id, name) => {
            if let Some(shell) = state.world.shells.get_mut(id) {
                let name = clean_str(name.trim());
                shell.name = Some(name).filter(|name| !name.as_str().is_empty());
            }
        }
        Answer::Copy(id, copies) => return copy(state, id, copies),
    }
    Vec::new()
}

fn copy(state: &mut State, id: ShellId, copies: Copies) -> Vec<Effect> {
    let Some(shell) = state.world.shells.get_mut(id) else {
        return Vec::new();
    };
    let after = match copies {
        Copies::Always => Copying::Allowed,
        Copies::Once | Copies::Never => Copying::Asks,
    };
    match std::mem::replace(&mut shell.copying, after) {
        Copying::Asked(text) if copies != Copies::Never => vec![Effect::CopyText(text)],
        _ => Vec::new(),
    }
}
