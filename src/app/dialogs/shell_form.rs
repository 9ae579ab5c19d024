//! Opens another shell: which program, as whom, where, with which environment.

use super::Outcome;
use super::forms::judged;
use crate::app::shell::{Answer, What};
use crate::logic::draft::{ShellDraft, ShellField};
use crate::logic::{Class, World};
use crate::model::{SandboxKey, SessionId};
use crate::text::clean;
use crate::ui::{Field, Form, FormBox, Hits, Role, Theme, label, span};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

#[derive(Clone, Debug)]
pub(in crate::app) struct ShellForm {
    key: SandboxKey,
    form: Form,
    wanted: Option<ShellDraft>,
    /// It has to be resumed before.
    boots: bool,
}

impl ShellForm {
    pub(in crate::app) fn new(key: SandboxKey) -> Self {
        let fields = vec![
            Field::text(
                "program",
                "with arguments and quotes as in a shell; empty: the best shell that is there",
                "",
            ),
            Field::toggle("sudo", "space: as root", false),
            Field::text("directory", "empty: the sandbox's own", ""),
            Field::text(
                "environment",
                "NAME=value NAME=\"two words\", added to the sandbox's own",
                "",
            ),
        ];
        Self {
            key,
            form: Form::new(fields, &["Cancel", "Open"]),
            wanted: None,
            boots: false,
        }
    }

    fn draft(&self) -> ShellDraft {
        let text = |field: ShellField| self.form.text(field as usize).to_owned();
        ShellDraft {
            line: text(ShellField::Line),
            sudo: self.form.is_on(ShellField::Sudo as usize),
            cwd: text(ShellField::Cwd),
            env: text(ShellField::Env),
        }
    }

    pub(super) fn subject(&self) -> &SandboxKey {
        &self.key
    }

    pub(super) fn form(&mut self) -> &mut Form {
        &mut self.form
    }

    pub(super) fn follow(&mut self, world: &World) {
        let fact = world.fact(&self.key);
        self.boots = fact.is_some_and(|fact| !fact.sandbox.is_running());
        let draft = self.draft();
        // Which session it will be is nothing that the fields decide.
        let read = draft.start(&SessionId::new("")).map(|_| draft);
        self.wanted = judged(&mut self.form, read, |field| field as usize);
    }

    /// What is to be opened, if it can be.
    pub(super) fn send(&mut self) -> Option<Outcome> {
        let wanted = self.wanted.take()?;
        let answer = Answer::Open(self.key.clone(), What::New(wanted));
        Some(Outcome::Shell(answer))
    }

    pub(super) fn draw(&self, theme: &Theme, screen: Rect, buffer: &mut Buffer) -> Hits<usize> {
        let name = clean(self.key.name.as_foreign());
        let mut lead = vec![vec![label("In ", Role::Text), span(&name, Role::Title)]];
        if self.boots {
            let words = "It does not run: before it is resumed there is another question.";
            lead.push(vec![label(words, Role::Warn)]);
        }
        FormBox {
            title: &[label("Open a shell", Role::Title)],
            class: Class::Changes,
            lead: &lead,
            form: &self.form,
        }
        .draw(buffer, screen, theme)
    }
}
