//! What the headless commands print and ask, as values.

mod agent;
mod deed;
mod doctor;
mod harmless;
mod keys;
mod list;

pub use agent::{run_json, run_text, step_json, step_text};
pub use deed::{Known, Outcome, Snapshots, guard, question};
pub use doctor::{Check, Health, checks};
pub use harmless::harmless;
pub use keys::keys;
pub use list::{json, table};
