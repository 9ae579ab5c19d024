//! How much of all logs is kept: in memory, and beyond that in a file that `run` keeps.
//!
//! Each log hands out its oldest lines when it is over its budget; all together, those looked at longest ago do. When
//! the file is full as well, the oldest lines of the log looked at longest ago are dropped.

use super::Tail;
use crate::logic::{Effect, World};
use crate::model::{Clean, CommandKey, Foreign};
use crate::text::{Chunk, ChunkId, clean, say};
use std::sync::Arc;

/// In bytes, but for the streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogLimits {
    /// Of one log in memory.
    pub memory: usize,
    /// Of all logs in memory.
    pub memory_in_all: usize,
    /// Of all logs in the file; 0 = there is none.
    pub file: u64,
    /// Logs that are open at once.
    pub streams: usize,
}

impl Default for LogLimits {
    fn default() -> Self {
        Self {
            memory: 64 << 20,
            memory_in_all: 512 << 20,
            file: 2 << 30,
            streams: 32,
        }
    }
}

/// What is kept of the logs beside their lines.
#[derive(Debug, Default)]
pub struct Keeping {
    pub limits: LogLimits,
    stores: u64,
    /// It was said that lines cannot be written.
    complained: bool,
}

impl Keeping {
    pub fn next_store(&mut self) -> StoreId {
        self.stores += 1;
        StoreId(self.stores)
    }
}

/// One store of lines; a log that began anew has another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StoreId(u64);

/// What the file's keeper has to do. Writing and freeing happen in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpillOrder {
    /// Answered by `Written` or `NotWritten`.
    Write(Arc<Chunk>),
    /// Answered by `Read` or `NotRead`.
    Read(ChunkId),
    Free(ChunkId),
    /// All of that store.
    FreeAll,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpillNews {
    Written(ChunkId),
    NotWritten(ChunkId, Foreign),
    Read(Arc<Chunk>),
    NotRead(ChunkId, Foreign),
}

/// Holds all logs to their limits. `wanted`: those on screen. `needed`: what has to be read back, to be named as
/// long as it is needed.
pub fn keep<'a>(
    world: &mut World,
    wanted: impl IntoIterator<Item = &'a CommandKey>,
    needed: &[(CommandKey, ChunkId)],
) -> Vec<Effect> {
    let limits = world.keeping.limits;
    let wanted: Vec<&CommandKey> = wanted.into_iter().collect();
    // Those on screen give nothing to each other, so that each has its part.
    let part = limits.memory_in_all / wanted.len().max(1);
    let mut effects = Vec::new();
    for (key, tail) in &mut world.tails {
        let most = if wanted.contains(&key) {
            limits.memory.min(part)
        } else {
            limits.memory
        };
        tail.store.set_limits(most, limits.file > 0);
        hand_out(tail, most.min(limits.memory_in_all), &mut effects);
    }
    make_room(world, &wanted, limits.memory_in_all, &mut effects);
    bound_file(world, &wanted, limits.file);
    for (key, chunk) in needed {
        if let Some(tail) = world.tails.get_mut(key)
            && tail.store.want(*chunk)
        {
            effects.push(Effect::Spill(tail.store_id, SpillOrder::Read(*chunk)));
        }
    }
    for tail in world.tails.values_mut() {
        let freed = tail.store.take_freed().into_iter();
        effects.extend(freed.map(|chunk| Effect::Spill(tail.store_id, SpillOrder::Free(chunk))));
    }
    effects
}

fn hand_out(tail: &mut Tail, most: usize, effects: &mut Vec<Effect>) {
    let chunks = tail.store.spill(most).into_iter();
    effects.extend(chunks.map(|chunk| Effect::Spill(tail.store_id, SpillOrder::Write(chunk))));
}

/// The log looked at longest ago gives first, never a wanted one; its lines are let go only when there is no file.
pub(super) fn make_room(
    world: &mut World,
    wanted: &[&CommandKey],
    budget: usize,
    effects: &mut Vec<Effect>,
) {
    let World { tails, keeping, .. } = world;
    let held: usize = tails.values().map(|tail| tail.store.staying()).sum();
    let mut over = held.saturating_sub(budget);
    if over == 0 {
        return;
    }
    let others = tails.iter_mut().filter(|(key, _)| !wanted.contains(key));
    let mut others: Vec<&mut Tail> = others.map(|(_, tail)| tail).collect();
    others.sort_by_key(|tail| tail.looked_at);
    for tail in &mut others {
        let before = tail.store.staying();
        hand_out(tail, before.saturating_sub(over), effects);
        over = over.saturating_sub(before - tail.store.staying());
    }
    let has_file = keeping.limits.file > 0;
    for tail in others.iter_mut().filter(|tail| !tail.forgotten) {
        if over == 0 || has_file {
            return;
        }
        let before = tail.store.staying();
        if tail.store.away() > 0 {
            effects.push(Effect::Spill(tail.store_id, SpillOrder::FreeAll));
        }
        tail.forget(keeping);
        over = over.saturating_sub(before.saturating_sub(tail.store.staying()));
    }
}

fn bound_file(world: &mut World, wanted: &[&CommandKey], most: u64) {
    loop {
        let away: u64 = world.tails.values().map(|tail| tail.store.away()).sum();
        if away <= most {
            return;
        }
        let with_some = world
            .tails
            .iter_mut()
            .filter(|(_, tail)| tail.store.away() > 0);
        let oldest = with_some.min_by_key(|(key, tail)| (wanted.contains(key), tail.looked_at));
        if !oldest.is_some_and(|(_, tail)| tail.store.drop_oldest()) {
            return;
        }
    }
}

/// News of the file. What is returned is worth telling the user.
pub fn spilled(world: &mut World, store: StoreId, news: SpillNews) -> Option<Clean> {
    let mut tails = world.tails.values_mut();
    let store = &mut tails.find(|tail| tail.store_id == store)?.store;
    match news {
        SpillNews::Written(chunk) => store.written(chunk),
        SpillNews::Read(chunk) => store.read_back(chunk),
        SpillNews::NotWritten(chunk, why) => {
            store.not_written(chunk);
            if !std::mem::replace(&mut world.keeping.complained, true) {
                return Some(say(format_args!(
                    "The oldest lines of logs are dropped, since they cannot be kept on disk: {}.",
                    clean(&why)
                )));
            }
        }
        SpillNews::NotRead(chunk, why) => {
            store.lose(chunk);
            return Some(say(format_args!(
                "Older lines of a log cannot be read back and are gone: {}.",
                clean(&why)
            )));
        }
    }
    None
}
