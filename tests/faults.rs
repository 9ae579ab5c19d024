//! The real program in a real terminal, before a service that misbehaves: what is on the screen, what is kept, and
//! how often it asks.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg(target_os = "linux")]

#[path = "faults/link.rs"]
mod link;
#[path = "faults/logs.rs"]
mod logs;
#[path = "pty/program.rs"]
#[allow(dead_code, reason = "the local engine is another test's")]
mod program;
#[path = "faults/service.rs"]
mod service;
#[path = "faults/tails.rs"]
mod tails;
#[path = "pty/terminal.rs"]
#[allow(dead_code, reason = "signals and job control are another test's")]
mod terminal;
