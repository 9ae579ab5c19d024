//! Moving through a log by rows: over what the store holds, and what was in view when the store dropped it.

use super::line::{Kept, LAID_OUT_BYTES};
use super::reading::Spot;
use super::window::Frame;
use crate::text::{LogStore, Lookup, Pattern};
use crate::ui::text::{marked, wrap};
use crate::ui::{Piece, Role};

/// A log as the window sees it: what the store holds, and what was in view when the store dropped it.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    store: &'a LogStore,
    kept: &'a [Kept],
    width: usize,
    column: Option<usize>,
    pattern: Option<&'a Pattern>,
    hit: Option<u64>,
}

pub(super) enum Found {
    Line(Kept),
    /// It has to be read back first.
    Away,
    Gone,
}

impl<'a> Source<'a> {
    pub(super) fn new(store: &'a LogStore, kept: &'a [Kept], frame: &'a Frame) -> Self {
        Self {
            store,
            kept,
            width: frame.width.max(1),
            column: frame.column,
            pattern: frame.pattern.as_ref(),
            hit: frame.hit,
        }
    }

    /// The oldest line held or in view, or the place of those before it.
    pub(super) fn start(&self) -> Spot {
        let first = self.store.first();
        let line = self
            .kept
            .first()
            .map_or(first, |kept| kept.number.min(first));
        Spot {
            line: line.saturating_sub(1),
            row: 0,
        }
    }

    fn holds(&self, number: u64) -> bool {
        self.store.get(number) != Lookup::Gone || self.kept.iter().any(|kept| kept.number == number)
    }

    pub(super) fn get(&self, number: u64) -> Found {
        let stored = self.store.get(number);
        if let Lookup::Line(line) = stored {
            return Found::Line(Kept::of(&line));
        }
        let kept = self.kept.iter().find(|kept| kept.number == number);
        match kept.cloned() {
            Some(kept) => Found::Line(kept),
            None if stored == Lookup::Gone => Found::Gone,
            None => Found::Away,
        }
    }

    /// The next number that is held, not before this one.
    pub(super) fn held_from(&self, number: u64) -> u64 {
        let kept = self
            .kept
            .iter()
            .map(|kept| kept.number)
            .find(|kept| *kept >= number);
        let stored = self.store.gap(number).end.max(number);
        kept.map_or(stored, |kept| kept.min(stored))
    }

    /// The number before, where something is shown: a line, or one place for all lines that are gone.
    fn before(&self, number: u64) -> Option<u64> {
        let before = number.checked_sub(1)?;
        if self.holds(before) || self.holds(number) {
            return Some(before);
        }
        self.kept
            .iter()
            .rev()
            .map(|kept| kept.number)
            .find(|kept| *kept < before)
    }

    fn row_count(&self, number: u64) -> usize {
        if self.column.is_some() {
            return 1;
        }
        match self.get(number) {
            Found::Line(line) => self.laid_out(&line).len(),
            Found::Away | Found::Gone => 1,
        }
    }

    pub(super) fn laid_out(&self, line: &Kept) -> Vec<Vec<Piece>> {
        if let Some(column) = self.column {
            // One more than fits, so that the cut shows.
            return vec![self.pieces(line, column + self.width + 1)];
        }
        let pieces = self.pieces(line, LAID_OUT_BYTES);
        let columns = u16::try_from(self.width).unwrap_or(u16::MAX);
        let rows = wrap(&pieces, columns);
        if rows.is_empty() {
            vec![Vec::new()]
        } else {
            rows
        }
    }

    /// With what is searched for marked in them.
    fn pieces(&self, line: &Kept, columns: usize) -> Vec<Piece> {
        let pieces = line.pieces(columns);
        let Some(pattern) = self.pattern else {
            return pieces;
        };
        let role = match self.hit {
            Some(hit) if hit == line.number => Role::Hit,
            _ => Role::Match,
        };
        let text: String = pieces.iter().map(Piece::as_str).collect();
        let found: Vec<_> = pattern.matches(&text).collect();
        marked(&pieces, &found, role)
    }

    /// The first row of the line in which something searched for stands, else its first.
    pub(super) fn marked_row(&self, number: u64) -> usize {
        let Found::Line(line) = self.get(number) else {
            return 0;
        };
        let is_mark = |piece: &Piece| piece.is_in(Role::Hit) || piece.is_in(Role::Match);
        let rows = self.laid_out(&line);
        let row = rows.iter().position(|row| row.iter().any(is_mark));
        row.unwrap_or_default()
    }

    /// `by` rows further up, as far as there is something.
    pub(super) fn up(&self, mut spot: Spot, mut by: usize) -> Spot {
        loop {
            if spot.row >= by {
                return Spot {
                    row: spot.row - by,
                    ..spot
                };
            }
            by -= spot.row;
            let Some(before) = self.before(spot.line) else {
                return Spot { row: 0, ..spot };
            };
            spot = Spot {
                line: before,
                row: self.row_count(before),
            };
        }
    }

    /// `by` rows further down, at most at the last row.
    pub(super) fn down(&self, mut spot: Spot, mut by: usize) -> Spot {
        while by > 0 {
            let rows = self.row_count(spot.line);
            if spot.row + by < rows {
                return Spot {
                    row: spot.row + by,
                    ..spot
                };
            }
            let next = if self.holds(spot.line) {
                spot.line + 1
            } else {
                self.held_from(spot.line)
            };
            if next >= self.store.end() {
                return Spot {
                    row: rows.saturating_sub(1),
                    ..spot
                };
            }
            by -= rows - spot.row.min(rows);
            spot = Spot { line: next, row: 0 };
        }
        spot
    }

    /// Where a view begins whose last row is the log's last one.
    pub(super) fn bottom(&self, height: usize) -> Spot {
        let Some(last) = self.store.end().checked_sub(1) else {
            return Spot::default();
        };
        let row = self.row_count(last).saturating_sub(1);
        self.up(Spot { line: last, row }, height.saturating_sub(1))
    }
}
