//! What a command prints, as the service sends it: pieces of a stream, not lines (api.md §3.4).

use super::{Command, Foreign};

/// Which stream a piece belongs to. The service may one day send others; they are shown by their word.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StreamName {
    Stdout,
    Stderr,
    Other(Foreign),
}

impl StreamName {
    pub fn from_word(word: &str) -> Self {
        match word {
            "stdout" => Self::Stdout,
            "stderr" => Self::Stderr,
            other => Self::Other(Foreign::from(other)),
        }
    }

    pub fn word(&self) -> &str {
        match self {
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
            Self::Other(word) => word.as_raw(),
        }
    }
}

/// One object of an NDJSON stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogObject {
    /// An arbitrary piece of output; may hold part of a line or many lines.
    Piece { stream: StreamName, data: String },
    /// The service ended the stream with an error line; code and message as they came.
    Error { code: Foreign, message: Foreign },
    /// First and last object of a wait stream.
    Command(Box<Command>),
    /// A line that could not be read; kept by sight, the stream goes on.
    Unreadable(Foreign),
}
