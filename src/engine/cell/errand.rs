//! Work on a cell's files: asked for by the engine, done inside the cell by a process of the user that commands
//! run as. So nothing it does can reach further than a command could.

use super::live::Cell;
use super::wire;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream as StdStream;
use tokio::net::UnixStream;

/// What to do. Relative paths start at `cwd`, or at the cell's own [`cwd`](Cell::cwd).
#[derive(Debug, Serialize, Deserialize)]
pub enum Errand {
    /// Unpacks a tar, packed by gzip or not, that comes as an open file. All of it is checked before any of it
    /// is written.
    Unpack { into: String },
    /// Opens a regular file for reading.
    Open { path: String, cwd: Option<String> },
    MakeDirectory {
        path: String,
        cwd: Option<String>,
        /// Makes parents too, and is content with a directory that is there.
        recursive: bool,
    },
    /// Copies a repository into the cell's own directory, which must be empty.
    Clone(Repository),
}

/// What git is to fetch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repository {
    /// `http` or `https`, without a login.
    pub url: String,
    /// A branch, a tag or a commit; else what the server names.
    pub revision: Option<String>,
    /// How many commits of its history.
    pub depth: Option<u32>,
    pub login: Option<Login>,
}

/// Reaches git through an open file without a name: no command line, environment or configuration holds it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Login {
    pub username: String,
    pub password: String,
}

impl std::fmt::Debug for Login {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Login(…)")
    }
}

/// What the process in the cell answers.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Answer {
    Done,
    /// Comes with the open file.
    Opened {
        size: u64,
    },
    Failed(FileError),
}

/// A file that was opened inside a cell.
#[derive(Debug)]
pub struct Opened {
    pub file: File,
    /// In bytes, when it was opened; the kernel's own files say 0.
    pub size: u64,
}

/// Why work on files was not done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FileError {
    /// There is nothing at the path.
    Missing(String),
    /// What was asked for cannot be done; nothing was touched.
    Refused(String),
    /// The disk has no room for it.
    Full(String),
    /// Begun, and failed half-way.
    Broken(String),
    /// The cell has ended, or ended under the work.
    CellGone,
}

impl std::fmt::Display for FileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing(why) | Self::Refused(why) | Self::Full(why) | Self::Broken(why) => {
                f.write_str(why)
            }
            Self::CellGone => f.write_str("the session has ended"),
        }
    }
}

impl std::error::Error for FileError {}

impl Cell {
    /// Does work that gives nothing back. `file` is what the errand is about, if that is a file of the engine.
    ///
    /// # Errors
    /// As [`FileError`] says.
    pub async fn errand(&self, errand: Errand, file: Option<File>) -> Result<(), FileError> {
        self.ask(errand, file).await.map(drop)
    }

    /// Opens a file of the cell, as a command could, for reading.
    ///
    /// # Errors
    /// When there is none, it is no regular file, or the user of commands may not read it.
    pub async fn open(&self, path: String, cwd: Option<String>) -> Result<Opened, FileError> {
        match self.ask(Errand::Open { path, cwd }, None).await? {
            (Answer::Opened { size }, Some(file)) => Ok(Opened {
                file: file.into(),
                size,
            }),
            _ => Err(FileError::Broken("no file came back".to_owned())),
        }
    }

    async fn ask(
        &self,
        errand: Errand,
        file: Option<File>,
    ) -> Result<(Answer, Option<OwnedFd>), FileError> {
        let broken = |error: io::Error| FileError::Broken(error.to_string());
        let (ours, theirs) = StdStream::pair().map_err(broken)?;
        let files = [theirs.into()].into_iter().chain(file.map(OwnedFd::from));
        if !self.link().errand(errand, files.collect()) {
            return Err(FileError::CellGone);
        }
        match receive(ours).await.map_err(broken)? {
            Some((Answer::Failed(error), _)) => Err(error),
            Some((answer, files)) => Ok((answer, files.into_iter().next())),
            None => Err(FileError::CellGone),
        }
    }
}

/// Waits for the answer; `None` when the process ended without one.
async fn receive(socket: StdStream) -> io::Result<Option<(Answer, Vec<OwnedFd>)>> {
    socket.set_nonblocking(true)?;
    let socket = UnixStream::from_std(socket)?;
    socket.readable().await?;
    let socket = socket.into_std()?;
    socket.set_nonblocking(false)?;
    tokio::task::spawn_blocking(move || wire::receive(&socket))
        .await
        .unwrap_or_else(|ended| Err(io::Error::other(ended)))
}
