//! Going to a time: what was typed as one, and the line that was the first to arrive from then on.

use super::course::Course;
use super::shown::Shown;
use crate::model::{Span, Timestamp};
use crate::text::{Away, Log, Lookup, Progress};
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
    pub(super) fn new(to: Timestamp, shown: &Shown<'_>) -> Self {
        Self {
            to,
            among: shown.log.first()..shown.log.end(),
            course: Course::new(shown.id),
            any_time: false,
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

    /// `None`: a chunk has to be read back first.
    pub(super) fn look_on(&mut self, log: &Log<'_>) -> Option<Arrival> {
        self.among.start = self.among.start.max(log.first());
        while self.among.start < self.among.end {
            let middle = self.among.start + (self.among.end - self.among.start) / 2;
            match self.time_before(log, middle) {
                Ok(Some((line, time))) => {
                    self.any_time = true;
                    if time < self.to {
                        self.among.start = middle + 1;
                    } else {
                        self.among.end = line;
                    }
                }
                Ok(None) => self.among.start = middle + 1,
                Err(away) => {
                    let waits = Progress {
                        needs: Some(away),
                        done: false,
                    };
                    self.course.went(waits, log);
                    return None;
                }
            }
        }
        Some(match self.among.start {
            _ if !self.any_time => Arrival::Untimed,
            line if line >= log.end() => Arrival::AtTheEnd,
            line => Arrival::Line(line),
        })
    }

    /// The last line with a time up to there, among those that are left.
    fn time_before(&self, log: &Log<'_>, number: u64) -> Result<Option<(u64, Timestamp)>, Away> {
        let least = self.among.start.max(number.saturating_sub(MOST_UNTIMED));
        for number in (least..=number).rev() {
            if let Some(away) = log.away_at(number) {
                return Err(away);
            }
            if let Lookup::Line(line) = log.get(number)
                && let Some(time) = line.arrived
            {
                return Ok(Some((number, time)));
            }
        }
        Ok(None)
    }
}
