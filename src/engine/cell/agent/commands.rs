//! Starting a command in a cell: its user, its privileges, its environment, its files.

use super::super::wire::{Job, Refusal, Setup, Size};
use super::super::{Level, sys};
use super::terminal::Terminal;
use super::{network, outer, people};
use rustix::process::{ioctl_tiocsctty, setsid, umask};
use rustix::thread::{
    CapabilitySet, CapabilitySets, Gid, LinkNameSpaceType, Uid, UnshareFlags, capabilities,
    move_into_link_name_space, remove_capability_from_bounding_set, set_capabilities,
    set_no_new_privs, set_thread_groups, set_thread_res_gid, set_thread_res_uid,
};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the superuser of a cell may do: enough for package installs, nothing that reaches the machine.
const KEPT: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::FSETID)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::MKNOD)
    .union(CapabilitySet::NET_RAW)
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::SETUID)
    .union(CapabilitySet::SETFCAP)
    .union(CapabilitySet::SETPCAP)
    .union(CapabilitySet::NET_BIND_SERVICE)
    .union(CapabilitySet::SYS_CHROOT)
    .union(CapabilitySet::KILL)
    .union(CapabilitySet::AUDIT_WRITE);

const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// What all commands of a cell share.
pub struct Commands {
    level: Level,
    cwd: PathBuf,
    /// The network of those that shall have none, once there was one.
    offline: Option<OwnedFd>,
}

pub struct Started {
    pub pid: i32,
    /// The master side of its terminal, if it has one.
    pub terminal: Option<OwnedFd>,
}

impl Commands {
    pub fn of(setup: &Setup) -> Self {
        Self {
            level: setup.level,
            cwd: super::super::cwd_of(setup.level, &setup.home),
            offline: None,
        }
    }

    /// Starts `job` in a terminal of that size, or without one with `files` as its stdout and stderr.
    pub fn spawn(
        &mut self,
        job: &Job,
        terminal: Option<Size>,
        files: Vec<OwnedFd>,
    ) -> Result<Started, Refusal> {
        let cwd = self.cwd.join(job.cwd.as_deref().unwrap_or_default());
        if !cwd.is_dir() {
            return Err(Refusal::BadCwd);
        }
        if let Some((name, _)) = job.env.iter().find(|(name, _)| !is_name(name)) {
            return Err(Refusal::Other(format!("{name:?} is no name of a variable")));
        }
        let (streams, master) = self
            .streams(job, terminal, files)
            .map_err(|error| Refusal::Other(error.to_string()))?;
        let [stdin, stdout, stderr] = streams;
        let mut command = Command::new(&job.program);
        command
            .args(&job.args)
            .current_dir(&cwd)
            .env_clear()
            .envs(environment(self.level, &self.cwd, job.sudo))
            .envs(job.env.iter().map(|(name, value)| (name, value)))
            .stdin(stdin)
            .stdout(stdout)
            .stderr(stderr);
        let network = self.network(job).map_err(|error| {
            let why = format!("no network of its own can be made for it: {error}");
            Refusal::Other(why)
        })?;
        let (level, sudo, in_terminal) = (self.level, job.sudo, terminal.is_some());
        sys::before_exec(&mut command, move || {
            if let Some(network) = &network {
                move_into_link_name_space(network.as_fd(), Some(LinkNameSpaceType::Network))?;
            }
            become_command(level, sudo)?;
            if in_terminal {
                ioctl_tiocsctty(rustix::stdio::stdin())?;
            }
            Ok(())
        });
        match command.spawn() {
            Ok(child) => Ok(Started {
                pid: i32::try_from(child.id()).map_err(|_| Refusal::NotFound)?,
                terminal: master,
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Refusal::NotFound),
            // One closed directory on the way makes the search end so, though nothing was found.
            Err(_) if !is_anywhere(&job.program, &command) => Err(Refusal::NotFound),
            Err(error) => Err(Refusal::Other(error.to_string())),
        }
    }

    /// What `job` reads from and writes to, and the master side of its terminal.
    fn streams(
        &self,
        job: &Job,
        terminal: Option<Size>,
        files: Vec<OwnedFd>,
    ) -> io::Result<([Stdio; 3], Option<OwnedFd>)> {
        if let Some(size) = terminal {
            let owner = (self.level == Level::Root && !job.sudo).then_some(people::ID);
            let Terminal { master, slave } = Terminal::open(size, owner)?;
            let streams = [slave.try_clone()?, slave.try_clone()?, slave].map(Stdio::from);
            return Ok((streams, Some(master)));
        }
        let mut files = files.into_iter().map(Stdio::from);
        match (files.next(), files.next()) {
            (Some(stdout), Some(stderr)) => Ok(([Stdio::null(), stdout, stderr], None)),
            _ => Err(io::Error::other("its output has nowhere to go")),
        }
    }

    /// What `job` has to enter, made when it is needed first.
    fn network(&mut self, job: &Job) -> io::Result<Option<OwnedFd>> {
        if !job.offline || self.level == Level::Plain {
            return Ok(None);
        }
        let network = match self.offline.take() {
            Some(network) => network,
            None => network::make()?,
        };
        self.offline.insert(network).try_clone().map(Some)
    }
}

/// What every program finds around it. `home` is the cell's own directory.
pub fn environment(level: Level, home: &Path, sudo: bool) -> [(&'static str, String); 4] {
    let own = |name: &str| std::env::var(name).ok();
    let (path, user, home) = match level {
        Level::Plain => (
            own("PATH").map_or_else(|| PATH.to_owned(), |path| format!("{path}:{PATH}")),
            own("USER").unwrap_or_else(|| people::NAME.to_owned()),
            home.to_string_lossy().into_owned(),
        ),
        _ if sudo => (PATH.to_owned(), "root".to_owned(), "/root".to_owned()),
        _ => (
            PATH.to_owned(),
            people::NAME.to_owned(),
            people::HOME.to_owned(),
        ),
    };
    let lang = "C.UTF-8".to_owned();
    [
        ("PATH", path),
        ("USER", user),
        ("HOME", home),
        ("LANG", lang),
    ]
}

/// Whether a search for `program` can find a file at all.
fn is_anywhere(program: &str, command: &Command) -> bool {
    if program.contains('/') {
        return true;
    }
    let path = command
        .get_envs()
        .find(|(name, _)| *name == "PATH")
        .and_then(|(_, path)| path);
    path.is_some_and(|path| std::env::split_paths(path).any(|dir| dir.join(program).exists()))
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '\0'])
}

