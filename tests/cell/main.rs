//! Cells on this machine: real processes at every isolation level that it allows.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr
)]

mod apart;
mod commands;
mod errands;
mod files;
mod layers;
mod life;
mod network;
#[path = "../engine/origin.rs"]
mod origin;
mod rig;
mod terminals;
