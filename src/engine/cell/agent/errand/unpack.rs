//! Writing what an archive holds, once all of it was looked through.
//!
//! Every directory on the way is opened from the one above it and no link is followed: what was put there since the
//! look cannot lead elsewhere.

use super::super::super::errand::FileError;
use super::place::Place;
use super::survey::{Step, survey};
use super::{archive, shown};
use rustix::fd::OwnedFd;
use rustix::fs::{
    AtFlags, Mode, OFlags, fchmod, fstat, linkat, mkdirat, open, openat, symlinkat, unlinkat,
};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Component, Path, PathBuf};

const WAY: OFlags = OFlags::PATH
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// Unpacks `archive` below `into`: everything, or nothing if one entry must not be written.
pub fn run(into: &Path, place: &Place, archive: &File) -> Result<(), FileError> {
    let mut steps = survey(into, place, archive)?.into_iter();
    let mut writer = Writer {
        above: None,
        modes: Vec::new(),
    };
    let mut written = 0;
    archive::each(archive, |_, data| {
        let changed = || FileError::Broken("the archive has changed".to_owned());
        writer.take(steps.next().ok_or_else(changed)?, data, written)?;
        written += 1;
        Ok(())
    })?;
    writer.finish()
}

struct Writer {
    /// The directory of the last entry.
    above: Option<(PathBuf, OwnedFd)>,
    /// New directories get their modes at the end: those may forbid writing.
    modes: Vec<(PathBuf, u32)>,
}

impl Writer {
    fn take(&mut self, step: Step, data: &mut dyn Read, written: u64) -> Result<(), FileError> {
        let failed = |at: &Path, error: io::Error| {
            let message = format!(
                "{} cannot be written: {error}; {written} entries before it were",
                shown(at)
            );
            match error.kind() {
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => FileError::Full(message),
                _ => FileError::Broken(message),
            }
        };
        match step {
            Step::Keep => Ok(()),
            Step::Directory { at, mode } => {
                way(&at).map_err(|error| failed(&at, error))?;
                self.modes.push((at, mode));
                Ok(())
            }
            Step::File { at, mode, size } => {
                let mut file = self.create(&at).map_err(|error| failed(&at, error))?;
                archive::pour(data, size, |bytes| {
                    file.write_all(bytes).map_err(|error| failed(&at, error))
                })?;
                fchmod(&file, Mode::from_raw_mode(mode)).map_err(|error| failed(&at, error.into()))
            }
            Step::Symlink { at, target } => self
                .replace(&at, |above, name| symlinkat(&target, above, name))
                .map_err(|error| failed(&at, error)),
            Step::HardLink { at, to } => {
                let linked = way(to.parent().unwrap_or(&to)).and_then(|from| {
                    let old = name_of(&to)?;
                    self.replace(&at, |above, name| {
                        linkat(&from, old, above, name, AtFlags::empty())
                    })
                });
                linked.map_err(|error| failed(&at, error))
            }
        }
    }

    fn finish(mut self) -> Result<(), FileError> {
        // What is inside comes before what it is in.
        self.modes.sort_by(|(one, _), (other, _)| other.cmp(one));
        for (at, mode) in self.modes {
            let set = way(at.parent().unwrap_or(&at)).and_then(|above| {
                let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                let dir = openat(above, name_of(&at)?, flags, Mode::empty())?;
                Ok(fchmod(dir, Mode::from_raw_mode(mode))?)
            });
            set.map_err(|error| {
                let at = shown(&at);
                FileError::Broken(format!(
                    "cannot set the mode of the directory {at}: {error}"
                ))
            })?;
        }
        Ok(())
    }

    /// Opens a file to be written from its start: the one that is there, or else a new one.
    fn create(&mut self, at: &Path) -> io::Result<File> {
        let (above, name) = self.above(at)?;
        let flags = OFlags::WRONLY
            | OFlags::CREATE
            | OFlags::TRUNC
            | OFlags::NOFOLLOW
            | OFlags::NONBLOCK
            | OFlags::NOCTTY
            | OFlags::CLOEXEC;
        let open = || openat(above, name, flags, Mode::RUSR | Mode::WUSR);
        let file = match open() {
            // It runs, or forbids writing: whoever may write its directory may replace it.
            Err(Errno::TXTBSY | Errno::ACCESS) => {
                unlinkat(above, name, AtFlags::empty())?;
                open()?
            }
            other => other?,
        };
        let kind = rustix::fs::FileType::from_raw_mode(fstat(&file)?.st_mode);
        if kind != rustix::fs::FileType::RegularFile {
            return Err(io::Error::other("it is no regular file any more"));
        }
        Ok(file.into())
    }

    fn replace(
        &mut self,
        at: &Path,
        make: impl FnOnce(&OwnedFd, &OsStr) -> rustix::io::Result<()>,
    ) -> io::Result<()> {
        let (above, name) = self.above(at)?;
        match unlinkat(above, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(make(above, name)?)
    }

    /// The directory that `at` is in, which is made if need be, and the name there.
    fn above<'a>(&'a mut self, at: &'a Path) -> io::Result<(&'a OwnedFd, &'a OsStr)> {
        let parent = at.parent().unwrap_or(at);
        let above = match self.above.take() {
            Some(last) if last.0 == parent => last,
            _ => (parent.to_owned(), way(parent)?),
        };
        Ok((&self.above.insert(above).1, name_of(at)?))
    }
}

fn name_of(path: &Path) -> io::Result<&OsStr> {
    path.file_name()
        .ok_or_else(|| io::ErrorKind::InvalidInput.into())
}

/// Opens a directory from the root down, and makes what is missing.
fn way(path: &Path) -> io::Result<OwnedFd> {
    let mut dir = open("/", WAY, Mode::empty())?;
    for part in path.components() {
        let Component::Normal(name) = part else {
            continue;
        };
        dir = match openat(&dir, name, WAY, Mode::empty()) {
            Err(Errno::NOENT) => {
                match mkdirat(&dir, name, Mode::from_raw_mode(0o777)) {
                    Ok(()) | Err(Errno::EXIST) => {}
                    Err(error) => return Err(error.into()),
                }
                openat(&dir, name, WAY, Mode::empty())?
            }
            other => other?,
        };
    }
    Ok(dir)
}
