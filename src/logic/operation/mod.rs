//! What is done to sandboxes: stop, delete, extend, resume, kill. To one or to many.
//!
//! An operation holds identities, never rows: it is computed when the question is asked, and what the question
//! named is all that it can touch. Between a yes and the first request lies the time to take it back. Then each
//! target is looked at once more, acted on if it is still what was meant, and has a result of its own.

mod ask;
mod deed;
mod steps;
#[cfg(test)]
mod tests;

pub use ask::{Loss, command_line, line_of};
pub use deed::Deed;

use super::{Calls, Effect, Mono, Now, Purpose, Reply, World};
use crate::model::{Clean, Failure, SandboxKey, SessionId, Span};
use crate::text::{clean, say};
use std::collections::VecDeque;

/// Targets of one operation under way at a time: the service allows 20 deletions a second for a whole team.
const AT_ONCE: usize = 4;
/// Operations kept for looking at their results.
const KEPT: usize = 20;

/// One sandbox of an operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    pub key: SandboxKey,
    /// The session that was meant; a sandbox that never ran has none.
    pub session: Option<SessionId>,
    pub state: TargetState,
}

#[derive(Clone, Debug, PartialEq, Default)]
pub enum TargetState {
    #[default]
    Waiting,
    /// Being looked at once more.
    Looking,
    /// The request is out.
    Sent,
    Done,
    /// It had ended, or was gone, before the request came: that was the wish.
    OverBefore,
    /// Not sent: it is no longer what was meant.
    Refused {
        why: Clean,
    },
    /// Sent or looked at, and the service said no.
    Failed {
        why: Clean,
    },
    /// Taken back before anything was sent.
    TakenBack,
}

impl TargetState {
    pub fn is_over(&self) -> bool {
        !matches!(self, Self::Waiting | Self::Looking | Self::Sent)
    }

    pub fn is_done(&self) -> bool {
        matches!(self, Self::Done | Self::OverBefore)
    }

    fn is_under_way(&self) -> bool {
        matches!(self, Self::Looking | Self::Sent)
    }
}

/// An operation, from the question to its last result.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    pub id: u64,
    pub deed: Deed,
    pub targets: Vec<Target>,
    /// Nothing is sent before this; until then it can be taken back.
    pub held_until: Mono,
    told: bool,
}

impl Operation {
    pub fn is_over(&self) -> bool {
        self.targets.iter().all(|target| target.state.is_over())
    }

    pub fn count(&self, wanted: impl Fn(&TargetState) -> bool) -> usize {
        self.targets
            .iter()
            .filter(|target| wanted(&target.state))
            .count()
    }

    /// Nothing of it was sent, and the time to take it back is not over.
    fn is_held(&self, now: Now) -> bool {
        self.held_until > now.mono
            && self
                .targets
                .iter()
                .all(|target| target.state == TargetState::Waiting)
    }

    /// The sandbox's name, or how many there are.
    pub fn subject(&self) -> Clean {
        match self.targets.as_slice() {
            [target] => clean(target.key.name.as_foreign()),
            targets => say(format_args!("{} sandboxes", targets.len())),
        }
    }
}

/// All operations since the start; the last ones are kept with their results.
#[derive(Debug, Default)]
pub struct Operations {
    next: u64,
    all: VecDeque<Operation>,
}

/// What an event led to.
#[derive(Debug, Default, PartialEq)]
pub struct Step {
    pub effects: Vec<Effect>,
    /// To be told to the person.
    pub messages: Vec<Clean>,
    /// The operation that came to its end by this.
    pub ended: Option<u64>,
}

impl Operations {
    pub fn get(&self, id: u64) -> Option<&Operation> {
        self.all.iter().find(|operation| operation.id == id)
    }

    pub fn latest(&self) -> Option<&Operation> {
        self.all.back()
    }

    /// The operation that can still be taken back, and how long.
    pub fn held(&self, now: Now) -> Option<(&Operation, Span)> {
        let held = self
            .all
            .iter()
            .rev()
            .find(|operation| operation.is_held(now))?;
        Some((held, held.held_until.since(now.mono)))
    }

    /// The operation on many that is under way: those of one are told by their row.
    pub fn under_way(&self, now: Now) -> Option<&Operation> {
        self.all.iter().rev().find(|operation| {
            operation.targets.len() > 1 && !operation.is_over() && !operation.is_held(now)
        })
    }

