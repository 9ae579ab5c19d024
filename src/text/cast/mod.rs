//! Recordings of terminals in asciicast files: a header and events, each a line of JSON.

mod encode;
mod read;

pub use encode::CastEncoder;
pub use read::{Cast, CastEvent};
