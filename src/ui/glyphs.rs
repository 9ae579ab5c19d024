//! The signs of the screen, in Unicode and in ASCII (Linux console, dumb terminals). Each is one cell wide.

use super::Role;
use crate::agents::State;
use crate::model::Status;

#[derive(Debug, PartialEq, Eq)]
pub struct Glyphs {
    pub(super) plain: Borders,
    /// Differs from `plain` in shape, so that focus shows without colour.
    pub(super) focus: Borders,
    pub ellipsis: &'static str,
    /// Before the selected row, and before the title of the pane with the keys.
    pub pointer: &'static str,
    pub mark: &'static str,
    pub up: &'static str,
    pub down: &'static str,
    pub separator: &'static str,
    /// What the service does not tell.
    pub unknown: &'static str,
    /// From empty to full; the steps between are for the cell where a bar ends.
    pub(super) bar: &'static [&'static str],
    pub(super) track: &'static str,
    pub(super) thumb: &'static str,
    running: &'static str,
    moving: &'static str,
    stopped: &'static str,
    failed: &'static str,
    aborted: &'static str,
    other: &'static str,
    waiting: &'static str,
    limited: &'static str,
    done: &'static str,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Borders {
    pub top_left: &'static str,
    pub top_right: &'static str,
    pub bottom_left: &'static str,
    pub bottom_right: &'static str,
    pub across: &'static str,
    pub down: &'static str,
}

impl Glyphs {
    pub const UNICODE: Self = Self {
        plain: Borders {
            top_left: "┌",
            top_right: "┐",
            bottom_left: "└",
            bottom_right: "┘",
            across: "─",
            down: "│",
        },
        focus: Borders {
            top_left: "┏",
            top_right: "┓",
            bottom_left: "┗",
            bottom_right: "┛",
            across: "━",
            down: "┃",
        },
        ellipsis: "…",
        pointer: "▸",
        mark: "◆",
        up: "▲",
        down: "▼",
        separator: "·",
        unknown: "–",
        bar: &["░", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"],
        track: "│",
        thumb: "█",
        running: "●",
        moving: "◐",
        stopped: "○",
        failed: "✗",
        aborted: "⊘",
        other: "?",
        waiting: "◀",
        limited: "◔",
        done: "✓",
    };

    pub const ASCII: Self = Self {
        plain: Borders {
            top_left: "+",
            top_right: "+",
            bottom_left: "+",
            bottom_right: "+",
            across: "-",
            down: "|",
        },
        focus: Borders {
            top_left: "#",
            top_right: "#",
            bottom_left: "#",
            bottom_right: "#",
            across: "=",
            down: "#",
        },
        ellipsis: "~",
        pointer: ">",
        mark: "*",
        up: "^",
        down: "v",
        separator: "|",
        unknown: "-",
        bar: &[".", "#"],
        track: "|",
        thumb: "#",
        running: "*",
        moving: "~",
        stopped: "o",
        failed: "x",
        aborted: "!",
        other: "?",
        waiting: "<",
        limited: "%",
        done: "+",
    };

    /// Signs of this program's own sentences, as this terminal can show them.
    pub(super) fn spelled<'a>(&self, symbol: &'a str) -> &'a str {
        match symbol {
            "·" => self.separator,
            "–" => self.unknown,
            "…" => self.ellipsis,
            "─" => self.plain.across,
            _ => symbol,
        }
    }

    /// Sign and role of a state; the word is drawn beside it.
    pub fn status(&self, status: Option<&Status>) -> (&'static str, Role) {
        match status {
            Some(Status::Running) => (self.running, Role::Good),
            Some(Status::Pending | Status::Snapshotting | Status::Stopping) => {
                (self.moving, Role::Info)
            }
            Some(Status::Stopped) => (self.stopped, Role::Dim),
            Some(Status::Failed) => (self.failed, Role::Bad),
            Some(Status::Aborted) => (self.aborted, Role::Warn),
            Some(Status::Other(_)) => (self.other, Role::Warn),
            None => (self.unknown, Role::Dim),
        }
    }

    /// Sign and role of an agent's run; `None`: it ended, and nobody read how.
    pub fn run(&self, state: Option<&State>) -> (&'static str, Role) {
        match state {
            Some(State::Working { .. }) => (self.running, Role::Good),
            Some(State::Starting) => (self.moving, Role::Info),
            Some(State::Waiting(_)) => (self.waiting, Role::Hit),
            Some(State::RateLimited(_)) => (self.limited, Role::Warn),
            Some(State::Done) => (self.done, Role::Text),
            Some(State::Failed(_)) => (self.failed, Role::Bad),
            Some(State::EndedWithoutResult(_)) => (self.aborted, Role::Warn),
            Some(State::NotAnAgent) | None => (self.stopped, Role::Dim),
        }
    }
}
