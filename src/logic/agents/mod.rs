//! Runs of coding agents among the commands: which may be one, what their output says, and how each stands.
//!
//! A command is a candidate by its program and arguments, and confirmed by what it prints. The logs of running
//! candidates are open by themselves, a few at once; all others are read when somebody looks at them.

mod candidate;
mod reading;
mod roster;
mod script;
mod standing;
#[cfg(test)]
mod tests;

pub use candidate::{Call, call_of};
pub use reading::AgentRun;
pub use roster::{AgentRuns, MOST_ASKED, settle, wanted};
pub use standing::{Standing, rank};
