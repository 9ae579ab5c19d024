//! Searching the log on screen: what for, and the jumps from hit to hit.

use super::hunt::{Aim, Hit, Hunt, Jump};
use super::moment::{Arrival, Seek};
use super::reading::{Reading, Spot};
use super::select;
use super::shown::Shown;
use super::sieve::Sieve;
use super::source::Source;
use super::state::State;
use super::typing::Ask;
use super::window::Frame;
use crate::logic::World;
use crate::model::{Clean, Timestamp};
use crate::text::{Away, Filter, Level, Log, Pattern, Query, Want};

#[derive(Debug, Default)]
pub(super) struct Find {
    /// Kept when another log is looked at.
    pub(super) pattern: Option<Pattern>,
    /// The line that was jumped to last.
    pub(super) hit: Option<Hit>,
    /// Of the log on screen.
    hunts: Vec<Hunt>,
    seek: Option<Seek>,
    arrival: Option<Arrival>,
}

impl Find {
    pub(super) fn is_on(&self) -> bool {
        self.pattern.is_some() || self.hit.is_some()
    }

    fn hunt(&mut self, aim: Aim, shown: &Shown<'_>, at: u64) -> Option<&mut Hunt> {
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
        self.hunts.push(Hunt::new(aim, query, shown.id, at));
        self.hunts.last_mut()
    }

    pub(super) fn search_for(&mut self, pattern: Option<Pattern>) {
        self.pattern = pattern;
        self.hit = None;
        self.hunts.retain(|hunt| hunt.aim != Aim::Text);
    }

    /// What it waits for.
    pub(super) fn needed(&self) -> impl Iterator<Item = Away> {
        let seek = self.seek.iter().filter_map(Seek::needs);
        self.hunts.iter().filter_map(Hunt::needs).chain(seek)
    }

    fn is_due(&self, shown: &Shown<'_>) -> bool {
        let mut hunts = self.hunts.iter().filter(|hunt| hunt.is_of(shown));
        let mut seek = self.seek.iter().filter(|seek| seek.is_of(shown));
        hunts.any(|hunt| hunt.is_due(&shown.log)) || seek.any(|seek| seek.is_due(&shown.log))
    }

    fn look_on(&mut self, shown: &Shown<'_>) {
        for hunt in &mut self.hunts {
            if hunt.is_of(shown) && hunt.is_due(&shown.log) {
                hunt.look_on(&shown.log);
            }
        }
        let due = |seek: &&mut Seek| seek.is_of(shown) && seek.is_due(&shown.log);
        if let Some(seek) = self.seek.as_mut().filter(due) {
            self.arrival = seek.look_on(&shown.log);
            self.seek.take_if(|_| self.arrival.is_some());
        }
    }

    /// How far the search is whose hit is shown.
    pub(super) fn status(&self, log: &Log<'_>) -> Option<Clean> {
        let aim = self.hit.map_or(Aim::Text, |hit| hit.aim);
        let hunt = self.hunts.iter().find(|hunt| hunt.aim == aim)?;
        Some(hunt.status(log, self.hit))
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
        self.shown(world).is_some_and(|shown| {
            let mut sieve = self.sieve.iter();
            self.find.is_due(&shown) || sieve.any(|sieve| sieve.is_due(&shown))
        })
    }

    /// Looks at a slice more of the log on screen.
    pub fn search_on(&mut self, world: &World) {
        let Some(shown) = self.shown(world) else {
            return;
        };
        self.find.look_on(&shown);
        if let Some(sieve) = self.sieve.as_mut().filter(|sieve| sieve.is_due(&shown)) {
            sieve.look_on(&shown.log);
        }
    }

    /// Ends the selection, else search and filter. False: there was none.
    pub fn clear(&mut self) -> bool {
        if self.selection.take().is_some() {
            return true;
        }
        let was_on = self.find.is_on() || self.sieve.is_some();
        self.find = Find::default();
        self.sieve = None;
        was_on
    }

    /// Which lines are shown; `None`: all.
    pub(super) fn filter(&self) -> Option<&Filter> {
        self.sieve.as_ref().and_then(Sieve::filter)
    }

    /// Why what was typed is not taken as it stands there.
    pub(super) fn complaint(&self) -> Option<&Clean> {
        let typing = self.typing.as_ref();
        if let Some(trouble) = typing.and_then(|typing| typing.trouble.as_ref()) {
            return Some(trouble);
        }
        match typing.map(|typing| typing.ask) {
            Some(Ask::Filter) => self.sieve.as_ref()?.complaint(),
            Some(Ask::Time | Ask::Save | Ask::Pipe) => None,
            Some(Ask::Search) | None => self.find.pattern.as_ref()?.complaint(),
        }
    }
}

