//! What of a run is folded: whole turns, and the bodies of steps.

use crate::agents::{Kind, Outcome, Step};
use std::collections::{HashMap, HashSet};

/// Rows of a body that are in view unasked.
const OF_WORDS: usize = 12;
const OF_EDIT: usize = 16;
const OF_FAILURE: usize = 4;

/// How much of a step's body is in view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    Closed,
    /// So many rows at most.
    Peek(usize),
    Whole,
}

/// What the reader chose; everything else is as usual for its kind.
#[derive(Debug, Default)]
pub(super) struct Folds {
    turns: HashSet<u32>,
    /// Open, or closed.
    steps: HashMap<usize, bool>,
}

impl Folds {
    pub(super) fn opening(&self, index: usize, step: &Step) -> Opening {
        match self.steps.get(&index) {
            Some(true) => Opening::Whole,
            Some(false) => Opening::Closed,
            None => usual(step),
        }
    }

    pub(super) fn set(&mut self, index: usize, open: bool) {
        self.steps.insert(index, open);
    }

    pub(super) fn is_turn_folded(&self, turn: u32) -> bool {
        self.turns.contains(&turn)
    }

    pub(super) fn fold_turn(&mut self, turn: u32, folded: bool) {
        match folded {
            true => self.turns.insert(turn),
            false => self.turns.remove(&turn),
        };
    }

    /// Folds all turns up to that one; or, where one is folded, unfolds all.
    pub(super) fn fold_all(&mut self, last: u32) {
        match self.turns.is_empty() {
            true => self.turns.extend(1..=last),
            false => self.turns.clear(),
        }
    }
}

fn usual(step: &Step) -> Opening {
    match step.kind {
        Kind::Text | Kind::Plan | Kind::Waiting => Opening::Whole,
        Kind::User | Kind::Error => Opening::Peek(OF_WORDS),
        _ if !step.plan().is_empty() => Opening::Whole,
        _ if !step.changes().is_empty() => Opening::Peek(OF_EDIT),
        Kind::Tool if step.status == Some(Outcome::Error) => Opening::Peek(OF_FAILURE),
        _ => Opening::Closed,
    }
}
