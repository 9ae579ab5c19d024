//! Time as the pure code sees it: two readings that come with every event.

use crate::model::{Span, Timestamp};

/// Milliseconds since the program started, by a clock that never jumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Mono(pub u64);

impl Mono {
    /// `self - earlier`; zero when `earlier` is later.
    pub fn since(self, earlier: Self) -> Span {
        Span(i64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(i64::MAX))
    }

    /// `self + span`; a negative span counts as zero.
    pub fn after(self, span: Span) -> Self {
        Self(self.0.saturating_add(u64::try_from(span.0).unwrap_or(0)))
    }
}

/// The moment an event is handled at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Now {
    pub mono: Mono,
    /// By this machine's clock; what the service says is corrected by [`super::World::skew`].
    pub wall: Timestamp,
}

/// The two clocks drift apart by this much only when the machine slept or was set.
const JUMP: Span = Span::seconds(20);

/// Notices that the clock jumped since the last look.
#[derive(Clone, Copy, Debug, Default)]
pub struct Jumps {
    last: Option<Now>,
}

impl Jumps {
    pub fn jumped(&mut self, now: Now) -> bool {
        let last = self.last.replace(now);
        last.is_some_and(|last| {
            let drift = now.wall.since(last.wall).0 - now.mono.since(last.mono).0;
            drift.abs() > JUMP.0
        })
    }
}

/// A fact and when it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Aged<T> {
    pub value: T,
    pub seen: Mono,
}

impl<T> Aged<T> {
    pub fn new(value: T, now: Now) -> Self {
        Self {
            value,
            seen: now.mono,
        }
    }

    pub fn age(&self, now: Now) -> Span {
        now.mono.since(self.seen)
    }
}
