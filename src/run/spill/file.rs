//! The file: nobody else can open it, it has no name, and it goes with the program however that ends.

use super::space::Space;
use crate::logic::tail::StoreId;
use crate::text::ChunkId;
use rustix::fs::{FallocateFlags, Mode, OFlags, fallocate, open};
use std::collections::HashMap;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::ops::Range;
use std::os::unix::fs::{DirBuilderExt, FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

type Key = (StoreId, ChunkId);

pub struct SpillFile {
    directories: Vec<PathBuf>,
    /// Made with the first write.
    file: Option<File>,
    space: Space,
    places: HashMap<Key, Range<u64>>,
}

impl SpillFile {
    pub fn new(directories: Vec<PathBuf>) -> Self {
        Self {
            directories,
            file: None,
            space: Space::default(),
            places: HashMap::new(),
        }
    }

    /// # Errors
    /// When there is no room, or no place for a file; nothing is kept then.
    pub fn write(&mut self, key: Key, bytes: &[u8]) -> io::Result<()> {
        let file = match &self.file {
            Some(file) => file,
            None => self.file.insert(nameless(&self.directories)?),
        };
        let place = self.space.take(bytes.len() as u64);
        let written = file.write_all_at(bytes, place.start);
        self.places.insert(key, place);
        if written.is_err() {
            self.free(key);
        }
        written
    }

    /// # Errors
    /// When it is not there, or cannot be read.
    pub fn read(&self, key: Key) -> io::Result<Vec<u8>> {
        let place = self.file.as_ref().zip(self.places.get(&key));
        let (file, place) = place.ok_or(io::ErrorKind::NotFound)?;
        let len = usize::try_from(place.end - place.start).map_err(io::Error::other)?;
        let mut bytes = vec![0; len];
        file.read_exact_at(&mut bytes, place.start)?;
        Ok(bytes)
    }

    pub fn free(&mut self, key: Key) {
        let Some((place, file)) = self.places.remove(&key).zip(self.file.as_ref()) else {
            return;
        };
        let (start, len) = (place.start, place.end - place.start);
        self.space.give(place);
        // Where neither works the room is used again all the same.
        let _ = if self.space.end() <= start {
            file.set_len(self.space.end())
        } else {
            let hole = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
            fallocate(file, hole, start, len).map_err(io::Error::from)
        };
    }

    pub fn free_all(&mut self, store: StoreId) {
        let its: Vec<Key> = self
            .places
            .keys()
            .filter(|(of, _)| *of == store)
            .copied()
            .collect();
        its.into_iter().for_each(|key| self.free(key));
    }
}

/// In the first directory where one can be made.
fn nameless(directories: &[PathBuf]) -> io::Result<File> {
    let mut failed = io::Error::from(io::ErrorKind::NotFound);
    for directory in directories {
        // Failing shows when the file is made.
        let _ = DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(directory);
        let flags = OFlags::TMPFILE | OFlags::EXCL | OFlags::RDWR | OFlags::CLOEXEC;
        let made = match open(directory, flags, Mode::RUSR | Mode::WUSR) {
            Ok(file) => Ok(File::from(file)),
            Err(_) => unlinked(directory),
        };
        match made {
            Ok(file) => return Ok(file),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

/// Where the file system knows no files without a name: one that loses it at once.
fn unlinked(directory: &Path) -> io::Result<File> {
    let path = directory.join(format!("lines-{:016x}", fastrand::u64(..)));
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&path)?;
    fs::remove_file(path)?;
    Ok(file)
}

#[cfg(test)]
mod tests;
