//! A search of one log, in slices, and the jump that waits for what it finds.

use super::course::{Course, SLICE};
use super::shown::Shown;
use crate::logic::StoreId;
use crate::model::Clean;
use crate::text::{Away, Filter, Log, Query, Scan, say};

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
    course: Course,
}

impl Hunt {
    /// `at`: where to begin.
    pub(super) fn new(aim: Aim, query: Query, of: StoreId, at: u64) -> Self {
        Self {
            aim,
            pending: None,
            scan: Scan::new(query, at),
            course: Course::new(of),
        }
    }

    pub(super) fn is_of(&self, shown: &Shown<'_>) -> bool {
        self.course.is_of(shown)
    }

    pub(super) fn needs(&self) -> Option<Away> {
        self.course.needs()
    }

    pub(super) fn is_due(&self, log: &Log<'_>) -> bool {
        self.course.is_due(log)
    }

    /// Looks at a slice more.
    pub(super) fn look_on(&mut self, log: &Log<'_>) {
        let progress = self.scan.advance(log, SLICE);
        self.course.went(progress, log);
    }

    /// Where the jump leads, as soon as that is certain: nothing nearer can be found any more. Lines that a filter
    /// hides are passed over.
    pub(super) fn arrive(&mut self, filter: Option<&Filter>) -> Option<Hit> {
        let (scanned, done) = (self.scan.scanned(), self.course.is_done());
        let (next, previous) = (
            |from| self.shown_from(from, filter),
            |from| self.shown_before(from, filter),
        );
        let (further, around) = match self.pending? {
            Jump::Nearest(from) => {
                let further = next(from).filter(|_| done || from >= scanned.start);
                (further.or_else(|| previous(from).filter(|_| done)), None)
            }
            Jump::Next(from) => {
                let further = next(from).filter(|_| done || from >= scanned.start);
                (further, next(0).filter(|_| done))
            }
            Jump::Previous(from) => {
                let further = previous(from).filter(|_| done || from <= scanned.end);
                (further, previous(u64::MAX).filter(|_| done))
            }
        };
        let line = further.or(around);
        if line.is_some() || done {
            self.pending = None;
        }
        Some(Hit {
            aim: self.aim,
            line: line?,
            around: further.is_none(),
        })
    }

    fn shown_from(&self, mut from: u64, filter: Option<&Filter>) -> Option<u64> {
        loop {
            let hit = self.scan.hits().next(from)?;
            let shown = filter.map_or(Some(hit), |filter| filter.next(hit))?;
            if shown == hit {
                return Some(hit);
            }
            from = shown;
        }
    }

    fn shown_before(&self, mut before: u64, filter: Option<&Filter>) -> Option<u64> {
        loop {
            let hit = self.scan.hits().previous(before)?;
            let shown = filter.map_or(Some(hit), |filter| filter.previous(hit + 1))?;
            if shown == hit {
                return Some(hit);
            }
            before = shown + 1;
        }
    }

    /// `3 of 120`, and how far it is.
    pub(super) fn status(&self, log: &Log<'_>, hit: Option<Hit>) -> Clean {
        let hits = self.scan.hits();
        let at = hit.filter(|hit| hit.aim == self.aim && hits.contains(hit.line));
        let all = hits.len();
        let what = match self.aim {
            Aim::Text => "lines",
            Aim::Error => "errors",
            Aim::Stderr => "lines of stderr",
        };
        let said = match at {
            Some(hit) if self.aim == Aim::Text => format!("{} of {all}", hits.rank(hit.line) + 1),
            Some(hit) => format!("{what}: {} of {all}", hits.rank(hit.line) + 1),
            None if all == 0 && self.course.is_done() => format!("no {what}"),
            None => format!("found {all}"),
        };
        let around = match at {
            Some(Hit { around: true, .. }) => " · went on from the other end",
            _ => "",
        };
        if self.course.is_done() {
            return say(format_args!("{said}{around}"));
        }
        let scanned = self.scan.scanned();
        let held = (log.end() - log.first()).max(1);
        let part = ((scanned.end - scanned.start) * 100 / held).min(99);
        say(format_args!("{said} · {part} % searched"))
    }
}
