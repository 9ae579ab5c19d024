//! Where in a log the reader is: at its end, or at a line that stays where it is.

/// A row: a line by its absolute number, and which of its rows when it is wrapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Spot {
    pub(super) line: u64,
    pub(super) row: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Reading {
    /// The newest lines are in view.
    #[default]
    Following,
    /// The view begins at `top` whatever arrives. Lines from `unseen` on came since, or were not looked at.
    Still { top: Spot, unseen: u64 },
}
