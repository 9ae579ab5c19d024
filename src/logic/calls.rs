//! The calls under way: who asked for what, and which of them go out again.

use super::{
    Answer, Call, Effect, Mono, Now, Outcome, ShellId, StreamId, Tag, World, explain, retry,
};
use crate::model::{Failure, SandboxKey, SessionId};
use std::collections::BTreeMap;

/// What an answer is for.
#[derive(Clone, Debug, PartialEq)]
pub enum Purpose {
    /// A page of the list; the number is the sweep's generation.
    Page(u64),
    /// One row read again.
    Row(SandboxKey),
    Sessions(SandboxKey),
    Commands(SandboxKey, SessionId),
    /// How a command whose log ended came out.
    Exit(StreamId),
    /// The second look before one target of an operation.
    Look {
        operation: u64,
        target: usize,
    },
    /// The request itself.
    Act {
        operation: u64,
        target: usize,
    },
    /// The second look before a command is run; all three with the number of their launch.
    RunLook(u64),
    Run(u64),
    Create(u64),
    /// More time for a session while its shell is used.
    KeepAlive(ShellId),
    /// A step of making the sample sandboxes.
    Sample(usize),
}

#[derive(Clone, Debug, PartialEq)]
struct Pending {
    purpose: Purpose,
    /// Tries so far, this one included.
    tries: u32,
    entry: u64,
    sent: Mono,
}

/// A call that failed in a way that a later try may cure, and may be tried again.
#[derive(Clone, Debug, PartialEq)]
struct Again {
    at: Mono,
    tries: u32,
    purpose: Purpose,
    call: Call,
}

#[derive(Debug, Default)]
pub struct Calls {
    next: u64,
    pending: BTreeMap<u64, Pending>,
    again: Vec<Again>,
}

/// What became of an answer.
#[derive(Debug, PartialEq)]
pub enum Settled {
    /// Nobody waits for it.
    Nobody,
    /// It failed and goes out again by itself.
    Again,
    For(Purpose),
}

impl Calls {
    pub fn send(&mut self, call: Call, purpose: Purpose, world: &mut World, now: Now) -> Effect {
        self.send_try(call, purpose, 1, world, now)
    }

    /// Whether an answer for such a purpose is on its way or to be asked for again.
    pub fn waits_for(&self, wanted: impl Fn(&Purpose) -> bool) -> bool {
        self.count(wanted) > 0
    }

    /// How many such answers are on their way or to be asked for again.
    pub fn count(&self, wanted: impl Fn(&Purpose) -> bool) -> usize {
        let pending = self.pending.values().map(|pending| &pending.purpose);
        let again = self.again.iter().map(|again| &again.purpose);
        pending
            .chain(again)
            .filter(|purpose| wanted(purpose))
            .count()
    }

    /// Books an answer: activity, the link's state, and whether the call goes out again.
    pub fn answered(&mut self, answer: &Answer, world: &mut World, now: Now) -> Settled {
        let Some(pending) = self.pending.remove(&answer.tag.0) else {
            return Settled::Nobody;
        };
        let outcome = match &answer.result {
            Ok(_) => Outcome::Done {
                took: now.mono.since(pending.sent),
            },
            Err(failure) => Outcome::Failed {
                why: explain::in_full(failure),
            },
        };
        world
            .activity
            .finished(pending.entry, outcome, answer.request_id.as_ref());
        match &answer.result {
            Ok(_) => {
                retry::succeeded(world, answer.date, now);
                Settled::For(pending.purpose)
            }
            Err(failure) => self.failed(answer, failure, pending, world, now),
        }
    }

    fn failed(
        &mut self,
        answer: &Answer,
        failure: &Failure,
        pending: Pending,
        world: &mut World,
        now: Now,
    ) -> Settled {
        let wait = retry::failed(world, &answer.call, failure, answer.date, now);
        let polled = matches!(
            pending.purpose,
            Purpose::Page(_) | Purpose::Row(_) | Purpose::Commands(..)
        );
        // What is polled comes round by itself; the rest is tried again here.
        let Some(wait) =
            wait.filter(|_| !polled && retry::may_repeat(&answer.call, failure, pending.tries))
        else {
            return Settled::For(pending.purpose);
        };
        self.again.push(Again {
            at: now.mono.after(wait),
            tries: pending.tries + 1,
            purpose: pending.purpose,
            call: answer.call.clone(),
        });
        Settled::Again
    }

    /// Sends again what is due.
    pub fn due(&mut self, world: &mut World, now: Now) -> Vec<Effect> {
        let (due, later) = std::mem::take(&mut self.again)
            .into_iter()
            .partition(|again| again.at <= now.mono);
        self.again = later;
        let due: Vec<Again> = due;
        due.into_iter()
            .map(|again| self.send_try(again.call, again.purpose, again.tries, world, now))
            .collect()
    }

    pub fn next_due(&self) -> Option<Mono> {
        self.again.iter().map(|again| again.at).min()
    }

    fn send_try(
        &mut self,
        call: Call,
        purpose: Purpose,
        tries: u32,
        world: &mut World,
        now: Now,
    ) -> Effect {
        let tag = Tag(self.next);
        self.next += 1;
        let entry = world.activity.sent(&call, now);
        self.pending.insert(
            tag.0,
            Pending {
                purpose,
                tries,
                entry,
                sent: now.mono,
            },
        );
        Effect::Call { tag, call }
    }
}
