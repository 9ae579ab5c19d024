//! A line of a log as the store shows it.

use super::ansi;
use super::level::Level;
use super::shelf::ChunkId;
use crate::model::{Clean, StreamName, Timestamp};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineRef<'a> {
    /// Its place in the whole log, from 0; lines before it may be dropped, its number stays.
    pub number: u64,
    /// `None`: not output, but a note of ours (a reconnect, dropped lines).
    pub stream: Option<&'a StreamName>,
    /// As it came: with escape sequences and `\r`, without the line break.
    pub raw: &'a str,
    /// What came behind it: a stream's lines, each with its ending, are the stream's bytes.
    pub ending: Ending,
    /// When its first part came; `None` where that is not known (a replayed log).
    pub arrived: Option<Timestamp>,
    /// How grave it says it is.
    pub level: Level,
    /// No line break yet: it may still grow.
    pub open: bool,
}

impl LineRef<'_> {
    pub fn is_note(&self) -> bool {
        self.stream.is_none()
    }

    /// What a terminal would show of it, without styles: see [`super::runs`].
    pub fn shown(&self, tab: usize, max_columns: usize) -> Clean {
        ansi::shown(self.raw, tab, max_columns)
    }
}

/// How a line ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// It did not: the next line of its stream goes on where it breaks off, or nothing follows.
    #[default]
    None,
    Lf,
    CrLf,
}

impl Ending {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
        }
    }

    /// Of a line before its `\n`: the line, and its ending.
    pub(super) fn of(line: &str) -> (&str, Self) {
        match line.strip_suffix('\r') {
            Some(line) => (line, Self::CrLf),
            None => (line, Self::Lf),
        }
    }
}

/// Where a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup<'a> {
    Line(LineRef<'a>),
    /// In a chunk that has to be read back first.
    Away(ChunkId),
    /// Dropped, or not there yet.
    Gone,
}

impl<'a> Lookup<'a> {
    pub fn line(self) -> Option<LineRef<'a>> {
        match self {
            Self::Line(line) => Some(line),
            Self::Away(_) | Self::Gone => None,
        }
    }
}