    /// Everything that can still be taken back: the verb, and when it is sent.
    pub fn all_held(&self, now: Now) -> impl Iterator<Item = (&SandboxKey, (&'static str, Mono))> {
        let held = self
            .all
            .iter()
            .filter(move |operation| operation.is_held(now));
        held.flat_map(|operation| {
            let when = (operation.deed.verb(), operation.held_until);
            operation
                .targets
                .iter()
                .map(move |target| (&target.key, when))
        })
    }

    /// The person said yes. What cannot be undone waits for `undo` before it is sent.
    pub fn confirmed(&mut self, deed: Deed, targets: Vec<Target>, undo: Span, now: Now) -> u64 {
        self.next += 1;
        let wait = if deed.is_held_back() { undo } else { Span(0) };
        let held_until = now.mono.after(wait);
        self.all.push_back(Operation {
            id: self.next,
            deed,
            targets,
            held_until,
            told: false,
        });
        while self.all.len() > KEPT && self.all.front().is_some_and(Operation::is_over) {
            self.all.pop_front();
        }
        self.next
    }

    /// Takes the last one back that has not begun.
    pub fn take_back(&mut self, now: Now) -> Option<Clean> {
        let held = self
            .all
            .iter_mut()
            .rev()
            .find(|operation| operation.is_held(now))?;
        for target in &mut held.targets {
            target.state = TargetState::TakenBack;
        }
        held.told = true;
        let were = if held.targets.len() == 1 {
            "was"
        } else {
            "were"
        };
        Some(say(format_args!(
            "taken back: {} {were} not {}",
            held.subject(),
            held.deed.done()
        )))
    }

    /// Failed targets go out once more.
    pub fn retry_failed(&mut self, id: u64) {
        if let Some(operation) = self.all.iter_mut().find(|operation| operation.id == id) {
            operation.told = false;
            for target in &mut operation.targets {
                if matches!(target.state, TargetState::Failed { .. }) {
                    target.state = TargetState::Waiting;
                }
            }
        }
    }

    /// Sends what is due, a bounded number at once.
    pub fn tick(&mut self, calls: &mut Calls, world: &mut World, now: Now) -> Step {
        let mut step = Step::default();
        for operation in &mut self.all {
            if operation.held_until > now.mono {
                continue;
            }
            let mut free = AT_ONCE.saturating_sub(operation.count(TargetState::is_under_way));
            for (at, target) in operation.targets.iter_mut().enumerate() {
                if free == 0 {
                    break;
                }
                if target.state == TargetState::Waiting {
                    target.state = TargetState::Looking;
                    free -= 1;
                    let purpose = Purpose::Look {
                        operation: operation.id,
                        target: at,
                    };
                    step.effects
                        .push(calls.send(steps::look(target), purpose, world, now));
                }
            }
        }
        step
    }

    /// When [`Operations::tick`] would send something by itself.
    pub fn next_due(&self, now: Now) -> Option<Mono> {
        let held = self.all.iter().map(|operation| operation.held_until);
        held.filter(|until| *until > now.mono).min()
    }

    /// A look at a target is back, or the service answered the request itself. `None`: it is no operation's.
    pub fn answered(
        &mut self,
        purpose: &Purpose,
        result: Result<&Reply, &Failure>,
        calls: &mut Calls,
        world: &mut World,
        now: Now,
    ) -> Option<Step> {
        let (id, at, looks) = match *purpose {
            Purpose::Look { operation, target } => (operation, target, true),
            Purpose::Act { operation, target } => (operation, target, false),
            _ => return None,
        };
        let mut step = Step::default();
        let Some((deed, target)) = self.target(id, at) else {
            return Some(step);
        };
        let next = match (looks, &target.state) {
            (true, TargetState::Looking) => {
                steps::looked(&deed, target, (id, at), result, world, now)
            }
            (false, TargetState::Sent) => steps::acted(&deed, target, result, world, now),
            _ => return Some(step),
        };
        let sent = next.map(|(call, purpose)| calls.send(call, purpose, world, now));
        step.effects.extend(sent);
        Some(self.go_on(id, step, calls, world, now))
    }

    fn target(&mut self, id: u64, at: usize) -> Option<(Deed, &mut Target)> {
        let operation = self.all.iter_mut().find(|operation| operation.id == id)?;
        let deed = operation.deed.clone();
        operation.targets.get_mut(at).map(|target| (deed, target))
    }

    /// The next targets, and a word when all are through.
    fn go_on(
        &mut self,
        id: u64,
        mut step: Step,
        calls: &mut Calls,
        world: &mut World,
        now: Now,
    ) -> Step {
        step.effects.extend(self.tick(calls, world, now).effects);
        let operation = self.all.iter_mut().find(|operation| operation.id == id);
        if let Some(operation) =
            operation.filter(|operation| operation.is_over() && !operation.told)
        {
            operation.told = true;
            step.messages.push(steps::summary(operation, world));
            step.ended = Some(id);
        }
        step
    }
}
