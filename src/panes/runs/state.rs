//! Which runs are shown, in which order, and which one is selected.

use super::view::{body, table};
use crate::model::CommandKey;
use crate::panes::Cursor;
use crate::ui::Prompt;
use ratatui::layout::Rect;

#[derive(Debug, Default)]
pub struct State {
    pub(super) rows: Vec<CommandKey>,
    /// Runs there are, shown or not.
    pub(super) total: usize,
    pub(super) cursor: Cursor<CommandKey>,
    /// Words that a row must have, as they were typed.
    pub(super) filter: String,
    /// Open while the filter is edited.
    pub(super) prompt: Option<Prompt>,
    pub(super) area: Rect,
}

impl State {
    pub fn place(&mut self, area: Rect) {
        self.area = area;
    }

    /// The run is in view.
    pub fn shows(&self, run: &CommandKey) -> bool {
        let visible = table(self).visible(body(self));
        self.rows
            .get(visible)
            .is_some_and(|rows| rows.contains(run))
    }

    pub fn selected(&self) -> Option<&CommandKey> {
        self.cursor.chosen()
    }

    /// Keys are text now.
    pub fn is_typing(&self) -> bool {
        self.prompt.is_some()
    }

    /// Shows all again. Tells whether some were hidden.
    pub fn clear_filter(&mut self) -> bool {
        self.prompt = None;
        !std::mem::take(&mut self.filter).is_empty()
    }

    pub(super) fn has_filter_line(&self) -> bool {
        self.is_typing() || !self.filter.trim().is_empty()
    }
}
