//! Whole directories: how much is in one, the end of one. Blocking.

use std::collections::HashSet;
use std::fs::{self, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
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

/// Removes the directory `top` and all below it, also directories that forbid it (the kernel's own, of an overlay,
/// do), and however deep they lie: each is moved up to the top before it is emptied. Already gone is fine.
pub fn remove(top: &Path) -> io::Result<()> {
    let mut full = vec![top.to_owned()];
    while let Some(directory) = full.pop() {
        match open_up(&directory) {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            other => other?,
        }
        for entry in fs::read_dir(&directory)? {
            let entry = entry?;
            let path = entry.path();
            if !entry.file_type()?.is_dir() {
                fs::remove_file(path)?;
            } else if directory == top {
                full.push(path);
            } else {
                // It is written to when it is moved: it learns what is above it.
                open_up(&path)?;
                let moved = top.join(fastrand::u64(..).to_string());
                fs::rename(path, &moved)?;
                full.push(moved);
            }
        }
        if directory != top {
            fs::remove_dir(directory)?;
        }
    }
    match fs::remove_dir(top) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn open_up(directory: &Path) -> io::Result<()> {
    fs::set_permissions(directory, Permissions::from_mode(0o700))
}

#[cfg(test)]
mod tests {
    use super::{remove, size};
    use rustix::fs::{Mode, OFlags, mkdirat, open, openat};
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_file_with_two_names_counts_once() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("sub")).unwrap();
        fs::write(dir.path().join("sub/one"), "12345").unwrap();
        fs::hard_link(dir.path().join("sub/one"), dir.path().join("two")).unwrap();
        assert_eq!(size(dir.path()), 5);
    }

    #[test]
    fn what_forbids_it_or_lies_too_deep_is_removed_and_what_is_gone_is_fine() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().join("top");
        fs::create_dir_all(top.join("closed/within")).unwrap();
        fs::write(top.join("closed/within/file"), "").unwrap();
        fs::set_permissions(top.join("closed"), fs::Permissions::from_mode(0o0)).unwrap();
        let mut at = open(&top, OFlags::DIRECTORY, Mode::empty()).unwrap();
        // Its path would be longer than the kernel takes, and one open file a level more than it allows.
        for _ in 0..3000 {
            mkdirat(&at, "deep", Mode::RWXU).unwrap();
            at = openat(&at, "deep", OFlags::DIRECTORY, Mode::empty()).unwrap();
        }
        drop(at);
        remove(&top).unwrap();
        assert!(!top.exists());
        remove(&top).unwrap();
    }
}
