//! The deadline guard: one warning when a running sandbox with a running command ends soon.
//!
//! It knows only what was read: a sandbox whose commands nobody looked at is not warned of.

use super::{Mono, Now, World};
use crate::model::{Command, SandboxKey, Span, Timestamp};
use std::collections::BTreeMap;

/// With less than this left it is warned.
const SOON: Span = Span::minutes(5);

/// Sandboxes whose commands were read, and the deadline that each was warned of.
#[derive(Debug, Default)]
pub struct Deadlines {
    watched: BTreeMap<SandboxKey, Option<Timestamp>>,
}

impl Deadlines {
    /// Its commands were read.
    pub fn watch(&mut self, key: &SandboxKey) {
        self.watched.entry(key.clone()).or_default();
    }

    /// What ends soon and was not warned of before, with the time left. A new deadline is a new warning.
    pub fn check(&mut self, world: &World, now: Now) -> Vec<(SandboxKey, Span)> {
        self.watched
            .retain(|key, _| world.fact(key).is_some_and(|fact| !fact.gone));
        let mut soon = Vec::new();
        for (key, warned) in &mut self.watched {
            let Some((deadline, left)) = at_stake(key, world, now) else {
                continue;
            };
            if left.0 > 0 && left < SOON && *warned != Some(deadline) {
                *warned = Some(deadline);
                soon.push((key.clone(), left));
            }
        }
        soon
    }

    /// Of those warned of the one that ends first, while that still is so.
    pub fn offered(&self, world: &World, now: Now) -> Option<&SandboxKey> {
        let warned = self.watched.iter().filter_map(|(key, warned)| {
            let (deadline, left) = at_stake(key, world, now)?;
            (*warned == Some(deadline) && left.0 > 0).then_some((left, key))
        });
        warned.min_by_key(|(left, _)| *left).map(|(_, key)| key)
    }

    /// When [`Deadlines::check`] would find another one.
    pub fn next_due(&self, world: &World, now: Now) -> Option<Mono> {
        let due = self.watched.iter().filter_map(|(key, warned)| {
            let (deadline, left) = at_stake(key, world, now)?;
            let wait = Span(left.0 - SOON.0 + 1);
            (*warned != Some(deadline) && left.0 > 0).then(|| now.mono.after(wait))
        });
        due.min()
    }
}

/// The deadline of a running sandbox in which something runs, and the time left until then.
fn at_stake(key: &SandboxKey, world: &World, now: Now) -> Option<(Timestamp, Span)> {
    let fact = world.fact(key).filter(|fact| !fact.gone)?;
    let session = fact.sandbox.current_session_id.as_ref()?;
    let commands = &world.commands.get(session)?.value.entries;
    let left = fact.left(world.service_now(now))?;
    let deadline = fact.deadline()?;
    commands
        .iter()
        .any(Command::is_running)
        .then_some((deadline, left))
}
