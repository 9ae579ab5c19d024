//! Commands: starting one, collecting its output, and what it is asked while it runs and afterwards.

use super::cell::{Job, KillError, Process, ProcessId, SpawnError};
use super::fields::Fields;
use super::output::{End, Output, Progress};
use super::refusal::Refusal;
use super::state::{Engine, Live};
use super::{names, rules};
use crate::model::request::RunCommand;
use crate::model::{Command, CommandId, Count, Foreign, SessionId, Span, StreamName, Timestamp};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::watch;

/// The most that one object of the log holds, in bytes of output.
const READ: usize = 64 * 1024;
/// After its exit a command's last output is in the pipes already; what it left running may keep them open.
const GRACE: Duration = Duration::from_millis(100);
/// In bytes; what comes beyond is of what was left running.
const MOST_IN_PIPES: usize = 2 << 20;
const KILLED: i32 = 128 + 9;

/// A command of a living session.
pub(super) struct Run {
    /// As it was started: still running.
    started: Command,
    process: ProcessId,
    pub log: PathBuf,
    pub progress: watch::Sender<Progress>,
}

impl Run {
    pub fn id(&self) -> &CommandId {
        &self.started.id
    }

    pub fn started(&self) -> &Command {
        &self.started
    }

    /// The command as it stands.
    pub fn fact(&self) -> Command {
        let mut fact = self.started.clone();
        match self.progress.borrow().end {
            Some(End::Exited { code, lasted }) => {
                fact.exit_code = Some(Count(i64::from(code)));
                fact.duration_ms = Some(lasted);
            }
            Some(End::Cut { lasted }) => {
                fact.exit_code = Some(Count(i64::from(KILLED)));
                fact.duration_ms = Some(lasted);
            }
            None => {}
        }
        fact
    }

    pub fn is_cut(&self) -> bool {
        matches!(self.progress.borrow().end, Some(End::Cut { .. }))
    }

    /// Bytes of its output that could not be kept.
    pub fn lost(&self) -> u64 {
        self.progress.borrow().lost
    }

    fn lose(&self, bytes: usize, error: &io::Error) {
        if self.lost() == 0 {
            tracing::error!("the output of {:?} cannot be kept: {error}", self.id());
        }
        self.progress
            .send_modify(|progress| progress.lost += bytes as u64);
    }

    /// Returns when the command has ended and its output is complete.
    pub async fn ended(&self) {
        let mut progress = self.progress.subscribe();
        // Fails only when the sender is gone, which `self` holds.
        let _ = progress.wait_for(|progress| progress.end.is_some()).await;
    }

    /// Its session is being stopped: those who wait for it are told at once.
    pub fn cut(&self, now: Timestamp) {
        let lasted = self.lasted(now);
        self.end(End::Cut { lasted });
    }

    fn end(&self, end: End) {
        self.progress.send_if_modified(|progress| {
            let first = progress.end.is_none();
            progress.end.get_or_insert(end);
            first
        });
    }

    fn lasted(&self, now: Timestamp) -> Span {
        now.since(self.started.started_at.unwrap_or(now))
    }
}

/// Reads the body of `POST …/cmd` (api.md §2.8).
pub(super) fn read_request(fields: &Fields) -> Result<RunCommand, Refusal> {
    Ok(RunCommand {
        command: fields.need("command", rules::short_text)?,
        args: fields.get("args", rules::texts)?.unwrap_or_default(),
        cwd: fields
            .get("cwd", rules::text)?
            .filter(|cwd| !cwd.is_empty()),
        env: fields.get("env", rules::env)?.unwrap_or_default(),
        sudo: fields.get("sudo", rules::flag)?.unwrap_or_default(),
        wait: fields.get("wait", rules::flag)?.unwrap_or_default(),
        logs: fields.get("logs", rules::flag)?.unwrap_or_default(),
        timeout: fields
            .get("timeout", rules::command_timeout)?
            .map(|span| span.0),
    })
}

