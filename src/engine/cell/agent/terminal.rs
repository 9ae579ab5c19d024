//! A terminal for a command, on the cell's own devpts: inside, `tty` names a device that is there.

use super::super::wire::Size;
use rustix::fs::fchown;
use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{InputModes, OptionalActions, tcgetattr, tcsetattr, tcsetwinsize};
use rustix::thread::Uid;
use std::io;
use std::os::fd::OwnedFd;

pub struct Terminal {
    /// For the engine.
    pub master: OwnedFd,
    /// For the command: all three of its streams.
    pub slave: OwnedFd,
}

impl Terminal {
    /// `owner` is the user who shall be able to open it by its name, if that is not the agent's.
    pub fn open(size: Size, owner: Option<u32>) -> io::Result<Self> {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let master = openpt(flags)?;
        unlockpt(&master)?;
        let slave = ioctl_tiocgptpeer(&master, flags)?;
        if let Some(owner) = owner {
            fchown(&slave, Some(Uid::from_raw(owner)), None)?;
        }
        let mut modes = tcgetattr(&slave)?;
        // Erasing takes back a whole character.
        modes.input_modes |= InputModes::IUTF8;
        tcsetattr(&slave, OptionalActions::Now, &modes)?;
        tcsetwinsize(&slave, size.into())?;
        Ok(Self { master, slave })
    }
}
