//! More time for the session of a shell that somebody types in: when to ask for it, and when to stop asking.

use crate::logic::{Mono, Now};
use crate::model::{Clean, Span};

/// How much each time.
pub const EXTENDS_BY: Span = Span::minutes(5);
/// With less than this left it is asked for.
const EARLY: Span = Span::minutes(3);
/// However the answers read, it is asked for no more often.
const APART: Span = Span::minutes(1);
/// The longest that any plan lets a session live (api.md §4.6 names the plans' limits).
const LONGEST: Span = Span::minutes(24 * 60);
/// Times in all: twelve hours.
const MOST: u32 = 144;

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct KeepAlive {
    pub on: bool,
    /// How often it was asked for.
    pub times: u32,
    /// Why it ended by itself.
    pub ended: Option<Clean>,
    last: Option<Mono>,
}

impl KeepAlive {
    /// Off becomes on, with all its chances again; on becomes off.
    pub fn toggle(&mut self) {
        *self = Self {
            on: !self.on,
            last: self.last,
            ..Self::default()
        };
    }

    /// Whether to ask now; it then counts as asked. `left` and `age` are the session's.
    pub fn asks(&mut self, left: Option<Span>, age: Option<Span>, now: Now) -> bool {
        let (Some(left), Some(age)) = (left, age) else {
            return false;
        };
        let early = self.last.is_some_and(|last| now.mono.since(last) < APART);
        if !self.on || left <= Span(0) || left >= EARLY || early {
            return false;
        }
        if age + left + EXTENDS_BY > LONGEST {
            self.end("no plan lets a session live longer".into());
        } else if self.times >= MOST {
            self.end("it was extended often enough".into());
        } else {
            self.times += 1;
            self.last = Some(now.mono);
        }
        self.on
    }

    /// The service refused, or there is nothing left to extend.
    pub fn end(&mut self, why: Clean) {
        self.on = false;
        self.ended = Some(why);
    }
}
