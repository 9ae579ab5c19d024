//! Asks before a stopped sandbox is started again: that boots a session, which is billed.

use super::meant::Meant;
use super::{Outcome, Sheet};
use crate::app::shell::{Answer, What};
use crate::logic::{Action, Deed, Target, World};
use crate::text::{clean, say};
use crate::ui::{Piece, Role, label, span};
use crossterm::event::KeyEvent;

#[derive(Clone, Debug)]
pub(in crate::app) struct ResumeQuestion {
    pub(super) meant: Meant,
    pub(super) sheet: Sheet,
    /// A shell that is opened when it runs.
    opens: Option<What>,
}

const RESUME: usize = 1;

impl ResumeQuestion {
    pub(in crate::app) fn new(meant: Meant) -> Self {
        let class = Some(Action::Resume.row().class);
        Self {
            meant,
            sheet: Sheet::new("Resume", class, &["Cancel", "Resume"]),
            opens: None,
        }
    }

    /// A shell is wanted, and there is none without a running session.
    pub(in crate::app) fn opening(mut self, what: What) -> Self {
        self.opens = Some(what);
        self
    }

    pub(super) fn key(&mut self, event: KeyEvent) -> Outcome {
        let button = self.sheet.key(event);
        button.map_or(Outcome::Open, |button| self.answer(button))
    }

    pub(super) fn answer(&self, button: usize) -> Outcome {
        match button {
            RESUME => match &self.opens {
                Some(what) => {
                    let targets = self.meant.targets.clone();
                    Outcome::Shell(Answer::Resume(targets, what.clone()))
                }
                None => Outcome::Confirmed(Deed::Resume, self.meant.targets.clone()),
            },
            _ => Outcome::Closed,
        }
    }

    pub(super) fn follow(&mut self, world: &World) {
        let boots = match world.backend.local {
            true => "? A new session is started from its files.",
            false => "? A new session is booted, and its time is billed.",
        };
        self.sheet.body = vec![vec![
            label("Resume ", Role::Text),
            span(&self.meant.subject(), Role::Title),
            label(boots, Role::Text),
        ]];
        if self.opens.is_some() {
            let words =
                "It has stopped, so there is no shell in it now; one opens as soon as it runs.";
            self.sheet.body.push(vec![label(words, Role::Text)]);
        }
        let told = self.meant.told(world, |target| vec![source(target, world)]);
        self.sheet.body.extend(told);
        self.sheet.facts = Vec::new();
        if let Some(target) = self.meant.one() {
            self.sheet.facts.push(("from", vec![source(target, world)]));
        }
    }
}

/// What its files will be.
fn source(target: &Target, world: &World) -> Piece {
    let sandbox = world.fact(&target.key).map(|fact| &fact.sandbox);
    match sandbox.and_then(|sandbox| sandbox.current_snapshot_id.as_ref()) {
        Some(id) => span(
            &say(format_args!("snapshot {}", clean(id.as_foreign()))),
            Role::Text,
        ),
        None => label("no snapshot: it begins as it was created", Role::Warn),
    }
}
