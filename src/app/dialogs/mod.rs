//! The stack of what lies over the screen: the one on top gets the keys. A file a dialog.
//!
//! A dialog has `follow` (the world is new), `key`, `answer` (a button, by key or click) and `hints`, and mostly a
//! [`Sheet`] that draws it. It changes nothing itself: what is wanted of the whole it gives back as an [`Outcome`].

mod columns;
mod create;
mod delete;
mod extend;
mod forms;
mod kill;
mod meant;
mod notice;
mod overwrite;
mod palette;
mod picked;
mod quit;
mod results;
mod resume;
mod run;
mod sheet;
mod shell_form;
mod shell_list;
mod shell_question;
mod stop;
#[cfg(test)]
mod tests;

pub(super) use columns::ColumnChooser;
pub(super) use create::CreateForm;
pub(super) use delete::DeleteQuestion;
pub(super) use extend::ExtendQuestion;
pub(super) use kill::KillQuestion;
pub(super) use meant::{Meant, named};
pub(super) use notice::Notice;
pub(super) use overwrite::OverwriteQuestion;
pub(super) use palette::{Palette, Subject};
pub(super) use quit::{QuitQuestion, running};
pub(super) use results::Results;
pub(super) use resume::ResumeQuestion;
pub(super) use run::{RunAgain, RunForm};
pub(super) use shell_form::ShellForm;
pub(super) use shell_list::ShellList;
pub(super) use shell_question::ShellQuestion;
pub(super) use stop::StopQuestion;

use super::footer::told;
use super::{State, launch, shell};
use crate::logic::{
    Action, Class, Column, Deed, Effect, EngineFate, Export, Now, Operations, Pick, Site, Target,
    World,
};
use crate::model::SandboxKey;
use crate::model::request::{CreateSandbox, RunCommand};
use crate::panes::help;
use crate::ui::{Hits, KeyHint, Theme};
use crossterm::event::{KeyCode, KeyEvent};
use picked::picked;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use sheet::Sheet;

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
    Columns(ColumnChooser),
    Quit(QuitQuestion),
    Delete(DeleteQuestion),
    Extend(ExtendQuestion),
    Resume(ResumeQuestion),
    Kill(KillQuestion),
    Results(Results),
    NewShell(ShellForm),
    Shells(ShellList),
    Shell(ShellQuestion),
    Notice(Notice),
    Overwrite(OverwriteQuestion),
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
    /// The list shows these.
    Columns(Vec<Column>),
    /// From the palette, and what it was about when it opened.
    Picked(Pick, Subject),
    /// The program ends, and this becomes of the engine that it started.
    Quit(EngineFate),
    Shell(shell::Answer),
    /// Lines go out.
    Export(Box<Export>),
    /// It stays, and the failed targets of that operation go out again.
    Retry(u64),
}

/// What dialogs follow.
#[derive(Clone, Copy, Debug)]
pub(super) struct News<'a> {
    pub(super) world: &'a World,
    pub(super) operations: &'a Operations,
    pub(super) now: Now,
    pub(super) screen: Rect,
}

impl Dialog {
    /// The sandboxes it is about: their commands are read, and they stay known while it is open.
    pub(super) fn subjects(&self) -> Vec<SandboxKey> {
        let meant = match self {
            Self::Stop(question) => &question.meant,
            Self::Delete(question) => &question.meant,
            Self::Extend(question) => &question.meant,
            Self::Resume(question) => &question.meant,
            Self::Kill(question) => &question.meant,
            Self::Run(form) => return vec![form.subject().clone()],
            Self::NewShell(form) => return vec![form.subject().clone()],
            Self::RunAgain(question) => return vec![question.subject().clone()],
            Self::Palette(palette) => return palette.subject().cloned().into_iter().collect(),
            Self::Help(_)
            | Self::Create(_)
            | Self::Columns(_)
            | Self::Results(_)
            | Self::Quit(_)
            | Self::Shells(_)
            | Self::Shell(_)
            | Self::Notice(_)
            | Self::Overwrite(_) => return Vec::new(),
        };
        meant.subjects().cloned().collect()
    }

    /// Its sandboxes' sessions are told.
    pub(super) fn tells_sessions(&self) -> bool {
        matches!(self, Self::Delete(_))
    }

