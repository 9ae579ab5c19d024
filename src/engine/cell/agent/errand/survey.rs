//! Looking through an archive before anything of it is written: where each entry will land, and whether all of
//! them may and can.

use super::super::super::errand::FileError;
use super::archive::{self, Entry, What};
use super::place::{Found, Kind, Place, look, resolve};
use super::shown;
use rustix::fs::{Access, access, statvfs};
use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The largest disk of the service.
const MOST_BYTES: u64 = 64 << 30;
const MOST_ENTRIES: usize = 500_000;
/// All names together, in bytes; they are kept in memory.
const MOST_NAMES: usize = 64 << 20;

/// What becomes of one entry. All paths are absolute and without links.
pub enum Step {
    /// It is there already.
    Keep,
    Directory {
        at: PathBuf,
        mode: u32,
    },
    File {
        at: PathBuf,
        mode: u32,
        size: u64,
    },
    Symlink {
        at: PathBuf,
        target: PathBuf,
    },
    HardLink {
        at: PathBuf,
        to: PathBuf,
    },
}

struct Survey<'a> {
    place: &'a Place,
    /// As it was named.
    into: &'a Path,
    /// The same without links: nothing may land outside.
    base: PathBuf,
    planned: HashMap<PathBuf, Kind>,
    steps: Vec<Step>,
    names: usize,
    bytes: u64,
    /// Bytes that the disk has room for.
    room: u64,
    /// The last directory that was found open to writing.
    open: Option<PathBuf>,
}

/// One step for each entry of `archive`, in its order.
///
/// # Errors
/// When one of them must not or cannot be written; nothing has been touched then.
pub fn survey(into: &Path, place: &Place, archive: &File) -> Result<Vec<Step>, FileError> {
    let refused = |why: &str| FileError::Refused(format!("the directory {} {why}", shown(into)));
    let base = resolve(into, true, &|_| None).map_err(|why| refused(&why))?;
    if !matches!(base.kind, Kind::Directory | Kind::Nothing) {
        return Err(refused("is no directory"));
    }
    let disk = statvfs(nearest(&base.path)).map_err(|error| refused(&error.to_string()))?;
    let mut survey = Survey {
        place,
        into,
        base: base.path,
        planned: HashMap::new(),
        steps: Vec::new(),
        names: 0,
        bytes: 0,
        room: disk.f_bavail.saturating_mul(disk.f_frsize),
        open: None,
    };
    archive::each(archive, |entry, data| {
        let (name, size) = (entry.name.clone(), entry.size);
        survey.count(&name, size)?;
        let step = survey.add(entry).map_err(|why| {
            FileError::Refused(format!(
                "the entry {} {why}; nothing was written",
                shown(&name)
            ))
        })?;
        survey.steps.push(step);
        archive::pour(data, size, |_| Ok(()))
    })?;
    Ok(survey.steps)
}

/// What is there of a path, at least `/`.
fn nearest(path: &Path) -> &Path {
    let there = |path: &&Path| path.symlink_metadata().is_ok();
    path.ancestors().find(there).unwrap_or(path)
}

impl Survey<'_> {
    fn count(&mut self, name: &Path, size: u64) -> Result<(), FileError> {
        let too_many = |what: String| FileError::Refused(format!("more than {what} in one upload"));
        self.names += name.as_os_str().len();
        if self.names > MOST_NAMES {
            return Err(too_many("64 MiB of names".to_owned()));
        }
        if self.steps.len() == MOST_ENTRIES {
            return Err(too_many(format!("{MOST_ENTRIES} entries")));
        }
        self.bytes = self.bytes.saturating_add(size);
        if self.bytes > MOST_BYTES {
            return Err(too_many(format!("{} GiB", MOST_BYTES >> 30)));
        }
        if self.bytes > self.room {
            return Err(FileError::Full(format!(
                "no room on the disk: the files have {} bytes or more, {} are free",
                self.bytes, self.room
            )));
        }
        Ok(())
    }

    fn add(&mut self, entry: Entry) -> Result<Step, String> {
        match entry.what {
            What::Directory { mode } => {
                let found = self.find(&entry.name, true)?;
                match found.kind {
                    // An entry before it needed it.
                    Kind::Directory if self.planned.contains_key(&found.path) => {
                        let at = found.path;
                        Ok(Step::Directory { at, mode })
                    }
                    Kind::Directory => Ok(Step::Keep),
                    Kind::Nothing => {
                        let at = self.plan(found, Kind::Directory)?;
                        Ok(Step::Directory { at, mode })
                    }
                    _ => Err("is a directory, but at its place is something else".to_owned()),
                }
            }
            What::File { mode } => {
                let found = self.find(&entry.name, true)?;
                match found.kind {
                    Kind::Nothing | Kind::File => {
                        let at = self.plan(found, Kind::File)?;
                        let size = entry.size;
                        Ok(Step::File { at, mode, size })
                    }
                    Kind::Directory => Err("would replace a directory".to_owned()),
                    _ => Err("would replace what is no regular file".to_owned()),
                }
            }
            What::Symlink { target } => {
                let at = self.link(&entry.name, Kind::Link)?;
                Ok(Step::Symlink { at, target })
            }
            What::HardLink { to } => {
                let to = self.find(&to, true)?;
                if to.kind != Kind::File {
                    return Err("is a hard link to what is no file".to_owned());
                }
                let at = self.link(&entry.name, Kind::File)?;
                if at == to.path {
                    return Err("is a hard link to itself".to_owned());
                }
                Ok(Step::HardLink { at, to: to.path })
            }
        }
    }

    /// The place of a link, which replaces a file or a link but does not go through one.
    fn link(&mut self, name: &Path, kind: Kind) -> Result<PathBuf, String> {
        let found = self.find(name, false)?;
        match found.kind {
            Kind::Nothing | Kind::File | Kind::Link => {}
            _ => return Err("is a link, but at its place is something else".to_owned()),
        }
        self.writable(&found.path)?;
        self.plan(found, kind)
    }

    fn find(&self, name: &Path, last: bool) -> Result<Found, String> {
        let path = self.place.real(&self.into.join(name));
        let found = resolve(&path, last, &|path| self.planned.get(path).copied())?;
        if !found.path.starts_with(&self.base) {
            let base = shown(&self.base);
            return Err(format!("would land outside of {base}, through a link"));
        }
        Ok(found)
    }

    /// Notes what will be at a place, and the directories above it that will be made.
    fn plan(&mut self, found: Found, kind: Kind) -> Result<PathBuf, String> {
        let Found { path, kind: before } = found;
        if !self.planned.contains_key(&path) {
            let itself = before == Kind::File && access(&path, Access::WRITE_OK).is_ok();
            if !itself {
                self.writable(&path)?;
            }
        }
        for parent in path.ancestors().skip(1) {
            if self.planned.contains_key(parent) || look(parent)? != Kind::Nothing {
                break;
            }
            self.planned.insert(parent.to_owned(), Kind::Directory);
        }
        self.planned.insert(path.clone(), kind);
        Ok(path)
    }

    /// Whether the user may make or replace something at this place.
    fn writable(&mut self, path: &Path) -> Result<(), String> {
        let above = nearest(path.parent().unwrap_or(path));
        if self.open.as_deref() == Some(above) {
            return Ok(());
        }
        access(above, Access::WRITE_OK | Access::EXEC_OK)
            .map_err(|error| format!("cannot be written: {}: {error}", shown(above)))?;
        self.open = Some(above.to_owned());
        Ok(())
    }
}
