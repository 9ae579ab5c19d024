//! What can be done to sandboxes, and the words for it.

use crate::logic::Class;
use crate::model::{CommandKey, Span};

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    Stop,
    /// `orphans`: also the snapshots that no other sandbox uses.
    Delete {
        orphans: bool,
    },
    Extend {
        by: Span,
    },
    /// Boots a new session from the current snapshot.
    Resume,
    Kill {
        command: CommandKey,
        signal: i32,
    },
}

impl Deed {
    /// The class that its action has.
    pub fn class(&self) -> Class {
        match self {
            Self::Stop | Self::Delete { .. } | Self::Kill { .. } => Class::Destructive,
            Self::Extend { .. } | Self::Resume => Class::Billable,
        }
    }

    pub fn verb(&self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Delete { .. } => "delete",
            Self::Extend { .. } => "extend",
            Self::Resume => "resume",
            Self::Kill { .. } => "kill",
        }
    }

    /// How it is spoken of before it is done.
    pub fn doing(&self) -> &'static str {
        match self {
            Self::Stop => "stopping",
            Self::Delete { .. } => "deleting",
            Self::Extend { .. } => "extending",
            Self::Resume => "resuming",
            Self::Kill { .. } => "signalling",
        }
    }

    /// How a target that it was done to is spoken of.
    pub fn done(&self) -> &'static str {
        match self {
            Self::Stop => "stopped",
            Self::Delete { .. } => "deleted",
            Self::Extend { .. } => "extended",
            Self::Resume => "running again",
            Self::Kill { .. } => "signalled",
        }
    }

    /// Only what cannot be undone afterwards is worth a wait.
    pub(super) fn is_held_back(&self) -> bool {
        matches!(self, Self::Stop | Self::Delete { .. })
    }
}