    pub(super) fn follow(&mut self, news: &News<'_>) {
        match self {
            Self::Help(keys) => keys.place(news.screen),
            Self::Stop(question) => question.follow(news.world),
            Self::Delete(question) => question.follow(news.world),
            Self::Extend(question) => question.follow(news.world, news.now),
            Self::Resume(question) => question.follow(news.world),
            Self::Kill(question) => question.follow(news.world),
            Self::Results(results) => results.follow(news.operations),
            Self::Run(form) => form.follow(news.world),
            Self::RunAgain(question) => question.follow(news.world),
            Self::Create(form) => form.follow(news.world),
            Self::Palette(palette) => palette.place(news.screen),
            Self::Columns(chooser) => chooser.place(news.screen),
            Self::Quit(question) => question.follow(news.world, news.now),
            Self::NewShell(form) => form.follow(news.world),
            Self::Shells(list) => list.follow(news.world, news.now, news.screen),
            Self::Shell(question) => question.follow(news.world, news.now),
            Self::Notice(_) | Self::Overwrite(_) => {}
        }
        if let Some(sheet) = self.sheet() {
            sheet.place(news.screen);
        }
    }

    pub(super) fn draw(&self, theme: &Theme, screen: Rect, buffer: &mut Buffer) -> Hits<usize> {
        let sheet = match self {
            Self::Help(keys) => {
                help::draw(keys, theme, buffer);
                return Hits::default();
            }
            Self::Run(form) => return form.draw(theme, screen, buffer),
            Self::Create(form) => return form.draw(theme, screen, buffer),
            Self::Palette(palette) => return palette.draw(theme, buffer),
            Self::Columns(chooser) => return chooser.draw(theme, buffer),
            Self::NewShell(form) => return form.draw(theme, screen, buffer),
            Self::Shells(list) => return list.draw(theme, buffer),
            Self::Shell(question) => &question.sheet,
            Self::Stop(question) => &question.sheet,
            Self::Delete(question) => &question.sheet,
            Self::Extend(question) => &question.sheet,
            Self::Resume(question) => &question.sheet,
            Self::Kill(question) => &question.sheet,
            Self::RunAgain(question) => &question.sheet,
            Self::Quit(question) => &question.sheet,
            Self::Results(results) => &results.sheet,
            Self::Notice(notice) => &notice.sheet,
            Self::Overwrite(question) => &question.sheet,
        };
        sheet.draw(theme, screen, buffer)
    }

    /// The keys that answer it.
    pub(super) fn hints(&self) -> Vec<KeyHint> {
        match self {
            Self::Help(_) => vec![
                told("j k", "scroll", Class::Free),
                told("esc", "close", Class::Free),
            ],
            Self::RunAgain(question) => question.sheet.hints("run"),
            Self::Palette(palette) => palette.hints(),
            Self::Columns(_) => columns::hints(),
            Self::NewShell(_) => form_hints(Action::NewShell),
            Self::Shells(_) => shell_list::hints(),
            Self::Shell(question) => question.hints(),
            Self::Quit(question) => question.hints(),
            Self::Run(_) => form_hints(Action::Run),
            Self::Create(_) => form_hints(Action::Create),
            Self::Stop(question) => question.sheet.hints("stop"),
            Self::Delete(question) => question.hints(),
            Self::Extend(question) => question.hints(),
            Self::Resume(question) => question.sheet.hints("resume"),
            Self::Kill(question) => question.hints(),
            Self::Results(results) => results.hints(),
            Self::Notice(notice) => notice.hints(),
            Self::Overwrite(question) => question.sheet.hints("overwrite"),
        }
    }

    fn sheet(&mut self) -> Option<&mut Sheet> {
        match self {
            Self::Help(_)
            | Self::Run(_)
            | Self::Create(_)
            | Self::Palette(_)
            | Self::NewShell(_)
            | Self::Shells(_)
            | Self::Columns(_) => None,
            Self::Shell(question) => Some(&mut question.sheet),
            Self::Stop(question) => Some(&mut question.sheet),
            Self::Delete(question) => Some(&mut question.sheet),
            Self::Extend(question) => Some(&mut question.sheet),
            Self::Resume(question) => Some(&mut question.sheet),
            Self::Kill(question) => Some(&mut question.sheet),
            Self::RunAgain(question) => Some(&mut question.sheet),
            Self::Quit(question) => Some(&mut question.sheet),
            Self::Results(results) => Some(&mut results.sheet),
            Self::Notice(notice) => Some(&mut notice.sheet),
            Self::Overwrite(question) => Some(&mut question.sheet),
        }
    }

    fn key(&mut self, event: KeyEvent, action: Option<Action>) -> Outcome {
        if let Some(outcome) = self.fill_in(event) {
            return outcome;
        }
        match self {
            Self::Run(_) | Self::Create(_) | Self::NewShell(_) => Outcome::Open,
            Self::Help(keys) => match action {
                Some(Action::Back | Action::Help | Action::Quit | Action::Open) => Outcome::Closed,
                Some(action) => {
                    keys.update(action);
                    Outcome::Open
                }
                None => Outcome::Open,
            },
            Self::Stop(question) => question.key(event),
            Self::RunAgain(question) => question.key(event),
            Self::Palette(palette) => palette.key(event),
            Self::Columns(chooser) => chooser.key(event),
            Self::Shells(list) => list.key(event),
            Self::Shell(question) => question.key(event),
            Self::Quit(question) => question.key(event),
            Self::Delete(question) => question.key(event),
            Self::Extend(question) => question.key(event),
            Self::Resume(question) => question.key(event),
            Self::Kill(question) => question.key(event),
            Self::Results(results) => results.key(event),
            Self::Notice(notice) => notice.key(event),
            Self::Overwrite(question) => question.key(event),
        }
    }

