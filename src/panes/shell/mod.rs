//! The shells of a sandbox, one of them in view: what it shows, its keys, and what its border tells of it.

mod copy;
mod input;
mod state;
#[cfg(test)]
mod tests;
mod title;
mod update;
mod view;

pub use input::{key, mouse, paste};
pub use state::State;
pub use title::stands;
pub use update::update;
pub use view::{cursor, draw};
