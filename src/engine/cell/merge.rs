//! Layers put into one: what they show together, and what they hide of that which lies beneath them. Blocking.
//!
//! The kernel's overlay leaves its marks in what it writes: a device 0/0 for what is deleted, an attribute on a
//! directory that hides all of its name beneath it.

use super::Level;
use super::copy::Copier;
use rustix::fs::{XattrFlags, lgetxattr, lsetxattr};
use rustix::io::Errno;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

/// How an overlay's attributes are called at a level.
struct Marks {
    prefix: &'static [u8],
    opaque: &'static str,
    origin: &'static str,
}

const ROOT: Marks = Marks {
    prefix: b"trusted.overlay.",
    opaque: "trusted.overlay.opaque",
    origin: "trusted.overlay.origin",
};
const USERNS: Marks = Marks {
    prefix: b"user.overlay.",
    opaque: "user.overlay.opaque",
    origin: "user.overlay.origin",
};

/// Directories of one name that lie upon each other.
struct Pile {
    /// Newest first, at least one.
    sources: Vec<PathBuf>,
    to: PathBuf,
    /// Nothing that lies beneath all layers shows through.
    sealed: bool,
    /// It is this directory that keeps it from showing through.
    seals: bool,
}

/// What a name stands for in a pile, as far as it was looked through.
enum Found {
    Settled,
    Directories { sources: Vec<PathBuf>, closed: bool },
}

/// Puts directories together in `to`, which is made; `layers` has the newest first. With `sealed` there is nothing
/// beneath them. Files below `own` are not copied, they get a second name: they are about to be removed.
pub fn merge(
    layers: Vec<PathBuf>,
    to: &Path,
    level: Level,
    sealed: bool,
    own: Option<&Path>,
) -> io::Result<()> {
    let marks = match level {
        Level::Root => Some(&ROOT),
        Level::Userns => Some(&USERNS),
        Level::Plain => None,
    };
    let mut merger = Merger {
        copier: Copier::new(marks.map_or(b"", |marks| marks.prefix)),
        marks,
        own,
    };
    let mut piles = vec![Pile {
        sources: layers,
        to: to.to_owned(),
        sealed,
        seals: false,
    }];
    let mut made = Vec::new();
    while let Some(pile) = piles.pop() {
        let meta = fs::symlink_metadata(&pile.sources[0])?;
        fs::create_dir(&pile.to)?;
        piles.extend(merger.fill(&pile)?);
        made.push((pile, meta));
    }
    // What is within comes first: a directory may forbid to be written, and has times of its own.
    for (pile, meta) in made.iter().rev() {
        merger.finish(pile, meta)?;
    }
    Ok(())
}

struct Merger<'a> {
    copier: Copier,
    marks: Option<&'static Marks>,
    own: Option<&'a Path>,
}

impl Merger<'_> {
    /// Fills a directory with all but its directories, and gives those.
    fn fill(&mut self, pile: &Pile) -> io::Result<Vec<Pile>> {
        let mut names: HashMap<OsString, Found> = HashMap::new();
        for source in &pile.sources {
            self.copier
                .open_up(source, &fs::symlink_metadata(source)?, 0o500)?;
            for entry in fs::read_dir(source)? {
                let entry = entry?;
                let (path, meta) = (entry.path(), entry.metadata()?);
                match names.entry(entry.file_name()) {
                    Entry::Vacant(new) if meta.is_dir() => {
                        let closed = self.is_opaque(&path)?;
                        let sources = vec![path];
                        new.insert(Found::Directories { sources, closed });
                    }
                    Entry::Vacant(new) => {
                        self.place(&path, &meta, pile, new.key())?;
                        new.insert(Found::Settled);
                    }
                    Entry::Occupied(mut known) => {
                        if let Found::Directories { sources, closed } = known.get_mut() {
                            self.look_beneath(sources, closed, path, &meta)?;
                        }
                    }
                }
            }
        }
        Ok(directories(names, pile))
    }

    /// Takes in what lies under a directory, unless something between the two hides it.
    fn look_beneath(
        &self,
        sources: &mut Vec<PathBuf>,
        closed: &mut bool,
        path: PathBuf,
        meta: &Metadata,
    ) -> io::Result<()> {
        if *closed {
            return Ok(());
        }
        *closed = !meta.is_dir() || self.is_opaque(&path)?;
        if meta.is_dir() {
            sources.push(path);
        }
        Ok(())
    }

    /// Puts what is no directory into its place; what only hides something goes where there is something to hide.
    fn place(
        &mut self,
        path: &Path,
        meta: &Metadata,
        pile: &Pile,
        name: &OsString,
    ) -> io::Result<()> {
        let hides = self.marks.is_some() && meta.file_type().is_char_device() && meta.rdev() == 0;
        if hides && pile.sealed {
            return Ok(());
        }
        let to = pile.to.join(name);
        if self.own.is_some_and(|own| path.starts_with(own)) {
            return fs::hard_link(path, to);
        }
        self.copier.copy(path, meta, &to)
    }

    fn finish(&mut self, pile: &Pile, meta: &Metadata) -> io::Result<()> {
        let newest = &pile.sources[0];
        if let Some(marks) = self.marks {
            if pile.seals {
                lsetxattr(&pile.to, marks.opaque, b"y", XattrFlags::empty())?;
            } else if let Some(origin) = attribute(newest, marks.origin)? {
                // Where it came from is nothing to the kernel here; that it is there makes it look for deletions.
                lsetxattr(&pile.to, marks.origin, &origin, XattrFlags::empty())?;
            }
        }
        self.copier.dress(newest, meta, &pile.to)
    }

    fn is_opaque(&self, directory: &Path) -> io::Result<bool> {
        match self.marks {
            Some(marks) => {
                Ok(attribute(directory, marks.opaque)?.is_some_and(|value| value == b"y"))
            }
            None => Ok(false),
        }
    }
}

fn directories(names: HashMap<OsString, Found>, pile: &Pile) -> Vec<Pile> {
    let pile_of = |(name, found)| match found {
        Found::Settled => None,
        Found::Directories { sources, closed } => Some(Pile {
            sources,
            to: pile.to.join(name),
            sealed: pile.sealed || closed,
            seals: closed && !pile.sealed,
        }),
    };
    names.into_iter().filter_map(pile_of).collect()
}

fn attribute(path: &Path, name: &str) -> io::Result<Option<Vec<u8>>> {
    let mut value = Vec::with_capacity(256);
    match lgetxattr(path, name, rustix::buffer::spare_capacity(&mut value)) {
        Ok(_) => Ok(Some(value)),
        Err(Errno::NODATA | Errno::NOTSUP) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests;
