//! What is selected between two places, and its text.

use super::Place;
use super::motion::{Towards, run_end};
use crate::term::lines;
use alacritty_terminal::grid::{Dimensions, Grid};
use alacritty_terminal::term::cell::Cell;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Characters,
    Words,
    /// Whole lines, soft-wrapped ones with all their rows.
    Lines,
    /// A rectangle.
    Block,
}

/// From a place to the cursor, both included, whichever comes first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Selection {
    pub from: Place,
    pub kind: Kind,
    /// The mouse was pressed and has not moved: nothing is selected yet.
    pub is_held: bool,
}

impl Selection {
    /// First and last place; of a block the corners.
    fn ends(&self, grid: &Grid<Cell>, to: Place) -> (Place, Place) {
        let (mut first, mut last) = (self.from.min(to), self.from.max(to));
        match self.kind {
            Kind::Characters => (),
            Kind::Words => {
                first = run_end(grid, first, Towards::Start);
                last = run_end(grid, last, Towards::End);
            }
            Kind::Lines => {
                first.column = 0;
                while first.line > 0 && lines::is_wrapped(grid, first.line - 1) {
                    first.line -= 1;
                }
                while lines::is_wrapped(grid, last.line) && last.line + 1 < grid.total_lines() {
                    last.line += 1;
                }
                last.column = grid.columns() - 1;
            }
            Kind::Block => {
                first.column = self.from.column.min(to.column);
                last.column = self.from.column.max(to.column);
            }
        }
        // The second half of a wide character is selected with the first.
        last.column = lines::end_of(grid, last.line, last.column) - 1;
        (first, last)
    }

    pub(super) fn holds(&self, grid: &Grid<Cell>, to: Place, place: Place) -> bool {
        let (first, last) = self.ends(grid, to);
        if self.kind == Kind::Block {
            (first.line..=last.line).contains(&place.line)
                && (first.column..=last.column).contains(&place.column)
        } else {
            (first..=last).contains(&place)
        }
    }

    pub(super) fn text(&self, grid: &Grid<Cell>, to: Place) -> String {
        let (first, last) = self.ends(grid, to);
        let mut text = String::new();
        for line in first.line..=last.line {
            let is_block = self.kind == Kind::Block;
            let from = if is_block || line == first.line {
                first.column
            } else {
                0
            };
            let to = if is_block || line == last.line {
                last.column + 1
            } else {
                grid.columns()
            };
            let piece = lines::text(grid, line, from..to);
            text += if is_block {
                piece.trim_end_matches(' ')
            } else {
                &piece
            };
            let goes_on = !is_block && lines::is_wrapped(grid, line);
            if line < last.line && !goes_on {
                text.push('\n');
            }
        }
        text
    }
}
