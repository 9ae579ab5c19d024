//! What a log's stream is doing, what is new in it, and what is known beside it.

use crate::logic::Mono;
use crate::model::{Clean, StreamName, Timestamp};

/// What the stream of a log is doing; shown in the pane's title.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum TailState {
    /// Not open, and nothing asks for it.
    #[default]
    Closed,
    Connecting,
    /// The service replays from the first byte; these lines have no arrival time.
    Replaying,
    Live,
    /// The stream ended; the command is asked for its exit code.
    Asking,
    /// The command ended.
    Ended {
        exit: i64,
    },
    /// The stream broke off while the command may still run.
    Retrying {
        at: Mono,
        attempt: u32,
        why: Clean,
    },
    GaveUp {
        why: Clean,
    },
    /// The service does not have it any more (410, 404).
    Unavailable {
        why: Clean,
    },
}

/// What is new in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard<'a> {
    /// The next bytes of one stream; `arrived` is `None` in a replay.
    Text {
        stream: &'a StreamName,
        text: &'a str,
        arrived: Option<Timestamp>,
    },
    /// What comes now does not go on where the streams' last lines broke off.
    Anew,
    /// Not output: a line of our own.
    Note(Clean),
}

/// What is known beside the stream itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outlook {
    /// Nothing may be sent before.
    pub open_at: Mono,
    /// Clock jumps so far: another count than at the opening means that the connection may be dead.
    pub jumps: u64,
    /// As the list of commands has it.
    pub exit: Option<i64>,
    /// The command's session has ended; asked for only where the stream is silent.
    pub session_over: bool,
}
