//! What is chosen, how each log is being read, and the rows in view.

use super::find::Find;
use super::reading::{Reading, Spot};
use super::select::Selection;
use super::sieve::Sieve;
use super::typing::Typing;
use super::window::Window;
use crate::logic::{LogLooks, StoreId};
use crate::model::{Clean, CommandKey, SandboxKey, SessionId};
use crate::panes::Cursor;
use crate::text::ChunkId;
use ratatui::layout::Rect;
use std::collections::HashMap;

#[derive(Debug, Default)]
pub struct State {
    pub(super) memories: HashMap<SandboxKey, Memory>,
    pub(super) chosen: Option<CommandKey>,
    pub(super) cursor: Cursor<CommandKey>,
    /// What is merged is shown, in place of one command's log.
    pub(super) merges: bool,
    pub(super) sources: Cursor<CommandKey>,
    /// To be merged.
    pub(super) marked: Vec<(SandboxKey, CommandKey)>,
    /// The log in view.
    pub(super) on_screen: Option<StoreId>,
    pub(super) readings: HashMap<StoreId, Reading>,
    /// What has to be read back, for the lines in view or near them, and for a search.
    pub(super) needed: Vec<(CommandKey, ChunkId)>,
    /// Long lines are cut at this many columns from their start, instead of wrapped.
    pub(super) column: Option<usize>,
    /// Long lines are cut, as it was chosen; `column` may say otherwise for the time being.
    pub(super) cuts: bool,
    pub(super) looks: LogLooks,
    pub(super) find: Find,
    pub(super) sieve: Option<Sieve>,
    pub(super) typing: Option<Typing>,
    pub(super) selection: Option<Selection>,
    /// The line on which the mouse's button went down, while it is.
    pub(super) pressed: Option<u64>,
    /// What became of the last key, until the next one.
    pub(super) note: Option<Clean>,
    pub(super) window: Window,
    pub(super) area: Rect,
}

/// What is kept of a sandbox while others are looked at.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) choice: Choice,
    /// Its sessions so far seen here, newest first: their logs stay readable when they are over.
    pub(super) sessions: Vec<SessionId>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Choice {
    #[default]
    None,
    /// Ours: gives way to a newer command once it has ended.
    Default(CommandKey),
    /// The user's: stays.
    Made(CommandKey),
}

impl Choice {
    pub(super) fn key(&self) -> Option<&CommandKey> {
        match self {
            Self::None => None,
            Self::Default(key) | Self::Made(key) => Some(key),
        }
    }
}

impl State {
    /// The command whose log is read; none while several are read as one.
    pub fn chosen(&self) -> Option<&CommandKey> {
        self.chosen.as_ref().filter(|_| !self.merges)
    }

    /// What has to be read back, for the lines in view or near them, and for a search.
    pub fn needed(&self) -> &[(CommandKey, ChunkId)] {
        &self.needed
    }

    /// Whether long lines go on below, from now on; scrolling aside changes it for the time being.
    pub fn wrap(&mut self, wrap: bool) {
        self.cuts = !wrap;
        self.column = (!wrap).then_some(0);
    }

    pub fn wraps(&self) -> bool {
        !self.cuts
    }

    /// Shows lines in that way.
    pub fn look(&mut self, looks: LogLooks) {
        self.looks = looks;
    }

    pub fn looks(&self) -> LogLooks {
        self.looks
    }

    /// Where the pane stands: pages and wrapping follow from it.
    pub fn place(&mut self, area: Rect) {
        self.area = area;
    }

    /// Brings a line of the log in view to the top, whatever was filtered.
    pub fn go_to(&mut self, line: u64, end: u64) {
        self.sieve = None;
        let top = Spot { line, row: 0 };
        if let Some(log) = self.on_screen {
            let reading = Reading::Still { top, unseen: end };
            self.readings.insert(log, reading);
        }
    }

    /// The first line in view.
    pub fn line(&self) -> Option<u64> {
        self.window.rows.first().map(|row| row.spot.line)
    }

    /// How the log in view is being read.
    pub(super) fn reading(&self) -> Reading {
        let reading = self.on_screen.and_then(|log| self.readings.get(&log));
        reading.copied().unwrap_or_default()
    }
}
