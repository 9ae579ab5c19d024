//! A network of a cell's own, with nothing in it but its loopback.
//!
//! The agent itself stays in the machine's network: from a user namespace there would be no way back to it, and
//! a policy may change while the cell runs. So a stage of its own makes the other one, hands out a handle, and ends.

use super::super::sys;
use super::super::wire::{frame, receive, send_some};
use super::{ARGUMENT, take_socket};
use rustix::thread::UnshareFlags;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

/// Comes with the handle, or is why there is none.
type Answer = Result<(), String>;

pub fn run() -> io::Result<()> {
    let socket = take_socket()?;
    let made = enter_new();
    let answer: Answer = match &made {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    };
    let bytes = frame(&answer)?;
    let handle = made.as_ref().ok().map(AsFd::as_fd);
    let sent = send_some(&socket, &bytes, handle.as_slice())?;
    (&socket).write_all(&bytes[sent..])
}

fn enter_new() -> io::Result<File> {
    sys::unshare(UnshareFlags::NEWNET)?;
    sys::raise_loopback()?;
    File::open("/proc/self/ns/net")
}

/// Makes one; whoever has the handle may enter.
pub fn make() -> io::Result<OwnedFd> {
    let (ours, theirs) = UnixStream::pair()?;
    let mut stage = Command::new("/proc/self/exe")
        .arg0("sandtop")
        .args([ARGUMENT, "network"])
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .spawn()?;
    let answer = receive::<Answer>(&ours);
    stage.wait()?;
    match answer? {
        Some((Ok(()), handles)) => handles
            .into_iter()
            .next()
            .ok_or_else(|| io::ErrorKind::InvalidData.into()),
        Some((Err(why), _)) => Err(io::Error::other(why)),
        None => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}
