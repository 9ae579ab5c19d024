//! Asks once before a stop. What it names is all that a yes can stop.

use super::{Outcome, pressed_or_letter};
use crate::app::footer::told;
use crate::logic::{Action, Backend, Class, Deed, Target, World};
use crate::model::{Clean, SandboxKey};
use crate::text::{Side, clean, cut, say};
use crate::ui::{self, Buttons, Hits, KeyHint, Piece, Role, Theme, label, span};
use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

#[derive(Clone, Debug)]
pub(in crate::app) struct StopQuestion {
    target: Target,
    buttons: Buttons,
    body: Vec<Vec<Piece>>,
    facts: Vec<(&'static str, Vec<Piece>)>,
}

const STOP: usize = 1;
/// Command lines named one by one, and how much of each: some hold a whole program.
const NAMED: usize = 4;
const NAMED_COLUMNS: usize = 100;

impl StopQuestion {
    pub(in crate::app) fn new(target: Target) -> Self {
        let buttons = Buttons::new(&["Cancel", "Stop"]);
        Self {
            target,
            buttons,
            body: Vec::new(),
            facts: Vec::new(),
        }
    }

    pub(super) fn subject(&self) -> &SandboxKey {
        &self.target.key
    }

    pub(super) fn key(&mut self, event: KeyEvent) -> Outcome {
        match pressed_or_letter(&mut self.buttons, event) {
            Some(button) => self.answer(button),
            None => Outcome::Open,
        }
    }

    pub(super) fn answer(&mut self, button: usize) -> Outcome {
        match button {
            STOP => Outcome::Confirmed(Deed::Stop, vec![self.target.clone()]),
            _ => Outcome::Closed,
        }
    }

    pub(super) fn hints(&self) -> Vec<KeyHint> {
        vec![
            told("esc", "cancel", Class::Free),
            told("y", "stop", Action::Stop.row().class),
            told("tab", "next answer", Class::Free),
            told("enter", "choose it", Class::Free),
        ]
    }

    pub(super) fn follow(&mut self, world: &World) {
        let loss = self.target.loss(world);
        let name = clean(self.target.key.name.as_foreign());
        let question = vec![
            label("Stop ", Role::Text),
            span(&name, Role::Title),
            label(" now? Its processes are ended.", Role::Text),
        ];
        self.body = vec![question];
        self.body.extend(
            self.changed(world)
                .map(|words| vec![label(words, Role::Bad)]),
        );
        let session = self.target.session.as_ref();
        let session = session.map(|session| clean(session.as_foreign()));
        self.facts = session
            .map(|session| ("session", vec![span(&session, Role::Text)]))
            .into_iter()
            .collect();
        self.facts
            .push(("files", vec![files(loss.persistent, &world.backend)]));
        self.facts.extend(running(loss.running.as_deref()));
    }

    /// What happened to the sandbox while the question stood.
    fn changed(&self, world: &World) -> Option<&'static str> {
        let fact = world.fact(&self.target.key).filter(|fact| !fact.gone);
        match fact {
            None => Some("It is deleted meanwhile."),
            Some(fact) if fact.sandbox.current_session_id != self.target.session => {
                Some("It runs in another session meanwhile; that one will not be stopped.")
            }
            Some(fact) if !fact.sandbox.is_running() => Some("It does not run any more."),
            Some(_) => None,
        }
    }

    pub(super) fn draw(&self, theme: &Theme, screen: Rect, buffer: &mut Buffer) -> Hits<usize> {
        let dialog = ui::Dialog {
            title: &[label("Stop a sandbox", Role::Title)],
            class: Some(Action::Stop.row().class),
            body: &self.body,
            facts: &self.facts,
            prompt: None,
            buttons: &self.buttons,
        };
        dialog.draw(buffer, screen, theme)
    }
}

fn running(commands: Option<&[Clean]>) -> Vec<(&'static str, Vec<Piece>)> {
    let Some(commands) = commands else {
        return vec![(
            "runs",
            vec![label("not known (its commands are being read)", Role::Warn)],
        )];
    };
    if commands.is_empty() {
        return vec![("runs", vec![label("no command", Role::Text)])];
    }
    let named = commands.iter().take(NAMED);
    let mut lines: Vec<Clean> = named
        .map(|line| cut(line, NAMED_COLUMNS, Side::End))
        .collect();
    if commands.len() > NAMED {
        lines.push(say(format_args!("and {} more", commands.len() - NAMED)));
    }
    let names = ["runs"].into_iter().chain(std::iter::repeat(""));
    names
        .zip(&lines)
        .map(|(name, line)| (name, vec![span(line, Role::Warn)]))
        .collect()
}

/// What becomes of the file system (api.md §4.2).
fn files(persistent: Option<bool>, backend: &Backend) -> Piece {
    match persistent {
        Some(true) if backend.local => label("kept: a snapshot is taken", Role::Text),
        Some(true) => label(
            "kept: a snapshot is taken, and its storage is billed",
            Role::Text,
        ),
        Some(false) => label("lost: this sandbox is not persistent", Role::Bad),
        None => label("not known whether they are kept", Role::Warn),
    }
}
