//! Moving through a log by rows: over what the store holds, and what was in view when the store dropped it.

use super::line::{Kept, Kind, LAID_OUT_BYTES};
use super::reading::Spot;
use super::state::State;
use super::window::Frame;
use crate::logic::LogLooks;
use crate::text::{Filter, Log, Lookup, Pattern};
use crate::ui::text::{marked, wrap};
use crate::ui::{self, Piece, Role};
use std::ops::Range;

/// A log as the window sees it: what is held of it, and what was in view when the store dropped it.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    log: &'a Log<'a>,
    kept: &'a [Kept],
    width: usize,
    column: Option<usize>,
    pattern: Option<&'a Pattern>,
    hit: Option<u64>,
    filter: Option<&'a Filter>,
    looks: LogLooks,
}

/// Where in a line something searched for stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Marked {
    pub(super) row: usize,
    pub(super) columns: Range<usize>,
}

pub(super) enum Found {
    Line(Kept),
    /// It has to be read back first.
    Away,
    Gone,
}

impl<'a> Source<'a> {
    pub(super) fn new(
        log: &'a Log<'a>,
        kept: &'a [Kept],
        filter: Option<&'a Filter>,
        frame: &'a Frame,
    ) -> Self {
        Self {
            log,
            kept,
            width: frame.width.max(1),
            column: frame.column,
            pattern: frame.pattern.as_ref(),
            hit: frame.hit,
            filter,
            looks: frame.looks,
        }
    }

    /// Of the log on screen.
    pub(super) fn of(state: &'a State, log: &'a Log<'a>, frame: &'a Frame) -> Self {
        let kept = state.window.kept_of(frame.log);
        Self::new(log, kept, state.filter(), frame)
    }

    /// That line, or the next one that no filter hides; the log's end, if there is none.
    pub(super) fn shown_from(&self, number: u64) -> u64 {
        match self.filter {
            Some(filter) => filter.next(number).unwrap_or(self.log.end()),
            None => number,
        }
    }

    /// The oldest line held or in view, or the place of those before it.
    pub(super) fn start(&self) -> Spot {
        if self.filter.is_some() {
            return Spot {
                line: self.shown_from(0),
                row: 0,
            };
        }
        let first = self.log.first();
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
        self.log.get(number) != Lookup::Gone || self.kept.iter().any(|kept| kept.number == number)
    }

    pub(super) fn get(&self, number: u64) -> Found {
        let stored = self.log.get(number);
        if let Lookup::Line(line) = stored {
            let aside = self.column.unwrap_or_default();
            return Found::Line(Kept::of(&line, self.log.origin(number), aside));
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
        let stored = self.log.gap(number).end.max(number);
        kept.map_or(stored, |kept| kept.min(stored))
    }

    /// The number before, where something is shown: a line, or one place for all lines that are gone.
    pub(super) fn before(&self, number: u64) -> Option<u64> {
        if let Some(filter) = self.filter {
            return filter.previous(number);
        }
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

    /// The number after, where something is shown.
    pub(super) fn after(&self, number: u64) -> Option<u64> {
        let next = if self.filter.is_some() || self.holds(number) {
            self.shown_from(number + 1)
        } else {
            self.held_from(number)
        };
        (next < self.log.end()).then_some(next)
    }

    pub(super) fn row_count(&self, number: u64) -> usize {
        if self.column.is_some() && !self.looks.json {
            return 1;
        }
        match self.get(number) {
            Found::Line(line) => self.laid_out(&line).len(),
            Found::Away | Found::Gone => 1,
        }
    }

    pub(super) fn laid_out(&self, line: &Kept) -> Vec<Vec<Piece>> {
        let columns = u16::try_from(self.width).unwrap_or(u16::MAX);
        // One more than fits, so that the cut shows.
        let most = self
            .column
            .map_or(LAID_OUT_BYTES, |aside| aside + self.width + 1);
        let hidden = |filter: &Filter| !filter.is_match(line.number);
        let is_context = self.filter.is_some_and(hidden) && line.kind != Kind::Note;
        let mut rows = Vec::new();
        for row in line.rows(self.looks, most, is_context) {
            let row = self.with_marks(line, row);
            if self.column.is_some() || row.is_empty() {
                rows.push(row);
            } else {
                rows.extend(wrap(&row, columns));
            }
        }
        if rows.is_empty() {
            rows.push(Vec::new());
        }
        rows
    }

    /// What is searched for stands out.
    fn with_marks(&self, line: &Kept, pieces: Vec<Piece>) -> Vec<Piece> {
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

    /// Where the first thing searched for stands in a line; else its beginning.
    pub(super) fn marked(&self, number: u64) -> Marked {
        let Found::Line(line) = self.get(number) else {
            return Marked::default();
        };
        let is_mark = |piece: &Piece| piece.is_in(Role::Hit) || piece.is_in(Role::Match);
        let whole = Self {
            column: self.column.map(|_| LAID_OUT_BYTES),
            ..*self
        };
        let rows = whole.laid_out(&line);
        let marked = rows.iter().enumerate().find_map(|(row, pieces)| {
            let at = pieces.iter().position(is_mark)?;
            let start = ui::text::width(&pieces[..at]);
            let columns = start..start + pieces[at].width();
            Some(Marked { row, columns })
        });
        marked.unwrap_or_default()
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
            let Some(next) = self.after(spot.line) else {
                return Spot {
                    row: rows.saturating_sub(1),
                    ..spot
                };
            };
            by -= rows - spot.row.min(rows);
            spot = Spot { line: next, row: 0 };
        }
        spot
    }

    /// Where a view begins whose last row is the log's last one.
    pub(super) fn bottom(&self, height: usize) -> Spot {
        let end = self.log.end();
        let last = match self.filter {
            Some(filter) => filter.previous(end),
            None => end.checked_sub(1),
        };
        let Some(last) = last else {
            return Spot::default();
        };
        let row = self.row_count(last).saturating_sub(1);
        self.up(Spot { line: last, row }, height.saturating_sub(1))
    }
}
