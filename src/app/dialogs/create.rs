//! Creates a sandbox: a form whose rules are the service's, judged while it is filled in.

use super::Outcome;
use super::forms::judged;
use crate::logic::draft::{CreateDraft, CreateField, RUNTIMES};
use crate::logic::{Class, World};
use crate::model::request::CreateSandbox;
use crate::ui::{Field, Form, FormBox, Hits, Piece, Role, Theme, label};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

#[derive(Clone, Debug)]
pub(in crate::app) struct CreateForm {
    form: Form,
    wanted: Option<Box<CreateSandbox>>,
    /// On the local engine nothing costs money.
    local: bool,
}

impl CreateForm {
    pub(in crate::app) fn new(local: bool) -> Self {
        let draft = CreateDraft::default();
        let fields = vec![
            Field::text(
                "name",
                "letters, digits, - and _; empty: the service finds one",
                &draft.name,
            ),
            Field::text(
                "time limit",
                "it is stopped after this, as in 5m, 2h",
                &draft.timeout,
            ),
            Field::text(
                "vCPUs",
                "1, or an even number; empty: 2. Each has 2 GB",
                &draft.vcpus,
            ),
            Field::toggle(
                "persistent",
                "space: keep its files when it stops",
                draft.persistent,
            ),
            Field::text(
                "ports",
                "served to the outside, as in 3000 8080; up to 15",
                &draft.ports,
            ),
            Field::text("tags", "name=value name=value; up to 5", &draft.tags),
            Field::text(
                "image",
                "as in team/project/repo:tag; empty: the service's own",
                &draft.image,
            ),
            Field::choice(
                "runtime",
                "left, right: an older way, in place of an image",
                RUNTIMES,
            ),
            Field::text(
                "environment",
                "NAME=value, for every command; cannot be read back",
                &draft.env,
            ),
        ];
        Self {
            form: Form::new(fields, &["Cancel", "Create"]),
            wanted: None,
            local,
        }
    }

    fn draft(&self) -> CreateDraft {
        use CreateField as F;
        let text = |field: F| self.form.text(field as usize).to_owned();
        CreateDraft {
            name: text(F::Name),
            timeout: text(F::Timeout),
            vcpus: text(F::Vcpus),
            persistent: self.form.is_on(F::Persistent as usize),
            ports: text(F::Ports),
            tags: text(F::Tags),
            image: text(F::Image),
            runtime: self.form.chosen(F::Runtime as usize),
            env: text(F::Env),
        }
    }

    pub(super) fn form(&mut self) -> &mut Form {
        &mut self.form
    }

    /// Another sandbox may take the name while the form stands.
    pub(super) fn follow(&mut self, world: &World) {
        let read = self.draft().request(world);
        let wanted = judged(&mut self.form, read, |field| field as usize);
        self.wanted = wanted.map(Box::new);
    }

    /// What is to be sent, if it can be.
    pub(super) fn send(&mut self) -> Option<Outcome> {
        self.wanted.take().map(Outcome::Create)
    }

    fn lead(&self) -> Vec<Piece> {
        vec![match self.local {
            true => label("On the local engine, where it costs nothing.", Role::Dim),
            false => label("It boots at once, and is billed while it runs.", Role::Warn),
        }]
    }

    pub(super) fn draw(&self, theme: &Theme, screen: Rect, buffer: &mut Buffer) -> Hits<usize> {
        FormBox {
            title: &[label("Create a sandbox", Role::Title)],
            class: Class::Billable,
            lead: &[self.lead()],
            form: &self.form,
        }
        .draw(buffer, screen, theme)
    }
}
