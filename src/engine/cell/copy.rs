//! Entries of a file system, copied with all that belongs to them: content with its holes, further names, mode, owner,
//! times, extended attributes. Blocking.

use rustix::fs::{
    AtFlags, CWD, FileType, Mode, SeekFrom, Timespec, Timestamps, XattrFlags, lgetxattr,
    llistxattr, lsetxattr, mknodat, seek, utimensat,
};
use rustix::io::Errno;
use std::collections::HashMap;
use std::ffi::CStr;
use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, lchown, symlink};
use std::path::{Path, PathBuf};

/// The kernel allows no longer list of attributes, and no longer value.
const LONGEST_ATTRIBUTE: usize = 64 << 10;

/// Copies entries of one tree to another.
pub struct Copier {
    /// Where the first name of a file with several went.
    names: HashMap<(u64, u64), PathBuf>,
    /// Attributes that are not copied begin so.
    skipped: &'static [u8],
    list: Vec<u8>,
    value: Vec<u8>,
    opened: Vec<(PathBuf, Permissions)>,
}

impl Copier {
    pub fn new(skipped: &'static [u8]) -> Self {
        Self {
            names: HashMap::new(),
            skipped,
            list: vec![0; LONGEST_ATTRIBUTE],
            value: vec![0; LONGEST_ATTRIBUTE],
            opened: Vec::new(),
        }
    }

    /// Copies what is no directory to `to`, where nothing is yet.
    pub fn copy(&mut self, from: &Path, meta: &Metadata, to: &Path) -> io::Result<()> {
        let inode = (meta.dev(), meta.ino());
        if let Some(first) = self.names.get(&inode) {
            return fs::hard_link(first, to);
        }
        let kind = meta.file_type();
        if kind.is_file() {
            self.open_up(from, meta, 0o400)?;
            content(from, to, meta.len())?;
        } else if kind.is_symlink() {
            symlink(fs::read_link(from)?, to)?;
        } else {
            let kind = FileType::from_raw_mode(meta.mode());
            mknodat(CWD, to, kind, Mode::RUSR | Mode::WUSR, meta.rdev())?;
        }
        self.dress(from, meta, to)?;
        if meta.nlink() > 1 {
            self.names.insert(inode, to.to_owned());
        }
        Ok(())
    }

    /// Gives `to` owner, mode, attributes and times of `from`.
    pub fn dress(&mut self, from: &Path, meta: &Metadata, to: &Path) -> io::Result<()> {
        match lchown(to, Some(meta.uid()), Some(meta.gid())) {
            // Nobody but the superuser gives files away.
            Err(error) if error.kind() != ErrorKind::PermissionDenied => return Err(error),
            _ => {}
        }
        self.copy_attributes(from, to)?;
        if !meta.is_symlink() {
            fs::set_permissions(to, meta.permissions())?;
        }
        set_times(to, meta)
    }

    fn copy_attributes(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let length = match llistxattr(from, &mut self.list[..]) {
            Err(Errno::NOTSUP) => 0,
            length => length?,
        };
        let names = self.list[..length].split_inclusive(|byte| *byte == 0);
        for name in names.filter(|name| self.skipped.is_empty() || !name.starts_with(self.skipped))
        {
            let name = CStr::from_bytes_with_nul(name).map_err(io::Error::other)?;
            let value = lgetxattr(from, name, &mut self.value[..])?;
            match lsetxattr(to, name, &self.value[..value], XattrFlags::empty()) {
                // What belongs to the machine is not for everybody to set.
                Err(Errno::NOTSUP | Errno::PERM | Errno::ACCESS) => {}
                other => other?,
            }
        }
        Ok(())
    }

    /// Lets its owner read what forbids it, until this copier is dropped. The superuser needs no leave.
    pub fn open_up(&mut self, path: &Path, meta: &Metadata, needed: u32) -> io::Result<()> {
        if meta.mode() & needed == needed || rustix::process::geteuid().is_root() {
            return Ok(());
        }
        let more = Permissions::from_mode(meta.mode() | needed);
        fs::set_permissions(path, more)?;
        self.opened.push((path.to_owned(), meta.permissions()));
        Ok(())
    }
}

impl Drop for Copier {
    fn drop(&mut self) {
        for (path, permissions) in self.opened.drain(..).rev() {
            // It could be changed a moment ago.
            let _ = fs::set_permissions(path, permissions);
        }
    }
}

/// Copies the ranges that hold data. The kernel shares them between the two files where the file system can.
fn content(from: &Path, to: &Path, length: u64) -> io::Result<()> {
    let source = File::open(from)?;
    let target = File::options()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(to)?;
    target.set_len(length)?;
    let mut at = 0;
    loop {
        let start = match seek(&source, SeekFrom::Data(at)) {
            Err(Errno::NXIO) => return Ok(()),
            start => start?,
        };
        at = seek(&source, SeekFrom::Hole(start))?;
        for file in [&source, &target] {
            seek(file, SeekFrom::Start(start))?;
        }
        io::copy(&mut (&source).take(at - start), &mut &target)?;
    }
}

fn set_times(path: &Path, like: &Metadata) -> io::Result<()> {
    let time = |tv_sec, nanos: i64| Timespec {
        tv_sec,
        tv_nsec: nanos as _,
    };
    let times = Timestamps {
        last_access: time(like.atime(), like.atime_nsec()),
        last_modification: time(like.mtime(), like.mtime_nsec()),
    };
    Ok(utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW)?)
}
