//! The client against servers that answer, misbehave, and remember what they were asked.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "wire/faults.rs"]
mod faults;
#[path = "wire/jobs.rs"]
mod jobs;
#[path = "wire/proxy.rs"]
mod proxy;
#[path = "wire/recorded.rs"]
mod recorded;
mod scene;
#[path = "wire/scope.rs"]
mod scope;
#[path = "wire/server.rs"]
mod server;
#[path = "wire/shells.rs"]
mod shells;
#[path = "wire/streams.rs"]
mod streams;