impl Engine {
    /// Starts a command; it runs on whether or not anybody waits for it.
    pub async fn run(
        self: &Arc<Self>,
        session: &SessionId,
        request: RunCommand,
    ) -> Result<Arc<Run>, Refusal> {
        let live = self.accepting(session)?;
        let (record, sandbox) = self.session(session)?;
        let mut env = sandbox.record.kept.env.0;
        env.extend(request.env.0);
        let cwd = resolve(request.cwd.as_deref(), live.cell.cwd());
        let job = Job {
            program: request.command.clone(),
            args: request.args.clone(),
            cwd: Some(cwd.clone()),
            env: env.into_iter().collect(),
            sudo: request.sudo,
            offline: self.keeps_offline(&record.fact),
        };
        let id = CommandId::new(names::id("cmd"));
        let log = log_of(&self.logs, session, &id);
        let output = Output::create(&log).await.map_err(|error| {
            // The session's directory goes when the session does.
            let gone = self.accepting(session).err();
            gone.unwrap_or_else(|| Refusal::internal("keeping the command's output", &error))
        })?;
        let started_at = self.clock.now();
        let process = match live.cell.spawn(job).await {
            Ok(process) => process,
            Err(error) => {
                // Nobody will ask for it; what stays goes with the session.
                let _ = tokio::fs::remove_file(&log).await;
                return Err(self.not_started(session, &error));
            }
        };
        let run = Arc::new(Run {
            started: Command {
                id,
                name: Some(Foreign::from(request.command)),
                args: request.args.into_iter().map(Foreign::from).collect(),
                cwd: Some(Foreign::from(cwd)),
                session_id: Some(session.clone()),
                exit_code: None,
                started_at: Some(started_at),
                duration_ms: None,
            },
            process: process.id,
            log,
            progress: watch::Sender::default(),
        });
        live.add(Arc::clone(&run));
        let deadline = request.timeout.map(|timeout| started_at + Span(timeout));
        if let Some(deadline) = deadline {
            self.kill_at(deadline, &live, &run);
        }
        let engine = Arc::clone(self);
        tokio::spawn(collect(engine, Arc::clone(&run), output, process));
        Ok(run)
    }

    /// Sends a signal to a command that runs.
    pub fn kill(&self, session: &SessionId, id: &CommandId, signal: i32) -> Result<(), Refusal> {
        let run = self.readable(session)?.command(id)?;
        let live = self.accepting(session)?;
        match live.cell.kill(run.process, signal) {
            Ok(()) => Ok(()),
            Err(KillError::NotRunning) => {
                Err(Refusal::bad_request("the command has ended already"))
            }
            Err(KillError::BadSignal) => Err(Refusal::field("signal", "is no signal's number")),
        }
    }

    fn kill_at(self: &Arc<Self>, deadline: Timestamp, live: &Arc<Live>, run: &Arc<Run>) {
        let (engine, live, run) = (Arc::clone(self), Arc::clone(live), Arc::clone(run));
        tokio::spawn(async move {
            tokio::select! {
                () = engine.clock.reaches(deadline) => {
                    // It may have ended in this moment.
                    let _ = live.cell.kill(run.process, KILLED - 128);
                }
                () = run.ended() => {}
            }
        });
    }

    fn not_started(&self, session: &SessionId, error: &SpawnError) -> Refusal {
        match error {
            SpawnError::NotFound(_) => Refusal::field("command", error),
            SpawnError::BadCwd(_) => Refusal::field("cwd", error),
            SpawnError::Other { .. } => Refusal::bad_request(error.to_string()),
            SpawnError::CellGone => match self.accepting(session) {
                Err(refusal) => refusal,
                Ok(_) => Refusal::stopped(),
            },
        }
    }
}

