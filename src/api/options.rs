//! What a client is made from.

use crate::model::{ProjectId, TeamId};
use secrecy::SecretString;
use std::time::Duration;

/// Where the official clients send their calls (api.md §1.1).
pub const DEFAULT_BASE: &str = "https://vercel.com/api";

/// Who asks, and about what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// An id, or a slug: sent as `teamId` either way.
    pub team: Option<TeamId>,
    /// An id or a name.
    pub project: Option<ProjectId>,
}

/// Whether somebody meant the token for the host it will go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenOrigin {
    /// Named together with the host (a flag), or made by the engine that is called.
    Given,
    /// Lay around (environment, files): goes to the service's own hosts only.
    Found,
}

/// How long to wait for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    pub connect: Duration,
    /// Reads and small changes, whole; of a stream its head only.
    pub quick: Duration,
    /// What boots, stops, deletes or waits before it answers.
    pub slow: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            quick: Duration::from_secs(30),
            slow: Duration::from_secs(600),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Options {
    /// Any path before `/v2/…` is kept.
    pub base: String,
    pub token: SecretString,
    pub origin: TokenOrigin,
    pub scope: Scope,
    pub patience: Patience,
}
