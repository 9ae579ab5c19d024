//! The outer stage: enters the namespaces, starts the inner stage in them, and clears up after it.

use super::super::wire::{Report, Start, frame, receive};
use super::super::{Level, meter, sys};
use super::{ARGUMENT, kill_descendants, take_socket};
use rustix::process::{getegid, geteuid, set_child_subreaper};
use rustix::thread::UnshareFlags;
use std::io::{self, Write};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

pub fn run() -> io::Result<()> {
    let socket = take_socket()?;
    let Some((start, _)) = receive::<Start>(&socket)? else {
        return Ok(());
    };
    let inner = enter(start.level).and_then(|()| {
        Command::new("/proc/self/exe")
            .arg0("sandtop")
            .args([ARGUMENT, "inner"])
            .stdin(Stdio::from(std::os::fd::OwnedFd::from(socket.try_clone()?)))
            .spawn()
    });
    match inner {
        Ok(mut inner) => {
            // From here on the inner stage alone holds this end: its end is what the engine sees.
            drop(socket);
            inner.wait()?;
        }
        Err(error) => complain(&socket, start.level, &error)?,
    }
    if start.level == Level::Plain {
        kill_descendants();
    }
    meter::drop_cgroup(start.cgroup.as_deref());
    Ok(())
}

fn enter(level: Level) -> io::Result<()> {
    let apart =
        UnshareFlags::NEWNS | UnshareFlags::NEWPID | UnshareFlags::NEWIPC | UnshareFlags::NEWUTS;
    match level {
        Level::Root => sys::unshare(apart),
        Level::Userns => {
            let (user, group) = (geteuid().as_raw(), getegid().as_raw());
            sys::unshare(apart | UnshareFlags::NEWUSER)?;
            map_user(0, user, group)
        }
        // If the inner stage is killed, what it left falls to this process, not to the system.
        Level::Plain => Ok(set_child_subreaper(Some(rustix::process::getpid()))?),
    }
}

/// Makes `user` and `group` of the parent namespace number `inside` of this one, and nobody else anybody.
pub fn map_user(inside: u32, user: u32, group: u32) -> io::Result<()> {
    // The kernel demands this before a group may be mapped without privilege.
    std::fs::write("/proc/self/setgroups", "deny")?;
    std::fs::write("/proc/self/uid_map", format!("{inside} {user} 1"))?;
    std::fs::write("/proc/self/gid_map", format!("{inside} {group} 1"))
}

fn complain(mut socket: &UnixStream, level: Level, error: &io::Error) -> io::Result<()> {
    let why = format!(
        "cannot enter the namespaces of level {}: {error}",
        level.word()
    );
    socket.write_all(&frame(&Report::Failed { why })?)
}
