//! A line of a log as the store shows it.

use super::ansi;
use crate::model::{Clean, StreamName, Timestamp};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineRef<'a> {
    /// Its place in the whole log, from 0; lines before it may be dropped, its number stays.
    pub number: u64,
    /// `None`: not output, but a note of ours (a reconnect, dropped lines).
    pub stream: Option<&'a StreamName>,
    /// As it came: with escape sequences and `\r`, without the line break.
    pub raw: &'a str,
    /// When its first part came; `None` where that is not known (a replayed log).
    pub arrived: Option<Timestamp>,
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
