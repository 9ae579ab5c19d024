//! From an action on sandboxes to the question about it: what it is meant for is fixed here.

use super::State;
use super::dialogs::{
    DeleteQuestion, Dialog, ExtendQuestion, KillQuestion, Meant, Notice, ResumeQuestion,
    StopQuestion,
};
use super::message::Tone;
use crate::logic::{Action, Deed};
use crate::model::{Clean, CommandKey, SandboxKey, Span};

impl State {
    /// Opens the question; what nothing can be done about is told instead.
    pub(super) fn ask(&mut self, action: Action) {
        let keys = self.list.meant();
        match action {
            Action::Stop => {
                self.open_question(&Deed::Stop, &keys, |meant| {
                    Dialog::Stop(StopQuestion::new(meant))
                });
            }
            Action::Delete => {
                self.open_question(&Deed::Delete { orphans: false }, &keys, |meant| {
                    Dialog::Delete(DeleteQuestion::new(meant))
                });
            }
            Action::Resume => {
                self.open_question(&Deed::Resume, &keys, |meant| {
                    Dialog::Resume(ResumeQuestion::new(meant))
                });
            }
            Action::Extend => self.ask_to_extend(&keys),
            Action::ExtendWarned => {
                let warned = self.deadlines.offered(&self.world, self.now).cloned();
                self.ask_to_extend(warned.as_slice());
            }
            Action::Kill => self.ask_to_kill(),
            _ => {}
        }
    }

    pub(super) fn ask_to_extend(&mut self, keys: &[SandboxKey]) {
        self.open_question(&Deed::Extend { by: Span(0) }, keys, |meant| {
            Dialog::Extend(ExtendQuestion::new(meant))
        });
    }

    fn ask_to_kill(&mut self) {
        let (Some(subject), Some(command)) = (self.list.selected(), self.logs.chosen()) else {
            return;
        };
        let (subject, command) = (subject.clone(), command.clone());
        let deed = Deed::Kill {
            command: command.clone(),
            signal: 0,
        };
        self.open_question(&deed, &[subject], |meant| {
            Dialog::Kill(KillQuestion::new(meant, command))
        });
    }

    fn open_question(
        &mut self,
        deed: &Deed,
        keys: &[SandboxKey],
        question: impl FnOnce(Meant) -> Dialog,
    ) {
        let shown = |key: &SandboxKey| self.list.rows().contains(key);
        let meant = Meant::of(deed, keys, &self.world, shown);
        if !meant.is_empty() {
            self.dialogs.push(question(meant));
            return;
        }
        let mut reasons = meant.into_reasons();
        if reasons.len() == 1 {
            reasons
                .drain(..)
                .for_each(|why| self.say(why, Tone::Refused));
        } else if !reasons.is_empty() {
            let notice = Notice::new("Nothing to do", &reasons);
            self.dialogs.push(Dialog::Notice(notice));
        }
    }

    /// The chosen command, if it runs as far as is known. With its session it has ended, told or not.
    fn running_command(&self) -> Option<&CommandKey> {
        let key = self.logs.chosen()?;
        let fact = self.world.fact(self.list.selected()?)?;
        if fact.sandbox.current_session_id.as_ref() != Some(&key.session)
            || !fact.sandbox.is_running()
        {
            return None;
        }
        let known = self.world.commands.get(&key.session)?;
        let mut entries = known.value.entries.iter();
        let command = entries.find(|command| command.id == key.command)?;
        command.is_running().then_some(key)
    }

    /// Why an action on sandboxes cannot even be asked about.
    pub(super) fn cannot_ask(&self, action: Action) -> Option<&'static str> {
        let nothing = self.list.meant().is_empty();
        match action {
            Action::Stop | Action::Delete | Action::Extend | Action::Resume if nothing => {
                Some("No sandbox is selected.")
            }
            Action::Kill if self.running_command().is_none() => {
                Some("No running command is chosen.")
            }
            Action::ExtendWarned if self.deadlines.offered(&self.world, self.now).is_none() => {
                Some("Nothing that runs ends soon.")
            }
            _ => None,
        }
    }

    /// Takes back what is not sent yet.
    pub(super) fn take_back(&mut self) {
        let taken = self.operations.take_back(self.now);
        let sentence = taken.unwrap_or_else(|| Clean::from("There is nothing to take back."));
        self.world.activity.note(sentence.clone(), self.now);
        self.say(sentence, Tone::Said);
    }
}
