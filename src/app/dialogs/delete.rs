//! Asks before a deletion, which nothing brings back: what goes and what stays, and a word to be typed.

use super::meant::{self, Meant};
use super::{Outcome, Sheet};
use crate::logic::{Action, Deed, Target, World};
use crate::model::{Clean, MountMode};
use crate::text::{clean, say};
use crate::ui::{KeyHint, Piece, Prompt, Role, label, span};
use crossterm::event::KeyEvent;

#[derive(Clone, Debug)]
pub(in crate::app) struct DeleteQuestion {
    pub(super) meant: Meant,
    pub(super) sheet: Sheet,
    /// Also the snapshots that no other sandbox uses.
    orphans: bool,
    /// What has to be typed.
    wanted: Clean,
    /// The answer was yes, and what was typed is something else.
    mistyped: bool,
}

const DELETE: usize = 1;
const ORPHANS: usize = 2;
const LABELS: &[&str] = &["Cancel", "Delete", "( ) delete orphan snapshots"];
const LABELS_TICKED: &[&str] = &["Cancel", "Delete", "(x) delete orphan snapshots"];

impl DeleteQuestion {
    pub(in crate::app) fn new(meant: Meant) -> Self {
        let class = Some(Action::Delete.row().class);
        let title = match meant.one() {
            Some(_) => "Delete a sandbox",
            None => "Delete sandboxes",
        };
        let wanted = wanted(&meant);
        let mut sheet = Sheet::new(title, class, LABELS);
        let ask = say(format_args!("type {wanted} to delete: "));
        sheet.prompt = Some((vec![span(&ask, Role::Text)], Prompt::default()));
        Self {
            meant,
            sheet,
            orphans: false,
            wanted,
            mistyped: false,
        }
    }

    pub(super) fn key(&mut self, event: KeyEvent) -> Outcome {
        match self.sheet.key(event) {
            Some(button) => self.answer(button),
            None => {
                self.mistyped &= self.sheet.typed() != self.wanted.as_str();
                Outcome::Open
            }
        }
    }

    pub(super) fn answer(&mut self, button: usize) -> Outcome {
        match button {
            DELETE if self.sheet.typed() == self.wanted.as_str() => {
                let orphans = self.orphans;
                let targets = self.meant.targets.clone();
                Outcome::Confirmed(Deed::Delete { orphans }, targets)
            }
            DELETE => {
                self.mistyped = true;
                Outcome::Open
            }
            ORPHANS => {
                self.orphans = !self.orphans;
                self.sheet.buttons.labels = if self.orphans { LABELS_TICKED } else { LABELS };
                Outcome::Open
            }
            _ => Outcome::Closed,
        }
    }

    pub(super) fn hints(&self) -> Vec<KeyHint> {
        self.sheet.hints("delete")
    }

    pub(super) fn follow(&mut self, world: &World) {
        let mut body = vec![vec![
            label("Delete ", Role::Text),
            span(&self.meant.subject(), Role::Title),
            label(" for good?", Role::Text),
        ]];
        if self.mistyped {
            let words = say(format_args!(
                "Not deleted: {} is not what was typed.",
                self.wanted
            ));
            body.push(vec![span(&words, Role::Bad)]);
        }
        body.extend(self.meant.told(world, |target| {
            let comma = || label(", ", Role::Text);
            let runs = meant::running_shortly(&target.loss(world));
            vec![
                meant::status(target, world),
                comma(),
                runs,
                comma(),
                mounts(target, world),
            ]
        }));
        self.sheet.body = body;
        self.sheet.facts = vec![("snapshots", vec![self.snapshots(world)])];
        if let Some(target) = self.meant.one() {
            let mut facts = vec![("sessions", vec![sessions(target, world)])];
            facts.append(&mut self.sheet.facts);
            facts.push(("mounts", vec![mounts(target, world)]));
            facts.extend(meant::running(&target.loss(world)));
            self.sheet.facts = facts;
        }
    }

    fn snapshots(&self, world: &World) -> Piece {
        match (self.orphans, world.backend.local) {
            (true, _) => label(
                "those that no other sandbox uses are deleted as well",
                Role::Bad,
            ),
            (false, true) => label("all stay", Role::Text),
            (false, false) => label("all stay, and their storage is billed", Role::Text),
        }
    }
}

/// The name; of many their number. A name that cannot be typed is not asked for.
fn wanted(meant: &Meant) -> Clean {
    match meant.one() {
        None => say(format_args!("{} delete", meant.targets.len())),
        Some(target) => {
            let name = clean(target.key.name.as_foreign());
            let typable = name.as_str().chars().all(|c| c.is_ascii_graphic());
            if typable && !name.as_str().is_empty() {
                name
            } else {
                Clean::from("delete")
            }
        }
    }
}

fn sessions(target: &Target, world: &World) -> Piece {
    let listing = world.sessions.get(&target.key).map(|known| &known.value);
    match listing.filter(|listing| listing.read.is_some()) {
        None => label("not known (they are being read)", Role::Warn),
        Some(listing) => {
            let more = if listing.more { " or more" } else { "" };
            let count = listing.entries.len();
            span(
                &say(format_args!("{count}{more}, with their logs")),
                Role::Text,
            )
        }
    }
}

/// Drives outlive the sandbox; what is mounted is named, since others may use it.
fn mounts(target: &Target, world: &World) -> Piece {
    let sandbox = world.fact(&target.key).map(|fact| &fact.sandbox);
    let mounts = sandbox.and_then(|sandbox| sandbox.mounts.as_ref());
    let named: Vec<String> = mounts
        .into_iter()
        .flatten()
        .map(|(path, mount)| match mount.mode {
            Some(MountMode::Snapshot) => format!("a copy of {}", clean(&mount.drive)),
            _ => format!("{} at {}", clean(&mount.drive), clean(path)),
        })
        .collect();
    if named.is_empty() {
        label("no drive", Role::Text)
    } else {
        let words = say(format_args!("drives stay: {}", named.join(", ")));
        span(&words, Role::Text)
    }
}
