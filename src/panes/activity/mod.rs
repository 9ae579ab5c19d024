//! What sandtop did: every call, what came of it, and what the polling costs.

mod state;
#[cfg(test)]
mod tests;
mod update;
mod view;

pub use state::State;
pub use update::{click, settle, update};
pub use view::draw;
