//! A line as it is shown: which stream it is of, and how much of it is laid out.

use crate::logic::LogLooks;
use crate::model::{StreamName, Timestamp};
use crate::text::{self, Level, LineRef, Origin, Run};
use crate::ui::text::printed;
use crate::ui::{Piece, Role, span};

/// Of a longer line only this much is laid out, and as much again as was scrolled aside; copying gives all of it.
pub(super) const LAID_OUT_BYTES: usize = 16 * 1024;
/// So far lines scroll aside.
pub(super) const MOST_ASIDE: usize = 1024 * 1024;
/// In bytes: longer characters and more colours than that scroll less far.
const COLUMN_BYTES: usize = 4;
pub(super) const TAB: usize = 8;
/// Rows that JSON is laid out on.
const MOST_ROWS: usize = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Stdout,
    Stderr,
    Other,
    /// Ours, not the command's.
    Note,
    /// Stands for lines that are not held any more.
    Gap,
    /// Stands for a line that is being read back.
    Away,
}

/// A line in view.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) number: u64,
    /// Which of merged logs it is of.
    pub(super) origin: Option<Origin>,
    pub(super) kind: Kind,
    pub(super) raw: String,
    /// Bytes that are left out.
    cut: usize,
    pub(super) open: bool,
    pub(super) arrived: Option<Timestamp>,
    pub(super) level: Level,
}

impl Kept {
    /// `aside`: columns that are scrolled away.
    pub(super) fn of(line: &LineRef<'_>, origin: Option<Origin>, aside: usize) -> Self {
        let (raw, cut) = bounded(line.raw, LAID_OUT_BYTES + aside * COLUMN_BYTES);
        Self {
            number: line.number,
            origin,
            kind: Kind::of(line),
            raw: raw.to_owned(),
            cut,
            open: line.open,
            arrived: line.arrived,
            level: line.level,
        }
    }

    /// Its rows before they are wrapped: one, or those of JSON. Of each at most the first `columns`.
    /// `faint`: it is there only for its neighbours.
    pub(super) fn rows(&self, looks: LogLooks, columns: usize, faint: bool) -> Vec<Vec<Piece>> {
        let json = if looks.json {
            text::pretty(&self.raw)
        } else {
            None
        };
        let Some(json) = json else {
            return vec![self.pieces(&self.raw, looks, columns, faint)];
        };
        let rows = json.iter().take(MOST_ROWS);
        rows.map(|row| self.pieces(row, looks, columns, faint))
            .collect()
    }

    fn pieces(&self, raw: &str, looks: LogLooks, columns: usize, faint: bool) -> Vec<Piece> {
        let role = match self.level {
            _ if !looks.levels => self.kind.role(),
            Level::Error | Level::Fatal => Role::Stderr,
            Level::Warn => Role::Warn,
            Level::Debug | Level::Trace => Role::Dim,
            Level::Info | Level::Unknown => self.kind.role(),
        };
        let runs = text::runs(raw, TAB, columns);
        let piece = |run: &Run| match faint {
            true => span(&run.text, Role::Dim),
            false => printed(run, role),
        };
        let mut pieces: Vec<Piece> = runs.iter().map(piece).collect();
        if self.cut > 0 {
            let more = text::say(format_args!(" … {} more bytes: copy to have all", self.cut));
            pieces.push(span(&more, Role::Dim));
        }
        pieces
    }
}

impl Kind {
    fn of(line: &LineRef<'_>) -> Self {
        match line.stream {
            None => Self::Note,
            Some(StreamName::Stdout) => Self::Stdout,
            Some(StreamName::Stderr) => Self::Stderr,
            Some(StreamName::Other(_)) => Self::Other,
        }
    }

    pub(super) fn role(self) -> Role {
        match self {
            Self::Stdout => Role::Stdout,
            Self::Stderr => Role::Stderr,
            Self::Other => Role::Info,
            Self::Note | Self::Gap | Self::Away => Role::Dim,
        }
    }
}

/// The part of a line that is laid out, and how many bytes are not. Of a line that overwrote itself for long
/// only the last state counts.
fn bounded(raw: &str, most: usize) -> (&str, usize) {
    if raw.len() <= most {
        return (raw, 0);
    }
    let tail = &raw[raw.ceil_char_boundary(raw.len() - most)..];
    let written = tail.trim_end_matches('\r');
    if let Some(at) = written.rfind('\r') {
        return (&written[at + 1..], 0);
    }
    let head = &raw[..raw.floor_char_boundary(most)];
    (head, raw.len() - head.len())
}
