//! How far a search through one log is, and whether there is something for it to do.

use super::shown::Shown;
use crate::logic::StoreId;
use crate::text::{Away, Log, Progress};

/// Bytes that are looked at between two looks at the keys.
pub(super) const SLICE: usize = 2 << 20;

#[derive(Debug)]
pub(super) struct Course {
    of: StoreId,
    needs: Option<Away>,
    /// The log's end and size when everything was looked at.
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

    pub(super) fn is_of(&self, shown: &Shown<'_>) -> bool {
        self.of == shown.id
    }

    /// What it waits for.
    pub(super) fn needs(&self) -> Option<Away> {
        self.needs
    }

    pub(super) fn is_done(&self) -> bool {
        self.done.is_some()
    }

    /// There is something to look at now.
    pub(super) fn is_due(&self, log: &Log<'_>) -> bool {
        match self.needs {
            Some(away) => !log.is_away(away),
            None => self.done != Some((log.end(), log.bytes())),
        }
    }

    pub(super) fn went(&mut self, progress: Progress, log: &Log<'_>) {
        self.needs = progress.needs;
        self.done = progress.done.then(|| (log.end(), log.bytes()));
    }
}
