//! The commands of a sandbox's session, and the output of the chosen one: live, or scrolled back and still.

mod below;
mod commands;
mod course;
mod find;
mod gutter;
mod hunt;
mod layout;
mod line;
mod merging;
mod moment;
mod out;
mod reading;
mod select;
mod shown;
mod sieve;
mod source;
mod sources;
mod state;
#[cfg(test)]
mod tests;
mod title;
mod typing;
mod update;
mod view;
mod window;

pub use select::{drag, press, release};
pub use state::State;
pub use update::{choose_new, click, key, pane_at, paste, settle, update};
pub use view::draw;
