//! Reading a tar, packed by gzip or not: what is in it, one entry after the other, within bounds.

use super::super::super::errand::FileError;
use super::shown;
use flate2::bufread::MultiGzDecoder;
use std::cell::Cell;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;
use tar::{Archive, EntryType};

/// Long names come before their entry, and are kept in memory; no honest one has that many bytes.
const LONGEST_HEAD: u64 = 1 << 20;
const CHUNK: usize = 64 * 1024;
/// What a client that says nothing means.
const FILE_MODE: u32 = 0o644;
const DIRECTORY_MODE: u32 = 0o755;

/// What an archive says of one entry.
pub struct Entry {
    /// Relative, without dots; empty for the place of extraction itself.
    pub name: PathBuf,
    pub what: What,
    /// Bytes that follow.
    pub size: u64,
}

pub enum What {
    File { mode: u32 },
    Directory { mode: u32 },
    Symlink { target: PathBuf },
    HardLink { to: PathBuf },
}

/// Reads `file` from its start to its end.
///
/// # Errors
/// When it is no whole archive, has what cannot be unpacked, or `visit` fails.
pub fn each(
    mut file: &File,
    mut visit: impl FnMut(Entry, &mut dyn Read) -> Result<(), FileError>,
) -> Result<(), FileError> {
    file.rewind().map_err(unreadable)?;
    let mut packed = BufReader::with_capacity(CHUNK, file);
    let start = packed.fill_buf().map_err(unreadable)?;
    if start.is_empty() {
        return Err(FileError::Refused("the archive is empty".to_owned()));
    }
    let bytes: Box<dyn Read + '_> = if start.starts_with(&[0x1f, 0x8b]) {
        Box::new(MultiGzDecoder::new(packed))
    } else {
        Box::new(packed)
    };
    let fuel = Fuel(Rc::new(Cell::new(LONGEST_HEAD)));
    let mut archive = Archive::new(Metered {
        bytes,
        fuel: fuel.clone(),
    });
    for entry in archive.entries().map_err(unreadable)? {
        let mut entry = entry.map_err(unreadable)?;
        if entry.header().entry_type() != EntryType::XGlobalHeader {
            fuel.0.set(u64::MAX);
            visit(read(&entry)?, &mut entry)?;
        }
        io::copy(&mut entry, &mut io::sink()).map_err(unreadable)?;
        fuel.0.set(LONGEST_HEAD);
    }
    // The end of gzip's data tells whether all of it was right.
    io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(unreadable)?;
    Ok(())
}

/// Hands on the data of an entry, which must be all there.
pub fn pour(
    data: &mut dyn Read,
    size: u64,
    mut to: impl FnMut(&[u8]) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let mut chunk = vec![0; usize::try_from(size).map_or(CHUNK, |size| size.clamp(1, CHUNK))];
    let mut got = 0;
    loop {
        match data.read(&mut chunk) {
            Ok(0) if got == size => return Ok(()),
            Ok(0) => return Err(unreadable(io::ErrorKind::UnexpectedEof.into())),
            Ok(length) => {
                got += length as u64;
                to(&chunk[..length])?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(unreadable(error)),
        }
    }
}

fn read(entry: &tar::Entry<'_, impl Read>) -> Result<Entry, FileError> {
    let raw = entry.path_bytes();
    let name = relative(&raw)?;
    let mode = entry.header().mode().unwrap_or_default() & 0o777;
    let or = |usual| if mode == 0 { usual } else { mode };
    let link = || match entry.link_name_bytes() {
        Some(target) if !target.is_empty() && !target.contains(&0) => Ok(target.into_owned()),
        _ => Err(refused(&raw, "is a link to nothing")),
    };
    let what = match entry.header().entry_type() {
        // Old archives mark a directory by its name only.
        EntryType::Regular if raw.ends_with(b"/") => What::Directory {
            mode: or(DIRECTORY_MODE),
        },
        EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => What::File {
            mode: or(FILE_MODE),
        },
        EntryType::Directory => What::Directory {
            mode: or(DIRECTORY_MODE),
        },
        EntryType::Symlink => What::Symlink {
            target: OsStr::from_bytes(&link()?).into(),
        },
        EntryType::Link => What::HardLink {
            to: relative(&link()?)?,
        },
        EntryType::Char | EntryType::Block | EntryType::Fifo => {
            return Err(refused(&raw, "is a device or a pipe"));
        }
        _ => return Err(refused(&raw, "is of a kind that is not known")),
    };
    Ok(Entry {
        name,
        what,
        size: entry.size(),
    })
}

/// A name that stays below the place of extraction, whatever is there.
fn relative(raw: &[u8]) -> Result<PathBuf, FileError> {
    if raw.is_empty() || raw.contains(&0) {
        return Err(refused(raw, "is no name"));
    }
    let mut name = PathBuf::new();
    for part in Path::new(OsStr::from_bytes(raw)).components() {
        match part {
            Component::Normal(part) => name.push(part),
            Component::CurDir => {}
            Component::ParentDir => return Err(refused(raw, "goes up by `..`")),
            Component::RootDir | Component::Prefix(_) => {
                return Err(refused(raw, "is an absolute path"));
            }
        }
    }
    Ok(name)
}

fn refused(name: &[u8], why: &str) -> FileError {
    let name = shown(OsStr::from_bytes(name));
    FileError::Refused(format!("the entry {name} {why}"))
}

fn unreadable(error: io::Error) -> FileError {
    FileError::Refused(format!("this is not a whole tar.gz: {error}"))
}

/// How many bytes may still be read before somebody says that more are fine.
#[derive(Clone)]
struct Fuel(Rc<Cell<u64>>);

struct Metered<R> {
    bytes: R,
    fuel: Fuel,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.bytes.read(buffer)?;
        let left = self.fuel.0.get().checked_sub(got as u64);
        self.fuel
            .0
            .set(left.ok_or_else(|| io::Error::other("more than 1 MiB between two entries"))?);
        Ok(got)
    }
}
