//! The rows in view. Only these lines are parsed and wrapped, however long the log is; lines that the store
//! drops while they are in view are kept here until they leave it. What is not in memory is asked for, and its rows
//! wait for it where they are.

use super::line::{Kept, Kind};
use super::reading::Spot;
use super::source::{Found, Source};
use crate::logic::{LogLooks, StoreId};
use crate::model::Timestamp;
use crate::text::{self, Away, Filter, Log, Origin, Pattern};
use crate::ui::{Piece, Role, label, span};

#[derive(Debug, Default)]
pub(super) struct Window {
    pub(super) rows: Vec<WindowRow>,
    kept: Vec<Kept>,
    made_for: Option<Frame>,
    /// The log's end, size and dropped lines when the rows were made.
    made_of: (u64, usize, u64),
    needed: Vec<Away>,
}

/// So many lines around those in view are read back before anybody scrolls to them.
const AROUND: u64 = 200;

/// What the rows follow from. While it stays the same they need not be made again.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Frame {
    pub(super) log: StoreId,
    /// `None` = the end.
    pub(super) top: Option<Spot>,
    pub(super) width: usize,
    pub(super) height: usize,
    /// `None` = wrapped.
    pub(super) column: Option<usize>,
    pub(super) pattern: Option<Pattern>,
    /// The line whose matches stand out.
    pub(super) hit: Option<u64>,
    /// Which lines are left out, as the number of a state of the filter.
    pub(super) filter: Option<u64>,
    pub(super) looks: LogLooks,
}

/// One row of the screen.
#[derive(Clone, Debug)]
pub(super) struct WindowRow {
    pub(super) spot: Spot,
    /// Which of merged logs it is of.
    pub(super) origin: Option<Origin>,
    pub(super) kind: Kind,
    /// The store has dropped it since.
    pub(super) evicted: bool,
    pub(super) arrived: Option<Timestamp>,
    pub(super) pieces: Vec<Piece>,
}

impl Window {
    /// Makes the rows for the frame, unless they are as they have to be.
    pub(super) fn fill(&mut self, log: &Log<'_>, filter: Option<&Filter>, frame: Frame) {
        let of = (log.end(), log.bytes(), log.dropped_lines());
        if self.made_for.as_ref() == Some(&frame) && (self.made_of == of || self.is_final(log)) {
            return;
        }
        let source = Source::new(log, self.kept_of(frame.log), filter, &frame);
        let top = frame.top.unwrap_or_else(|| source.bottom(frame.height));
        let (mut rows, mut kept) = (Vec::<WindowRow>::new(), Vec::new());
        let mut number = source.shown_from(top.line);
        while rows.len() < frame.height && number < log.end() {
            let line = match source.get(number) {
                Found::Line(line) => line,
                Found::Away => {
                    let goes_on = rows.last().is_some_and(|row| row.kind == Kind::Away);
                    rows.push(away(number, goes_on));
                    number = source.shown_from(number + 1);
                    continue;
                }
                Found::Gone => {
                    let next = source.held_from(number);
                    let gone = log.gap(number).start;
                    let lost = next - if rows.is_empty() { gone } else { number };
                    rows.push(gap(number, lost, number < log.first()));
                    number = source.shown_from(next);
                    continue;
                }
            };
            let laid_out = source.laid_out(&line);
            let skip = if number == top.line {
                top.row.min(laid_out.len() - 1)
            } else {
                0
            };
            let room = frame.height - rows.len();
            let evicted = log.is_gone(number);
            for (row, pieces) in laid_out.into_iter().enumerate().skip(skip).take(room) {
                rows.push(WindowRow {
                    spot: Spot { line: number, row },
                    origin: line.origin,
                    kind: line.kind,
                    arrived: line.arrived,
                    evicted,
                    pieces,
                });
            }
            kept.push(line);
            number = source.shown_from(number + 1);
        }
        *self = Self {
            rows,
            kept,
            made_for: Some(frame),
            made_of: of,
            needed: Vec::new(),
        };
        self.needed = self.around(log, top.line, number);
    }

    /// What has to be read back for the rows, and for those that may be wanted next.
    fn around(&self, log: &Log<'_>, top: u64, end: u64) -> Vec<Away> {
        let waiting = self.rows.iter().filter(|row| row.kind == Kind::Away);
        let near = [1, AROUND].map(|lines| [top.saturating_sub(lines), end + lines - 1]);
        let lines = waiting
            .map(|row| row.spot.line)
            .chain(near.into_iter().flatten());
        let mut needed: Vec<Away> = lines.filter_map(|line| log.away_at(line)).collect();
        needed.dedup();
        needed
    }

    /// What is to be read back.
    pub(super) fn needed(&self) -> impl Iterator<Item = Away> {
        self.needed.iter().copied()
    }

    /// The lines in view, if they are of that log.
    pub(super) fn kept_of(&self, log: StoreId) -> &[Kept] {
        match &self.made_for {
            Some(frame) if frame.log == log => &self.kept,
            _ => &[],
        }
    }

    /// Whether nothing that arrived can have changed the rows.
    fn is_final(&self, log: &Log<'_>) -> bool {
        let still = self
            .made_for
            .as_ref()
            .is_some_and(|frame| frame.top.is_some() && self.rows.len() >= frame.height);
        let complete = self.kept.iter().all(|line| !line.open);
        still
            && complete
            && self
                .rows
                .iter()
                .all(|row| row.kind != Kind::Away && row.evicted == log.is_gone(row.spot.line))
    }

    /// One more than the last line in view.
    pub(super) fn end(&self) -> u64 {
        self.rows.last().map_or(0, |row| row.spot.line + 1)
    }

    /// The last line in view, as far as it is kept here.
    pub(super) fn last_line(&self) -> Option<(u64, &str)> {
        self.kept
            .last()
            .map(|line| (line.number, line.raw.as_str()))
    }

    /// That line as far as it is kept here.
    pub(super) fn raw(&self, number: u64) -> Option<&str> {
        let line = self.kept.iter().find(|line| line.number == number);
        line.map(|line| line.raw.as_str())
    }

    pub(super) fn has(&self, number: u64) -> bool {
        self.rows.iter().any(|row| row.spot.line == number)
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Stands for a line that is being read back.
fn away(line: u64, goes_on: bool) -> WindowRow {
    let pieces = if goes_on {
        Vec::new()
    } else {
        vec![label("reading back…", Role::Dim)]
    };
    WindowRow {
        spot: Spot { line, row: 0 },
        origin: None,
        kind: Kind::Away,
        evicted: false,
        arrived: None,
        pieces,
    }
}

fn gap(from: u64, lost: u64, dropped: bool) -> WindowRow {
    let said = if dropped {
        text::say(format_args!(
            "{lost} older lines were dropped to stay within memory"
        ))
    } else {
        text::say(format_args!("{lost} lines could not be read back"))
    };
    let pieces = vec![
        label("-- ", Role::Dim),
        span(&said, Role::Dim),
        label(" --", Role::Dim),
    ];
    WindowRow {
        spot: Spot { line: from, row: 0 },
        origin: None,
        kind: Kind::Gap,
        evicted: false,
        arrived: None,
        pieces,
    }
}
