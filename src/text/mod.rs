//! Level 2, pure: text for a terminal, and the output of commands.
//!
//! From [`Foreign`](crate::model::Foreign) to [`Clean`](crate::model::Clean) leads only [`clean`]; only this
//! folder may call `Clean::trusted`.

mod clean;
mod escape;
pub mod figures;
mod width;
mod wrap;

#[cfg(test)]
mod tests;

pub use clean::{clean, clean_str, say};
pub use width::{Side, cut, pad, width};
pub use wrap::{row_count, rows};
