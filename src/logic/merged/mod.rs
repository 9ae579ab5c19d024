//! The logs of several commands as one: which they are, and in which order their lines came.
//!
//! The lines stay where they are, in the tails; here is only their order, and a few lines of our own about sources
//! that came and ended. What is muted is left out of the order that is read, so that its numbers have no holes.

mod name;
mod scope;
#[cfg(test)]
mod tests;

pub use scope::{Followed, Scope};

use super::{Mono, Now, StoreId, Tail, TailState, World};
use crate::model::{Clean, CommandKey, SessionId, Timestamp};
use crate::text::{self, Log, LogStore, Weave};
use std::collections::HashMap;

/// Bytes for our own lines.
const NOTES_BYTES: usize = 256 << 10;
/// The strand of our own lines.
const NOTES: usize = 0;

#[derive(Debug)]
pub struct Merged {
    /// Another one whenever lines have other numbers.
    pub id: StoreId,
    pub scope: Scope,
    /// In the order in which they joined.
    pub sources: Vec<Source>,
    /// Heard alone.
    solo: Option<usize>,
    /// By the service's clock.
    since: Timestamp,
    notes: LogStore,
    /// The source and the store of each strand of the order.
    strands: Vec<Option<(usize, StoreId)>>,
    all: Weave,
    /// Without what is not heard.
    heard: Option<Weave>,
    /// When the commands of a session were read that were looked at last, and how many there were.
    looked_at: HashMap<SessionId, (Mono, usize)>,
    followed: Followed,
}

#[derive(Debug)]
pub struct Source {
    pub command: CommandKey,
    /// The shortest that no other source has.
    pub name: Clean,
    pub sandbox: Clean,
    pub program: Clean,
    /// The whole command line.
    pub line: Clean,
    pub muted: bool,
    /// Where its lines are, once there are some.
    strand: Option<usize>,
    /// Its end was told.
    ended: bool,
}

/// How the sources stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub live: usize,
    /// Their streams are opened, or will be again.
    pub opening: usize,
    pub over: usize,
    /// For a place among the streams that may be open.
    pub waiting: usize,
}

/// The order of lines before some were muted or heard again.
#[derive(Debug)]
pub struct Former {
    pub id: StoreId,
    pub order: Weave,
}

/// Merges what is meant; going on where it is merged already.
pub fn open(world: &mut World, scope: Scope, now: Now) {
    let same = |merged: &&Merged| merged.scope == scope;
    if world.merged.as_ref().filter(same).is_none() {
        let since = world.service_now(now);
        let id = world.keeping.next_store();
        world.merged = Some(Merged::new(id, scope, since));
    }
    settle(world);
}

/// Follows the world, after each event: so lines have the order in which they came.
pub fn settle(world: &mut World) {
    let Some(mut merged) = world.merged.take() else {
        return;
    };
    merged.join(world);
    merged.follow(&world.tails);
    world.merged = Some(merged);
}

impl Merged {
    fn new(id: StoreId, scope: Scope, since: Timestamp) -> Self {
        let mut all = Weave::default();
        all.add(0);
        Self {
            id,
            scope,
            sources: Vec::new(),
            solo: None,
            since,
            notes: LogStore::new(NOTES_BYTES),
            strands: vec![None],
            all,
            heard: None,
            looked_at: HashMap::new(),
            followed: Followed::default(),
        }
    }

    /// The lines that are heard.
    pub fn log<'a>(&'a self, tails: &'a HashMap<CommandKey, Tail>) -> Log<'a> {
        let store = |strand: &Option<(usize, StoreId)>| match strand {
            None => Some(&self.notes),
            Some((source, id)) => {
                let tail = tails.get(&self.sources.get(*source)?.command)?;
                (tail.store_id == *id).then_some(&tail.store)
            }
        };
        Log::Woven(self.order(), self.strands.iter().map(store).collect())
    }

    /// The order of what is heard.
    pub fn order(&self) -> &Weave {
        self.heard.as_ref().unwrap_or(&self.all)
    }

    /// Which store the lines of a strand are in.
    pub fn store(&self, strand: usize) -> StoreId {
        let strand = self.strands.get(strand).copied().flatten();
        strand.map_or(self.id, |(_, id)| id)
    }

    /// Whose lines those of a strand are; `None`: ours.
    pub fn source(&self, strand: usize) -> Option<usize> {
        let (source, _) = self.strands.get(strand).copied().flatten()?;
        Some(source)
    }

    pub fn is_heard(&self, source: usize) -> bool {
        let muted = |source: &Source| source.muted;
        match self.solo {
            Some(solo) => solo == source,
            None => !self.sources.get(source).is_some_and(muted),
        }
    }

    pub fn is_solo(&self, source: usize) -> bool {
        self.solo == Some(source)
    }

