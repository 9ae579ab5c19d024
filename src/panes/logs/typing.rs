//! The line below a log in which a search, a filter or a time is typed. What it asks for is done at each letter, and
//! undone by Esc.

use super::find;
use super::hunt::Aim;
use super::moment;
use super::out;
use super::reading::Reading;
use super::sieve::Sieve;
use super::state::State;
use crate::logic::{Effect, LineTimes, World};
use crate::model::Clean;
use crate::panes::Ctx;
use crate::text::Pattern;
use crate::ui::Prompt;
use crossterm::event::{KeyCode, KeyEvent};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    Search,
    Filter,
    Time,
    /// The path of a file.
    Save,
    /// A command that gets the lines.
    Pipe,
}

#[derive(Debug)]
pub(super) struct Typing {
    pub(super) ask: Ask,
    pub(super) prompt: Prompt,
    /// Why nothing can be done with what was typed.
    pub(super) trouble: Option<Clean>,
    /// What Esc leads back to.
    reading: Reading,
    pattern: Option<Pattern>,
    filter: String,
    /// Where a search begins.
    from: u64,
}

impl State {
    /// What Enter does to what is typed.
    pub fn enters(&self) -> &'static str {
        match self.typing.as_ref().map(|typing| typing.ask) {
            Some(Ask::Time) => "go there",
            Some(Ask::Save) => "save",
            Some(Ask::Pipe) => "run",
            Some(Ask::Search | Ask::Filter) | None => "keep",
        }
    }
}

pub(super) fn open(state: &mut State, ask: Ask, ctx: &Ctx<'_>) {
    let filter = state.sieve.as_ref().map_or("", |sieve| &sieve.typed);
    state.typing = Some(Typing {
        ask,
        prompt: match ask {
            Ask::Filter => Prompt::with(filter),
            Ask::Save => Prompt::with(&out::file_name(ctx.subject)),
            Ask::Search | Ask::Time | Ask::Pipe => Prompt::default(),
        },
        trouble: None,
        reading: state.reading(),
        pattern: state.find.pattern.clone(),
        filter: filter.to_owned(),
        from: find::top(state).line,
    });
}

/// Text, a step to another hit, or the end of it.
pub(super) fn key(
    state: &mut State,
    world: &World,
    event: KeyEvent,
    ctx: &Ctx<'_>,
) -> Option<Effect> {
    let typing = state.typing.as_mut()?;
    match event.code {
        KeyCode::Esc => give_up(state),
        KeyCode::Enter | KeyCode::Tab | KeyCode::BackTab => return enter(state, world, ctx),
        KeyCode::Down if typing.ask == Ask::Search => find::jump(state, world, Aim::Text, true),
        KeyCode::Up if typing.ask == Ask::Search => find::jump(state, world, Aim::Text, false),
        _ => {
            if typing.prompt.key(event) {
                typed(state, world);
            }
        }
    }
    None
}

pub(super) fn paste(state: &mut State, world: &World, text: &str) {
    if let Some(typing) = &mut state.typing
        && typing.prompt.paste(text)
    {
        typed(state, world);
    }
}

fn enter(state: &mut State, world: &World, ctx: &Ctx<'_>) -> Option<Effect> {
    let typing = state.typing.as_mut()?;
    let text = typing.prompt.text().trim();
    match typing.ask {
        Ask::Search | Ask::Time | Ask::Save | Ask::Pipe if text.is_empty() => give_up(state),
        ask @ (Ask::Save | Ask::Pipe) => {
            let text = text.to_owned();
            state.typing = None;
            return match ask {
                Ask::Save => out::saved(state, world, &text),
                _ => out::piped(state, world, &text),
            };
        }
        Ask::Search | Ask::Filter => state.typing = None,
        Ask::Time => {
            let zone = match state.looks.times {
                LineTimes::Local => ctx.local,
                LineTimes::Utc => &jiff::tz::TimeZone::UTC,
                LineTimes::Off | LineTimes::Relative => ctx.zone,
            };
            match moment::parsed(text, ctx.now.wall, zone) {
                Some(time) => {
                    state.typing = None;
                    find::seek(state, world, time);
                }
                None => typing.trouble = Some("No time: 14:03, 14:03:07 or -5m (s, h, d)".into()),
            }
        }
    }
    None
}

/// Back to what was before.
fn give_up(state: &mut State) {
    let Some(typing) = state.typing.take() else {
        return;
    };
    match typing.ask {
        Ask::Search => state.find.search_for(typing.pattern),
        Ask::Filter => {
            let _ = filter_by(state, &typing.filter);
        }
        Ask::Time | Ask::Save | Ask::Pipe => return,
    }
    find::read(state, typing.reading);
}

/// From the place where the typing began, whatever was found on the way.
fn typed(state: &mut State, world: &World) {
    let Some(typing) = &mut state.typing else {
        return;
    };
    let text = typing.prompt.text().to_owned();
    let (ask, from, reading) = (typing.ask, typing.from, typing.reading);
    typing.trouble = None;
    let done = match ask {
        Ask::Search => search_for(state, world, &text, from),
        Ask::Filter => filter_by(state, &text),
        Ask::Time | Ask::Save | Ask::Pipe => return,
    };
    find::read(state, reading);
    if let (Err(why), Some(typing)) = (done, &mut state.typing) {
        typing.trouble = Some(why);
    }
}

fn search_for(state: &mut State, world: &World, text: &str, from: u64) -> Result<(), Clean> {
    state.find.search_for(None);
    if !text.is_empty() {
        state.find.search_for(Some(Pattern::new(text)?));
        find::nearest(state, world, from);
    }
    Ok(())
}

pub(super) fn filter_by(state: &mut State, text: &str) -> Result<(), Clean> {
    let revision = state.sieve.as_ref().map_or(0, |sieve| sieve.revision + 1);
    state.sieve = Sieve::of(text, revision)?;
    Ok(())
}
