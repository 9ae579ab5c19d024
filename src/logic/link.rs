//! What the connection to the service is doing, and for how long it will not be used.

use super::{Mono, Now};
use crate::model::{Clean, Span};

/// One for all calls: a service that refuses one refuses the others too.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Link {
    /// Nothing has been answered yet.
    #[default]
    Connecting,
    /// The last call was answered.
    Live { since: Mono },
    /// The last calls failed; the next is due at `at`.
    Retrying {
        at: Mono,
        attempt: u32,
        why: Clean,
        offline: bool,
    },
    /// The service refuses the credentials; they are read again, and the next try is due at `at`.
    Unauthorized { at: Mono, why: Clean },
}

impl Link {
    /// Nothing may be sent before this moment.
    pub fn held_until(&self) -> Option<Mono> {
        match self {
            Self::Connecting | Self::Live { .. } => None,
            Self::Retrying { at, .. } | Self::Unauthorized { at, .. } => Some(*at),
        }
    }

    /// How long until the next try.
    pub fn wait(&self, now: Now) -> Option<Span> {
        self.held_until().map(|at| at.since(now.mono))
    }

    pub fn is_live(&self) -> bool {
        matches!(self, Self::Live { .. })
    }
}
