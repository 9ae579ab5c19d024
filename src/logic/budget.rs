//! How many requests a minute a kind of polling may cost.

use super::Mono;
use std::collections::VecDeque;

const MINUTE_MS: u64 = 60_000;

/// A sliding minute.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    pub per_minute: usize,
    sent: VecDeque<Mono>,
}

impl Budget {
    pub fn new(per_minute: usize) -> Self {
        Self {
            per_minute,
            sent: VecDeque::new(),
        }
    }

    /// Requests in the minute before `now`.
    pub fn used(&self, now: Mono) -> usize {
        self.sent
            .iter()
            .filter(|at| at.0 + MINUTE_MS > now.0)
            .count()
    }

    /// The first moment at which one more fits.
    pub fn free_at(&self, now: Mono) -> Mono {
        if self.used(now) < self.per_minute {
            return now;
        }
        let oldest = self.sent.len().saturating_sub(self.per_minute);
        self.sent
            .get(oldest)
            .map_or(now, |at| Mono(at.0 + MINUTE_MS))
    }

    pub fn spend(&mut self, now: Mono) {
        while self
            .sent
            .front()
            .is_some_and(|at| at.0 + MINUTE_MS <= now.0)
        {
            self.sent.pop_front();
        }
        self.sent.push_back(now);
    }
}
