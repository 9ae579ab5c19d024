//! The program inside a cell: this same executable, started with a hidden first argument.
//!
//! Two stages, because a new process namespace holds only the *children* of who made it. The outer stage enters
//! the namespaces, starts the inner one and waits; the inner one is process 1 of the cell, builds what is
//! to be seen there, starts commands on request and reaps whatever ends. Both are single-threaded and blocking.
//!
//! The engine's socket is the lifeline: when it closes, however the engine ended, the inner stage takes
//! all its processes with it.

mod commands;
mod errand;
mod inner;
mod kernel;
mod network;
mod outer;
mod people;
mod rootfs;
mod terminal;

use super::sys;
use std::ffi::OsString;
use std::process::ExitCode;

/// The first argument that makes this program an agent.
pub const ARGUMENT: &str = "__agent";

/// Runs the stage that `args` (what follows [`ARGUMENT`]) names. The engine's socket is standard input.
pub fn agent_main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let stage = args.into_iter().next();
    let done = match stage.as_deref().and_then(|stage| stage.to_str()) {
        Some("outer") => outer::run(),
        Some("inner") => inner::run(),
        Some("network") => network::run(),
        _ => return ExitCode::from(2),
    };
    if done.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Takes the engine's socket off standard input, where a command would inherit it.
fn take_socket() -> std::io::Result<std::os::unix::net::UnixStream> {
    let socket = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    let nothing = std::fs::File::open("/dev/null")?;
    rustix::stdio::dup2_stdin(nothing)?;
    Ok(socket.into())
}

/// Kills everything below this process, again and again: who is killed may have left children.
///
/// Gives up after some seconds on what cannot be killed: at `plain`, a program of another user.
fn kill_descendants() {
    use rustix::process::{WaitOptions, getpid, wait};
    let own = getpid().as_raw_nonzero().get();
    for _ in 0..1000 {
        for member in super::family::family(own) {
            if member.pid != own && !member.zombie {
                // Gone in between is what was wanted.
                let _ = sys::kill(member.pid, libc::SIGKILL);
            }
        }
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(_) => return,
            }
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}
