//! The runs of coding agents, over all sandboxes: how each stands, what it does, and what it took so far.

mod cells;
mod state;
#[cfg(test)]
mod tests;
mod update;
mod view;

pub use state::State;
pub use update::{click, key, paste, settle, update};
pub use view::draw;
