//! What tells itself: warnings of near deadlines, and results of operations on many. Agents: `told.rs`.

use super::State;
use super::dialogs::{Dialog, Results};
use super::message::Tone;
use crate::logic::notices::Occasion;
use crate::logic::{Action, Class, Deed, Effect, Pane};
use crate::model::{SandboxKey, Span};
use crate::text::{clean, figures, say};

impl State {
    /// One warning a deadline, by the ways that are chosen.
    pub(super) fn warn(&mut self) -> Vec<Effect> {
        let mut soon = self.deadlines.check(&self.world, self.now);
        soon.sort_by_key(|(_, left)| *left);
        let Some((first, left)) = soon.first() else {
            return Vec::new();
        };
        let name = clean(first.name.as_foreign());
        let others = match soon.len() {
            1 => String::new(),
            count => format!(", and {} more end soon", count - 1),
        };
        let left = figures::duration(Some(*left));
        let runs = self.at_work(first);
        let sentence = say(format_args!("{name} ends in {left} while {runs}{others}"));
        let offer = self.offer(first);
        if self.settings.notices.lease.app {
            self.warn_with(say(format_args!("{sentence}{offer}")));
        }
        self.announce(Occasion::Lease, sentence)
    }

    /// The key that extends exactly that one.
    fn offer(&self, warned: &SandboxKey) -> String {
        let offered = self.deadlines.offered(&self.world, self.now) == Some(warned);
        let allowed = !self.read_only || Action::ExtendWarned.row().class == Class::Free;
        match self.keymap.keys_of(Action::ExtendWarned).next() {
            Some(key) if offered && allowed => format!(" · {} extends it", key.label()),
            _ => String::new(),
        }
    }

    fn warn_with(&mut self, sentence: crate::model::Clean) {
        self.say(sentence, Tone::Refused);
        if let Some(message) = &mut self.message {
            message.until = self.now.mono.after(Span::seconds(30));
        }
    }

    /// The results of an operation on many open when nothing else has the keys.
    pub(super) fn open_results(&mut self) {
        if !self.dialogs.is_empty() || self.is_typing() || self.pane == Pane::Shell {
            return;
        }
        if let Some(id) = self.results.pop_front() {
            self.dialogs.push(Dialog::Results(Results::new(id)));
        }
    }

    /// An operation came to its end: what it was done to is marked no longer. Tells whether its results will be
    /// shown; of one the message is enough.
    pub(super) fn ended(&mut self, id: u64) -> bool {
        let Some(operation) = self.operations.get(id) else {
            return false;
        };
        // A signal is for the chosen command, marked or not.
        if !matches!(operation.deed, Deed::Kill { .. }) {
            let done = operation
                .targets
                .iter()
                .filter(|target| target.state.is_done());
            done.for_each(|target| self.list.unmark(&target.key));
        }
        let many = operation.targets.len() > 1;
        let open = self
            .dialogs
            .iter()
            .any(|dialog| matches!(dialog, Dialog::Results(results) if results.is_of(id)));
        if many && !open && !self.results.contains(&id) {
            self.results.push_back(id);
        }
        many
    }
}
