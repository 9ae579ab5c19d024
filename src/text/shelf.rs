//! The full chunks of a log, oldest first: in memory, or away in a file that somebody else keeps.
//!
//! A chunk is handed out to be written, and stays in memory until that is known to be done. What is wanted again is
//! read back by others and stays for a while. The oldest may be dropped wherever they are.

use super::chunk::{Chunk, Traits};
use std::collections::VecDeque;
use std::sync::Arc;

/// A chunk of one store, by the number of its first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkId(u64);

impl ChunkId {
    /// The number of its first line.
    pub fn first(self) -> u64 {
        self.0
    }
}

impl Chunk {
    pub fn id(&self) -> ChunkId {
        ChunkId(self.first())
    }
}

/// So many chunks may stay after they were read back, however large they are.
const LEAST_BACK: usize = 8;

#[derive(Clone, Debug, Default)]
pub(super) struct Shelf {
    chunks: VecDeque<Sealed>,
    /// Bytes of memory; of these, in chunks that are being written.
    memory: usize,
    leaving: usize,
    /// Bytes of the file for what is away, or on its way there.
    away: u64,
    /// What was read back, the longest unwanted first.
    back: VecDeque<ChunkId>,
    back_bytes: usize,
    /// No longer needed in the file.
    freed: Vec<ChunkId>,
}

#[derive(Clone, Debug)]
pub(super) struct Sealed {
    pub(super) first: u64,
    pub(super) end: u64,
    pub(super) traits: Traits,
    text_bytes: usize,
    size: usize,
    packed: usize,
    body: Body,
}

#[derive(Clone, Debug)]
enum Body {
    Held(Arc<Chunk>),
    /// Being written, and readable meanwhile.
    Leaving(Arc<Chunk>),
    Away {
        asked: bool,
    },
    /// In memory and in the file.
    Back(Arc<Chunk>),
    /// It could not be read back.
    Lost,
}

/// What is lost with a chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Loss {
    pub(super) lines: u64,
    pub(super) bytes: u64,
}

impl Sealed {
    pub(super) fn id(&self) -> ChunkId {
        ChunkId(self.first)
    }

    /// Its lines, if they are in memory.
    pub(super) fn chunk(&self) -> Option<&Chunk> {
        match &self.body {
            Body::Held(chunk) | Body::Leaving(chunk) | Body::Back(chunk) => Some(chunk),
            Body::Away { .. } | Body::Lost => None,
        }
    }

    pub(super) fn is_lost(&self) -> bool {
        matches!(self.body, Body::Lost)
    }

    fn loss(&self) -> Loss {
        if self.is_lost() {
            return Loss::default();
        }
        Loss {
            lines: self.end - self.first,
            bytes: self.text_bytes as u64,
        }
    }
}

impl Shelf {
    pub(super) fn push(&mut self, mut chunk: Chunk) {
        chunk.seal();
        self.memory += chunk.size();
        self.chunks.push_back(Sealed {
            first: chunk.first(),
            end: chunk.end(),
            traits: chunk.traits,
            text_bytes: chunk.text_bytes(),
            size: chunk.size(),
            packed: chunk.packed_len(),
            body: Body::Held(Arc::new(chunk)),
        });
    }

    pub(super) fn first(&self) -> Option<u64> {
        self.chunks.front().map(|sealed| sealed.first)
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        self.memory
    }

    /// Bytes of memory that will be free when what is being written is written.
    pub(super) fn leaving(&self) -> usize {
        self.leaving
    }

    /// Bytes of memory of what was read back.
    pub(super) fn back(&self) -> usize {
        self.back_bytes
    }

    pub(super) fn away(&self) -> u64 {
        self.away
    }

    pub(super) fn at(&self, number: u64) -> Option<&Sealed> {
        self.index(number).map(|at| &self.chunks[at])
    }

    fn index(&self, number: u64) -> Option<usize> {
        let after = self.chunks.partition_point(|sealed| sealed.first <= number);
        let at = after.checked_sub(1)?;
        (number < self.chunks[at].end).then_some(at)
    }

    fn of(&mut self, id: ChunkId) -> Option<&mut Sealed> {
        let at = self.index(id.0)?;
        self.chunks.get_mut(at).filter(|sealed| sealed.id() == id)
    }

    /// Fills a reserved place; see [`Chunk::fill`].
    pub(super) fn fill(&mut self, number: u64, line: Box<str>, broken: bool) {
        let Some(at) = self.index(number) else { return };
        let sealed = &mut self.chunks[at];
        // A chunk with an open place is not handed out, so its lines are here and nowhere else.
        if let Body::Held(chunk) = &mut sealed.body {
            let chunk = Arc::make_mut(chunk);
            chunk.fill(number, line, broken);
            self.memory += chunk.size() - sealed.size;
            sealed.size = chunk.size();
            sealed.text_bytes = chunk.text_bytes();
            sealed.packed = chunk.packed_len();
            sealed.traits = chunk.traits;
        }
    }

