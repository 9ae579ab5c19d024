//! The service's enumerations. An unknown word is kept as it came, and drawn.

use super::Foreign;
use serde::{Deserialize, Serialize};

/// State of a session, and of a sandbox through its current session (api.md §4.1).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Status {
    Pending,
    Running,
    Snapshotting,
    Stopping,
    Stopped,
    Failed,
    Aborted,
    #[serde(untagged)]
    Other(Foreign),
}

impl Status {
    /// The service's own word; an unknown one is [`Foreign`] text and still needs cleaning.
    pub fn word(&self) -> &str {
        match self {
            Self::Pending => "pending",
            Self::Running => "running",
            Self::Snapshotting => "snapshotting",
            Self::Stopping => "stopping",
            Self::Stopped => "stopped",
            Self::Failed => "failed",
            Self::Aborted => "aborted",
            Self::Other(word) => word.as_raw(),
        }
    }

    /// A session in this state never runs again (api.md §4.1). Unknown states are not taken for an end.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Stopped | Self::Failed | Self::Aborted)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SnapshotStatus {
    Created,
    Deleted,
    Failed,
    #[serde(untagged)]
    Other(Foreign),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CreationMethod {
    Automatic,
    Manual,
    #[serde(untagged)]
    Other(Foreign),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MountMode {
    ReadWrite,
    Snapshot,
    /// The old word for `snapshot`.
    ReadOnly,
    #[serde(untagged)]
    Other(Foreign),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PolicyMode {
    AllowAll,
    DenyAll,
    Custom,
    #[serde(untagged)]
    Other(Foreign),
}
