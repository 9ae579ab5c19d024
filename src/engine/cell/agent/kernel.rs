//! The kernel's own directories in a cell: its processes, a few devices, memory to share.

use super::super::sys;
use super::rootfs::said;
use rustix::mount::{MountFlags, mount, mount_bind};
use std::ffi::CStr;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

/// Devices that do no harm, as the machine has them.
const DEVICES: [&str; 6] = ["null", "zero", "full", "random", "urandom", "tty"];

const LINKS: [(&str, &str); 5] = [
    ("fd", "/proc/self/fd"),
    ("stdin", "/proc/self/fd/0"),
    ("stdout", "/proc/self/fd/1"),
    ("stderr", "/proc/self/fd/2"),
    ("ptmx", "pts/ptmx"),
];

/// Parts of `/proc` that steer the machine, not the cell: its superuser may only look. Needed in a user
/// namespace as well: its superuser may be the machine's under another name.
const ONLY_SHOWN: [&str; 5] = ["sys", "sysrq-trigger", "irq", "bus", "fs"];
/// Parts that tell of the machine what is nobody's business.
const HIDDEN: [&str; 6] = [
    "kcore",
    "keys",
    "latency_stats",
    "timer_list",
    "sched_debug",
    "kallsyms",
];

/// Mounts all of it below `root`, where the directories are.
pub fn mount_views(root: &Path) -> io::Result<()> {
    let quiet = MountFlags::NOSUID | MountFlags::NODEV;
    let view = |name: &str, kind: &CStr, flags: MountFlags, options: &CStr| {
        mount(kind, root.join(name), kind, flags, options)
            .map_err(|error| said(format!("cannot mount /{name}"), error))
    };
    view("proc", c"proc", quiet | MountFlags::NOEXEC, c"")?;
    view("run", c"tmpfs", quiet, c"mode=755")?;
    // The devices below are shown from the machine's own `/dev`; one that the cell's superuser makes here opens
    // nothing, or it would be the machine's disk.
    view("dev", c"tmpfs", quiet | MountFlags::NOEXEC, c"mode=755")?;
    for name in DEVICES {
        let place = root.join("dev").join(name);
        File::create(&place)?;
        show(&Path::new("/dev").join(name), &place)?;
    }
    for (name, target) in LINKS {
        symlink(target, root.join("dev").join(name))?;
    }
    for name in ["dev/pts", "dev/shm", "run/lock"] {
        fs::create_dir(root.join(name))?;
    }
    let terminals = c"newinstance,ptmxmode=0666,mode=0620";
    view(
        "dev/pts",
        c"devpts",
        MountFlags::NOSUID | MountFlags::NOEXEC,
        terminals,
    )?;
    view("dev/shm", c"tmpfs", quiet, c"mode=1777")?;
    view("run/lock", c"tmpfs", quiet, c"mode=1777")?;
    guard(&root.join("proc"))
}

fn guard(proc: &Path) -> io::Result<()> {
    for path in ONLY_SHOWN
        .map(|name| proc.join(name))
        .iter()
        .filter(|path| path.exists())
    {
        show(path, path)?;
    }
    for path in HIDDEN
        .map(|name| proc.join(name))
        .iter()
        .filter(|path| path.exists())
    {
        show(Path::new("/dev/null"), path)?;
    }
    Ok(())
}

/// Shows what is at `from` at `place`, itself not to be changed: the mode of a device is the machine's too.
/// (What is written *to* a device passes.)
fn show(from: &Path, place: &Path) -> io::Result<()> {
    mount_bind(from, place)
        .map_err(io::Error::from)
        .and_then(|()| sys::read_only(place))
        .map_err(|error| said(format!("cannot show {}", from.display()), error))
}
