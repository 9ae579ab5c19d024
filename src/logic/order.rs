//! Which sandboxes the list shows, and in which order: filter and sort, by value.

use super::agents::rank;
use super::{Column, Filter, Now, SandboxFact, World};
use crate::model::{Bytes, Count, Foreign, SandboxKey, Timestamp};

/// The list's order. The natural direction of a column is ascending, but newest and dearest come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    pub column: Column,
    pub reverse: bool,
}

impl Default for Order {
    fn default() -> Self {
        Self {
            column: Column::Created,
            reverse: false,
        }
    }
}

impl Order {
    /// Whether greater values come first.
    pub fn is_descending(self) -> bool {
        newest_first(self.column) != self.reverse
    }
}

/// A row's place by one column. Variants compare by value; a column uses one of them only.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    Number(i64),
    Word(Foreign),
}

/// The keys of the rows to show. Rows without a value are last whichever way the rest is turned; rows with
/// equal values are in the order of their names, turned with the rest.
pub fn rows(world: &World, filter: &Filter, order: Order, now: Now) -> Vec<SandboxKey> {
    let service_now = world.service_now(now);
    let mut matcher = filter.matcher();
    let (mut known, mut missing) = (Vec::new(), Vec::new());
    for (key, fact) in &world.sandboxes {
        if matcher.admits(fact, service_now) {
            let value = match order.column {
                Column::Agent => run_rank(world, key, now),
                column => value(fact, column, service_now),
            };
            match value {
                Some(value) => known.push((value, key)),
                None => missing.push(key),
            }
        }
    }
    // They come in the order of their names, and a stable sort keeps it among equals.
    if newest_first(order.column) {
        known.sort_by(|(a, _), (b, _)| b.cmp(a));
    } else {
        known.sort_by(|(a, _), (b, _)| a.cmp(b));
    }
    if order.reverse {
        known.reverse();
        missing.reverse();
    }
    let known = known.into_iter().map(|(_, key)| key);
    known.chain(missing).cloned().collect()
}

/// Whether a row has something to show in that column. A region that is not told is the service's usual one.
pub fn is_known(
    world: &World,
    (key, fact): (&SandboxKey, &SandboxFact),
    column: Column,
    service_now: Timestamp,
) -> bool {
    match column {
        Column::Region => true,
        Column::Agent => world.agent_runs.of_sandbox(key).is_some(),
        _ => value(fact, column, service_now).is_some(),
    }
}

/// Agents that wait for a person first.
fn run_rank(world: &World, key: &SandboxKey, now: Now) -> Option<Value> {
    let standing = world.standing(world.agent_runs.of_sandbox(key)?, now)?;
    Some(Value::Number(rank(standing.state.as_ref()).into()))
}

fn newest_first(column: Column) -> bool {
    use Column::{Changed, Cost, Cpu, Created, Egress, Ingress, Memory, Vcpus};
    matches!(
        column,
        Created | Changed | Cost | Cpu | Egress | Ingress | Memory | Vcpus
    )
}

fn value(fact: &SandboxFact, column: Column, service_now: Timestamp) -> Option<Value> {
    let sandbox = &fact.sandbox;
    let time = |at: Option<Timestamp>| at.map(|at| Value::Number(at.0));
    let count = |count: Option<Count>| count.map(|count| Value::Number(count.0));
    let bytes = |bytes: Option<Bytes>| bytes.map(|bytes| Value::Number(bytes.0));
    let word = |word: Option<&Foreign>| word.cloned().map(Value::Word);
    match column {
        Column::Name => word(Some(sandbox.name.as_foreign())),
        Column::Status => sandbox
            .status
            .as_ref()
            .map(|status| Value::Number(status_rank(status))),
        // What its output says, which is no fact of the service's: see `run_rank`.
        Column::Agent => None,
        Column::Left => fact.left(service_now).map(|left| Value::Number(left.0)),
        Column::Cost => fact.cost(service_now).map(|cost| Value::Number(cost.0)),
        Column::Created => time(sandbox.created_at),
        Column::Changed => time(sandbox.status_updated_at),
        Column::Region => word(sandbox.region.as_ref()),
        Column::Memory => count(sandbox.memory),
        Column::Vcpus => count(sandbox.vcpus),
        Column::Image => word(sandbox.image.as_ref().or(sandbox.runtime.as_ref())),
        Column::Cpu => sandbox
            .total_active_cpu_duration_ms
            .map(|cpu| Value::Number(cpu.0)),
        Column::Egress => bytes(sandbox.total_egress_bytes),
        Column::Ingress => bytes(sandbox.total_ingress_bytes),
        Column::Snapshot => word(
            sandbox
                .current_snapshot_id
                .as_ref()
                .map(crate::model::SnapshotId::as_foreign),
        ),
        Column::Mounts => sandbox
            .mounts
            .as_ref()
            .filter(|mounts| !mounts.is_empty())
            .map(|mounts| Value::Number(len(mounts.len()))),
        Column::Tags => sandbox
            .tags
            .as_ref()
            .and_then(|tags| tags.keys().next())
            .cloned()
            .map(Value::Word),
    }
}

/// Running first, ended last.
fn status_rank(status: &crate::model::Status) -> i64 {
    use crate::model::Status;
    match status {
        Status::Running => 0,
        Status::Pending => 1,
        Status::Snapshotting => 2,
        Status::Stopping => 3,
        Status::Other(_) => 4,
        Status::Failed => 5,
        Status::Aborted => 6,
        Status::Stopped => 7,
    }
}

fn len(len: usize) -> i64 {
    i64::try_from(len).unwrap_or(i64::MAX)
}
