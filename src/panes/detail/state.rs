//! What is selected in the facts and in the sessions.

use super::facts::FactKey;
use crate::model::{SandboxKey, SessionId};
use crate::panes::Cursor;
use ratatui::layout::Rect;
use std::collections::HashMap;

#[derive(Debug, Default)]
pub struct State {
    /// One for all sandboxes: who compares two of them looks at the same fact.
    pub(super) facts: Cursor<FactKey>,
    pub(super) sessions: HashMap<SandboxKey, Cursor<SessionId>>,
    pub(super) area: Rect,
}

impl State {
    /// Where the pane stands: the size of a page follows from it.
    pub fn place(&mut self, area: Rect) {
        self.area = area;
    }
}
