//! The stack of what lies over the screen: the one on top gets the keys.

use super::State;
use super::footer::told;
use crate::logic::{Action, Backend, Class, Deed, Effect, Key, Target, World};
use crate::model::{Clean, SandboxKey, Span};
use crate::panes::help;
use crate::text::{Side, clean, cut, say};
use crate::ui::{self, Buttons, Hits, KeyHint, Piece, Role, Theme, label, span};
use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

#[derive(Clone, Debug)]
pub(super) enum Dialog {
    Help(help::State),
    Stop(StopQuestion),
    Notice(Notice),
}

/// Something that has to be known, and nothing to decide.
#[derive(Clone, Debug)]
pub(super) struct Notice {
    title: &'static str,
    sentences: Vec<Clean>,
    buttons: Buttons,
}

/// Asks once before a stop. What it names is all that a yes can stop.
#[derive(Clone, Debug)]
pub(super) struct StopQuestion {
    target: Target,
    buttons: Buttons,
    body: Vec<Vec<Piece>>,
    facts: Vec<(&'static str, Vec<Piece>)>,
}

const CANCEL: usize = 0;
const STOP: usize = 1;
/// Command lines named one by one, and how much of each: some hold a whole program.
const NAMED: usize = 4;
const NAMED_COLUMNS: usize = 100;

impl Dialog {
    /// The sandbox it is about.
    pub(super) fn subject(&self) -> Option<&SandboxKey> {
        match self {
            Self::Stop(question) => Some(&question.target.key),
            Self::Help(_) | Self::Notice(_) => None,
        }
    }

    /// Follows the world and the size of the screen.
    pub(super) fn follow(&mut self, world: &World, screen: Rect) {
        match self {
            Self::Help(keys) => keys.place(screen),
            Self::Stop(question) => question.follow(world),
            Self::Notice(_) => {}
        }
    }

    pub(super) fn draw(&self, theme: &Theme, screen: Rect, buffer: &mut Buffer) -> Hits<usize> {
        match self {
            Self::Help(keys) => {
                help::draw(keys, theme, buffer);
                Hits::default()
            }
            Self::Stop(question) => question.draw(theme, screen, buffer),
            Self::Notice(notice) => notice.draw(theme, screen, buffer),
        }
    }

    /// The keys that answer it.
    pub(super) fn hints(&self) -> Vec<KeyHint> {
        match self {
            Self::Help(_) => vec![
                told("j k", "scroll", Class::Free),
                told("esc", "close", Class::Free),
            ],
            Self::Notice(_) => vec![told("enter", "close", Class::Free)],
            Self::Stop(_) => vec![
                told("esc", "cancel", Class::Free),
                told("y", "stop", Action::Stop.row().class),
                told("tab", "next answer", Class::Free),
                told("enter", "choose it", Class::Free),
            ],
        }
    }

    fn buttons(&mut self) -> Option<&mut Buttons> {
        match self {
            Self::Help(_) => None,
            Self::Stop(StopQuestion { buttons, .. }) | Self::Notice(Notice { buttons, .. }) => {
                Some(buttons)
            }
        }
    }
}

/// A key for the dialog on top. What was held down when it opened comes as repeats, or as the same key again:
/// neither answers anything.
pub(super) fn key(
    state: &mut State,
    key: Key,
    action: Option<Action>,
    repeated: bool,
) -> Vec<Effect> {
    let Some(top) = state.dialogs.last_mut() else {
        return Vec::new();
    };
    if let Some(buttons) = top.buttons() {
        match key.code {
            KeyCode::Right | KeyCode::Down | KeyCode::Tab | KeyCode::Char('l' | 'j') => {
                buttons.next();
            }
            KeyCode::Left | KeyCode::Up | KeyCode::BackTab | KeyCode::Char('h' | 'k') => {
                buttons.previous();
            }
            _ if repeated => {}
            KeyCode::Enter => {
                let focus = buttons.focus();
                return answer(state, focus);
            }
            KeyCode::Char('y') => return answer(state, STOP),
            KeyCode::Esc | KeyCode::Char('n' | 'q') => return answer(state, CANCEL),
            _ => {}
        }
        return Vec::new();
    }
    if let (Dialog::Help(keys), Some(action)) = (top, action) {
        match action {
            Action::Back | Action::Help | Action::Quit | Action::Open => {
                state.dialogs.pop();
            }
            _ => keys.update(action),
        }
    }
    Vec::new()
}

/// The wheel: only help has something to scroll.
pub(super) fn scroll(state: &mut State, action: Action) {
    if let Some(Dialog::Help(keys)) = state.dialogs.last_mut() {
        keys.update(action);
    }
}

/// A click on a button answers; anywhere else it does nothing.
pub(super) fn click(state: &mut State, position: Position) -> Vec<Effect> {
    let screen = Rect::from((Position::ORIGIN, state.size));
    let Some(top) = state.dialogs.last() else {
        return Vec::new();
    };
    let mut scratch = Buffer::empty(screen);
    let hits = top.draw(&state.theme, screen, &mut scratch);
    hits.at(position)
        .copied()
        .map(|button| answer(state, button))
        .unwrap_or_default()
}

fn answer(state: &mut State, button: usize) -> Vec<Effect> {
    match state.dialogs.pop() {
        Some(Dialog::Stop(question)) if button == STOP => {
            let targets = vec![question.target];
            state
                .operations
                .confirmed(Deed::Stop, targets, Span(0), state.now);
        }
        _ => {}
    }
    Vec::new()
}

impl Notice {
    pub(super) fn new(title: &'static str, sentences: Vec<Clean>) -> Self {
        Self {
            title,
            sentences,
            buttons: Buttons::new(&["OK"]),
        }
    }

    fn draw(&self, theme: &Theme, screen: Rect, buffer: &mut Buffer) -> Hits<usize> {
        let body: Vec<Vec<Piece>> = self
            .sentences
            .iter()
            .map(|words| vec![span(words, Role::Text)])
            .collect();
        let dialog = ui::Dialog {
            title: &[label(self.title, Role::Title)],
            class: None,
            body: &body,
            facts: &[],
            prompt: None,
            buttons: &self.buttons,
        };
        dialog.draw(buffer, screen, theme)
    }
}

impl StopQuestion {
    pub(super) fn new(target: Target) -> Self {
        let buttons = Buttons::new(&["Cancel", "Stop"]);
        Self {
            target,
            buttons,
            body: Vec::new(),
            facts: Vec::new(),
        }
    }

    fn follow(&mut self, world: &World) {
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

    fn draw(&self, theme: &Theme, screen: Rect, buffer: &mut Buffer) -> Hits<usize> {
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
