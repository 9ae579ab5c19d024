//! Going to a time: what was typed as one, and the line that was the first to arrive from then on.

use super::course::Course;
use crate::logic::{StoreId, Tail};
use crate::model::{Span, Timestamp};
use crate::text::{ChunkId, LogStore, Lookup, Progress};
use jiff::ToSpan;
use jiff::civil::Time;
use jiff::tz::TimeZone;
use std::ops::Range;

/// Lines without a time are gone back over so far, to one that has one.
const MOST_UNTIMED: u64 = 4096;

/// `14:03` or `14:03:07`, the last such time; `-5m`, `-90s`, `-2h`, so long ago.
pub(super) fn parsed(typed: &str, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
    let typed = typed.trim();
    if let Some(ago) = typed.strip_prefix('-') {
        let (count, unit) = ago.split_at_checked(ago.len().checked_sub(1)?)?;
        let count: i64 = count.trim().parse().ok().filter(|count| *count >= 0)?;
        let milliseconds = match unit {
            "s" => 1000,
            "m" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            _ => return None,
        };
        return Some(now + Span(count.saturating_mul(milliseconds).saturating_neg()));
    }
    let time = Time::strptime("%H:%M:%S", typed).or_else(|_| Time::strptime("%H:%M", typed));
    let here = jiff::Timestamp::from_millisecond(now.0).ok()?;
    let here = here.to_zoned_datetime(zone.clone());
    let today = here.with().time(time.ok()?).build().ok()?;
    let last = if today > here {
        today.checked_sub(1.day()).ok()?
    } else {
        today
    };
    Some(Timestamp(last.timestamp().as_millisecond()))
}

/// The search for the first line that arrived at a time or later, among fewer lines at each step.
#[derive(Debug)]
pub(super) struct Seek {
    to: Timestamp,
    among: Range<u64>,
    course: Course,
    any_time: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrival {
    Line(u64),
    /// All are older.
    AtTheEnd,
    /// No line has a time.
    Untimed,
}

impl Seek {
    pub(super) fn new(to: Timestamp, of: StoreId, store: &LogStore) -> Self {
        Self {
            to,
            among: store.first()..store.end(),
            course: Course::new(of),
            any_time: false,
        }
    }

    pub(super) fn is_of(&self, tail: &Tail) -> bool {
        self.course.is_of(tail)
    }

    pub(super) fn needs(&self) -> Option<ChunkId> {
        self.course.needs()
    }

    pub(super) fn is_due(&self, store: &LogStore) -> bool {
        self.course.is_due(store)
    }

    /// `None`: a chunk has to be read back first.
    pub(super) fn look_on(&mut self, store: &LogStore) -> Option<Arrival> {
        self.among.start = self.among.start.max(store.first());
        while self.among.start < self.among.end {
            let middle = self.among.start + (self.among.end - self.among.start) / 2;
            match self.time_before(store, middle) {
                Ok(Some((line, time))) => {
                    self.any_time = true;
                    if time < self.to {
                        self.among.start = middle + 1;
                    } else {
                        self.among.end = line;
                    }
                }
                Ok(None) => self.among.start = middle + 1,
                Err(chunk) => {
                    let waits = Progress {
                        needs: Some(chunk),
                        done: false,
                    };
                    self.course.went(waits, store);
                    return None;
                }
            }
        }
        Some(match self.among.start {
            _ if !self.any_time => Arrival::Untimed,
            line if line >= store.end() => Arrival::AtTheEnd,
            line => Arrival::Line(line),
        })
    }

    /// The last line with a time up to there, among those that are left.
    fn time_before(
        &self,
        store: &LogStore,
        number: u64,
    ) -> Result<Option<(u64, Timestamp)>, ChunkId> {
        let least = self.among.start.max(number.saturating_sub(MOST_UNTIMED));
        for number in (least..=number).rev() {
            match store.get(number) {
                Lookup::Away(chunk) => return Err(chunk),
                Lookup::Line(line) => {
                    if let Some(time) = line.arrived {
                        return Ok(Some((number, time)));
                    }
                }
                Lookup::Gone => {}
            }
        }
        Ok(None)
    }
}
