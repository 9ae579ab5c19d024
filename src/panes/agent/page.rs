//! The rows of a run, made where they are needed: a place is a step and one of its rows, so that no place depends
//! on what stands before it, and ten thousand steps cost no more than those in view.

use super::folds::Folds;
use super::kinds::Kinds;
use super::lay::{self, Laid};
use crate::agents::Run;
use crate::ui::text::Row;
use std::collections::HashMap;
use std::ops::Range;

/// Steps whose rows are kept.
const KEPT: usize = 2_000;

/// A row: which step's, and which of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Spot {
    pub(super) step: usize,
    pub(super) row: usize,
}

/// A step's rows, after those that begin its turn or its session.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) rows: Vec<Row>,
    /// The row that folds the turn.
    pub(super) turn: Option<usize>,
    /// Not all of the step is in view.
    pub(super) is_cut: bool,
}

/// Rows by step, as long as they are as they have to be.
#[derive(Debug, Default)]
pub(super) struct Book {
    width: u16,
    blocks: HashMap<usize, Block>,
}

impl Book {
    pub(super) fn clear(&mut self) {
        self.blocks.clear();
    }

    /// Steps from there on have changed.
    pub(super) fn forget_from(&mut self, step: usize) {
        self.blocks.retain(|at, _| *at < step);
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.blocks.len()
    }

    pub(super) fn fit(&mut self, width: u16) {
        if self.width != width || self.blocks.len() > KEPT {
            self.blocks.clear();
            self.width = width;
        }
    }
}

/// A run as it is read now.
#[derive(Debug)]
pub(super) struct Page<'a> {
    pub(super) run: &'a Run,
    pub(super) folds: &'a Folds,
    pub(super) kinds: Kinds,
    pub(super) book: &'a mut Book,
}

impl Page<'_> {
    /// The steps of that step's turn.
    pub(super) fn turn(&self, step: usize) -> Range<usize> {
        turn_of(self.run, step)
    }

    fn is_shown(&self, at: usize) -> bool {
        let Some(step) = self.run.steps.get(at).filter(|step| self.kinds.has(step)) else {
            return false;
        };
        !self.folds.is_turn_folded(step.turn) || self.begins_turn(at)
    }

    /// It is the first step in view of its turn.
    fn begins_turn(&self, at: usize) -> bool {
        let steps = &self.run.steps;
        let Some(turn) = steps.get(at).map(|step| step.turn) else {
            return false;
        };
        let before = steps[..at].iter().rev();
        let mut of_turn = before.take_while(|step| step.turn == turn);
        turn > 0 && !of_turn.any(|step| self.kinds.has(step))
    }

    /// The first step in view from there on.
    pub(super) fn next(&self, from: usize) -> Option<usize> {
        (from..self.run.steps.len()).find(|at| self.is_shown(*at))
    }

    /// The last step in view before.
    pub(super) fn previous(&self, before: usize) -> Option<usize> {
        let before = before.min(self.run.steps.len());
        (0..before).rev().find(|at| self.is_shown(*at))
    }

    pub(super) fn block(&mut self, step: usize) -> &Block {
        if !self.book.blocks.contains_key(&step) {
            let block = self.laid(step);
            self.book.blocks.insert(step, block);
        }
        &self.book.blocks[&step]
    }

    fn laid(&self, at: usize) -> Block {
        let Some(step) = self.run.steps.get(at) else {
            return Block::default();
        };
        let mut block = Block::default();
        let sections = &self.run.sections;
        let section = sections.binary_search_by_key(&at, |section| section.first_step);
        if let Some(section) = section.ok().filter(|nth| *nth > 0) {
            let session = sections[section].session.as_ref();
            block.rows.push(lay::section(session));
        }
        let folded = self.folds.is_turn_folded(step.turn);
        if self.begins_turn(at) {
            let steps = &self.run.steps[self.turn(at)];
            block.turn = Some(block.rows.len());
            block.rows.push(lay::turn(step.turn, steps, folded));
        }
        if !folded {
            let Laid { rows, is_cut } =
                lay::lay(step, self.folds.opening(at, step), self.book.width);
            block.rows.extend(rows);
            block.is_cut = is_cut;
        }
        block
    }

    fn height(&mut self, step: usize) -> usize {
        self.block(step).rows.len()
    }

    pub(super) fn first(&mut self) -> Option<Spot> {
        self.next(0).map(|step| Spot { step, row: 0 })
    }

    /// The last row of all.
    pub(super) fn last(&mut self) -> Option<Spot> {
        let step = self.previous(usize::MAX)?;
        let row = self.height(step).saturating_sub(1);
        Some(Spot { step, row })
    }

    /// So many rows further, at most to the last one.
    pub(super) fn down(&mut self, from: Spot, rows: usize) -> Spot {
        let (mut at, mut left) = (from, rows);
        loop {
            let below = self.height(at.step).saturating_sub(at.row + 1);
            if left <= below {
                at.row += left;
                return at;
            }
            let Some(step) = self.next(at.step + 1) else {
                at.row += below;
                return at;
            };
            left -= below + 1;
            at = Spot { step, row: 0 };
        }
    }

    /// So many rows back, at most to the first one.
    pub(super) fn up(&mut self, from: Spot, rows: usize) -> Spot {
        let (mut at, mut left) = (from, rows);
        while left > at.row {
            let Some(step) = self.previous(at.step) else {
                return Spot { row: 0, ..at };
            };
            left -= at.row + 1;
            let row = self.height(step).saturating_sub(1);
            at = Spot { step, row };
        }
        at.row -= left;
        at
    }

    /// The first row of a view that ends with the last one.
    pub(super) fn bottom(&mut self, height: usize) -> Option<Spot> {
        let last = self.last()?;
        Some(self.up(last, height.saturating_sub(1)))
    }

    /// The same place, or what stands nearest to it now.
    pub(super) fn settled(&mut self, spot: Spot) -> Option<Spot> {
        if !self.is_shown(spot.step) {
            let before = || self.previous(spot.step);
            let step = before().or_else(|| self.next(spot.step))?;
            return Some(Spot { step, row: 0 });
        }
        let row = spot.row.min(self.height(spot.step).saturating_sub(1));
        Some(Spot { row, ..spot })
    }

    /// The rows of a view.
    pub(super) fn rows(&mut self, top: Spot, height: usize) -> Vec<(Spot, Row)> {
        let mut rows = Vec::with_capacity(height);
        let mut next = Some(top);
        while let Some(Spot { step, row }) = next.filter(|_| rows.len() < height) {
            let room = height - rows.len();
            let block = self.block(step);
            let of_block = block.rows.iter().enumerate().skip(row).take(room);
            rows.extend(of_block.map(|(row, laid)| (Spot { step, row }, laid.clone())));
            next = self.next(step + 1).map(|step| Spot { step, row: 0 });
        }
        rows
    }
}

/// The steps of a step's turn: they stand together.
pub(super) fn turn_of(run: &Run, step: usize) -> Range<usize> {
    let Some(turn) = run.steps.get(step).map(|step| step.turn) else {
        return step..step;
    };
    let is_of = |other: &&crate::agents::Step| other.turn == turn;
    let before = run.steps[..step].iter().rev().take_while(is_of).count();
    let after = run.steps[step..].iter().take_while(is_of).count();
    step - before..step + after
}
