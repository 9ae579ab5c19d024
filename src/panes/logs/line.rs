//! A line as it is shown: which stream it is of, and how much of it is laid out.

use crate::model::StreamName;
use crate::text::{self, LineRef};
use crate::ui::text::printed;
use crate::ui::{Piece, Role, span};

/// Of a longer line only this much is laid out; copying gives all of it.
pub(super) const LAID_OUT_BYTES: usize = 16 * 1024;
pub(super) const TAB: usize = 8;

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
    pub(super) kind: Kind,
    pub(super) raw: String,
    /// Bytes that are left out.
    cut: usize,
    pub(super) open: bool,
}

impl Kept {
    pub(super) fn of(line: &LineRef<'_>) -> Self {
        let (raw, cut) = bounded(line.raw);
        Self {
            number: line.number,
            kind: Kind::of(line),
            raw: raw.to_owned(),
            cut,
            open: line.open,
        }
    }

    /// At most its first `columns`.
    pub(super) fn pieces(&self, columns: usize) -> Vec<Piece> {
        let role = self.kind.role();
        let runs = text::runs(&self.raw, TAB, columns);
        let mut pieces: Vec<Piece> = runs.iter().map(|run| printed(run, role)).collect();
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
fn bounded(raw: &str) -> (&str, usize) {
    if raw.len() <= LAID_OUT_BYTES {
        return (raw, 0);
    }
    let tail = &raw[raw.ceil_char_boundary(raw.len() - LAID_OUT_BYTES)..];
    let written = tail.trim_end_matches('\r');
    if let Some(at) = written.rfind('\r') {
        return (&written[at + 1..], 0);
    }
    let head = &raw[..raw.floor_char_boundary(LAID_OUT_BYTES)];
    (head, raw.len() - head.len())
}