    /// Hands out the oldest chunks that are only in memory, until `enough` bytes are on their way. Those with one of
    /// the `open` lines stay.
    pub(super) fn hand_out(&mut self, enough: usize, open: &[u64]) -> Vec<Arc<Chunk>> {
        let mut out = Vec::new();
        for sealed in &mut self.chunks {
            if self.leaving >= enough {
                break;
            }
            let has_open = open.iter().any(|n| (sealed.first..sealed.end).contains(n));
            if let (Body::Held(chunk), false) = (&sealed.body, has_open) {
                out.push(Arc::clone(chunk));
                self.leaving += sealed.size;
                self.away += sealed.packed as u64;
                sealed.body = Body::Leaving(Arc::clone(chunk));
            }
        }
        out
    }

    pub(super) fn written(&mut self, id: ChunkId) {
        let Some(sealed) = self.of(id) else { return };
        if let Body::Leaving(_) = sealed.body {
            sealed.body = Body::Away { asked: false };
            let size = sealed.size;
            self.leaving -= size;
            self.memory -= size;
        }
    }

    /// It stays in memory, as if it had never been handed out.
    pub(super) fn not_written(&mut self, id: ChunkId) -> bool {
        let Some(sealed) = self.of(id) else {
            return false;
        };
        let Body::Leaving(chunk) = &sealed.body else {
            return false;
        };
        sealed.body = Body::Held(Arc::clone(chunk));
        let (size, packed) = (sealed.size, sealed.packed);
        self.leaving -= size;
        self.away -= packed as u64;
        true
    }

    /// Whether it has to be read back now: it is away, and nobody asked for it yet.
    pub(super) fn want(&mut self, id: ChunkId) -> bool {
        let Some(sealed) = self.of(id) else {
            return false;
        };
        match &mut sealed.body {
            Body::Away { asked } => !std::mem::replace(asked, true),
            Body::Back(_) => {
                self.back.retain(|other| *other != id);
                self.back.push_back(id);
                false
            }
            _ => false,
        }
    }

    /// It was read back. Beyond `room` bytes the ones that were not wanted for the longest time go again.
    pub(super) fn read_back(&mut self, chunk: Arc<Chunk>, room: usize) {
        let id = chunk.id();
        let Some(sealed) = self.of(id) else { return };
        if !matches!(sealed.body, Body::Away { .. }) || chunk.end() != sealed.end {
            return;
        }
        sealed.body = Body::Back(chunk);
        let size = sealed.size;
        self.memory += size;
        self.back_bytes += size;
        self.back.push_back(id);
        while self.back_bytes > room && self.back.len() > LEAST_BACK {
            let Some(id) = self.back.pop_front() else {
                return;
            };
            if let Some(sealed) = self.of(id) {
                sealed.body = Body::Away { asked: false };
                let size = sealed.size;
                self.memory -= size;
                self.back_bytes -= size;
            }
        }
    }

    /// It cannot be read back: its lines are gone.
    pub(super) fn lose(&mut self, id: ChunkId) -> Loss {
        let Some(sealed) = self.of(id) else {
            return Loss::default();
        };
        if !matches!(sealed.body, Body::Away { .. }) {
            return Loss::default();
        }
        let loss = sealed.loss();
        sealed.body = Body::Lost;
        self.away -= sealed.packed as u64;
        self.freed.push(id);
        while self.chunks.front().is_some_and(Sealed::is_lost) {
            self.chunks.pop_front();
        }
        loss
    }

    /// Drops the oldest chunk, wherever it is.
    pub(super) fn drop_oldest(&mut self) -> Option<Loss> {
        let sealed = self.chunks.pop_front()?;
        let id = sealed.id();
        match sealed.body {
            Body::Held(_) => self.memory -= sealed.size,
            Body::Leaving(_) => {
                self.memory -= sealed.size;
                self.leaving -= sealed.size;
            }
            Body::Back(_) => {
                self.memory -= sealed.size;
                self.back_bytes -= sealed.size;
                self.back.retain(|other| *other != id);
            }
            Body::Away { .. } | Body::Lost => {}
        }
        if !matches!(sealed.body, Body::Held(_) | Body::Lost) {
            self.away -= sealed.packed as u64;
            self.freed.push(id);
        }
        Some(sealed.loss())
    }

    /// Chunks whose place in the file is free now, each told once.
    pub(super) fn take_freed(&mut self) -> Vec<ChunkId> {
        std::mem::take(&mut self.freed)
    }
}
