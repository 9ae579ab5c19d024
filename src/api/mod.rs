//! Level 3, edge: the client of the REST API (`api.md`). One function an endpoint, one try a call: what is tried
//! again, and when, is decided elsewhere. Besides it, who we are: credentials and scope, and where each was found.
//!
//! Two rules live here because nothing above could keep them: a token that nobody named for a host goes to the
//! service only, and nothing but [`Resume::Yes`] ever boots a stopped sandbox.

mod address;
mod answer;
mod asked;
mod call;
mod client;
mod commands;
mod json;
mod ndjson;
mod sandboxes;
mod sessions;
mod snapshots;
mod stream;
mod surrogate;
#[cfg(test)]
mod tests;

pub use answer::Answered;
pub use client::{Client, DEFAULT_BASE, Options, Patience, Scope, TokenOrigin};
pub use ndjson::Decoder;
pub use sandboxes::Resume;
pub use stream::LogStream;
