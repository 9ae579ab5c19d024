//! The line below a run in which a search is typed, or the format to read a log as.

use super::jump;
use super::state::{Reading, State};
use super::update::settle_rows;
use crate::agents::Format;
use crate::logic::World;
use crate::model::Clean;
use crate::panes::Ctx;
use crate::text::{Pattern, say};
use crate::ui::Prompt;
use crossterm::event::{KeyCode, KeyEvent};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    Search,
    Format,
}

#[derive(Debug)]
pub(super) struct Typing {
    pub(super) ask: Ask,
    pub(super) prompt: Prompt,
    /// Why nothing can be done with what was typed.
    pub(super) trouble: Option<Clean>,
    /// What Esc leads back to, and where the search begins.
    reading: Reading,
    pattern: Option<Pattern>,
    from: usize,
}

pub(super) fn open(state: &mut State, ask: Ask) {
    state.typing = Some(Typing {
        ask,
        prompt: Prompt::default(),
        trouble: None,
        reading: state.reading(),
        pattern: state.find.pattern.clone(),
        from: state.cursor.map_or(0, |cursor| cursor.step),
    });
}

/// A key while something is typed. The format that the log is to be read as, once it is told.
pub fn key(state: &mut State, world: &World, event: KeyEvent, ctx: &Ctx<'_>) -> Option<Format> {
    let typing = state.typing.as_mut()?;
    let mut told = None;
    match event.code {
        KeyCode::Esc => give_up(state),
        KeyCode::Enter | KeyCode::Tab | KeyCode::BackTab => told = enter(state),
        KeyCode::Down if typing.ask == Ask::Search => jump::hit(state, world, true),
        KeyCode::Up if typing.ask == Ask::Search => jump::hit(state, world, false),
        _ => {
            if typing.prompt.key(event) {
                typed(state, world);
            }
        }
    }
    settle_rows(state, world, ctx);
    told
}

pub fn paste(state: &mut State, world: &World, text: &str, ctx: &Ctx<'_>) {
    if let Some(typing) = &mut state.typing
        && typing.prompt.paste(text)
    {
        typed(state, world);
    }
    settle_rows(state, world, ctx);
}

fn enter(state: &mut State) -> Option<Format> {
    let typing = state.typing.as_mut()?;
    let text = typing.prompt.text().trim();
    match typing.ask {
        _ if text.is_empty() => give_up(state),
        Ask::Search => state.typing = None,
        Ask::Format => match named(text) {
            Ok(format) => {
                state.typing = None;
                return Some(format);
            }
            Err(why) => typing.trouble = Some(why),
        },
    }
    None
}

/// The format of that word, or of the only word that begins so.
fn named(typed: &str) -> Result<Format, Clean> {
    if let Some(format) = Format::from_word(typed) {
        return Ok(format);
    }
    let begins = Format::all().filter(|format| format.word().starts_with(typed));
    let begins: Vec<Format> = begins.collect();
    match begins.as_slice() {
        [format] => Ok(*format),
        [] => Err(say(format_args!("No format: {}", words(Format::all())))),
        several => Err(say(format_args!(
            "Which one: {}",
            words(several.iter().copied())
        ))),
    }
}

/// The formats that may be meant, for the line's end.
pub(super) fn choices(typed: &str) -> Clean {
    let fits = Format::all().filter(|format| format.word().starts_with(typed.trim()));
    say(format_args!("{}", words(fits)))
}

fn words(formats: impl Iterator<Item = Format>) -> String {
    let words: Vec<&str> = formats.map(Format::word).collect();
    words.join(" ")
}

/// Back to what was before.
fn give_up(state: &mut State) {
    let Some(typing) = state.typing.take() else {
        return;
    };
    if typing.ask == Ask::Search {
        state.find.search_for(typing.pattern);
        if let Some(sight) = state.sight() {
            sight.reading = typing.reading;
        }
    }
}

/// From the place where the typing began, whatever was found on the way.
fn typed(state: &mut State, world: &World) {
    let Some(typing) = &mut state.typing else {
        return;
    };
    typing.trouble = None;
    if typing.ask != Ask::Search {
        return;
    }
    let (text, from, reading) = (typing.prompt.text().to_owned(), typing.from, typing.reading);
    let pattern = match text.is_empty() {
        true => None,
        false => match Pattern::new(&text) {
            Ok(pattern) => Some(pattern),
            Err(why) => {
                typing.trouble = Some(why);
                None
            }
        },
    };
    state.find.search_for(pattern);
    if let Some(sight) = state.sight() {
        sight.reading = reading;
    }
    jump::first_hit(state, world, from);
}
