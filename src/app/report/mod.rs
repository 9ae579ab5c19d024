//! What the headless commands print and ask, as values.

mod deed;
mod doctor;
mod harmless;
mod keys;
mod list;

pub use deed::{Known, Outcome, Snapshots, guard, question};
pub use doctor::{Check, Health, checks};
pub use harmless::harmless;
pub use keys::keys;
pub use list::{json, table};