/// The new process's last steps before its program: own group, own user, no more rights than it shall have.
pub fn become_command(level: Level, sudo: bool) -> io::Result<()> {
    sys::default_signals()?;
    setsid()?;
    umask(rustix::fs::Mode::from_raw_mode(0o022));
    match (level, sudo) {
        (Level::Plain, _) => Ok(()),
        (_, true) => bound(KEPT),
        (Level::Root, false) => {
            bound(CapabilitySet::empty())?;
            set_thread_groups(&[])?;
            let (user, group) = (Uid::from_raw(people::ID), Gid::from_raw(people::ID));
            set_thread_res_gid(group, group, group)?;
            set_thread_res_uid(user, user, user)?;
            give_up()
        }
        (Level::Userns, false) => {
            // The one user of the cell, under another number: needs no ranges of subordinate ids.
            sys::unshare(UnshareFlags::NEWUSER)?;
            outer::map_user(people::ID, 0, 0)?;
            bound(CapabilitySet::empty())?;
            give_up()
        }
    }
}

/// No program started from here on can have capabilities beyond `kept`.
fn bound(kept: CapabilitySet) -> io::Result<()> {
    for number in 0..u64::BITS {
        let one = CapabilitySet::from_bits_retain(1 << number);
        if kept.contains(one) {
            continue;
        }
        match remove_capability_from_bounding_set(one) {
            // The kernel knows no more of them.
            Err(rustix::io::Errno::INVAL) => break,
            other => other?,
        }
    }
    // What the engine's own caller let it inherit would go to the superuser's programs beside the bounds.
    let mut sets = capabilities(None)?;
    sets.inheritable = CapabilitySet::empty();
    Ok(set_capabilities(None, sets)?)
}

fn give_up() -> io::Result<()> {
    let none = CapabilitySet::empty();
    let sets = CapabilitySets {
        effective: none,
        permitted: none,
        inheritable: none,
    };
    set_capabilities(None, sets)?;
    Ok(set_no_new_privs(true)?)
}