    /// A button was clicked.
    fn answer(&mut self, button: usize) -> Outcome {
        if let Some(outcome) = self.point_at(button) {
            return outcome;
        }
        match self {
            Self::Help(_) | Self::Run(_) | Self::Create(_) | Self::NewShell(_) => Outcome::Open,
            Self::Stop(question) => question.answer(button),
            Self::RunAgain(question) => question.answer(button),
            Self::Palette(palette) => palette.answer(button),
            Self::Columns(chooser) => chooser.answer(button),
            Self::Shells(list) => list.answer(button),
            Self::Shell(question) => question.answer(button),
            Self::Quit(question) => question.answer(button),
            Self::Delete(question) => question.answer(button),
            Self::Extend(question) => question.answer(button),
            Self::Resume(question) => question.answer(button),
            Self::Kill(question) => question.answer(button),
            Self::Results(results) => results.answer(button),
            Self::Notice(_) => Outcome::Closed,
            Self::Overwrite(question) => question.answer(button),
        }
    }
}

/// A key for the dialog on top. Where there is no room to show it, it can only be left.
pub(super) fn key(state: &mut State, event: KeyEvent, action: Option<Action>) -> Vec<Effect> {
    if state.areas.too_small && event.code != KeyCode::Esc {
        return Vec::new();
    }
    let outcome = state.dialogs.last_mut().map(|top| top.key(event, action));
    take(state, outcome)
}

/// Text goes to what takes text.
pub(super) fn paste(state: &mut State, text: &str) {
    match state.dialogs.last_mut() {
        Some(Dialog::Palette(palette)) => palette.paste(text),
        Some(dialog) => {
            if let Some(form) = dialog.form() {
                form.paste(text);
            } else if let Some(sheet) = dialog.sheet() {
                sheet.paste(text);
            }
        }
        None => {}
    }
}

/// The wheel.
pub(super) fn scroll(state: &mut State, action: Action) {
    match (state.dialogs.last_mut(), action) {
        (Some(Dialog::Help(keys)), _) => keys.update(action),
        (Some(Dialog::Palette(palette)), _) => palette.step(action),
        (Some(Dialog::Columns(chooser)), _) => chooser.step(action),
        (Some(Dialog::Shells(list)), _) => list.step(action),
        (Some(dialog), Action::Up) => dialog.sheet().into_iter().for_each(Sheet::scroll_up),
        (Some(dialog), _) => dialog.sheet().into_iter().for_each(Sheet::scroll_down),
        (None, _) => {}
    }
}

/// A click on a button answers; anywhere else it does nothing.
pub(super) fn click(state: &mut State, position: Position) -> Vec<Effect> {
    let screen = Rect::from((Position::ORIGIN, state.size));
    let Some(top) = state.dialogs.last_mut().filter(|_| !state.areas.too_small) else {
        return Vec::new();
    };
    let mut scratch = Buffer::empty(screen);
    let hits = top.draw(&state.theme, screen, &mut scratch);
    let outcome = hits.at(position).map(|button| top.answer(*button));
    take(state, outcome)
}

fn take(state: &mut State, outcome: Option<Outcome>) -> Vec<Effect> {
    match outcome {
        None | Some(Outcome::Open) => return Vec::new(),
        Some(Outcome::Retry(operation)) => {
            state.operations.retry_failed(operation);
            return Vec::new();
        }
        Some(_) => {
            state.dialogs.pop();
        }
    }
    match outcome {
        Some(Outcome::Run(site, wanted)) => return launch::run(state, site, wanted),
        Some(Outcome::Create(wanted)) => return launch::create(state, *wanted),
        Some(Outcome::Shell(answer)) => return shell::answered(state, answer),
        Some(Outcome::Quit(fate)) => return vec![Effect::Quit(fate)],
        Some(Outcome::Export(export)) => return vec![Effect::Export(export)],
        Some(Outcome::Columns(columns)) => state.list.show_columns(&columns),
        Some(Outcome::Picked(pick, subject)) => return picked(state, pick, &subject),
        Some(Outcome::Confirmed(deed, targets)) => {
            let undo = state.settings.undo;
            state.operations.confirmed(deed, targets, undo, state.now);
        }
        _ => {}
    }
    Vec::new()
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
