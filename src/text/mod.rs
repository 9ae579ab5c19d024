//! Level 2, pure: text for a terminal, and the output of commands.
//!
//! From [`Foreign`](crate::model::Foreign) to [`Clean`](crate::model::Clean) leads only [`clean`]; only this
//! folder may call `Clean::trusted`.

mod ansi;
pub mod cast;
mod chunk;
mod clean;
mod escape;
mod export;
pub mod figures;
mod filter;
mod json;
mod level;
mod line_set;
mod lines;
mod log;
mod nearest;
mod packed;
mod replay;
mod row;
mod scan;
mod search;
mod seen;
mod sgr;
mod shelf;
mod store;
mod weave;
mod width;
mod wrap;

#[cfg(test)]
mod tests;

pub use ansi::{Run, runs, shown, stripped};
pub use chunk::Chunk;
pub use clean::{clean, clean_str, say};
pub use export::Form;
pub use filter::Filter;
pub use json::pretty;
pub use level::Level;
pub use line_set::LineSet;
pub use lines::{Ending, LineRef, Lookup};
pub use log::{Away, Log};
pub use nearest::nearest;
pub use packed::Garbled;
pub use replay::{Received, Replay, Verdict};
pub use scan::{Progress, Query, Scan, Want};
pub use search::Pattern;
pub use sgr::{Colour, RunStyle};
pub use shelf::ChunkId;
pub use store::LogStore;
pub use weave::{Origin, Weave};
pub use width::{Side, cut, pad, width};
pub use wrap::{row_count, rows};
