//! What the stage tells about the selected sandbox beside its logs: its facts (Info) and its sessions.

mod facts;
mod state;
#[cfg(test)]
mod tests;
mod update;
mod view;
mod words;

pub use state::State;
pub use update::{click, settle, update};
pub use view::draw;
