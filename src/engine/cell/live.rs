//! A running cell, seen from the engine.

use super::ground::{Boot, CellError, Ground};
use super::link::{Link, Refused};
use super::meter::{self, Counters, Meter};
use super::terminal::Terminal;
use super::wire::{Refusal, Setup, Size, Start};
use super::{ARGUMENT, Job, Level};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::process::Stdio;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::unix::pipe::Receiver;
use tokio::process::{Child, Command};
use tokio::sync::{Mutex, oneshot};

/// A boot takes some ten milliseconds; on a machine that is very busy, seconds.
const BOOT_LIMIT: Duration = Duration::from_secs(30);
/// More than the agent's own grace; then the end is not waited for any longer.
const END_LIMIT: Duration = Duration::from_secs(15);

/// A command inside its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProcessId(pub(super) u64);

/// A command that was started.
pub struct Process {
    pub id: ProcessId,
    /// Ends when nobody holds its other end: maybe later than the command, if it left something running.
    pub stdout: Receiver,
    pub stderr: Receiver,
    pub exit: Exit,
}

/// A program in a terminal.
pub struct Shell {
    pub id: ProcessId,
    /// Dropping it hangs up, which ends most programs.
    pub terminal: Terminal,
    pub exit: Exit,
}

/// The exit code of a command: 128 + signal when it was killed, 137 when its cell ended under it.
pub struct Exit(oneshot::Receiver<i32>);

impl Future for Exit {
    type Output = i32;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<i32> {
        Pin::new(&mut self.0)
            .poll(context)
            .map(|code| code.unwrap_or(128 + libc::SIGKILL))
    }
}

/// Why a command was not started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpawnError {
    /// No such program, or not one that can be run.
    NotFound(String),
    BadCwd(String),
    Other {
        program: String,
        why: String,
    },
    /// The cell has ended or is ending.
    CellGone,
}

impl std::fmt::Display for SpawnError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFound(program) => write!(f, "there is no program {program:?} in the sandbox"),
            Self::BadCwd(cwd) => write!(f, "there is no directory {cwd:?} in the sandbox"),
            Self::Other { program, why } => write!(f, "cannot start {program:?}: {why}"),
            Self::CellGone => f.write_str("the session has ended"),
        }
    }
}

impl std::error::Error for SpawnError {}

/// Why a signal was not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KillError {
    /// The command has ended, or never was.
    NotRunning,
    /// No signal has this number.
    BadSignal,
}

/// One running session. Dropping it ends it as well, without waiting and without grace.
pub struct Cell {
    level: Level,
    cwd: String,
    link: Link,
    meter: Meter,
    agent: Mutex<Option<Child>>,
}

impl Cell {
    pub(super) async fn start(
        ground: &Ground,
        spec: &Boot<'_>,
        home: PathBuf,
    ) -> Result<Self, CellError> {
        let level = ground.level();
        let cgroup = meter::make_cgroup(&home);
        let start = Start {
            level,
            cgroup: cgroup.clone(),
        };
        let cwd = super::cwd_of(level, &home).to_string_lossy().into_owned();
        let setup = Setup {
            level,
            hostname: host_name(spec.hostname),
            data_dir: ground.data_dir().to_owned(),
            base: spec.base.len(),
            cgroup: cgroup.clone(),
            home,
        };
        let fault = |cause| CellError::Agent {
            program: ground.agent().to_owned(),
            cause,
        };
        let (child, ours) = launch(ground.agent()).map_err(|cause| {
            // Else the agent clears it up.
            meter::drop_cgroup(cgroup.as_deref());
            fault(cause)
        })?;
        let root = child
            .id()
            .and_then(|id| i32::try_from(id).ok())
            .unwrap_or(0);
        let booting = Link::open(ours, &start, &setup);
        let (link, grouped) = match tokio::time::timeout(BOOT_LIMIT, booting).await {
            Ok(Ok(made)) => made,
            Ok(Err(Refused::Broken(cause))) => return Err(fault(cause)),
            Ok(Err(Refused::Said(why))) => return Err(CellError::Boot(why)),
            Err(_) => return Err(fault(io::ErrorKind::TimedOut.into())),
        };
        Ok(Self {
            level,
            cwd,
            link,
            meter: Meter::new(root, cgroup.filter(|_| grouped)),
            agent: Mutex::new(Some(child)),
        })
    }

    /// The working directory of commands: `/vercel/sandbox`, at `plain` the real path.
    pub fn cwd(&self) -> &str {
        &self.cwd
    }

    pub(super) fn link(&self) -> &Link {
        &self.link
    }

