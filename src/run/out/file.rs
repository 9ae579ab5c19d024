//! Files that only this user can read: written as a whole or not at all, and over nothing that was not meant.

use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// As a shell would take it: `~/` is home, and the rest begins where this program was started.
pub fn whole_path(typed: &str, home: Option<&Path>) -> PathBuf {
    let path = match (typed.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(typed),
    };
    std::path::absolute(&path).unwrap_or(path)
}

/// # Errors
/// `AlreadyExists` when something is there and may not go; else what went wrong. Nothing is left behind then.
pub fn save<T>(
    path: &Path,
    overwrite: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> io::Result<T> {
    let path = match fs::metadata(path) {
        Ok(found) if !found.is_file() => return Err(io::Error::other("it is no regular file")),
        Ok(_) if !overwrite => return Err(ErrorKind::AlreadyExists.into()),
        // A link stays one: what it leads to is replaced.
        Ok(_) => path.canonicalize()?,
        Err(_) => path.to_owned(),
    };
    let name = path.file_name().ok_or(ErrorKind::InvalidInput)?;
    let mut partial = name.to_owned();
    partial.push(format!(".{:08x}.partial", fastrand::u32(..)));
    let partial = path.with_file_name(partial);
    let written = written(&partial, write).and_then(|done| {
        put_in_place(&partial, &path, overwrite)?;
        Ok(done)
    });
    if written.is_err() {
        let _ = fs::remove_file(&partial);
    }
    written
}

fn written<T>(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> io::Result<T> {
    let mut out = BufWriter::new(new(path)?);
    let done = write(&mut out)?;
    out.flush()?;
    Ok(done)
}

fn new(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
}

/// Somebody else may have made a file of that name meanwhile.
fn put_in_place(partial: &Path, path: &Path, overwrite: bool) -> io::Result<()> {
    if overwrite {
        return fs::rename(partial, path);
    }
    match renameat_with(CWD, partial, CWD, path, RenameFlags::NOREPLACE) {
        // A file system that does not know how.
        Err(Errno::INVAL | Errno::NOSYS) if fs::symlink_metadata(path).is_err() => {
            fs::rename(partial, path)
        }
        Err(Errno::INVAL | Errno::NOSYS) => Err(ErrorKind::AlreadyExists.into()),
        other => Ok(other?),
    }
}

/// A file of that name where private files lie; one that was there goes.
///
/// # Errors
/// As [`save`], and when there is no such place.
pub fn private<T>(
    directories: &[PathBuf],
    name: &str,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> io::Result<(PathBuf, T)> {
    let path = place(directories)?.join(name);
    let there = fs::symlink_metadata(&path).is_ok();
    let done = save(&path, there, write)?;
    Ok((path, done))
}

/// The first of them that is there, or can be made.
fn place(directories: &[PathBuf]) -> io::Result<&Path> {
    let make = |directory: &&PathBuf| {
        let made = DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(directory);
        made.is_ok()
    };
    let found = directories.iter().find(make);
    found
        .map(PathBuf::as_path)
        .ok_or(ErrorKind::NotFound.into())
}

/// A file that goes with this value.
#[derive(Debug)]
pub struct Scrap(pub PathBuf);

impl Drop for Scrap {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// As [`private`], under a name that is not used again.
///
/// # Errors
/// As [`private`].
pub fn scrap<T>(
    directories: &[PathBuf],
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> io::Result<(Scrap, T)> {
    let name = format!("lines-{:016x}.log", fastrand::u64(..));
    let (path, done) = private(directories, &name, write)?;
    Ok((Scrap(path), done))
}
