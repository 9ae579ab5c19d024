//! How far a search through one log is, and whether there is something for it to do.

use crate::logic::{StoreId, Tail};
use crate::text::{ChunkId, LogStore, Progress};

/// Bytes that are looked at between two looks at the keys.
pub(super) const SLICE: usize = 2 << 20;

#[derive(Debug)]
pub(super) struct Course {
    of: StoreId,
    needs: Option<ChunkId>,
    /// The store's end and size when everything was looked at.
    done: Option<(u64, usize)>,
}

impl Course {
    pub(super) fn new(of: StoreId) -> Self {
        Self {
            of,
            needs: None,
            done: None,
        }
    }

    pub(super) fn is_of(&self, tail: &Tail) -> bool {
        self.of == tail.store_id
    }

    /// The chunk that it waits for.
    pub(super) fn needs(&self) -> Option<ChunkId> {
        self.needs
    }

    pub(super) fn is_done(&self) -> bool {
        self.done.is_some()
    }

    /// There is something to look at now.
    pub(super) fn is_due(&self, store: &LogStore) -> bool {
        match self.needs {
            Some(chunk) => store.away_at(chunk.first()) != Some(chunk),
            None => self.done != Some((store.end(), store.bytes())),
        }
    }

    pub(super) fn went(&mut self, progress: Progress, store: &LogStore) {
        self.needs = progress.needs;
        self.done = progress.done.then(|| (store.end(), store.bytes()));
    }
}
