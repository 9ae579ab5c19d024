//! The stack of what lies over the screen: the one on top gets the keys. A file a dialog.
//!
//! A dialog has `follow` (the world is new), `draw`, `key`, `answer` (a button, by key or click) and `hints`. It
//! changes nothing itself: what is wanted of the whole it gives back as an [`Outcome`].

mod create;
mod notice;
mod palette;
mod quit;
mod run;
mod stop;

pub(super) use create::CreateForm;
pub(super) use notice::Notice;
pub(super) use palette::{Palette, Pick, Subject};
pub(super) use quit::{QuitQuestion, running};
pub(super) use run::{RunAgain, RunForm};
pub(super) use stop::StopQuestion;

use super::footer::told;
use super::message::Tone;
use super::{State, keys, launch};
use crate::logic::{Action, Class, Deed, Effect, EngineFate, Pane, Site, Target, View, World};
use crate::model::SandboxKey;
use crate::model::request::{CreateSandbox, RunCommand};
use crate::panes::help;
use crate::text::{clean, say};
use crate::ui::{Buttons, Form, Hits, KeyHint, Theme};
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// The first button of every dialog: it changes nothing.
const CANCEL: usize = 0;

#[derive(Clone, Debug)]
pub(super) enum Dialog {
    Help(help::State),
    Stop(StopQuestion),
    Run(RunForm),
    RunAgain(RunAgain),
    Create(CreateForm),
    Palette(Box<Palette>),
    Quit(QuitQuestion),
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
    Run(Site, RunCommand),
    Create(Box<CreateSandbox>),
    /// From the palette, and what it was about when it opened.
    Picked(Pick, Subject),
    /// The program ends, and this becomes of the engine that it started.
    Quit(EngineFate),
}

impl Dialog {
    /// The sandbox it is about.
    pub(super) fn subject(&self) -> Option<&SandboxKey> {
        match self {
            Self::Stop(question) => Some(question.subject()),
            Self::Run(form) => Some(form.subject()),
            Self::RunAgain(question) => Some(question.subject()),
            Self::Palette(palette) => palette.subject(),
            Self::Help(_) | Self::Create(_) | Self::Quit(_) | Self::Notice(_) => None,
        }
    }

    /// Its fields, where it is a form.
    fn form(&mut self) -> Option<&mut Form> {
        match self {
            Self::Run(run) => Some(run.form()),
            Self::Create(create) => Some(create.form()),
            _ => None,
        }
    }

    /// Follows the world and the size of the screen.
    pub(super) fn follow(&mut self, world: &World, screen: Rect) {
        match self {
            Self::Help(keys) => keys.place(screen),
            Self::Stop(question) => question.follow(world),
            Self::Run(form) => form.follow(world),
            Self::RunAgain(question) => question.follow(world),
            Self::Create(form) => form.follow(world),
            Self::Palette(palette) => palette.place(screen),
            Self::Quit(question) => question.follow(world),
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
            Self::Run(form) => form.draw(theme, screen, buffer),
            Self::RunAgain(question) => question.draw(theme, screen, buffer),
            Self::Create(form) => form.draw(theme, screen, buffer),
            Self::Palette(palette) => palette.draw(theme, buffer),
            Self::Quit(question) => question.draw(theme, screen, buffer),
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
            Self::RunAgain(question) => question.hints(),
            Self::Palette(palette) => palette.hints(),
            Self::Quit(question) => question.hints(),
            Self::Run(_) => form_hints(Action::Run),
            Self::Create(_) => form_hints(Action::Create),
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
            Self::Run(form) => form.key(event),
            Self::RunAgain(question) => question.key(event),
            Self::Create(form) => form.key(event),
            Self::Palette(palette) => palette.key(event),
            Self::Quit(question) => question.key(event),
            Self::Notice(notice) => notice.key(event),
        }
    }

