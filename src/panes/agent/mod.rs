//! A coding agent's run, read as a conversation: turns and steps that fold, edits as diffs, what it cost.

mod body;
mod diff;
mod export;
mod find;
mod folds;
mod jump;
mod kinds;
mod lay;
mod page;
mod side;
mod state;
#[cfg(test)]
mod tests;
mod title;
mod typing;
mod update;
mod view;

pub use state::State;
pub use typing::{key, paste};
pub use update::{click, settle, update, wheel};
pub use view::draw;
