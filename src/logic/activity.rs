//! What sandtop did: every call and what came of it, newest last, bounded.

use super::{Call, Now};
use crate::model::{Clean, Foreign, Span, Timestamp};
use crate::text;
use std::collections::VecDeque;

/// Entries kept; older ones are dropped and counted.
const KEPT: usize = 1000;

#[derive(Clone, Debug, PartialEq)]
pub struct ActivityEntry {
    pub number: u64,
    pub at: Timestamp,
    pub what: Clean,
    pub subject: Option<Clean>,
    pub outcome: Outcome,
    /// The service's own id of the request, where it gave one.
    pub request_id: Option<Clean>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Sent, not answered yet.
    Pending,
    Done {
        took: Span,
    },
    /// What failed and why, in a sentence.
    Failed {
        why: Clean,
    },
    /// Something to know that is no call.
    Note,
}

/// The entries and the budgets' counters.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Activity {
    entries: VecDeque<ActivityEntry>,
    next: u64,
    pub dropped: u64,
}

impl Activity {
    pub fn entries(&self) -> &VecDeque<ActivityEntry> {
        &self.entries
    }

    /// A call goes out; the number finds it again when it is answered.
    pub fn sent(&mut self, call: &Call, now: Now) -> u64 {
        let subject = call.subject().map(text::clean);
        self.push(now, Clean::from(call.title()), subject, Outcome::Pending)
    }

    pub fn finished(&mut self, number: u64, outcome: Outcome, request_id: Option<&Foreign>) {
        let first = self.entries.front().map_or(self.next, |entry| entry.number);
        let at = number
            .checked_sub(first)
            .and_then(|at| usize::try_from(at).ok());
        if let Some(entry) = at.and_then(|at| self.entries.get_mut(at)) {
            entry.outcome = outcome;
            entry.request_id = request_id.map(text::clean);
        }
    }

    pub fn note(&mut self, sentence: Clean, now: Now) {
        self.push(now, sentence, None, Outcome::Note);
    }

    pub fn failed(&mut self, what: Clean, why: Clean, now: Now) {
        self.push(now, what, None, Outcome::Failed { why });
    }

    fn push(&mut self, now: Now, what: Clean, subject: Option<Clean>, outcome: Outcome) -> u64 {
        let number = self.next;
        self.next += 1;
        let at = now.wall;
        self.entries.push_back(ActivityEntry {
            number,
            at,
            what,
            subject,
            outcome,
            request_id: None,
        });
        if self.entries.len() > KEPT {
            self.entries.pop_front();
            self.dropped += 1;
        }
        number
    }
}
