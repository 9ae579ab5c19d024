//! Which entry is selected, and whether the newest is followed.

use crate::panes::Cursor;
use ratatui::layout::Rect;

#[derive(Debug)]
pub struct State {
    /// By the entries' numbers.
    pub(super) cursor: Cursor<u64>,
    pub(super) follows: bool,
    pub(super) area: Rect,
}

impl Default for State {
    fn default() -> Self {
        Self {
            cursor: Cursor::default(),
            follows: true,
            area: Rect::default(),
        }
    }
}

impl State {
    /// Where the pane stands: the size of a page follows from it.
    pub fn place(&mut self, area: Rect) {
        self.area = area;
    }
}
