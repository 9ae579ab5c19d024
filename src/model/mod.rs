//! Level 1, pure: the service's facts and its wire (api.md §3), and text that is or is not fit for a terminal.
//!
//! Reading is tolerant: a field that is absent, null or of the wrong type is unknown (`None`), an unknown word
//! of an enumeration is kept, an unknown field is ignored, an unreadable entry of a list is counted and left
//! out. Requests ([`request`]) are strict, since the engine validates with them.

mod answer;
mod command;
mod drive;
mod failure;
mod foreign;
mod id;
pub mod lenient;
mod log;
mod money;
mod number;
mod page;
mod policy;
pub mod request;
mod sandbox;
mod session;
pub mod shell;
mod snapshot;
mod status;
#[cfg(test)]
mod tests;

pub use answer::{SandboxAnswer, StopAnswer};
pub use command::Command;
pub use drive::{Drive, Route};
pub use failure::{Failure, FailureKind, NetworkFault, RetryAfter};
pub use foreign::{Clean, Foreign};
pub use id::{
    CommandId, CommandKey, DriveId, Id, ProjectId, SandboxKey, SandboxName, SessionId, SnapshotId,
    TeamId, of,
};
pub use log::{LogObject, StreamName};
pub use money::{LEAST_BILLED, Meter, NanoDollars, memory_cost, memory_cost_per_hour};
pub use number::{Bytes, Count, Span, Timestamp};
pub use page::{Page, Pagination};
pub use policy::{ForwardRule, InjectionRule, NetworkPolicy};
pub use sandbox::{KeepLastSnapshots, Mount, Mounts, Sandbox, Tags};
pub use session::{NetworkTransfer, Session};
pub use snapshot::{Snapshot, SnapshotTreeNode};
pub use status::{CreationMethod, MountMode, PolicyMode, SnapshotStatus, Status};