    /// A button was clicked.
    fn answer(&mut self, button: usize) -> Outcome {
        match self {
            Self::Help(_) => Outcome::Open,
            Self::Stop(question) => question.answer(button),
            Self::Run(form) => form.answer(button),
            Self::RunAgain(question) => question.answer(button),
            Self::Create(form) => form.answer(button),
            Self::Palette(palette) => palette.answer(button),
            Self::Quit(question) => question.answer(button),
            Self::Notice(_) => Outcome::Closed,
        }
    }
}

/// A key for the dialog on top. What was held down when it opened comes as repeats, or as the same key again:
/// neither answers anything.
pub(super) fn key(state: &mut State, event: KeyEvent, action: Option<Action>) -> Vec<Effect> {
    let outcome = state.dialogs.last_mut().map(|top| top.key(event, action));
    take(state, outcome)
}

/// Text goes to what takes text.
pub(super) fn paste(state: &mut State, text: &str) {
    match state.dialogs.last_mut() {
        Some(Dialog::Palette(palette)) => palette.paste(text),
        Some(dialog) => {
            dialog.form().map(|form| form.paste(text));
        }
        None => {}
    }
}

/// The wheel.
pub(super) fn scroll(state: &mut State, action: Action) {
    match state.dialogs.last_mut() {
        Some(Dialog::Help(keys)) => keys.update(action),
        Some(Dialog::Palette(palette)) => palette.step(action),
        _ => {}
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
    take(state, outcome)
}

fn take(state: &mut State, outcome: Option<Outcome>) -> Vec<Effect> {
    let Some(outcome) = outcome.filter(|outcome| *outcome != Outcome::Open) else {
        return Vec::new();
    };
    state.dialogs.pop();
    match outcome {
        Outcome::Open | Outcome::Closed => {}
        Outcome::Run(site, wanted) => return launch::run(state, site, wanted),
        Outcome::Create(wanted) => return launch::create(state, *wanted),
        Outcome::Picked(pick, subject) => return picked(state, pick, &subject),
        Outcome::Quit(fate) => return vec![Effect::Quit(fate)],
        Outcome::Confirmed(deed, targets) => {
            let undo = crate::model::Span(0);
            state.operations.confirmed(deed, targets, undo, state.now);
        }
    }
    Vec::new()
}

/// Picks kept, to be on top the next time.
const KEPT: usize = 20;

/// A pick goes the way of a key, if what the palette was about is still the same.
fn picked(state: &mut State, pick: Pick, subject: &Subject) -> Vec<Effect> {
    let effects = match &pick {
        Pick::GoTo(key) if state.world.fact(key).is_none_or(|fact| fact.gone) => {
            let name = clean(key.name.as_foreign());
            state.say(say(format_args!("{name} is deleted")), Tone::Refused);
            return Vec::new();
        }
        Pick::GoTo(key) => {
            state.open_view(View::Dashboard);
            state.pane = Pane::List;
            state.list.go_to(key.clone());
            Vec::new()
        }
        Pick::Do(action) => {
            let is_same = Subject::of(state) == *subject;
            if !is_same || !keys::applies_now(state, *action) {
                let sentence =
                    "What is selected has changed while the palette was open: nothing was done.";
                state.say(sentence, Tone::Refused);
                return Vec::new();
            }
            keys::act(state, *action)
        }
    };
    state.picked.retain(|known| *known != pick);
    state.picked.insert(0, pick);
    state.picked.truncate(KEPT);
    // Enter opened it, and may still be held.
    if let Some(form) = state.dialogs.last_mut().and_then(Dialog::form) {
        form.disarm();
    }
    effects
}

fn form_hints(action: Action) -> Vec<KeyHint> {
    let row = action.row();
    vec![
        told("esc", "cancel", Class::Free),
        told("ctrl-s", row.title, row.class),
        told("tab", "next field", Class::Free),
        told("enter", "next; in the last field send", Class::Free),
    ]
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
