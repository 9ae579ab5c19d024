//! What the engine and a cell's agent say to each other: length-prefixed JSON frames over a Unix socket.
//!
//! Open files (a command's stdout and stderr, a terminal) travel beside the first byte of the frame that speaks
//! of them.
//! Nothing secret is put into an argument list, where `ps` would show it.

use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use rustix::termios::Winsize;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, IoSlice, IoSliceMut, Read};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use super::{Errand, Level};

/// Longest frame taken, in bytes; the kernel refuses longer argument lists anyway.
const LONGEST: usize = 16 << 20;

/// First frame, for the outer stage: what it must enter before it starts the inner one.
#[derive(Debug, Serialize, Deserialize)]
pub struct Start {
    pub level: Level,
    /// To be removed when the cell is gone.
    pub cgroup: Option<PathBuf>,
}

/// Second frame, for the inner stage: how the cell shall look from inside.
#[derive(Debug, Serialize, Deserialize)]
pub struct Setup {
    pub level: Level,
    pub hostname: String,
    /// The engine's whole state: never to be seen from inside.
    pub data_dir: PathBuf,
    /// This session's own directory.
    pub home: PathBuf,
    /// How many kept layers lie under the writable one (`base/0` is the newest).
    pub base: usize,
    /// Group to join, so that the kernel counts this cell's time.
    pub cgroup: Option<PathBuf>,
}

/// From the engine.
#[derive(Debug, Serialize, Deserialize)]
pub enum Request {
    /// Comes with two open files, stdout and stderr, unless it is to have a terminal.
    Spawn {
        id: u64,
        job: Job,
        terminal: Option<Size>,
    },
    Kill {
        id: u64,
        signal: i32,
    },
    /// Comes with an open socket that the answer goes to, and with the file that the errand is about, if any.
    Errand(Errand),
    End,
}

/// A program to start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Looked up in the `PATH` of its own environment; no shell is involved.
    pub program: String,
    pub args: Vec<String>,
    /// Absolute, or relative to the cell's own [`cwd`](super::Cell::cwd), which is also the default.
    pub cwd: Option<String>,
    /// Over the cell's defaults (`PATH`, `HOME`, `USER`, `LANG`).
    pub env: Vec<(String, String)>,
    /// As the cell's superuser. Without meaning at `plain`.
    pub sudo: bool,
    /// With no network but a loopback, which all such programs of the cell share. Without meaning at `plain`.
    pub offline: bool,
}

/// Of a terminal, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    pub cols: u16,
    pub rows: u16,
}

impl From<Size> for Winsize {
    fn from(size: Size) -> Self {
        Self {
            ws_row: size.rows,
            ws_col: size.cols,
            ws_xpixel: 0,
            ws_ypixel: 0,
        }
    }
}

/// From the agent.
#[derive(Debug, Serialize, Deserialize)]
pub enum Report {
    Ready {
        /// The agent is in the group it was given.
        grouped: bool,
    },
    /// The cell could not be made.
    Failed {
        why: String,
    },
    /// Comes with the master side of the terminal, where there is one.
    Started {
        id: u64,
    },
    Refused {
        id: u64,
        why: Refusal,
    },
    /// The command itself has ended; what it left in the background may run on.
    Exited {
        id: u64,
        code: i32,
    },
    /// All processes are gone; the agent stays until the socket closes.
    Ended,
}

/// Why a program was not started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    NotFound,
    BadCwd,
    Other(String),
}

/// The bytes of one frame.
///
/// # Errors
/// When `message` has no JSON form (a path that is not UTF-8) or is too long.
pub fn frame(message: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; 4];
    serde_json::to_writer(&mut bytes, message)?;
    let length = bytes.len() - 4;
    if length > LONGEST {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "more than 16 MiB in one request",
        ));
    }
    let length = u32::try_from(length).map_err(io::Error::other)?;
    bytes[..4].copy_from_slice(&length.to_le_bytes());
    Ok(bytes)
}

/// How many bytes follow a frame's head.
///
/// # Errors
/// When that is more than any honest frame has.
pub fn body_length(head: [u8; 4]) -> io::Result<usize> {
    let length = u32::from_le_bytes(head) as usize;
    if length > LONGEST {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "a frame of more than 16 MiB",
        ));
    }
    Ok(length)
}

/// Sends what fits of `bytes`, with `files` beside the first of them.
///
/// # Errors
/// As `sendmsg(2)`, `WouldBlock` included.
pub fn send_some(socket: impl AsFd, bytes: &[u8], files: &[BorrowedFd<'_>]) -> io::Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
    let mut beside = SendAncillaryBuffer::new(&mut space);
    if !files.is_empty() && !beside.push(SendAncillaryMessage::ScmRights(files)) {
        return Err(io::Error::other("no room for the open files"));
    }
    // A closed socket is an error to be handled, not a signal to die of.
    let flags = SendFlags::NOSIGNAL;
    Ok(sendmsg(socket, &[IoSlice::new(bytes)], &mut beside, flags)?)
}

/// Waits for one frame and the files beside it; `None` when the other side is gone.
///
/// # Errors
/// When the socket breaks inside a frame, or the frame is not what was expected.
pub fn receive<T: DeserializeOwned>(socket: &UnixStream) -> io::Result<Option<(T, Vec<OwnedFd>)>> {
    let mut head = [0; 4];
    let mut files = Vec::new();
    let first = receive_head(socket, &mut head, &mut files)?;
    if first == 0 {
        return Ok(None);
    }
    let mut reader = socket;
    reader.read_exact(&mut head[first..])?;
    let mut body = vec![0; body_length(head)?];
    reader.read_exact(&mut body)?;
    Ok(Some((serde_json::from_slice(&body)?, files)))
}

/// Takes the first bytes of a frame, and the files beside them; 0 when the other side is gone.
///
/// # Errors
/// As `recvmsg(2)`, `WouldBlock` included.
pub fn receive_head(
    socket: impl AsFd,
    head: &mut [u8],
    files: &mut Vec<OwnedFd>,
) -> io::Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
    let mut beside = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::CMSG_CLOEXEC;
    let got = loop {
        match recvmsg(&socket, &mut [IoSliceMut::new(head)], &mut beside, flags) {
            Err(Errno::INTR) => {}
            Err(Errno::CONNRESET) => return Ok(0),
            other => break other?,
        }
    };
    if got.flags.contains(ReturnFlags::CTRUNC) {
        return Err(io::Error::other("open files were lost on the way"));
    }
    for message in beside.drain() {
        if let RecvAncillaryMessage::ScmRights(arrived) = message {
            files.extend(arrived);
        }
    }
    Ok(got.bytes)
}
