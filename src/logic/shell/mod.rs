//! Shells in sandboxes, as data: what is ordered of one, what is heard of it, and how it stands (api.md §5).
//!
//! `run` carries the orders out, one socket a shell; everything that is known and shown of one is here.

mod keep_alive;
mod one;
mod shells;
mod state;
#[cfg(test)]
mod tests;

pub use keep_alive::{EXTENDS_BY, KeepAlive};
pub use one::{Copying, Shell};
pub use shells::{ShellOptions, Shells};
pub use state::ShellState;

use crate::model::{Failure, Foreign, SessionId};
use bytes::Bytes;
use std::fmt;
use std::path::PathBuf;

/// One opening of one shell; never used twice, so that news of an earlier one is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShellId(pub u64);

/// What the start frame says (api.md §5.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellStart {
    pub session: SessionId,
    /// `None`: the best shell that the image has.
    pub command: Option<String>,
    pub args: Vec<String>,
    pub env: Vec<(String, String)>,
    /// `None`: the session's.
    pub cwd: Option<String>,
    pub sudo: bool,
    /// Of the pane's inside; never 0.
    pub columns: u16,
    pub rows: u16,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ShellOrder {
    Open(Box<ShellStart>),
    Input(Typed),
    /// Of several only the last one counts.
    Resize {
        columns: u16,
        rows: u16,
    },
    /// Records what comes from now on to a new file there; `None` ends it.
    Record(Option<PathBuf>),
    /// Nothing more is heard of it.
    Close,
}

/// Bytes for the program; they may be a password, so nothing prints them.
#[derive(Clone, PartialEq, Eq)]
pub struct Typed(pub Vec<u8>);

impl fmt::Debug for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Typed({} bytes)", self.0.len())
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum ShellNews {
    /// The service told where to connect; its health is looked at.
    Asked,
    /// It is healthy; the connection is made.
    Healthy,
    /// The start frame is sent.
    Open,
    Output(Bytes),
    /// The program ended; `None`: with no code.
    Exited(Option<i32>),
    /// The other side closed the connection, as it should after an exit.
    Closed,
    /// It did not come to be open.
    Failed(Failure),
    /// The connection broke. So many bytes of input may not have arrived.
    Lost {
        why: Foreign,
        unsent: u64,
    },
    /// The other side gave a sign of life without output.
    Answered,
    /// It is being recorded to that file.
    Recording(Foreign),
    /// The recording is over, and why where that was not asked for.
    RecordingEnded(Option<Foreign>),
}
