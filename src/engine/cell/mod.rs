//! A cell: one running session of a sandbox on this machine, with its own files and processes.
//!
//! [`Ground`] is where cells stand (a data directory, an agent program, a [`Level`] of isolation); it boots a
//! [`Cell`], keeps what a cell wrote as an immutable layer, and boots others from such layers. The agent
//! ([`agent_main`]) is this same program inside the cell; [`wire`] is what the two say to each other. An [`Errand`] is
//! work on a cell's files, which the agent has done inside.

mod agent;
mod copy;
mod errand;
mod family;
mod ground;
mod keep;
mod level;
mod link;
mod live;
mod merge;
mod meter;
mod probe;
mod sys;
mod terminal;
mod tree;
mod wire;

pub use agent::{ARGUMENT, agent_main};
pub use errand::{Errand, FileError, Login, Opened, Repository};
pub use ground::{Boot, CellError, Frozen, Ground, LayerId};
pub use level::Level;
pub use live::{Cell, Exit, KillError, Process, ProcessId, Shell, SpawnError};
pub use meter::Counters;
pub use probe::{Probe, probe};
pub use terminal::Terminal;
pub use wire::{Job, Size};

use std::path::{Path, PathBuf};

/// The sandbox's working directory as a client names it, whatever the level.
const WORKDIR: &str = "/vercel/sandbox";

/// The cell's own root, as a part of a layer beside the parts that lie over directories of the machine.
const TOP: &str = "top";

/// Where that directory is as commands see it. `home` is the session's own directory.
fn cwd_of(level: Level, home: &Path) -> PathBuf {
    match level {
        Level::Root | Level::Userns => WORKDIR.into(),
        Level::Plain => home.join("layer"),
    }
}

/// At [`Level::Plain`] the directory that clients know by its usual name is elsewhere: `home`.
fn real(level: Level, path: &Path, home: &Path) -> PathBuf {
    match path.strip_prefix(WORKDIR) {
        Ok(rest) if level == Level::Plain => home.join(rest),
        _ => path.to_owned(),
    }
}
