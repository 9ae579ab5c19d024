//! A terminal's size, and how much scrollback that allows.

use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::term::cell::Cell;

/// Columns and rows of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub columns: u16,
    pub rows: u16,
}

/// Wider or higher is no terminal, and memory goes with the product.
const LARGEST: u16 = 1000;
/// Lines of scrollback, however narrow they are.
const MOST_LINES: usize = 10_000;
/// What the crate keeps for a line beside its cells.
const LINE_BYTES: usize = 32;
impl Size {
    /// A wide character needs two columns, and there is always a row.
    pub(super) fn clamped(self) -> Self {
        Self {
            columns: self.columns.clamp(2, LARGEST),
            rows: self.rows.clamp(1, LARGEST),
        }
    }

    /// How many lines of this width fit into `bytes` of scrollback.
    pub(super) fn history(self, bytes: usize) -> usize {
        let line = usize::from(self.columns) * size_of::<Cell>() + LINE_BYTES;
        (bytes / line).min(MOST_LINES)
    }
}

impl Dimensions for Size {
    fn total_lines(&self) -> usize {
        self.screen_lines()
    }

    fn screen_lines(&self) -> usize {
        usize::from(self.rows)
    }

    fn columns(&self) -> usize {
        usize::from(self.columns)
    }
}
