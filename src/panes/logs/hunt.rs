//! A search of one log, in slices, and the jump that waits for what it finds.

use super::course::{Course, SLICE};
use super::shown::Shown;
use super::sieve::Sieve;
use crate::logic::StoreId;
use crate::model::Clean;
use crate::text::{Away, LineSet, Log, Query, Scan, say};

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
    /// The hits that a filter shows, and its revision.
    shown: Option<(u64, LineSet)>,
}

impl Hunt {
    /// `at`: where to begin.
    pub(super) fn new(aim: Aim, query: Query, of: StoreId, at: u64) -> Self {
        Self {
            aim,
            pending: None,
            scan: Scan::new(query, at),
            course: Course::new(of),
            shown: None,
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
        self.shown = None;
    }

    /// Leaves out what the filter hides.
    pub(super) fn follow(&mut self, sieve: Option<&Sieve>) {
        let Some((filter, revision)) =
            sieve.and_then(|sieve| Some((sieve.filter()?, sieve.revision)))
        else {
            self.shown = None;
            return;
        };
        if self.shown.as_ref().is_none_or(|(of, _)| *of != revision) {
            self.shown = Some((revision, filter.shown_of(self.scan.hits())));
        }
    }

    fn hits(&self) -> &LineSet {
        let shown = self.shown.as_ref().map(|(_, shown)| shown);
        shown.unwrap_or(self.scan.hits())
    }

    /// Where the jump leads, as soon as that is certain: nothing nearer can be found any more.
    pub(super) fn arrive(&mut self) -> Option<Hit> {
        let (scanned, done) = (self.scan.scanned(), self.course.is_done());
        let (next, previous) = (
            |from| self.hits().next(from),
            |from| self.hits().previous(from),
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

    /// `3 of 120`, and how far it is.
    pub(super) fn status(&self, log: &Log<'_>, hit: Option<Hit>) -> Clean {
        let hits = self.hits();
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
