//! Answers that hold several objects (api.md §2.2, §2.7).

use super::{Route, Sandbox, Session, Snapshot, lenient};
use serde::{Deserialize, Serialize};

/// Create, get and fork.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SandboxAnswer {
    pub sandbox: Sandbox,
    #[serde(
        default,
        deserialize_with = "lenient::field",
        skip_serializing_if = "Option::is_none"
    )]
    pub session: Option<Session>,
    #[serde(default, deserialize_with = "lenient::list")]
    pub routes: Vec<Route>,
    /// Whether this call started a new session.
    #[serde(
        default,
        deserialize_with = "lenient::field",
        skip_serializing_if = "Option::is_none"
    )]
    pub resumed: Option<bool>,
}

/// Stop: a persistent sandbox also tells itself and its new snapshot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StopAnswer {
    pub session: Session,
    #[serde(
        default,
        deserialize_with = "lenient::field",
        skip_serializing_if = "Option::is_none"
    )]
    pub sandbox: Option<Sandbox>,
    #[serde(
        default,
        deserialize_with = "lenient::field",
        skip_serializing_if = "Option::is_none"
    )]
    pub snapshot: Option<Snapshot>,
}
