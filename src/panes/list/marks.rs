//! Marks: sandboxes that actions go to together. By identity, kept through refresh, sort and filter.

use super::State;
use crate::logic::{Action, World};
use crate::model::SandboxKey;
use std::collections::BTreeSet;

#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    keys: BTreeSet<SandboxKey>,
    /// Where a range begins.
    last: Option<SandboxKey>,
}

impl Marks {
    pub(super) fn contains(&self, key: &SandboxKey) -> bool {
        self.keys.contains(key)
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// What is deleted has no mark any more; another sandbox of its name never had one.
    pub(super) fn follow(&mut self, world: &World) {
        let lives = |key: &SandboxKey| world.fact(key).is_some_and(|fact| !fact.gone);
        self.keys.retain(lives);
        self.last.take_if(|key| !lives(key));
    }

    fn add(&mut self, key: &SandboxKey) {
        self.keys.insert(key.clone());
        self.last = Some(key.clone());
    }

    fn toggle(&mut self, key: &SandboxKey) {
        if !self.keys.remove(key) {
            self.keys.insert(key.clone());
        }
        self.last = Some(key.clone());
    }
}

impl State {
    /// What an action is meant for: the marked ones, hidden by the filter or not, else the selected one.
    pub fn meant(&self) -> Vec<SandboxKey> {
        if self.marks.keys.is_empty() {
            self.selected().cloned().into_iter().collect()
        } else {
            self.marks.keys.iter().cloned().collect()
        }
    }

    pub fn marked(&self) -> usize {
        self.marks.len()
    }

    pub fn clear_marks(&mut self) {
        self.marks = Marks::default();
    }

    /// What a mark was for is done.
    pub fn unmark(&mut self, key: &SandboxKey) {
        self.marks.keys.remove(key);
        self.marks.last.take_if(|last| last == key);
    }

    pub(super) fn mark(&mut self, action: Action) {
        match action {
            Action::Mark => {
                if let Some(key) = self.selected().cloned() {
                    self.marks.toggle(&key);
                    self.cursor.step(&self.rows, Action::Down);
                }
            }
            Action::MarkRange => self.mark_range(),
            Action::MarkAll => {
                self.marks.keys.extend(self.rows.iter().cloned());
            }
            _ => {
                for key in &self.rows {
                    if !self.marks.keys.remove(key) {
                        self.marks.keys.insert(key.clone());
                    }
                }
            }
        }
    }

    /// From the last mark to the selection, in the order on screen; without a mark the selection alone.
    fn mark_range(&mut self) {
        let Some(to) = self.cursor.at() else { return };
        let place = |key: &SandboxKey| self.rows.iter().position(|row| row == key);
        let from = self.marks.last.as_ref().and_then(place).unwrap_or(to);
        let range = from.min(to)..=from.max(to);
        for key in self.rows.get(range).unwrap_or_default() {
            self.marks.keys.insert(key.clone());
        }
        if let Some(key) = self.rows.get(to) {
            self.marks.add(key);
        }
    }
}