/// To the hit that is nearest to a line.
pub(super) fn nearest(state: &mut State, world: &World, from: u64) {
    let shown = state.shown(world);
    if let Some(hunt) = shown.and_then(|shown| state.find.hunt(Aim::Text, &shown, from)) {
        hunt.pending = Some(Jump::Nearest(from));
    }
}

/// To the next hit, or the one before: seen from the last hit while that is in view, else from the view.
pub(super) fn jump(state: &mut State, world: &World, aim: Aim, forward: bool) {
    let Some(shown) = state.shown(world) else {
        return;
    };
    let view = top(state).line..state.window.end();
    let hit = state.find.hit.map(|hit| hit.line);
    let hit = hit.filter(|line| view.contains(line));
    let to = match (forward, hit) {
        (true, hit) => Jump::Next(hit.map_or(view.start, |hit| hit + 1)),
        (false, hit) => Jump::Previous(hit.unwrap_or(view.end)),
    };
    if let Some(hunt) = state.find.hunt(aim, &shown, view.start) {
        hunt.pending = Some(to);
    }
}

/// To the first line that arrived at that time or later.
pub(super) fn seek(state: &mut State, world: &World, time: Timestamp) {
    let shown = state.shown(world);
    state.find.seek = shown.map(|shown| Seek::new(time, &shown));
}

/// Follows the log on screen: searches it anew when it is another one, and carries out a jump that can be.
pub(super) fn settle(state: &mut State, shown: &Shown<'_>, frame: &Frame) {
    let at = frame.top.map_or(shown.log.end(), |top| top.line);
    if let Some(sieve) = &mut state.sieve {
        sieve.settle(shown, at);
    }
    if state.find.hunts.iter().any(|hunt| !hunt.is_of(shown)) {
        state.find.hunts.clear();
        state.find.hit = None;
    }
    state.find.seek.take_if(|seek| !seek.is_of(shown));
    state.find.hunt(Aim::Text, shown, at);
    if let Some(arrival) = state.find.arrival.take() {
        arrive(state, &shown.log, frame, arrival);
    }
    for hunt in &mut state.find.hunts {
        hunt.follow(state.sieve.as_ref());
    }
    if state.sieve.as_ref().is_some_and(|sieve| !sieve.is_done()) {
        return;
    }
    let hit = state.find.hunts.iter_mut().find_map(Hunt::arrive);
    if let Some(hit) = hit {
        state.find.hit = Some(hit);
        select::extend(state, hit.line);
        show(state, &shown.log, frame, hit.line);
    }
}

/// A line of that time comes to the top.
fn arrive(state: &mut State, log: &Log<'_>, frame: &Frame, arrival: Arrival) {
    let reading = match arrival {
        Arrival::AtTheEnd => Reading::Following,
        Arrival::Line(line) => {
            let source = Source::of(state, log, frame);
            let top = Spot { line, row: 0 }.min(source.bottom(frame.height));
            let unseen = unseen(state, log);
            Reading::Still { top, unseen }
        }
        Arrival::Untimed => {
            let why = "these lines came in a replay, which tells no times";
            state.note = Some(why.into());
            return;
        }
    };
    read(state, reading);
}

/// The view stays where it is when the line is in it; else lines around it come along.
fn show(state: &mut State, log: &Log<'_>, frame: &Frame, line: u64) {
    let source = Source::of(state, log, frame);
    let place = source.marked(line);
    let spot = Spot {
        line,
        row: place.row,
    };
    let top = if state.window.rows.iter().any(|row| row.spot == spot) {
        top(state)
    } else {
        let context = frame.height / 3;
        source.up(spot, context).min(source.bottom(frame.height))
    };
    let unseen = unseen(state, log);
    if let Some(column) = frame.column
        && !(column..column + frame.width).contains(&place.columns.end)
    {
        state.column = Some(place.columns.start.saturating_sub(frame.width / 3));
    }
    read(state, Reading::Still { top, unseen });
}

pub(super) fn unseen(state: &State, log: &Log<'_>) -> u64 {
    match state.reading() {
        Reading::Following => log.end(),
        Reading::Still { unseen, .. } => unseen,
    }
}

pub(super) fn read(state: &mut State, reading: Reading) {
    if let Some(id) = state.on_screen {
        state.readings.insert(id, reading);
    }
}

/// The first row in view.
pub(super) fn top(state: &State) -> Spot {
    let first = state.window.rows.first();
    first.map(|row| row.spot).unwrap_or_default()
}