/// Where the output of a session's commands is.
pub(super) fn logs_of(logs: &Path, session: &SessionId) -> PathBuf {
    logs.join(session.as_raw())
}

fn log_of(logs: &Path, session: &SessionId, id: &CommandId) -> PathBuf {
    logs_of(logs, session).join(format!("{}.ndjson", id.as_raw()))
}

/// The working directory that a program gets.
pub(super) fn resolve(asked: Option<&str>, own: &str) -> String {
    match asked {
        None => own.to_owned(),
        Some(path) if path.starts_with('/') => path.to_owned(),
        Some(path) => format!("{}/{path}", own.trim_end_matches('/')),
    }
}

/// Brings a command's output to its file until nobody can write any more. The command counts as ended when it
/// has exited and what it wrote is in the file; what it left running may go on writing.
async fn collect(engine: Arc<Engine>, run: Arc<Run>, output: Output, process: Process) {
    let mut exit = process.exit;
    let mut streams = Streams {
        stdout: Source::new(StreamName::Stdout, process.stdout),
        stderr: Source::new(StreamName::Stderr, process.stderr),
        output,
    };
    let code = loop {
        tokio::select! {
            code = &mut exit => break code,
            () = streams.fill(), if streams.are_open() => {}
        }
        streams.keep(&run).await;
    };
    let mut grace = std::pin::pin!(tokio::time::sleep(GRACE));
    let mut late = 0;
    while streams.are_open() && late < MOST_IN_PIPES {
        tokio::select! {
            biased;
            () = streams.fill() => late += streams.keep(&run).await,
            () = &mut grace => break,
        }
    }
    let lasted = run.lasted(engine.clock.now());
    run.end(End::Exited { code, lasted });
    while streams.are_open() {
        streams.fill().await;
        streams.keep(&run).await;
    }
}

/// Both streams of a command, and where they go.
struct Streams<R> {
    stdout: Source<R>,
    stderr: Source<R>,
    output: Output,
}

impl<R: AsyncRead + Unpin> Streams<R> {
    fn are_open(&self) -> bool {
        self.stdout.open || self.stderr.open
    }

    /// Waits for one read of one open stream. Cancel-safe.
    async fn fill(&mut self) {
        tokio::select! {
            () = self.stdout.read(), if self.stdout.open => {}
            () = self.stderr.read(), if self.stderr.open => {}
        }
    }

    /// Appends what was read to the file; how many bytes that was.
    async fn keep(&mut self, run: &Run) -> usize {
        let mut kept = 0;
        for source in [&mut self.stdout, &mut self.stderr] {
            let Some(bytes) = source.filled.take() else {
                continue;
            };
            kept += bytes.len();
            match self.output.append(&source.stream, &bytes).await {
                Ok(grown) => run
                    .progress
                    .send_modify(|progress| progress.written += grown),
                // The command must not hang for want of a reader: the rest is read all the same.
                Err(error) => run.lose(bytes.len(), &error),
            }
            source.buffer = bytes;
        }
        kept
    }
}

/// One stream of a command.
struct Source<R> {
    stream: StreamName,
    from: R,
    open: bool,
    /// Room for the next read.
    buffer: Vec<u8>,
    /// What the last read gave: nothing at the stream's end.
    filled: Option<Vec<u8>>,
}

impl<R: AsyncRead + Unpin> Source<R> {
    fn new(stream: StreamName, from: R) -> Self {
        Self {
            stream,
            from,
            open: true,
            buffer: Vec::new(),
            filled: None,
        }
    }

    /// Cancel-safe: either nothing has happened, or what came is in `filled`.
    async fn read(&mut self) {
        self.buffer.clear();
        self.buffer.reserve(READ);
        let read = (&mut self.from)
            .take(READ as u64)
            .read_buf(&mut self.buffer)
            .await;
        self.open = matches!(read, Ok(1..));
        self.filled = Some(std::mem::take(&mut self.buffer));
    }
}
