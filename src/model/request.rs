//! Bodies of requests: written by the client, read (strictly) by the engine (api.md §2).

use super::{Foreign, KeepLastSnapshots, Mounts, ProjectId, SandboxName, SnapshotId, Tags};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Values of environment variables are secrets as often as not: never printed.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Env(pub BTreeMap<String, String>);

impl std::fmt::Debug for Env {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// `POST /v3/sandboxes` (image) or `/v2/sandboxes` (legacy runtime), api.md §2.2.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CreateSandbox {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project_id: Option<ProjectId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<SandboxName>,
    pub ports: Vec<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// ms
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resources: Option<Resources>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime: Option<Foreign>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<Foreign>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persistent: Option<bool>,
    /// Request form of §3.7, passed on as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network_policy: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network_id: Option<Foreign>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub env: Option<Env>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Tags>,
    /// ms; 0 = never
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snapshot_expiration: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_last_snapshots: Option<KeepLastSnapshots>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mounts: Option<Mounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<Foreign>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failover_regions: Option<Vec<Foreign>>,
    #[serde(rename = "__interactive", skip_serializing_if = "Option::is_none")]
    pub interactive: Option<bool>,
}

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Source {
    #[serde(rename_all = "camelCase")]
    Git {
        url: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        depth: Option<u32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        revision: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        username: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        password: Option<String>,
    },
    Tarball {
        url: String,
    },
    #[serde(rename_all = "camelCase")]
    Snapshot {
        snapshot_id: SnapshotId,
    },
}

/// Never the password, nor a URL that may hold one.
impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Git { .. } => f.write_str("Git"),
            Self::Tarball { .. } => f.write_str("Tarball"),
            Self::Snapshot { snapshot_id } => write!(f, "Snapshot({snapshot_id:?})"),
        }
    }
}

/// vCPUs are 1 or even; memory, where it is sent, equals vCPUs x 2048 MB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resources {
    pub vcpus: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<i64>,
}

/// `PATCH /v2/sandboxes/{name}`: only what is present changes; an explicit null clears (api.md §2.4). Kept as
/// a map because the difference between "absent" and "null" is the point.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UpdateSandbox(pub Map<String, Value>);

/// `POST …/sessions/{id}/cmd` (api.md §2.8).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunCommand {
    pub command: String,
    #[serde(default)]
    pub args: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    #[serde(default)]
    pub env: Env,
    #[serde(default)]
    pub sudo: bool,
    /// The official client leaves the key out when it does not wait.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub wait: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub logs: bool,
    /// ms, at least 100
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<i64>,
}

/// Query of `GET /v2/sandboxes` (api.md §2.1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListSandboxes {
    /// 1..=50; the service's default is 20.
    pub limit: Option<u8>,
    pub sort_by: Option<SortBy>,
    pub ascending: Option<bool>,
    /// Only with `sort_by: Name`.
    pub name_prefix: Option<String>,
    /// Only with `sort_by: CreatedAt` (the default).
    pub status: Option<ListStatus>,
    /// One tag, `key:value`.
    pub tag: Option<(String, String)>,
    pub cursor: Option<Foreign>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SortBy {
    CreatedAt,
    Name,
    StatusUpdatedAt,
    CurrentSnapshotId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ListStatus {
    Running,
    Stopping,
    Stopped,
}

/// Query of the lists of sessions and snapshots; `name` filters by sandbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListOfSandbox {
    pub name: Option<SandboxName>,
    pub limit: Option<u8>,
    pub ascending: Option<bool>,
    pub cursor: Option<Foreign>,
}
