//! The inner stage: process 1 of a cell. Answers the engine's requests, reaps what ends, ends with the engine.

use super::super::wire::{Job, Report, Request, Setup, Size, frame, receive, send_some};
use super::super::{Level, sys};
use super::commands::Commands;
use super::errand::{self, Place};
use super::{kill_descendants, rootfs, take_socket};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{WaitOptions, WaitStatus, set_child_subreaper, wait};
use std::collections::HashMap;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

/// How long commands have between the request to end and the end.
const GRACE: Duration = Duration::from_secs(2);

pub fn run() -> io::Result<()> {
    let socket = take_socket()?;
    let Some((setup, _)) = receive::<Setup>(&socket)? else {
        return Ok(());
    };
    let mut agent = match Agent::new(&setup, &socket) {
        Ok(agent) => agent,
        Err(error) => {
            let why = error.to_string();
            return (&socket).write_all(&frame(&Report::Failed { why })?);
        }
    };
    let served = agent.serve();
    // The engine is gone or done. Process 1 takes its namespace along; elsewhere it is done by hand.
    if setup.level == Level::Plain {
        kill_descendants();
    }
    served
}

struct Agent<'a> {
    socket: &'a UnixStream,
    level: Level,
    commands: Commands,
    place: Place,
    child_ended: OwnedFd,
    /// By process number, those that still run.
    running: HashMap<i32, Running>,
}

struct Running {
    /// The engine's number.
    id: u64,
    in_terminal: bool,
}

impl<'a> Agent<'a> {
    fn new(setup: &Setup, socket: &'a UnixStream) -> io::Result<Self> {
        let grouped = setup
            .cgroup
            .as_ref()
            .is_some_and(|group| std::fs::write(group.join("cgroup.procs"), "0").is_ok());
        match setup.level {
            Level::Plain => set_child_subreaper(Some(rustix::process::getpid()))?,
            Level::Root | Level::Userns => rootfs::build(setup)?,
        }
        let agent = Self {
            socket,
            level: setup.level,
            commands: Commands::of(setup),
            place: Place::of(setup),
            child_ended: sys::child_ended()?,
            running: HashMap::new(),
        };
        agent.report(&Report::Ready { grouped })?;
        Ok(agent)
    }

    fn serve(&mut self) -> io::Result<()> {
        loop {
            let ready = readable(&[self.child_ended.as_fd(), self.socket.as_fd()], None)?;
            if ready[0] {
                self.reap()?;
            }
            if !ready[1] {
                continue;
            }
            match receive::<Request>(self.socket)? {
                None => return Ok(()),
                Some((Request::Spawn { id, job, terminal }, files)) => {
                    self.spawn(id, &job, terminal, files)?;
                }
                Some((Request::Kill { id, signal }, _)) => self.kill(id, signal),
                Some((Request::Errand(errand), files)) => errand::start(&self.place, errand, files),
                Some((Request::End, _)) => {
                    self.end()?;
                    self.report(&Report::Ended)?;
                }
            }
        }
    }

    fn spawn(
        &mut self,
        id: u64,
        job: &Job,
        terminal: Option<Size>,
        files: Vec<OwnedFd>,
    ) -> io::Result<()> {
        match self.commands.spawn(job, terminal, files) {
            Ok(started) => {
                let master = started.terminal.as_ref().map(AsFd::as_fd);
                let in_terminal = master.is_some();
                self.running
                    .insert(started.pid, Running { id, in_terminal });
                self.report_with(&Report::Started { id }, master.as_slice())
            }
            Err(why) => self.report(&Report::Refused { id, why }),
        }
    }

    /// Reports commands that have ended; others were only left behind by one. `false` when no child is left.
    fn reap(&mut self) -> io::Result<bool> {
        // One readiness may stand for many ends: the content does not matter.
        let _ = rustix::io::read(&self.child_ended, &mut [0; 128]);
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) => {
                    if let Some(run) = self.running.remove(&pid.as_raw_nonzero().get()) {
                        let (id, code) = (run.id, exit_code(status));
                        self.report(&Report::Exited { id, code })?;
                    }
                }
                Ok(None) => return Ok(true),
                Err(rustix::io::Errno::CHILD) => return Ok(false),
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn kill(&self, id: u64, signal: i32) {
        if let Some((pid, _)) = self.running.iter().find(|(_, running)| running.id == id) {
            // Each command leads a group of its own. Gone in between is no failure.
            let _ = sys::kill(-pid, signal);
        }
    }

    fn end(&mut self) -> io::Result<()> {
        let until = Instant::now() + GRACE;
        // A shell for people does not end at SIGTERM.
        for (leader, _) in self.running.iter().filter(|(_, run)| run.in_terminal) {
            let _ = sys::kill(-leader, libc::SIGHUP);
        }
        for signal in [libc::SIGTERM, libc::SIGCONT] {
            self.tell_all(signal);
        }
        while self.reap()? {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                self.tell_all(libc::SIGKILL);
            }
            // After the kill a short beat, for what was born between the look and the signal.
            let beat = left.max(Duration::from_millis(20));
            readable(&[self.child_ended.as_fd()], Some(beat))?;
        }
        Ok(())
    }

    fn tell_all(&self, signal: i32) {
        if self.level == Level::Plain {
            let own = rustix::process::getpid().as_raw_nonzero().get();
            for member in super::super::family::family(own) {
                if member.pid != own {
                    let _ = sys::kill(member.pid, signal);
                }
            }
        } else {
            // In an own process namespace: everybody but the caller.
            let _ = sys::kill(-1, signal);
        }
    }

    fn report(&self, report: &Report) -> io::Result<()> {
        self.report_with(report, &[])
    }

    fn report_with(&self, report: &Report, files: &[BorrowedFd<'_>]) -> io::Result<()> {
        let bytes = frame(report)?;
        let sent = send_some(self.socket, &bytes, files)?;
        let mut socket = self.socket;
        socket.write_all(&bytes[sent..])
    }
}

/// Waits until one of `sources` can be read or `limit` has passed, and says which can.
fn readable<const N: usize>(
    sources: &[BorrowedFd<'_>; N],
    limit: Option<Duration>,
) -> io::Result<[bool; N]> {
    let limit = limit.map(|limit| Timespec {
        tv_sec: i64::try_from(limit.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: limit.subsec_nanos().into(),
    });
    let mut polled = sources.map(|source| PollFd::from_borrowed_fd(source, PollFlags::IN));
    match poll(&mut polled, limit.as_ref()) {
        Ok(_) => Ok(polled.map(|source| !source.revents().is_empty())),
        Err(rustix::io::Errno::INTR) => Ok([false; N]),
        Err(error) => Err(error.into()),
    }
}

/// As a shell says it: 128 + signal for what was killed.
fn exit_code(status: WaitStatus) -> i32 {
    status
        .exit_status()
        .or_else(|| status.terminating_signal().map(|signal| 128 + signal))
        .unwrap_or(-1)
}
