//! A log with lines left out: those that match nothing that is wanted, or something that is not.

use super::line_set::LineSet;
use super::log::Log;
use super::scan::{Progress, Query, Scan, Want};
use super::search::Pattern;

/// Of one log, and only of that one.
#[derive(Clone, Debug)]
pub struct Filter {
    scan: Scan,
    /// Lines around each that matches, which are shown as well.
    context: u64,
}

impl Filter {
    /// Lines that match one of `include` (all, without any) and none of `exclude`; notes of ours always. `at`: where
    /// to begin.
    pub fn new(include: Vec<Pattern>, exclude: Vec<Pattern>, context: u64, at: u64) -> Self {
        let texts = |patterns: Vec<Pattern>| patterns.into_iter().map(Want::Text).collect();
        let query = Query {
            any_of: texts(include),
            none_of: texts(exclude),
            notes: true,
        };
        Self {
            scan: Scan::new(query, at),
            context,
        }
    }

    /// See [`Scan::advance`]. Lines that were not looked at yet are not shown.
    pub fn advance(&mut self, log: &Log<'_>, budget: usize) -> Progress {
        self.scan.advance(log, budget)
    }

    pub fn scan(&self) -> &Scan {
        &self.scan
    }

    /// It matches; else it is there for its neighbours, or not at all.
    pub fn is_match(&self, number: u64) -> bool {
        self.scan.hits().contains(number)
    }

    /// Those of some lines that are shown.
    pub fn shown_of(&self, lines: &LineSet) -> LineSet {
        match self.context {
            0 => lines.common(self.scan.hits()),
            around => lines.common(&self.scan.hits().widened(around)),
        }
    }

    /// The first line to be shown from `number` on.
    pub fn next(&self, number: u64) -> Option<u64> {
        let hit = self.scan.hits().next(number.saturating_sub(self.context))?;
        Some(hit.saturating_sub(self.context).max(number))
    }

    /// The last line to be shown before `number`.
    pub fn previous(&self, number: u64) -> Option<u64> {
        let last = number.checked_sub(1)?;
        let hit = self
            .scan
            .hits()
            .previous(number.saturating_add(self.context))?;
        Some(hit.saturating_add(self.context).min(last))
    }
}
