//! Runs a command: a form for a new or an edited one, and a question before the same one again.

use super::forms::judged;
use super::{Outcome, Sheet};
use crate::logic::draft::{RunDraft, RunField, again};
use crate::logic::{Action, Class, Site, World, words};
use crate::model::request::RunCommand;
use crate::model::{Clean, Command, SandboxKey};
use crate::text::{clean, clean_str, say};
use crate::ui::{Field, Form, FormBox, Hits, Piece, Role, Theme, label, span};
use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

#[derive(Clone, Debug)]
pub(in crate::app) struct RunForm {
    site: Site,
    edits: bool,
    form: Form,
    wanted: Option<RunCommand>,
    /// Why it cannot be run where it was meant to.
    changed: Option<Clean>,
}

impl RunForm {
    pub(in crate::app) fn new(site: Site) -> Self {
        Self::with(site, &RunDraft::default(), false)
    }

    /// Filled in from a command that ran.
    ///
    /// # Errors
    /// When a line of input cannot hold all of it: it would run something else.
    pub(in crate::app) fn edit(site: Site, command: &Command) -> Result<Self, Clean> {
        let draft = RunDraft::of(command);
        let form = Self::with(site, &draft, true);
        let whole = form.draft() == draft && draft.request().is_ok();
        whole.then_some(form).ok_or(Clean::from(
            "This command line is too long, or too odd, to be edited here; it can be run again as it is.",
        ))
    }

    fn with(site: Site, draft: &RunDraft, edits: bool) -> Self {
        let fields = vec![
            Field::text(
                "command",
                "program and arguments, with quotes as in a shell",
                &draft.line,
            ),
            Field::toggle(
                "by sh -c",
                "space: let a shell read the line (pipes, variables, *), or start the program itself",
                draft.shell,
            ),
            Field::text("directory", "empty: the sandbox's own", &draft.cwd),
            Field::text(
                "environment",
                "NAME=value NAME=\"two words\", added to the sandbox's own",
                &draft.env,
            ),
            Field::toggle("sudo", "space: run it as root", draft.sudo),
            Field::text(
                "time limit",
                "as in 90s, 5m, 2h; empty: none of its own",
                &draft.timeout,
            ),
        ];
        Self {
            site,
            edits,
            form: Form::new(fields, &["Cancel", "Run"]),
            wanted: None,
            changed: None,
        }
    }

    fn draft(&self) -> RunDraft {
        let text = |field: RunField| self.form.text(field as usize).to_owned();
        RunDraft {
            line: text(RunField::Line),
            shell: self.form.is_on(RunField::Shell as usize),
            cwd: text(RunField::Cwd),
            env: text(RunField::Env),
            sudo: self.form.is_on(RunField::Sudo as usize),
            timeout: text(RunField::Timeout),
        }
    }

    pub(super) fn subject(&self) -> &SandboxKey {
        &self.site.key
    }

    pub(super) fn form(&mut self) -> &mut Form {
        &mut self.form
    }

    pub(super) fn follow(&mut self, world: &World) {
        self.changed = self.site.changed(world);
        let read = self.draft().request();
        self.wanted = judged(&mut self.form, read, |field| field as usize);
    }

    /// What is to be sent, if it can be.
    pub(super) fn send(&mut self) -> Option<Outcome> {
        let wanted = self.wanted.take().filter(|_| self.changed.is_none())?;
        Some(Outcome::Run(self.site.clone(), wanted))
    }

    pub(super) fn draw(&self, theme: &Theme, screen: Rect, buffer: &mut Buffer) -> Hits<usize> {
        let mut lead = place(&self.site);
        if self.edits {
            lead.push(vec![label(UNTOLD, Role::Dim)]);
        }
        lead.extend(self.changed.iter().map(not_there));
        FormBox {
            title: &[label("Run a command", Role::Title)],
            class: Class::Changes,
            lead: &lead,
            form: &self.form,
        }
        .draw(buffer, screen, theme)
    }
}

/// The service does not tell how a command was started in full.
const UNTOLD: &str = "The service does not tell a command's environment, sudo and time limit: they are not taken over.";

fn place(site: &Site) -> Vec<Vec<Piece>> {
    let name = clean(site.key.name.as_foreign());
    let session = clean(site.session.as_foreign());
    vec![vec![
        label("In ", Role::Text),
        span(&name, Role::Title),
        label(", session ", Role::Dim),
        span(&session, Role::Dim),
        label(
            ". It goes on by itself; its lines are under Logs.",
            Role::Dim,
        ),
    ]]
}

fn not_there(why: &Clean) -> Vec<Piece> {
    let sentence = say(format_args!("Nothing can be run there: {why}."));
    vec![span(&sentence, Role::Bad)]
}

/// Asks once before the same command runs again.
#[derive(Clone, Debug)]
pub(in crate::app) struct RunAgain {
    site: Site,
    wanted: RunCommand,
    changed: Option<Clean>,
    pub(super) sheet: Sheet,
}

const RUN: usize = 1;

impl RunAgain {
    /// # Errors
    /// When the service did not tell what ran.
    pub(in crate::app) fn new(site: Site, command: &Command) -> Result<Self, Clean> {
        let wanted = again(command);
        let wanted = wanted.ok_or(Clean::from(
            "The service does not tell what this command ran.",
        ))?;
        let class = Some(Action::RunAgain.row().class);
        Ok(Self {
            site,
            wanted,
            changed: None,
            sheet: Sheet::new("Run it again", class, &["Cancel", "Run"]),
        })
    }

    pub(super) fn subject(&self) -> &SandboxKey {
        &self.site.key
    }

    pub(super) fn follow(&mut self, world: &World) {
        self.changed = self.site.changed(world);
        let mut body = place(&self.site);
        body.push(vec![label(UNTOLD, Role::Dim)]);
        body.extend(self.changed.iter().map(not_there));
        self.sheet.body = body;
        let argv = [&self.wanted.command].into_iter().chain(&self.wanted.args);
        let line = clean_str(&words::joined(argv.map(String::as_str)));
        let cwd = self.wanted.cwd.as_deref().map(clean_str);
        let cwd = cwd.unwrap_or(Clean::from("the sandbox's own"));
        self.sheet.facts = vec![
            ("command", vec![span(&line, Role::Text)]),
            ("directory", vec![span(&cwd, Role::Text)]),
        ];
    }

    pub(super) fn key(&mut self, event: KeyEvent) -> Outcome {
        let button = self.sheet.key(event);
        button.map_or(Outcome::Open, |button| self.answer(button))
    }

    pub(super) fn answer(&mut self, button: usize) -> Outcome {
        match button {
            RUN if self.changed.is_some() => Outcome::Open,
            RUN => Outcome::Run(self.site.clone(), self.wanted.clone()),
            _ => Outcome::Closed,
        }
    }
}
