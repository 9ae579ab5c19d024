//! What the kernel counts of a cell.

use super::family;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};
use std::{fs, io};

/// Totals since the cell was booted. What cannot be measured is absent, never 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// CPU time of all its processes, its start included, in milliseconds.
    pub cpu_ms: i64,
    /// Bytes received; only with a network of its own.
    pub ingress: Option<i64>,
    /// Bytes sent; only with a network of its own.
    pub egress: Option<i64>,
}

/// Reads a cell's CPU time: from its control group when it has one (exact), else by adding up what
/// `/proc` shows of the agent and all its descendants (in steps of 10 ms, without what ended unreaped).
#[derive(Debug)]
pub struct Meter {
    root: i32,
    cgroup: Option<PathBuf>,
    /// The highest seen: a process counted between its end and its reaping must not make the total shrink.
    highest: AtomicI64,
}

impl Meter {
    pub fn new(root: i32, cgroup: Option<PathBuf>) -> Self {
        Self {
            root,
            cgroup,
            highest: AtomicI64::new(0),
        }
    }

    pub fn read(&self) -> Counters {
        let grouped = self
            .cgroup
            .as_deref()
            .and_then(|group| usage_ms(group).ok());
        let now = grouped.unwrap_or_else(|| family::cpu_ms(self.root));
        self.highest.fetch_max(now, Ordering::Relaxed);
        self.last()
    }

    /// What was read last.
    pub fn last(&self) -> Counters {
        Counters {
            cpu_ms: self.highest.load(Ordering::Relaxed),
            ingress: None,
            egress: None,
        }
    }
}

/// A new control group for the session in `home`, below this process's own, where the system lets us make one.
pub fn make_cgroup(home: &Path) -> Option<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    let own = own.lines().find_map(|line| line.strip_prefix("0::/"))?;
    // Two data directories may know the same session.
    let number = fs::metadata(home).ok()?.ino();
    let session = home.file_name()?.to_str()?;
    let group = mount_point(&mounts)?
        .join(own)
        .join(format!("sandtop-{session}-{number}"));
    fs::create_dir(&group).ok()?;
    if usage_ms(&group).is_ok() {
        return Some(group);
    }
    drop_cgroup(Some(&group));
    None
}

/// Removes a control group in which nothing runs any more.
pub fn drop_cgroup(group: Option<&Path>) {
    if let Some(group) = group {
        // An empty directory of the kernel's: left behind it does no harm.
        let _ = fs::remove_dir(group);
    }
}

/// Where the unified hierarchy is mounted, if whole.
fn mount_point(mounts: &str) -> Option<PathBuf> {
    mounts.lines().find_map(|line| {
        let (place, kind) = line.split_once(" - ")?;
        let mut fields = place.split(' ').skip(3);
        let whole = fields.next()? == "/";
        (whole && kind.starts_with("cgroup2 ")).then(|| fields.next().map(PathBuf::from))?
    })
}

fn usage_ms(group: &Path) -> io::Result<i64> {
    fs::read_to_string(group.join("cpu.stat"))?
        .lines()
        .find_map(|line| line.strip_prefix("usage_usec ")?.parse::<i64>().ok())
        .map(|micros| micros / 1000)
        .ok_or_else(|| io::Error::other("no CPU time in the control group"))
}

#[cfg(test)]
mod tests {
    use super::mount_point;
    use std::path::Path;

    #[test]
    fn the_unified_hierarchy_is_found_beside_the_old_ones() {
        let mounts = "1 0 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n\
                      2 0 0:30 /part /elsewhere rw - cgroup2 cgroup2 rw\n\
                      3 0 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
        assert_eq!(
            mount_point(mounts).as_deref(),
            Some(Path::new("/sys/fs/cgroup/unified"))
        );
        assert_eq!(mount_point(""), None);
    }
}
