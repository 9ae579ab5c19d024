//! Recordings of terminals in asciicast files: a header and events, each a line of JSON.

mod encode;

pub use encode::CastEncoder;
