//! The engine's side of a terminal in a cell.

use super::sys;
use super::wire::Size;
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use rustix::termios::tcsetwinsize;
use std::io;
use std::os::fd::OwnedFd;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// The master side. Closing it hangs up: the kernel sends SIGHUP to the program that leads the terminal.
pub struct Terminal(AsyncFd<OwnedFd>);

impl Terminal {
    pub(super) fn new(master: OwnedFd) -> io::Result<Self> {
        fcntl_setfl(&master, fcntl_getfl(&master)? | OFlags::NONBLOCK)?;
        Ok(Self(sys::watched(master)?))
    }

    /// Waits for output; 0 when no program holds the terminal any more.
    ///
    /// # Errors
    /// As `read(2)`.
    pub async fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = |master: &OwnedFd| match rustix::io::read(master, &mut *buffer) {
            Err(Errno::IO) => Ok(0),
            other => Ok(other?),
        };
        self.0.async_io(Interest::READABLE, read).await
    }

    /// Waits until the programs inside take some of `bytes`; how many they took.
    ///
    /// # Errors
    /// As `write(2)`.
    pub async fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        let write = |master: &OwnedFd| Ok(rustix::io::write(master, bytes)?);
        self.0.async_io(Interest::WRITABLE, write).await
    }

    /// Tells the programs inside that their window has another size.
    ///
    /// # Errors
    /// As `ioctl(2)`.
    pub fn resize(&self, size: Size) -> io::Result<()> {
        Ok(tcsetwinsize(&self.0, size.into())?)
    }
}
