//! What the header counts: computed when the world changed, not when it is drawn.

use crate::logic::{SandboxFact, World};
use crate::model::{Count, NanoDollars, Status, memory_cost_per_hour};

/// MB that come with each vCPU (api.md §3.1).
const MEMORY_PER_VCPU: i64 = 2048;

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Summary {
    /// How many in each status that occurs, running first.
    pub counts: Vec<(Status, usize)>,
    /// Those of which no status is known.
    pub unknown: usize,
    /// Of what runs now; `None` while something runs whose memory is not known.
    pub per_hour: Option<NanoDollars>,
    /// The world's revision it was computed from.
    revision: Option<u64>,
}

impl Summary {
    pub fn follow(&mut self, world: &World) {
        if self.revision == Some(world.revision) {
            return;
        }
        let mut summary = Self {
            per_hour: Some(NanoDollars(0)),
            revision: Some(world.revision),
            ..Self::default()
        };
        for fact in world.sandboxes.values().filter(|fact| !fact.gone) {
            summary.count(fact);
        }
        summary
            .counts
            .sort_by_key(|(status, _)| (*status != Status::Running, status.clone()));
        *self = summary;
    }

    fn count(&mut self, fact: &SandboxFact) {
        let sandbox = &fact.sandbox;
        let Some(status) = &sandbox.status else {
            self.unknown += 1;
            return;
        };
        match self.counts.iter_mut().find(|(known, _)| known == status) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((status.clone(), 1)),
        }
        if sandbox.is_running() {
            let of_vcpus = || {
                sandbox
                    .vcpus
                    .map(|vcpus| Count(vcpus.0.saturating_mul(MEMORY_PER_VCPU)))
            };
            let cost = sandbox.memory.or_else(of_vcpus).map(memory_cost_per_hour);
            self.per_hour = self.per_hour.zip(cost).map(|(sum, cost)| sum + cost);
        }
    }
}
