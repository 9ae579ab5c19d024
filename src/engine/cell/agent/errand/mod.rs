//! Work on files inside the cell, each piece in a process of its own that runs as the user of commands.

mod archive;
mod git;
mod paths;
mod place;
mod survey;
mod unpack;

pub use place::Place;

use super::super::errand::{Answer, Errand, FileError};
use super::super::{sys, wire};
use super::commands::become_command;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;

/// Starts the work and returns at once. `files` are the socket for the answer and what the errand is about.
pub fn start(place: &Place, errand: Errand, files: Vec<OwnedFd>) {
    let mut files = files.into_iter();
    let Some(socket) = files.next().map(UnixStream::from) else {
        return;
    };
    let about = files.next().map(File::from);
    let begun = sys::in_child(|| {
        let done = become_command(place.level, false)
            .map_err(broken)
            .and_then(|()| run(place, &errand, about.as_ref()));
        answer(&socket, done);
    });
    if let Err(error) = begun {
        answer(&socket, Err(broken(error)));
    }
}

fn run(
    place: &Place,
    errand: &Errand,
    about: Option<&File>,
) -> Result<(Answer, Option<File>), FileError> {
    match errand {
        Errand::Unpack { into } => {
            let archive =
                about.ok_or_else(|| FileError::Broken("there is no archive".to_owned()))?;
            unpack::run(&place.path(None, into), place, archive)?;
        }
        Errand::Open { path, cwd } => {
            let (file, size) = paths::open(&place.path(cwd.as_deref(), path), path)?;
            return Ok((Answer::Opened { size }, Some(file)));
        }
        Errand::MakeDirectory {
            path,
            cwd,
            recursive,
        } => {
            paths::make_directory(&place.path(cwd.as_deref(), path), path, *recursive)?;
        }
        Errand::Clone(repository) => git::clone(place, repository)?,
    }
    Ok((Answer::Done, None))
}

/// Who does not wait for the answer any more needs none.
fn answer(socket: &UnixStream, done: Result<(Answer, Option<File>), FileError>) {
    let (answer, file) = done.unwrap_or_else(|error| (Answer::Failed(error), None));
    let Ok(bytes) = wire::frame(&answer) else {
        return;
    };
    let mut files: Vec<_> = file.iter().map(AsFd::as_fd).collect();
    let mut rest = bytes.as_slice();
    while !rest.is_empty() {
        match wire::send_some(socket, rest, &files) {
            Ok(sent) => rest = &rest[sent..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        }
        files.clear();
    }
}

fn broken(error: io::Error) -> FileError {
    FileError::Broken(error.to_string())
}

/// A path as a message tells it.
fn shown(path: impl AsRef<std::path::Path>) -> String {
    const LONGEST: usize = 200;
    let text = path.as_ref().to_string_lossy();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?} …", &text[..end]),
        None => format!("{text:?}"),
    }
}
