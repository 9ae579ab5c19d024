//! Asks once before a stop, of one sandbox or of many. What it names is all that a yes can stop.

use super::meant::{self, Meant};
use super::{Outcome, Sheet};
use crate::logic::{Action, Deed, World};
use crate::model::{Clean, Status};
use crate::text::clean;
use crate::ui::{Piece, Role, label, span};
use crossterm::event::KeyEvent;

#[derive(Clone, Debug)]
pub(in crate::app) struct StopQuestion {
    pub(super) meant: Meant,
    pub(super) sheet: Sheet,
}

const STOP: usize = 1;

impl StopQuestion {
    pub(in crate::app) fn new(meant: Meant) -> Self {
        let title = match meant.one() {
            Some(_) => "Stop a sandbox",
            None => "Stop sandboxes",
        };
        let class = Some(Action::Stop.row().class);
        Self {
            meant,
            sheet: Sheet::new(title, class, &["Cancel", "Stop"]),
        }
    }

    pub(super) fn key(&mut self, event: KeyEvent) -> Outcome {
        let button = self.sheet.key(event);
        button.map_or(Outcome::Open, |button| self.answer(button))
    }

    pub(super) fn answer(&self, button: usize) -> Outcome {
        match button {
            STOP => Outcome::Confirmed(Deed::Stop, self.meant.targets.clone()),
            _ => Outcome::Closed,
        }
    }

    pub(super) fn follow(&mut self, world: &World) {
        let ends = match self.meant.one() {
            Some(_) => " now? Its processes are ended.",
            None => " now? Their processes are ended.",
        };
        self.sheet.body = vec![vec![
            label("Stop ", Role::Text),
            span(&self.meant.subject(), Role::Title),
            label(ends, Role::Text),
        ]];
        self.sheet.facts = Vec::new();
        let told = self.meant.told(world, |target| {
            let loss = target.loss(world);
            let comma = label(", ", Role::Text);
            vec![
                meant::files_shortly(&loss),
                comma,
                meant::running_shortly(&loss),
            ]
        });
        self.sheet.body.extend(told);
        let Some(target) = self.meant.one() else {
            return;
        };
        let runs = world
            .fact(&target.key)
            .and_then(|fact| fact.sandbox.status.as_ref())
            .is_some_and(|status| !Status::is_final(status));
        if !runs {
            let words = label("It does not run any more.", Role::Bad);
            self.sheet.body.push(vec![words]);
        }
        let loss = target.loss(world);
        let session = target.session.as_ref();
        let session: Option<Clean> = session.map(|session| clean(session.as_foreign()));
        let facts = &mut self.sheet.facts;
        facts.extend(session.map(|session| ("session", vec![span(&session, Role::Text)])));
        let files: Vec<Piece> = vec![meant::files(&loss, &world.backend)];
        facts.push(("files", files));
        facts.extend(meant::running(&loss));
    }
}
