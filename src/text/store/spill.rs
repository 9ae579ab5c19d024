//! What of a log goes to the file and comes back, and how scans read it.

use super::{LEAST_BUDGET, LogStore};
use crate::text::Lookup;
use crate::text::chunk::Chunk;
use crate::text::shelf::{ChunkId, Sealed};
use std::sync::Arc;

/// Chunks that were read back may take this part of the budget, beyond it.
const BACK_PART: usize = 8;

/// What a scan reads at once.
pub(in crate::text) enum Stretch<'a> {
    Here(&'a Chunk),
    Away(&'a Sealed),
}

/// For scans.
impl LogStore {
    /// The chunk with the line, unless it is gone.
    pub(in crate::text) fn stretch(&self, number: u64) -> Option<Stretch<'_>> {
        if number >= self.tip.first() {
            return (number < self.tip.end()).then_some(Stretch::Here(&self.tip));
        }
        let sealed = self.sealed.at(number)?;
        match sealed.chunk() {
            Some(chunk) => Some(Stretch::Here(chunk)),
            None => (!sealed.is_lost()).then_some(Stretch::Away(sealed)),
        }
    }

    fn open_numbers(&self) -> Vec<u64> {
        self.open_lines().map(|open| open.number).collect()
    }
}

/// What goes to the file and comes back.
impl LogStore {
    /// Chunks to be written, each once, until at most `most` bytes stay in memory. They stay readable until
    /// [`Self::written`] says so.
    pub fn spill(&mut self, most: usize) -> Vec<Arc<Chunk>> {
        let enough = (self.bytes() - self.sealed.back()).saturating_sub(most);
        if !self.spills || self.sealed.leaving() >= enough {
            return Vec::new();
        }
        if self.tip.size() > most {
            self.seal();
        }
        self.sealed.hand_out(enough, &self.open_numbers())
    }

    /// `spills`: somebody writes what is handed out; lines are then dropped only when that does not get on.
    pub fn set_limits(&mut self, budget: usize, spills: bool) {
        self.budget = budget.max(LEAST_BUDGET);
        self.spills = spills;
        self.evict();
    }

    /// The chunk to be read back for a line, if it is away.
    pub fn away_at(&self, number: u64) -> Option<ChunkId> {
        match self.get(number) {
            Lookup::Away(chunk) => Some(chunk),
            Lookup::Line(_) | Lookup::Gone => None,
        }
    }

    /// Bytes of memory that stay when what is being written is written.
    pub fn staying(&self) -> usize {
        self.bytes() - self.sealed.leaving()
    }

    /// Bytes of the file, also for what is on its way there.
    pub fn away(&self) -> u64 {
        self.sealed.away()
    }

    pub fn written(&mut self, id: ChunkId) {
        self.sealed.written(id);
    }

    /// It could not be written. For want of room there the oldest chunk goes, away or not.
    pub fn not_written(&mut self, id: ChunkId) {
        if self.sealed.not_written(id) {
            self.drop_oldest();
        }
    }

    /// Whether the chunk has to be read back now; to be asked as long as it is wanted.
    pub fn want(&mut self, id: ChunkId) -> bool {
        self.sealed.want(id)
    }

    pub fn read_back(&mut self, chunk: Arc<Chunk>) {
        self.sealed.read_back(chunk, self.budget / BACK_PART);
    }

    /// It cannot be read back: its lines are gone.
    pub fn lose(&mut self, id: ChunkId) {
        let loss = self.sealed.lose(id);
        self.count(loss);
    }

    /// Chunks that the file need not keep any longer, each told once.
    pub fn take_freed(&mut self) -> Vec<ChunkId> {
        self.sealed.take_freed()
    }
}
