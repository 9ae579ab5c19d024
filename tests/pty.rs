//! The real program in a real terminal: how it begins, ends, stops and comes back.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg(target_os = "linux")]

#[path = "pty/deeds.rs"]
mod deeds;
#[path = "pty/guard.rs"]
mod guard;
#[path = "pty/headless.rs"]
mod headless;
#[path = "pty/inside.rs"]
mod inside;
#[path = "pty/journeys.rs"]
mod journeys;
#[path = "pty/launches.rs"]
mod launches;
#[path = "pty/out.rs"]
mod out;
#[path = "pty/program.rs"]
mod program;
#[path = "pty/sdk.rs"]
mod sdk;
#[path = "pty/server.rs"]
mod server;
#[path = "pty/settings.rs"]
mod settings;
#[path = "pty/shells.rs"]
mod shells;
#[path = "pty/tails.rs"]
mod tails;
#[path = "pty/terminal.rs"]
mod terminal;
