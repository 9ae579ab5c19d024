//! Identities: a sandbox name, a session id, a command id… each in a type of its own.

use super::{Foreign, Timestamp};
use serde::{Deserialize, Serialize};
use std::marker::PhantomData;

/// What an [`Id`] may name.
pub mod of {
    macro_rules! kinds {
        ($($kind:ident)*) => {$(
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub enum $kind {}
        )*};
    }
    kinds! { Sandbox Session Command Snapshot Drive Project Team }
}

/// An identity given by the service; opaque, compared as it came.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent, bound = "")]
pub struct Id<K> {
    raw: Foreign,
    #[serde(skip)]
    kind: PhantomData<K>,
}

impl<K> Id<K> {
    pub fn new(raw: impl Into<Foreign>) -> Self {
        Self {
            raw: raw.into(),
            kind: PhantomData,
        }
    }

    pub fn as_raw(&self) -> &str {
        self.raw.as_raw()
    }

    pub fn as_foreign(&self) -> &Foreign {
        &self.raw
    }
}

impl<K> std::fmt::Debug for Id<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.raw.as_raw())
    }
}

/// A sandbox's name: unique inside its project (api.md §3.1).
pub type SandboxName = Id<of::Sandbox>;
/// `sbx_…`: one boot of a sandbox.
pub type SessionId = Id<of::Session>;
/// `cmd_…`: valid only inside the session it ran in.
pub type CommandId = Id<of::Command>;
/// `snap_…`
pub type SnapshotId = Id<of::Snapshot>;
pub type DriveId = Id<of::Drive>;
/// `prj_…`, or a project's name: the service takes either.
pub type ProjectId = Id<of::Project>;
/// `team_…`, or a slug where the service takes one.
pub type TeamId = Id<of::Team>;

/// What a sandbox *is*: a name can be deleted and made again, so the time of creation belongs to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SandboxKey {
    pub name: SandboxName,
    /// `None` only when the service left the field out.
    pub created_at: Option<Timestamp>,
}

/// A command's identity: its id means nothing to another session (api.md §9.20).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CommandKey {
    pub session: SessionId,
    pub command: CommandId,
}
