//! Searching the log on screen: what for, the line it is typed in, and the jumps from hit to hit.

use super::hunt::{Aim, Hit, Hunt, Jump};
use super::reading::{Reading, Spot};
use super::source::Source;
use super::state::State;
use super::window::Frame;
use crate::logic::{Tail, World};
use crate::model::Clean;
use crate::text::{ChunkId, Level, LogStore, Pattern, Query, Want};
use crate::ui::Prompt;
use crossterm::event::{KeyCode, KeyEvent};

#[derive(Debug, Default)]
pub(super) struct Find {
    /// Kept when another log is looked at.
    pub(super) pattern: Option<Pattern>,
    /// The line that was jumped to last.
    pub(super) hit: Option<Hit>,
    /// Of the log on screen.
    hunts: Vec<Hunt>,
}

/// The line that is being typed.
#[derive(Debug)]
pub(super) struct Typing {
    pub(super) prompt: Prompt,
    /// Why what was typed cannot be searched for at all.
    trouble: Option<Clean>,
    /// What Esc leads back to.
    reading: Reading,
    pattern: Option<Pattern>,
    /// Where the search begins.
    from: u64,
}

impl Find {
    pub(super) fn is_on(&self) -> bool {
        self.pattern.is_some() || self.hit.is_some()
    }

    fn hunt(&mut self, aim: Aim, tail: &Tail, at: u64) -> Option<&mut Hunt> {
        if let Some(known) = self.hunts.iter().position(|hunt| hunt.aim == aim) {
            return self.hunts.get_mut(known);
        }
        let want = match aim {
            Aim::Text => Want::Text(self.pattern.clone()?),
            Aim::Error => Want::Level(Level::Error),
            Aim::Stderr => Want::Stderr,
        };
        let query = Query {
            any_of: vec![want],
            ..Query::default()
        };
        self.hunts.push(Hunt::new(aim, query, tail.store_id, at));
        self.hunts.last_mut()
    }

    fn search_for(&mut self, pattern: Option<Pattern>) {
        self.pattern = pattern;
        self.hit = None;
        self.hunts.retain(|hunt| hunt.aim != Aim::Text);
    }

    /// The chunks that it waits for.
    pub(super) fn needed(&self) -> impl Iterator<Item = ChunkId> {
        self.hunts.iter().filter_map(Hunt::needs)
    }

    /// How far the search is whose hit is shown.
    pub(super) fn status(&self, store: &LogStore) -> Option<Clean> {
        let aim = self.hit.map_or(Aim::Text, |hit| hit.aim);
        let hunt = self.hunts.iter().find(|hunt| hunt.aim == aim)?;
        Some(hunt.status(store, self.hit))
    }
}

impl State {
    /// Keys are text now.
    pub fn is_typing(&self) -> bool {
        self.typing.is_some()
    }

    /// What was typed so far is kept.
    pub fn end_typing(&mut self) {
        self.typing = None;
    }

    /// There is something to search now, in the next slice.
    pub fn is_searching(&self, world: &World) -> bool {
        let tail = self.chosen().and_then(|key| world.tails.get(key));
        tail.is_some_and(|tail| {
            let hunts = self.find.hunts.iter().filter(|hunt| hunt.is_of(tail));
            hunts.into_iter().any(|hunt| hunt.is_due(&tail.store))
        })
    }

    /// Looks at a slice more of the log on screen.
    pub fn search_on(&mut self, world: &World) {
        let tail = self.chosen.as_ref().and_then(|key| world.tails.get(key));
        let Some(tail) = tail else { return };
        for hunt in self.find.hunts.iter_mut() {
            if hunt.is_of(tail) && hunt.is_due(&tail.store) {
                hunt.look_on(&tail.store);
            }
        }
    }

    /// Ends the search. False: there was none.
    pub fn clear_search(&mut self) -> bool {
        let was_on = self.find.is_on();
        self.find = Find::default();
        was_on
    }

    /// Why what is searched for is not taken as it was typed.
    pub(super) fn complaint(&self) -> Option<&Clean> {
        let trouble = self
            .typing
            .as_ref()
            .and_then(|typing| typing.trouble.as_ref());
        trouble.or(self.find.pattern.as_ref().and_then(Pattern::complaint))
    }
}

pub(super) fn open(state: &mut State) {
    state.typing = Some(Typing {
        prompt: Prompt::default(),
        trouble: None,
        reading: state.reading(),
        pattern: state.find.pattern.clone(),
        from: top(state).line,
    });
}

