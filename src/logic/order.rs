//! Which sandboxes the list shows, and in which order: filter and sort, by value.

use super::{Filter, Now, SandboxFact, World};
use crate::model::{Bytes, Count, Foreign, SandboxKey, Timestamp};

/// What a list can be sorted by; also the names of its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Column {
    Name,
    Status,
    /// Time left until the service stops it.
    Left,
    /// Of the running session so far.
    Cost,
    #[default]
    Created,
    Region,
    Memory,
    Vcpus,
    Image,
    /// Last change of status.
    Changed,
    Cpu,
    Egress,
    Ingress,
    Snapshot,
    Mounts,
    Tags,
}

impl Column {
    pub const ALL: [Self; 16] = [
        Self::Name,
        Self::Status,
        Self::Left,
        Self::Cost,
        Self::Created,
        Self::Region,
        Self::Memory,
        Self::Vcpus,
        Self::Image,
        Self::Changed,
        Self::Cpu,
        Self::Egress,
        Self::Ingress,
        Self::Snapshot,
        Self::Mounts,
        Self::Tags,
    ];

    /// The list's columns as they usually stand.
    pub const USUAL: [Self; 16] = [
        Self::Name,
        Self::Status,
        Self::Left,
        Self::Cost,
        Self::Created,
        Self::Region,
        Self::Memory,
        Self::Vcpus,
        Self::Image,
        Self::Tags,
        Self::Cpu,
        Self::Egress,
        Self::Ingress,
        Self::Changed,
        Self::Snapshot,
        Self::Mounts,
    ];

    /// Its name in settings: the title as it is written there.
    pub fn id(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Status => "status",
            Self::Left => "left",
            Self::Cost => "cost",
            Self::Created => "created",
            Self::Region => "region",
            Self::Memory => "memory",
            Self::Vcpus => "vcpus",
            Self::Image => "image",
            Self::Changed => "changed",
            Self::Cpu => "cpu",
            Self::Egress => "out",
            Self::Ingress => "in",
            Self::Snapshot => "snapshot",
            Self::Mounts => "mounts",
            Self::Tags => "tags",
        }
    }

    pub fn of_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|column| column.id() == id)
    }

    pub fn title(self) -> &'static str {
        match self {
            Self::Name => "NAME",
            Self::Status => "STATUS",
            Self::Left => "LEFT",
            Self::Cost => "COST",
            Self::Created => "CREATED",
            Self::Region => "REGION",
            Self::Memory => "MEMORY",
            Self::Vcpus => "VCPUS",
            Self::Image => "IMAGE",
            Self::Changed => "CHANGED",
            Self::Cpu => "CPU",
            Self::Egress => "OUT",
            Self::Ingress => "IN",
            Self::Snapshot => "SNAPSHOT",
            Self::Mounts => "MOUNTS",
            Self::Tags => "TAGS",
        }
    }

    /// What the sort key steps through.
    pub fn next_sortable(self) -> Self {
        use Column::{Changed, Cost, Created, Left, Name, Status};
        match self {
            Created => Name,
            Name => Status,
            Status => Left,
            Left => Cost,
            Cost => Changed,
            _ => Created,
        }
    }
}

/// The list's order. The natural direction of a column is ascending, but newest and dearest come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Order {
    pub column: Column,
    pub reverse: bool,
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
            match value(fact, order.column, service_now) {
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
