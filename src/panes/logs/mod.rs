//! The commands of a sandbox's session, and the output of the chosen one: live, or scrolled back and still.

mod commands;
mod find;
mod hunt;
mod layout;
mod line;
mod reading;
mod source;
mod state;
#[cfg(test)]
mod tests;
mod title;
mod update;
mod view;
mod window;

pub use state::State;
pub use update::{choose_new, click, key, pane_at, paste, settle, update};
pub use view::draw;
