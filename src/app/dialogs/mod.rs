//! The stack of what lies over the screen: the one on top gets the keys. A file a dialog.
//!
//! A dialog has `follow` (the world is new), `draw`, `key`, `answer` (a button, by key or click) and `hints`. It
//! changes nothing itself: what is wanted of the whole it gives back as an [`Outcome`].

mod notice;
mod stop;

pub(super) use notice::Notice;
pub(super) use stop::StopQuestion;

use super::State;
use super::footer::told;
use crate::logic::{Action, Class, Deed, Effect, Target, World};
use crate::model::SandboxKey;
use crate::panes::help;
use crate::ui::{Buttons, Hits, KeyHint, Theme};
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// The first button of every dialog: it changes nothing.
const CANCEL: usize = 0;

#[derive(Clone, Debug)]
pub(super) enum Dialog {
    Help(help::State),
    Stop(StopQuestion),
    Notice(Notice),
}

/// What a key or a click led to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outcome {
    /// The dialog stays.
    Open,
    Closed,
    /// It closes, and this was confirmed.
    Confirmed(Deed, Vec<Target>),
}

impl Dialog {
    /// The sandbox it is about.
    pub(super) fn subject(&self) -> Option<&SandboxKey> {
        match self {
            Self::Stop(question) => Some(question.subject()),
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
            Self::Stop(question) => question.hints(),
        }
    }

    fn key(&mut self, event: KeyEvent, action: Option<Action>) -> Outcome {
        match self {
            Self::Help(keys) => match action {
                Some(Action::Back | Action::Help | Action::Quit | Action::Open) => Outcome::Closed,
                Some(action) => {
                    keys.update(action);
                    Outcome::Open
                }
                None => Outcome::Open,
            },
            Self::Stop(question) => question.key(event),
            Self::Notice(notice) => notice.key(event),
        }
    }

    /// A button was clicked.
    fn answer(&mut self, button: usize) -> Outcome {
        match self {
            Self::Help(_) => Outcome::Open,
            Self::Stop(question) => question.answer(button),
            Self::Notice(_) => Outcome::Closed,
        }
    }
}

/// A key for the dialog on top. What was held down when it opened comes as repeats, or as the same key again:
/// neither answers anything.
pub(super) fn key(state: &mut State, event: KeyEvent, action: Option<Action>) -> Vec<Effect> {
    let outcome = state.dialogs.last_mut().map(|top| top.key(event, action));
    take(state, outcome);
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
    let Some(top) = state.dialogs.last_mut() else {
        return Vec::new();
    };
    let mut scratch = Buffer::empty(screen);
    let hits = top.draw(&state.theme, screen, &mut scratch);
    let outcome = hits.at(position).map(|button| top.answer(*button));
    take(state, outcome);
    Vec::new()
}

fn take(state: &mut State, outcome: Option<Outcome>) {
    match outcome {
        None | Some(Outcome::Open) => {}
        Some(Outcome::Closed) => {
            state.dialogs.pop();
        }
        Some(Outcome::Confirmed(deed, targets)) => {
            state.dialogs.pop();
            let undo = crate::model::Span(0);
            state.operations.confirmed(deed, targets, undo, state.now);
        }
    }
}

/// The button that a key answers with, if it does: Enter the one with the focus, Esc the harmless one. Arrows and
/// Tab move the focus.
fn pressed(buttons: &mut Buttons, event: KeyEvent) -> Option<usize> {
    match event.code {
        KeyCode::Right | KeyCode::Down | KeyCode::Tab => buttons.next(),
        KeyCode::Left | KeyCode::Up | KeyCode::BackTab => buttons.previous(),
        _ if event.kind == KeyEventKind::Repeat => {}
        KeyCode::Enter => return Some(buttons.focus()),
        KeyCode::Esc => return Some(CANCEL),
        _ => {}
    }
    None
}

/// As [`pressed`], where nothing is typed: letters answer too.
fn pressed_or_letter(buttons: &mut Buttons, event: KeyEvent) -> Option<usize> {
    let repeated = event.kind == KeyEventKind::Repeat;
    match event.code {
        KeyCode::Char('l' | 'j') => buttons.next(),
        KeyCode::Char('h' | 'k') => buttons.previous(),
        KeyCode::Char('n' | 'q') if !repeated => return Some(CANCEL),
        KeyCode::Char('y') if !repeated => return Some(CANCEL + 1),
        _ => return pressed(buttons, event),
    }
    None
}
