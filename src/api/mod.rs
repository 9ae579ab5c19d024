//! Level 3, edge: the client of the REST API (`api.md`). One function an endpoint, one try a call: what is tried
//! again, and when, is decided elsewhere. Besides it, who we are: credentials and scope, and where each was found.
//!
//! Two rules live here because nothing above could keep them: a token that nobody named for a host goes to the
//! service only, and nothing but [`Resume::Yes`] ever boots a stopped sandbox.

mod address;
mod answer;
mod asked;
mod call;
mod claims;
mod client;
mod commands;
mod credentials;
mod dotenv;
mod json;
mod link;
mod ndjson;
mod options;
mod sandboxes;
mod scope;
mod sessions;
mod shell;
mod snapshots;
mod stream;
mod surrogate;
mod surroundings;
#[cfg(test)]
mod tests;
mod wire;

pub use answer::Answered;
pub use client::Client;
pub use credentials::{Credentials, Flags, Found, Skipped, Source, Sourced, find};
pub use ndjson::Decoder;
pub use options::{DEFAULT_BASE, Options, Patience, Scope, TokenOrigin};
pub use sandboxes::Resume;
pub use scope::{DEFAULT_PROJECT, Missing, ScopeProblem, infer};
pub use shell::{Invitation, Shell, ShellInput, ShellOutput, ShellSaid};
pub use stream::LogStream;
pub use surroundings::Surroundings;
