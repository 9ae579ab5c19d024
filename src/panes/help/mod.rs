//! The keys: those that apply where the user is first, then all others, each with its class.

mod state;
mod view;

#[cfg(test)]
mod tests;

pub use state::State;
pub use view::draw;