/// A key while the line is open: text, a step to another hit, or the end of it.
pub(super) fn key(state: &mut State, world: &World, event: KeyEvent) {
    let Some(typing) = &mut state.typing else {
        return;
    };
    let is_empty = typing.prompt.text().is_empty();
    match event.code {
        KeyCode::Enter | KeyCode::Tab | KeyCode::BackTab if !is_empty => state.typing = None,
        KeyCode::Esc | KeyCode::Enter | KeyCode::Tab | KeyCode::BackTab => give_up(state),
        KeyCode::Down => jump(state, world, Aim::Text, true),
        KeyCode::Up => jump(state, world, Aim::Text, false),
        _ => {
            if typing.prompt.key(event) {
                typed(state, world);
            }
        }
    }
}

pub(super) fn paste(state: &mut State, world: &World, text: &str) {
    if let Some(typing) = &mut state.typing
        && typing.prompt.paste(text)
    {
        typed(state, world);
    }
}

/// Back to what was before.
fn give_up(state: &mut State) {
    if let Some(typing) = state.typing.take() {
        state.find.search_for(typing.pattern);
        read(state, typing.reading);
    }
}

/// From the place where the typing began, whatever was found on the way.
fn typed(state: &mut State, world: &World) {
    let Some(typing) = &mut state.typing else {
        return;
    };
    let text = typing.prompt.text();
    let pattern = Some(text).filter(|text| !text.is_empty()).map(Pattern::new);
    typing.trouble = None;
    let pattern =
        pattern.and_then(|pattern| pattern.map_err(|why| typing.trouble = Some(why)).ok());
    let (from, reading) = (typing.from, typing.reading);
    state.find.search_for(pattern);
    read(state, reading);
    let tail = state.chosen.as_ref().and_then(|key| world.tails.get(key));
    if let Some(hunt) = tail.and_then(|tail| state.find.hunt(Aim::Text, tail, from)) {
        hunt.pending = Some(Jump::Nearest(from));
    }
}

/// To the next hit, or the one before: seen from the last hit while that is in view, else from the view.
pub(super) fn jump(state: &mut State, world: &World, aim: Aim, forward: bool) {
    let tail = state.chosen.as_ref().and_then(|key| world.tails.get(key));
    let Some(tail) = tail else { return };
    let view = top(state).line..state.window.end();
    let hit = state.find.hit.map(|hit| hit.line);
    let hit = hit.filter(|line| view.contains(line));
    let to = match (forward, hit) {
        (true, hit) => Jump::Next(hit.map_or(view.start, |hit| hit + 1)),
        (false, hit) => Jump::Previous(hit.unwrap_or(view.end)),
    };
    if let Some(hunt) = state.find.hunt(aim, tail, view.start) {
        hunt.pending = Some(to);
    }
}

/// Follows the log on screen: searches it anew when it is another one, and carries out a jump that can be. Tells
/// whether one was.
pub(super) fn settle(state: &mut State, tail: &Tail, frame: &Frame) -> bool {
    if state.find.hunts.iter().any(|hunt| !hunt.is_of(tail)) {
        state.find.hunts.clear();
        state.find.hit = None;
    }
    let at = frame.top.map_or(tail.store.end(), |top| top.line);
    state.find.hunt(Aim::Text, tail, at);
    let Some(hit) = state.find.hunts.iter_mut().find_map(Hunt::arrive) else {
        return false;
    };
    state.find.hit = Some(hit);
    let reading = shown_at(state, &tail.store, frame, hit.line);
    read(state, reading);
    true
}

/// The view stays where it is when the line is in it; else lines around it come along.
fn shown_at(state: &State, store: &LogStore, frame: &Frame, line: u64) -> Reading {
    let source = Source::new(store, state.window.kept_of(&frame.command), frame);
    let unseen = match state.reading() {
        Reading::Following => store.end(),
        Reading::Still { unseen, .. } => unseen,
    };
    let row = source.marked_row(line);
    let spot = Spot { line, row };
    let top = if state.window.rows.iter().any(|row| row.spot == spot) {
        top(state)
    } else {
        let context = frame.height / 3;
        source.up(spot, context).min(source.bottom(frame.height))
    };
    Reading::Still { top, unseen }
}

fn read(state: &mut State, reading: Reading) {
    if let Some(key) = state.chosen().cloned() {
        state.readings.insert(key, reading);
    }
}

/// The first row in view.
fn top(state: &State) -> Spot {
    let first = state.window.rows.first();
    first.map(|row| row.spot).unwrap_or_default()
}
