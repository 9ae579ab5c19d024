//! What of a log goes to the file and comes back, and how scans read it.

use super::{LEAST_BUDGET, LogStore, Stream};
use crate::text::chunk::{Chunk, Record, Source};
use crate::text::shelf::{ChunkId, Sealed};
use crate::text::{LineRef, Lookup};
use std::sync::Arc;

/// Chunks that were read back may take this part of the budget, beyond it.
const BACK_PART: usize = 8;

/// Of an open line scans see only so much.
const OPEN_BYTES: usize = 64 * 1024;

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

    /// One more than the last line that has its place for good.
    pub(in crate::text) fn settled_end(&self) -> u64 {
        self.tip.end()
    }

    pub(in crate::text) fn open_numbers(&self) -> Vec<u64> {
        self.open_lines().map(|open| open.number).collect()
    }

    /// Of an open line only its beginning: it is looked at often.
    pub(in crate::text) fn record<'a>(&self, line: &LineRef<'a>) -> Record<'a> {
        let most = if line.open {
            OPEN_BYTES
        } else {
            line.raw.len()
        };
        let is_its = |stream: &Stream| Some(&stream.name) == line.stream;
        let stream = self.streams.iter().position(is_its);
        Record {
            raw: &line.raw[..line.raw.floor_char_boundary(most)],
            ending: line.ending,
            source: stream.map_or(Source::NOTE, Source::stream),
            level: line.level,
            arrived: line.arrived,
        }
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
