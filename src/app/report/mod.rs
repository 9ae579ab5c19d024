//! What the headless commands print and ask, as values.

mod agent;
mod deed;
mod doctor;
mod harmless;
mod keys;
mod list;
mod telling;

pub use deed::{Known, Outcome, Snapshots, guard, question};
pub use doctor::{Check, Health, checks};
pub use harmless::harmless;
pub use keys::keys;
pub use list::{json, table};
pub use telling::{Order, Telling};