    /// Starts a program. Whoever drops this future half-way gives up the command's output, not the command.
    ///
    /// # Errors
    /// When there is no such program or directory, the kernel refuses, or the cell is gone.
    pub async fn spawn(&self, job: Job) -> Result<Process, SpawnError> {
        let other = other(&job.program);
        let (stdout, for_stdout) = output().map_err(&other)?;
        let (stderr, for_stderr) = output().map_err(&other)?;
        let files = vec![for_stdout.into(), for_stderr.into()];
        let (id, exit, _) = self.start_program(job, files, None).await?;
        Ok(Process {
            id,
            stdout,
            stderr,
            exit,
        })
    }

    /// Starts a program in a terminal of its own. Whoever drops this future half-way hangs up.
    ///
    /// # Errors
    /// As [`Cell::spawn`].
    pub async fn spawn_in_terminal(&self, job: Job, size: Size) -> Result<Shell, SpawnError> {
        let other = other(&job.program);
        let (id, exit, files) = self.start_program(job, Vec::new(), Some(size)).await?;
        let master = files.into_iter().next();
        let master = master.ok_or_else(|| other(io::ErrorKind::UnexpectedEof.into()))?;
        Ok(Shell {
            id,
            terminal: Terminal::new(master).map_err(other)?,
            exit,
        })
    }

    async fn start_program(
        &self,
        mut job: Job,
        files: Vec<OwnedFd>,
        terminal: Option<Size>,
    ) -> Result<(ProcessId, Exit, Vec<OwnedFd>), SpawnError> {
        job.cwd = job.cwd.map(|cwd| {
            let real = super::real(self.level, cwd.as_ref(), self.cwd.as_ref());
            real.to_string_lossy().into_owned()
        });
        let program = job.program.clone();
        let cwd = job.cwd.clone().unwrap_or_else(|| self.cwd.clone());
        let asked = self
            .link
            .spawn(job, files, terminal)
            .map_err(other(&program))?;
        match asked.started.await {
            Ok(Ok(files)) => Ok((asked.id, Exit(asked.exit), files)),
            Ok(Err(Refusal::NotFound)) => Err(SpawnError::NotFound(program)),
            Ok(Err(Refusal::BadCwd)) => Err(SpawnError::BadCwd(cwd)),
            Ok(Err(Refusal::Other(why))) => Err(SpawnError::Other { program, why }),
            Err(_) => Err(SpawnError::CellGone),
        }
    }

    /// Sends `signal` (1 to 64, the kernel's numbers) to the command and all of its process group.
    ///
    /// # Errors
    /// When the command has ended or the number is no signal's.
    pub fn kill(&self, id: ProcessId, signal: i32) -> Result<(), KillError> {
        if !(1..=64).contains(&signal) {
            return Err(KillError::BadSignal);
        }
        if self.link.kill(id, signal) {
            Ok(())
        } else {
            Err(KillError::NotRunning)
        }
    }

    /// What the kernel has counted so far; `None` when the cell is gone.
    pub fn counters(&self) -> Option<Counters> {
        (!self.link.is_gone()).then(|| self.meter.read())
    }

    /// Resolves when the cell is gone, also when it was not asked to end.
    pub async fn gone(&self) {
        self.link.gone().await;
    }

    /// Ends all processes (SIGTERM, a short grace, SIGKILL), waits until they are gone, and gives the last count.
    /// Nothing of the cell is mounted or running then. A second call waits for the same end.
    pub async fn end(&self) -> Counters {
        let mut agent = self.agent.lock().await;
        if let Some(mut child) = agent.take() {
            let ended = async {
                self.link.end().await;
                // The agent still stands: all that was used is in the count, and the count still there.
                self.meter.read();
                self.link.close();
                child.wait().await
            };
            // Longer only hangs what hangs in the kernel; there is nobody to tell who could help.
            let _ = tokio::time::timeout(END_LIMIT, ended).await;
            self.link.close();
        }
        self.meter.last()
    }
}

/// What the kernel and `/etc/hosts` can bear of a name.
fn host_name(name: &str) -> String {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '.' || letter == '-';
    name.chars()
        .take(63)
        .map(|letter| if fits(letter) { letter } else { '-' })
        .collect()
}

/// Starts the agent, with one end of a socket as its standard input.
fn launch(agent: &Path) -> io::Result<(Child, UnixStream)> {
    let (ours, theirs) = UnixStream::pair()?;
    let mut command = Command::new(agent);
    command
        .args([ARGUMENT, "outer"])
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // The terminal's Ctrl-C is for the engine, which then ends its cells in order.
        .process_group(0)
        // The engine's environment may hold secrets, and commands can read their agent's.
        .env_clear();
    for name in ["PATH", "USER"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    Ok((command.spawn()?, ours))
}

fn other(program: &str) -> impl Fn(io::Error) -> SpawnError + use<> {
    let program = program.to_owned();
    move |cause| SpawnError::Other {
        program: program.clone(),
        why: cause.to_string(),
    }
}

fn output() -> io::Result<(Receiver, std::io::PipeWriter)> {
    let (reader, writer) = io::pipe()?;
    Ok((Receiver::from_owned_fd(reader.into())?, writer))
}
