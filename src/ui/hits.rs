//! What lies under the mouse: rectangles and what they stand for, the last one on top.

use ratatui::layout::{Position, Rect};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hits<T>(Vec<(Rect, T)>);

impl<T> Default for Hits<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Hits<T> {
    pub fn push(&mut self, area: Rect, what: T) {
        self.0.push((area, what));
    }

    pub fn at(&self, position: Position) -> Option<&T> {
        self.0
            .iter()
            .rev()
            .find(|(area, _)| area.contains(position))
            .map(|(_, what)| what)
    }
}
