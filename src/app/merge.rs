//! Several logs as one: which are meant by where the keys are, and which of them are heard.

use super::State;
use super::message::Tone;
use crate::logic::{Action, Pane, Scope, Tab, merged};
use crate::model::{Clean, SandboxKey};
use crate::text::say;
use std::sync::Arc;

impl State {
    /// From the list: what runs in the marked sandboxes, or in those that the filter shows, or all of the selected one.
    /// From the stage: the marked commands, or all of the selected sandbox.
    pub(super) fn merge(&mut self) {
        let Some(selected) = self.list.selected().cloned() else {
            return self.say("No sandbox is selected.", Tone::Refused);
        };
        let marked = self.logs.marked();
        let scope = match self.pane {
            Pane::List if self.list.marked() > 0 => Scope::Running(self.list.meant()),
            Pane::List if self.list.is_filtered() => Scope::Running(self.list.rows().to_vec()),
            Pane::List => Scope::Sandbox(selected),
            _ if !marked.is_empty() => Scope::Commands(marked.to_vec()),
            _ => Scope::Sandbox(selected),
        };
        self.show_merged(scope);
    }

    pub(super) fn merge_new(&mut self) {
        self.show_merged(Scope::New);
    }

    fn show_merged(&mut self, scope: Scope) {
        merged::open(&mut self.world, scope, self.now);
        self.logs.merge(true);
        self.tab = Tab::Logs;
        self.pane = Pane::Lines;
    }

    /// Mutes the chosen source, or hears it alone; the same once more takes it back.
    pub(super) fn hear(&mut self, action: Action) {
        let merges = self.logs.merges();
        let Some(merged) = self.world.merged.as_mut().filter(|_| merges) else {
            return;
        };
        let Some(at) = self.logs.source(merged) else {
            return;
        };
        let id = self.world.keeping.next_store();
        let former = match action {
            Action::Solo => merged.hear_only(at, id),
            _ => merged.mute(at, id),
        };
        self.logs.renumber(&former, merged);
        let name = &merged.sources[at].name;
        let said = match merged.is_heard(at) {
            _ if merged.is_solo(at) => say(format_args!("Only {name} is shown.")),
            false => say(format_args!("{name} is not shown.")),
            true => say(format_args!("{name} is shown.")),
        };
        self.say(said, Tone::Said);
    }

    /// The sandboxes whose new commands are merged on screen.
    pub(super) fn followed(&self) -> Arc<[SandboxKey]> {
        let merged = self.world.merged.as_ref();
        let merged = merged.filter(|_| self.logs.merges());
        merged.map_or_else(Arc::default, |merged| Arc::clone(&merged.followed().keys))
    }

    /// Why nothing can be heard alone or muted.
    pub(super) fn cannot_hear(&self) -> Option<Clean> {
        let merged = self.world.merged.as_ref();
        let merged = merged.filter(|_| self.logs.merges());
        let source = merged.and_then(|merged| self.logs.source(merged));
        source
            .is_none()
            .then(|| Clean::from("Only sources of merged logs are muted."))
    }
}
