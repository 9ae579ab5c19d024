//! Whole directories: how much is in one, a copy of one, the end of one. Blocking.

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, utimensat};
use std::collections::HashSet;
use std::fs::{self, Metadata, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

/// Bytes of all files below `path`; a file with several names counts once, what cannot be read not at all.
pub fn size(path: &Path) -> i64 {
    let mut total: u64 = 0;
    let mut seen = HashSet::new();
    let mut below = vec![path.to_owned()];
    while let Some(directory) = below.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let Ok(meta) = entry.metadata() else { continue };
            if meta.is_dir() {
                below.push(entry.path());
            } else if meta.is_file() && (meta.nlink() == 1 || seen.insert((meta.dev(), meta.ino())))
            {
                total = total.saturating_add(meta.len());
            }
        }
    }
    i64::try_from(total).unwrap_or(i64::MAX)
}

/// Copies the directory `from` to `to`, which is made: files, directories and links with modes and times.
/// Sockets and devices mean nothing without their programs and are left out.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let meta = fs::symlink_metadata(from)?;
    let kind = meta.file_type();
    if kind.is_dir() {
        fs::create_dir(to)?;
        for entry in fs::read_dir(from)? {
            let name = entry?.file_name();
            copy(&from.join(&name), &to.join(&name))?;
        }
        // Last: it may forbid writing.
        fs::set_permissions(to, meta.permissions())?;
    } else if kind.is_symlink() {
        symlink(fs::read_link(from)?, to)?;
    } else if kind.is_file() {
        fs::copy(from, to)?;
    } else {
        return Ok(());
    }
    set_times(to, &meta)
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

/// Removes `path` and all below it, also directories that forbid it (the kernel's own, of an overlay,
/// do). Already gone is fine.
pub fn remove(path: &Path) -> io::Result<()> {
    let tried = match fs::remove_dir_all(path) {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            open_up(path)?;
            fs::remove_dir_all(path)
        }
        other => other,
    };
    match tried {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

fn open_up(path: &Path) -> io::Result<()> {
    fs::set_permissions(path, Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            open_up(&entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{copy, remove, size};
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn a_copy_has_the_files_links_modes_and_times_and_the_size_of_the_original() {
        let dir = tempfile::tempdir().unwrap();
        let (from, to) = (dir.path().join("a"), dir.path().join("b"));
        fs::create_dir_all(from.join("sub")).unwrap();
        fs::write(from.join("sub/run"), "12345").unwrap();
        fs::set_permissions(from.join("sub/run"), fs::Permissions::from_mode(0o751)).unwrap();
        fs::hard_link(from.join("sub/run"), from.join("again")).unwrap();
        symlink("nowhere", from.join("link")).unwrap();
        fs::set_permissions(from.join("sub"), fs::Permissions::from_mode(0o555)).unwrap();
        assert_eq!(size(&from), 5);

        copy(&from, &to).unwrap();
        let meta = |path: &std::path::Path| fs::symlink_metadata(path).unwrap();
        assert_eq!(
            fs::read_link(to.join("link")).unwrap().to_str(),
            Some("nowhere")
        );
        for name in ["sub", "sub/run", "again"] {
            let (old, new) = (meta(&from.join(name)), meta(&to.join(name)));
            assert_eq!(old.permissions().mode(), new.permissions().mode(), "{name}");
            assert_eq!(old.modified().unwrap(), new.modified().unwrap(), "{name}");
        }

        remove(&to).unwrap();
        assert!(!to.exists());
        remove(&to).unwrap();
    }
}
