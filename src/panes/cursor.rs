//! A selection by identity, in a list that changes under it.

use crate::logic::Action;
use crate::ui::window;

/// What is selected, and which part of the list is in view.
#[derive(Clone, Debug)]
pub struct Cursor<K> {
    chosen: Option<K>,
    /// Where the chosen one stood last: when it vanishes, what then stands there is taken.
    at: usize,
    top: usize,
    height: usize,
}

impl<K> Default for Cursor<K> {
    fn default() -> Self {
        Self {
            chosen: None,
            at: 0,
            top: 0,
            height: 0,
        }
    }
}

impl<K: Clone + PartialEq> Cursor<K> {
    pub fn chosen(&self) -> Option<&K> {
        self.chosen.as_ref()
    }

    /// The selected row; `None` in an empty list.
    pub fn at(&self) -> Option<usize> {
        self.chosen.is_some().then_some(self.at)
    }

    /// The first row in view.
    pub fn top(&self) -> usize {
        self.top
    }

    pub fn choose(&mut self, key: Option<K>) {
        self.chosen = key;
    }

    /// Follows the list: the same one stays selected wherever it stands now.
    pub fn settle(&mut self, keys: &[K], height: usize) {
        let found = self.chosen.as_ref().and_then(|chosen| {
            // Mostly it stands where it stood.
            let still = keys.get(self.at) == Some(chosen);
            still
                .then_some(self.at)
                .or_else(|| keys.iter().position(|key| key == chosen))
        });
        self.at = found.unwrap_or_else(|| self.at.min(keys.len().saturating_sub(1)));
        self.chosen = keys.get(self.at).cloned();
        self.height = height;
        self.top = window(keys.len(), self.at(), self.top, height).start;
    }

    /// Moves the selection, if the action is a movement up or down. Tells whether it was one.
    pub fn step(&mut self, keys: &[K], action: Action) -> bool {
        let page = self.height.saturating_sub(1).max(1);
        let last = keys.len().saturating_sub(1);
        self.settle(keys, self.height);
        let to = match action {
            Action::Up => self.at.saturating_sub(1),
            Action::Down => self.at + 1,
            Action::PageUp => self.at.saturating_sub(page),
            Action::PageDown => self.at + page,
            Action::Top => 0,
            Action::Bottom => last,
            _ => return false,
        };
        self.at = to.min(last);
        self.chosen = keys.get(self.at).cloned();
        self.settle(keys, self.height);
        true
    }
}
