//! What is to be seen inside a cell: the machine's system directories, each under an overlay of its own, on a
//! root that is the cell's own.
//!
//! One overlay over `/` as a whole does not work: in a user namespace the kernel refuses a lower side with
//! other mounts in it, and a kept layer that lies below `/` cannot be stacked on it. So each directory has its
//! own, taken from a list: what else lies in the machine's root is nobody's business. All upper sides lie in one
//! directory, which makes them one layer, kept by a rename.

use super::super::wire::Setup;
use super::super::{Level, TOP, sys};
use super::{kernel, people};
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind_recursive, mount_change,
    unmount,
};
use rustix::process::{pivot_root, umask};
use rustix::thread::UnshareFlags;
use std::ffi::CString;
use std::fmt::Display;
use std::fs::{self, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;

/// The machine's directories that a cell sees, where there are such.
const SYSTEM: [&str; 12] = [
    "usr", "etc", "opt", "var", "srv", "nix", "bin", "sbin", "lib", "lib32", "lib64", "libx32",
];

/// Directories that every cell has: name, mode, whether they belong to the user of commands.
const OWN: [(&str, u32, bool); 11] = [
    ("vercel", 0o755, true),
    ("vercel/sandbox", 0o755, true),
    ("home", 0o755, false),
    ("home/vercel-sandbox", 0o755, true),
    ("root", 0o700, false),
    ("app", 0o755, true),
    ("tmp", 0o1777, false),
    ("mnt", 0o755, false),
    ("run", 0o755, false),
    ("proc", 0o555, false),
    ("dev", 0o755, false),
];

/// The kernel takes one page of options.
const LONGEST_OPTIONS: usize = 4095;

/// Builds the cell's file system and moves into it. Paths are relative to the session's own directory, which
/// also keeps the options short: the chain of layers must fit into them.
pub fn build(setup: &Setup) -> io::Result<()> {
    umask(rustix::fs::Mode::from_raw_mode(0o022));
    // Its own group is all that a cell sees of them. Where there are none, there is nothing to hide.
    let _ = sys::unshare(UnshareFlags::NEWCGROUP);
    sys::unshare(UnshareFlags::NEWNS).map_err(|error| said("cannot leave the mounts", error))?;
    std::env::set_current_dir(&setup.home)?;
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", private).map_err(|error| said("cannot make the mounts private", error))?;
    overlay(setup, TOP, Path::new("empty"), Path::new("root"))?;
    own_directories(setup.level)?;
    for name in SYSTEM {
        system_directory(setup, name)?;
    }
    kernel::mount_views(Path::new("root"))?;
    let resolver = fs::read("/etc/resolv.conf").ok();
    std::env::set_current_dir("root")?;
    pivot_root(".", ".").map_err(|error| said("cannot enter the root", error))?;
    unmount(".", UnmountFlags::DETACH)?;
    std::env::set_current_dir("/")?;
    rustix::system::sethostname(setup.hostname.as_bytes())?;
    match people::settle(&setup.hostname, resolver.as_deref()) {
        // Where `/etc` could only be shown, the machine's own must do.
        Err(error) if error.kind() == io::ErrorKind::ReadOnlyFilesystem => Ok(()),
        other => other,
    }
}

fn own_directories(level: Level) -> io::Result<()> {
    for (name, mode, of_user) in OWN {
        let path = Path::new("root").join(name);
        // From an earlier session: as it was left.
        if fs::symlink_metadata(&path).is_ok() {
            continue;
        }
        fs::create_dir(&path).map_err(|error| said(format!("cannot make /{name}"), error))?;
        fs::set_permissions(&path, Permissions::from_mode(mode))?;
        if of_user && level == Level::Root {
            chown(&path, Some(people::ID), Some(people::ID))?;
        }
    }
    Ok(())
}

fn system_directory(setup: &Setup, name: &str) -> io::Result<()> {
    let host = Path::new("/").join(name);
    let place = Path::new("root").join(name);
    let Ok(meta) = fs::symlink_metadata(&host) else {
        return Ok(());
    };
    let known = fs::symlink_metadata(&place).is_ok();
    if meta.is_symlink() {
        return if known {
            Ok(())
        } else {
            symlink(fs::read_link(&host)?, place)
        };
    }
    if !known {
        fs::create_dir(&place)?;
    }
    // The kernel wants no overlay that holds its own upper side.
    let holds_us = setup.data_dir.starts_with(&host);
    if holds_us || overlay(setup, name, &host, &place).is_err() {
        show(&host, &place).map_err(|error| said(format!("cannot show /{name}"), error))?;
    }
    if holds_us {
        let inside = setup.data_dir.strip_prefix("/").map_err(io::Error::other)?;
        let flags = MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV;
        mount(
            "none",
            Path::new("root").join(inside),
            "tmpfs",
            flags,
            c"mode=0",
        )?;
    }
    Ok(())
}

/// Shows a directory of the machine as it is, not to be written.
fn show(host: &Path, place: &Path) -> io::Result<()> {
    mount_bind_recursive(host, place)?;
    sys::read_only(place)
}

/// Stacks `part` of this session's layer on the same part of the layers it was booted from, and on `lowest`.
fn overlay(setup: &Setup, part: &str, lowest: &Path, place: &Path) -> io::Result<()> {
    let below: Vec<String> = (0..setup.base)
        .map(|number| format!("base/{number}/{part}"))
        .filter(|path| Path::new(path).is_dir())
        .chain([lowest.display().to_string()])
        .collect();
    let upper = format!("layer/{part}");
    let work = format!("work/{part}");
    let like = below
        .first()
        .map_or(Ok(None), |path| fs::metadata(path).map(Some))?;
    make_like(Path::new(&upper), like.as_ref(), setup.level)?;
    fs::create_dir_all(&work)?;
    // Nothing here outlives a crash of the machine anyway, so nothing needs to be forced to disk
    // (`volatile`); the rest keeps upper sides portable, so that they can be stacked.
    let kind = match setup.level {
        Level::Userns => "userxattr",
        Level::Root | Level::Plain => "redirect_dir=nofollow,metacopy=off",
    };
    let options = format!(
        "lowerdir={},upperdir={upper},workdir={work},index=off,xino=off,volatile,{kind}",
        below.join(":")
    );
    if options.len() > LONGEST_OPTIONS {
        return Err(io::Error::other(format!(
            "a chain of {} layers is too long",
            setup.base
        )));
    }
    let options = CString::new(options)?;
    mount(
        "overlay",
        place,
        "overlay",
        MountFlags::NODEV,
        options.as_c_str(),
    )
    .map_err(|error| said(format!("cannot mount the overlay for /{part}"), error))
}

/// The root of an upper side is what shows its mode and owner, so it takes those of what it covers.
fn make_like(path: &Path, like: Option<&Metadata>, level: Level) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    fs::create_dir(path)?;
    let Some(like) = like else {
        return Ok(());
    };
    if level == Level::Root {
        chown(path, Some(like.uid()), Some(like.gid()))?;
    }
    fs::set_permissions(path, like.permissions())
}

/// An error with the words of what was tried.
pub fn said(what: impl Display, cause: impl Into<io::Error>) -> io::Error {
    let cause = cause.into();
    io::Error::new(cause.kind(), format!("{what}: {cause}"))
}
