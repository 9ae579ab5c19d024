//! One path: a file to read, a directory to make. `told` is the path as the client wrote it.

use super::super::super::errand::FileError;
use super::shown;
use rustix::fs::{Mode, OFlags, open as open_path};
use std::fs::{DirBuilder, File, Metadata, metadata};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Opens a regular file; also gives its size in bytes.
pub fn open(path: &Path, told: &str) -> Result<(File, u64), FileError> {
    // Before it is opened: opening can make a device act.
    readable(&metadata(path).map_err(|error| unread(&error, told))?, told)?;
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file =
        open_path(path, flags, Mode::empty()).map_err(|error| unread(&error.into(), told))?;
    let file = File::from(file);
    let meta = file.metadata().map_err(|error| unread(&error, told))?;
    readable(&meta, told)?;
    Ok((file, meta.len()))
}

fn readable(meta: &Metadata, told: &str) -> Result<(), FileError> {
    let what = if meta.is_file() {
        return Ok(());
    } else if meta.is_dir() {
        "is a directory"
    } else {
        "is not a regular file"
    };
    Err(FileError::Refused(format!("{} {what}", shown(told))))
}

fn unread(error: &io::Error, told: &str) -> FileError {
    let told = shown(told);
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            FileError::Missing(format!("there is no file {told} in the sandbox"))
        }
        _ => FileError::Refused(format!("{told} cannot be read: {error}")),
    }
}

pub fn make_directory(path: &Path, told: &str, recursive: bool) -> Result<(), FileError> {
    let made = DirBuilder::new().recursive(recursive).create(path);
    made.map_err(|error| {
        let told = shown(told);
        match error.kind() {
            ErrorKind::AlreadyExists => FileError::Refused(format!("{told} is there already")),
            ErrorKind::NotFound => FileError::Refused(format!(
                "{told} has no parent directory; `recursive` makes parents too"
            )),
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                FileError::Full(format!("no room for the directory {told}: {error}"))
            }
            _ => FileError::Refused(format!("cannot make the directory {told}: {error}")),
        }
    })
}
