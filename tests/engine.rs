//! The local engine over its own HTTP face: an engine in this process on a clock moved by hand, and the real program
//! where its death matters. Sandboxes run real commands at the weakest isolation, which every machine allows.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "engine/accounts.rs"]
mod accounts;
#[path = "engine/archive.rs"]
mod archive;
#[path = "engine/bench.rs"]
mod bench;
#[path = "engine/billing.rs"]
mod billing;
#[path = "engine/caller.rs"]
mod caller;
#[path = "engine/commands.rs"]
mod commands;
#[path = "engine/drill.rs"]
mod drill;
#[path = "engine/faults.rs"]
mod faults;
#[path = "engine/files.rs"]
mod files;
#[path = "engine/forks.rs"]
mod forks;
#[path = "engine/gate.rs"]
mod gate;
#[path = "engine/import.rs"]
mod import;
#[path = "engine/lists.rs"]
mod lists;
#[path = "engine/looking.rs"]
mod looking;
#[path = "engine/origin.rs"]
mod origin;
#[path = "engine/plans.rs"]
mod plans;
#[path = "engine/policy.rs"]
mod policy;
#[path = "engine/program.rs"]
mod program;
#[path = "engine/restart.rs"]
mod restart;
#[path = "engine/rules.rs"]
mod rules;
#[path = "engine/sessions.rs"]
mod sessions;
#[path = "engine/shell.rs"]
mod shell;
#[path = "engine/snapshots.rs"]
mod snapshots;
#[path = "engine/sources.rs"]
mod sources;
