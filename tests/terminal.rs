//! The terminal emulator from outside: against recorded streams, its replies, its keys, and anything thrown at it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "terminal/streams.rs"]
mod streams;