    /// Leaves a source's lines out, or shows them again.
    pub fn mute(&mut self, source: usize, id: StoreId) -> Former {
        if let Some(source) = self.sources.get_mut(source) {
            source.muted = !source.muted;
        }
        self.solo = None;
        self.hear_anew(id)
    }

    /// Shows that source's lines only, or all again.
    pub fn hear_only(&mut self, source: usize, id: StoreId) -> Former {
        self.solo = (self.solo != Some(source)).then_some(source);
        self.hear_anew(id)
    }

    fn hear_anew(&mut self, id: StoreId) -> Former {
        let some_are_not = (0..self.sources.len()).any(|source| !self.is_heard(source));
        let heard = some_are_not.then(|| {
            self.all.only(|strand| {
                self.source(strand)
                    .is_none_or(|source| self.is_heard(source))
            })
        });
        let former = std::mem::replace(&mut self.heard, heard);
        Former {
            id: std::mem::replace(&mut self.id, id),
            order: former.unwrap_or_else(|| self.all.clone()),
        }
    }

    /// Those whose streams are to be open, in a fair order: who came first has the place until it ends.
    pub fn wanted(&self, world: &World) -> impl Iterator<Item = &Source> {
        self.unended(world).take(world.keeping.limits.streams)
    }

    /// Those that wait for a place.
    pub fn waiting(&self, world: &World) -> impl Iterator<Item = &Source> {
        self.unended(world).skip(world.keeping.limits.streams)
    }

    pub fn count(&self, world: &World) -> Count {
        let (unended, open) = (self.unended(world).count(), self.wanted(world).count());
        let is_live = |source: &&Source| {
            let state = world.tails.get(&source.command);
            let state = state.map(|tail| &tail.follow.state);
            matches!(state, Some(TailState::Live | TailState::Replaying))
        };
        let live = self.wanted(world).filter(is_live).count();
        Count {
            live,
            opening: open - live,
            over: self.sources.len() - unended,
            waiting: unended - open,
        }
    }

    fn unended(&self, world: &World) -> impl Iterator<Item = &Source> {
        self.sources.iter().filter(|source| {
            let tail = world.tails.get(&source.command);
            !tail.is_some_and(|tail| tail.follow.is_over())
        })
    }

    /// The sandboxes of which every new command is of interest.
    pub fn followed(&self) -> &Followed {
        &self.followed
    }

    /// Takes what is new of each source, and tells who ended.
    fn follow(&mut self, tails: &HashMap<CommandKey, Tail>) {
        for at in 0..self.sources.len() {
            let source = &self.sources[at];
            let Some(tail) = tails.get(&source.command) else {
                continue;
            };
            let known = source.strand.and_then(|strand| self.strands[strand]);
            if known != Some((at, tail.store_id)) {
                self.begin(at, tail);
            }
            if let Some(strand) = self.sources[at].strand {
                self.take(strand, tail.store.end());
            }
            let ended = tail.follow.is_over();
            if ended != std::mem::replace(&mut self.sources[at].ended, ended) && ended {
                let said = farewell(&self.sources[at].name, &tail.follow.state);
                self.note(&said);
            }
        }
        let strands = &self.strands;
        let first = |strand: usize| match strands.get(strand).copied().flatten() {
            None => self.notes.first(),
            Some((source, id)) => {
                let tail = tails.get(&self.sources[source].command);
                let tail = tail.filter(|tail| tail.store_id == id);
                tail.map_or(u64::MAX, |tail| tail.store.first())
            }
        };
        self.all.forget(first);
        if let Some(heard) = &mut self.heard {
            heard.forget(first);
        }
    }

    /// Its lines lie in that store from now on.
    fn begin(&mut self, source: usize, tail: &Tail) {
        let first = tail.store.first();
        if let Some(heard) = &mut self.heard {
            heard.add(first);
        }
        self.strands.push(Some((source, tail.store_id)));
        self.sources[source].strand = Some(self.all.add(first));
    }

    fn take(&mut self, strand: usize, end: u64) {
        self.all.take(strand, end);
        let is_heard = self
            .source(strand)
            .is_none_or(|source| self.is_heard(source));
        if let Some(heard) = self.heard.as_mut().filter(|_| is_heard) {
            heard.take(strand, end);
        }
    }

    fn note(&mut self, said: &Clean) {
        self.notes.note(said);
        self.take(NOTES, self.notes.end());
    }
}

fn farewell(name: &Clean, state: &TailState) -> Clean {
    match state {
        TailState::Ended { exit } => text::say(format_args!("{name} ended · exit {exit}")),
        TailState::GaveUp { why } => text::say(format_args!("{name} gave up · {why}")),
        TailState::Unavailable { why } => text::say(format_args!("{name} unavailable · {why}")),
        _ => name.clone(),
    }
}
