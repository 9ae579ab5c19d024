//! The list of sandboxes: the filter line, the order, and a selection that stays with the sandbox.

mod cells;
mod columns;
mod marks;
mod state;
mod update;
mod view;

#[cfg(test)]
mod tests;

pub use cells::text;
pub use state::State;
pub use update::{click, key, paste, update};
pub use view::draw;
