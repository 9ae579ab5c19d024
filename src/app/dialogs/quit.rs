//! Asks before the engine that this dashboard started ends with it, and what runs there with the engine.

use super::{Outcome, Sheet};
use crate::app::footer::told;
use crate::logic::{Class, Deed, EngineFate, Loss, Now, Shell, Target, World};
use crate::model::{Clean, SandboxKey};
use crate::panes::shell;
use crate::text::{Side, clean, cut, say};
use crate::ui::{KeyHint, Piece, Role, label, span};
use crossterm::event::KeyEvent;

#[derive(Clone, Debug)]
pub(in crate::app) struct QuitQuestion {
    pub(super) sheet: Sheet,
    /// An engine of ours ends too, or is left.
    engine: bool,
}

const LEAVE: usize = 1;
const END: usize = 2;
/// Sandboxes named one by one, and how much of the command lines of each.
const NAMED: usize = 6;
const NAMED_COLUMNS: usize = 60;

impl QuitQuestion {
    pub(in crate::app) fn new(engine: bool) -> Self {
        let labels: &[&str] = match engine {
            true => &["Cancel", "Leave it serving", "End it"],
            false => &["Cancel", "Quit"],
        };
        Self {
            sheet: Sheet::new("Quit", None, labels),
            engine,
        }
    }

    pub(super) fn key(&mut self, event: KeyEvent) -> Outcome {
        let button = self.sheet.key(event);
        button.map_or(Outcome::Open, |button| self.answer(button))
    }

    pub(super) fn answer(&mut self, button: usize) -> Outcome {
        match button {
            LEAVE => Outcome::Quit(EngineFate::Leave),
            END => Outcome::Quit(EngineFate::End),
            _ => Outcome::Closed,
        }
    }

    pub(super) fn hints(&self) -> Vec<KeyHint> {
        if !self.engine {
            return self.sheet.hints("quit");
        }
        vec![
            told("esc", "cancel", Class::Free),
            told("y", "leave it serving", Class::Free),
            told("tab", "next answer", Class::Free),
            told("enter", "choose it", Class::Free),
            told("ctrl-c", "end it", Class::Destructive),
        ]
    }

    pub(super) fn follow(&mut self, world: &World, now: Now) {
        (self.sheet.body, self.sheet.facts) = (Vec::new(), Vec::new());
        if self.engine {
            self.tell_engine(world);
        }
        self.tell_shells(world, now);
    }

    fn tell_engine(&mut self, world: &World) {
        let running = running(world);
        let count = match running.len() {
            0 => Clean::from("no sandbox any more"),
            1 => Clean::from("one running sandbox"),
            count => say(format_args!("{count} running sandboxes")),
        };
        let question = say(format_args!(
            "This dashboard started the local engine, and {count} would end with it. Left serving, it ends by \
             itself when nothing has run and nobody has asked for a while."
        ));
        self.sheet.body.push(vec![span(&question, Role::Text)]);
        let named = running.iter().take(NAMED);
        self.sheet
            .facts
            .extend(named.map(|target| ("ends", told_of(target, &target.loss(world)))));
        self.tell_more(running.len());
    }

    fn tell_shells(&mut self, world: &World, now: Now) {
        let open: Vec<&Shell> = world
            .shells
            .iter()
            .filter(|shell| !shell.state.is_over())
            .collect();
        if open.is_empty() {
            return;
        }
        let question = match open.len() {
            1 => Clean::from("One shell is open; it is closed, and what runs in it mostly ends."),
            count => say(format_args!(
                "{count} shells are open; they are closed, and what runs in them mostly ends."
            )),
        };
        self.sheet.body.push(vec![span(&question, Role::Text)]);
        let named = open.iter().take(NAMED);
        self.sheet
            .facts
            .extend(named.map(|shell| ("closes", told_of_shell(shell, now))));
        self.tell_more(open.len());
    }

    fn tell_more(&mut self, all: usize) {
        if all > NAMED {
            let more = say(format_args!("and {} more", all - NAMED));
            self.sheet.facts.push(("", vec![span(&more, Role::Text)]));
        }
    }
}

fn told_of_shell(shell: &Shell, now: Now) -> Vec<Piece> {
    let name = clean(shell.site.key.name.as_foreign());
    let (stands, role) = shell::stands(shell, now);
    let called = say(format_args!("{name}: shell {}, ", shell.called()));
    vec![span(&called, Role::Title), span(&stands, role)]
}

/// What would end with the engine.
pub(in crate::app) fn running(world: &World) -> Vec<Target> {
    let keys: Vec<SandboxKey> = world.sandboxes.keys().cloned().collect();
    Deed::Stop.targets(&keys, world).0
}

fn told_of(target: &Target, loss: &Loss) -> Vec<Piece> {
    let name = clean(target.key.name.as_foreign());
    let runs = match loss.running.as_deref() {
        None => Clean::from(": what runs is not known"),
        Some([]) => Clean::from(": runs no command"),
        Some([first, rest @ ..]) => {
            let first = cut(first, NAMED_COLUMNS, Side::End);
            match rest.len() {
                0 => say(format_args!(": {first}")),
                more => say(format_args!(": {first}, and {more} more")),
            }
        }
    };
    let files = match loss.persistent {
        Some(true) => label("; its files are kept", Role::Text),
        Some(false) => label("; its files are lost", Role::Bad),
        None => label("; whether its files are kept is not known", Role::Warn),
    };
    vec![span(&name, Role::Title), span(&runs, Role::Warn), files]
}
