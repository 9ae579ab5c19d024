//! A search of one log, in slices, and the jump that waits for what it finds.

use crate::logic::{StoreId, Tail};
use crate::model::Clean;
use crate::text::{ChunkId, LogStore, Query, Scan, say};

/// Bytes that are looked at between two looks at the keys.
const SLICE: usize = 2 << 20;

/// What is hunted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    Text,
    Error,
    Stderr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Jump {
    /// The first hit from there on, else the last one before it.
    Nearest(u64),
    /// The first hit from there on, else the first of all.
    Next(u64),
    /// The last hit before, else the last of all.
    Previous(u64),
}

/// A line that was jumped to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) aim: Aim,
    pub(super) line: u64,
    /// There was none further on in that direction.
    pub(super) around: bool,
}

#[derive(Debug)]
pub(super) struct Hunt {
    pub(super) aim: Aim,
    pub(super) pending: Option<Jump>,
    scan: Scan,
    of: StoreId,
    needs: Option<ChunkId>,
    /// The store's end and size when everything was looked at.
    done: Option<(u64, usize)>,
}

impl Hunt {
    /// `at`: where to begin.
    pub(super) fn new(aim: Aim, query: Query, of: StoreId, at: u64) -> Self {
        Self {
            aim,
            pending: None,
            scan: Scan::new(query, at),
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

    /// There is something to look at now.
    pub(super) fn is_due(&self, store: &LogStore) -> bool {
        match self.needs {
            Some(chunk) => store.away_at(chunk.first()) != Some(chunk),
            None => self.done != Some((store.end(), store.bytes())),
        }
    }

    /// Looks at a slice more.
    pub(super) fn look_on(&mut self, store: &LogStore) {
        let progress = self.scan.advance(store, SLICE);
        self.needs = progress.needs;
        self.done = progress.done.then(|| (store.end(), store.bytes()));
    }

    /// Where the jump leads, as soon as that is certain: nothing nearer can be found any more.
    pub(super) fn arrive(&mut self) -> Option<Hit> {
        let (hits, scanned) = (self.scan.hits(), self.scan.scanned());
        let done = self.done.is_some();
        let further = match self.pending? {
            Jump::Nearest(from) | Jump::Next(from) => {
                hits.next(from).filter(|_| done || from >= scanned.start)
            }
            Jump::Previous(from) => hits.previous(from).filter(|_| done || from <= scanned.end),
        };
        let around = || match self.pending? {
            Jump::Nearest(from) => hits.previous(from),
            Jump::Next(_) => hits.next(0),
            Jump::Previous(_) => hits.previous(u64::MAX),
        };
        let nearest = matches!(self.pending, Some(Jump::Nearest(_)));
        let line = further.or_else(|| done.then(around).flatten());
        if line.is_some() || done {
            self.pending = None;
        }
        Some(Hit {
            aim: self.aim,
            line: line?,
            around: further.is_none() && !nearest,
        })
    }

    /// `3 of 120`, and how far it is.
    pub(super) fn status(&self, store: &LogStore, hit: Option<Hit>) -> Clean {
        let hits = self.scan.hits();
        let at = hit.filter(|hit| hit.aim == self.aim && hits.contains(hit.line));
        let all = hits.len();
        let what = match self.aim {
            Aim::Text => "lines",
            Aim::Error => "errors",
            Aim::Stderr => "lines of stderr",
        };
        let said = match at {
            Some(hit) => format!("{} of {all}", hits.rank(hit.line) + 1),
            None if all == 0 && self.done.is_some() => format!("no {what}"),
            None => format!("found {all}"),
        };
        let around = match at {
            Some(Hit { around: true, .. }) => " · went on from the other end",
            _ => "",
        };
        if self.done.is_some() {
            return say(format_args!("{said}{around}"));
        }
        let scanned = self.scan.scanned();
        let held = (store.end() - store.first()).max(1);
        let part = ((scanned.end - scanned.start) * 100 / held).min(99);
        say(format_args!("{said} · {part} % searched"))
    }
}
