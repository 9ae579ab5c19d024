//! The engine's end of the socket to one agent: requests out, reports in, and who waits for which.

use super::errand::Errand;
use super::live::ProcessId;
use super::wire::{self, Job, Refusal, Report, Request, Setup, Size, Start};
use std::collections::HashMap;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream as StdStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::io::{AsyncReadExt, Interest};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::AbortHandle;

/// Why a link was not made.
pub enum Refused {
    Broken(io::Error),
    /// The agent's own words.
    Said(String),
}

impl From<io::Error> for Refused {
    fn from(cause: io::Error) -> Self {
        Self::Broken(cause)
    }
}

/// Told once when a command runs (or why not), and once when it has ended.
struct Waiting {
    started: Option<oneshot::Sender<Result<Vec<OwnedFd>, Refusal>>>,
    exit: oneshot::Sender<i32>,
}

/// A command that was asked for.
pub struct Asked {
    pub id: ProcessId,
    /// With what the agent opened for it.
    pub started: oneshot::Receiver<Result<Vec<OwnedFd>, Refusal>>,
    pub exit: oneshot::Receiver<i32>,
}

/// How far the cell is from being gone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Up,
    /// All processes are gone, the agent stands.
    Ended,
    Gone,
}

type Commands = Arc<Mutex<HashMap<u64, Waiting>>>;

struct Outgoing {
    bytes: Vec<u8>,
    files: Vec<OwnedFd>,
}

pub struct Link {
    commands: Commands,
    next: AtomicU64,
    out: mpsc::UnboundedSender<Outgoing>,
    stage: watch::Receiver<Stage>,
    tasks: [AbortHandle; 2],
}

impl Link {
    /// Tells the agent what to be and waits until it is; `true` when it is in its control group.
    pub async fn open(
        socket: StdStream,
        start: &Start,
        setup: &Setup,
    ) -> Result<(Self, bool), Refused> {
        socket.set_nonblocking(true)?;
        let (mut reader, writer) = UnixStream::from_std(socket)?.into_split();
        let mut bytes = wire::frame(start)?;
        bytes.extend(wire::frame(setup)?);
        send(
            &writer,
            &Outgoing {
                bytes,
                files: Vec::new(),
            },
        )
        .await?;
        let grouped = match next_report(&mut reader).await? {
            Some((Report::Ready { grouped }, _)) => grouped,
            Some((Report::Failed { why }, _)) => return Err(Refused::Said(why)),
            Some(_) => return Err(io::Error::from(io::ErrorKind::InvalidData).into()),
            None => return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
        };
        let commands = Commands::default();
        let (out, outgoing) = mpsc::unbounded_channel();
        let (tell, stage) = watch::channel(Stage::Up);
        let tasks = [
            tokio::spawn(write(writer, outgoing)).abort_handle(),
            tokio::spawn(read(reader, Arc::clone(&commands), tell)).abort_handle(),
        ];
        let link = Self {
            commands,
            next: AtomicU64::new(1),
            out,
            stage,
            tasks,
        };
        Ok((link, grouped))
    }

    /// Asks for a command. When the agent is gone both answers end without a value.
    pub fn spawn(
        &self,
        job: Job,
        files: Vec<OwnedFd>,
        terminal: Option<Size>,
    ) -> io::Result<Asked> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let bytes = wire::frame(&Request::Spawn { id, job, terminal })?;
        let (started, when_started) = oneshot::channel();
        let (exit, when_exited) = oneshot::channel();
        let waiting = Waiting {
            started: Some(started),
            exit,
        };
        lock(&self.commands).insert(id, waiting);
        // Told in this order, nobody is left waiting: whoever sets the stage clears the table after it.
        if self.is_over() || self.out.send(Outgoing { bytes, files }).is_err() {
            lock(&self.commands).remove(&id);
        }
        Ok(Asked {
            id: ProcessId(id),
            started: when_started,
            exit: when_exited,
        })
    }

    /// `false` when the command does not run.
    pub fn kill(&self, id: ProcessId, signal: i32) -> bool {
        lock(&self.commands).contains_key(&id.0)
            && self.request(&Request::Kill { id: id.0, signal }, Vec::new())
    }

    /// Asks for the end and waits until all processes are gone.
    pub async fn end(&self) {
        self.request(&Request::End, Vec::new());
        self.reached(Stage::Ended).await;
    }

    /// Lets go of the agent, which ends then.
    pub fn close(&self) {
        for task in &self.tasks {
            task.abort();
        }
    }

    pub fn is_gone(&self) -> bool {
        // The sender lives as long as the task that reads.
        *self.stage.borrow() == Stage::Gone || self.stage.has_changed().is_err()
    }

    pub async fn gone(&self) {
        self.reached(Stage::Gone).await;
    }

    fn is_over(&self) -> bool {
        *self.stage.borrow() >= Stage::Ended || self.is_gone()
    }

    async fn reached(&self, stage: Stage) {
        // An error means that the reading task is gone, and the cell with it.
        let _ = self.stage.clone().wait_for(|now| *now >= stage).await;
    }

    /// Sends work on files. The answer comes over a socket among `files`, which closes when there is none.
    pub fn errand(&self, errand: Errand, files: Vec<OwnedFd>) -> bool {
        !self.is_over() && self.request(&Request::Errand(errand), files)
    }

    fn request(&self, request: &Request, files: Vec<OwnedFd>) -> bool {
        let Ok(bytes) = wire::frame(request) else {
            return false;
        };
        self.out.send(Outgoing { bytes, files }).is_ok()
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.close();
    }
}

fn lock(commands: &Commands) -> MutexGuard<'_, HashMap<u64, Waiting>> {
    commands.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn write(socket: OwnedWriteHalf, mut outgoing: mpsc::UnboundedReceiver<Outgoing>) {
    while let Some(message) = outgoing.recv().await {
        if send(&socket, &message).await.is_err() {
            return;
        }
    }
}

async fn send(socket: &OwnedWriteHalf, message: &Outgoing) -> io::Result<()> {
    let socket: &UnixStream = socket.as_ref();
    let files: Vec<_> = message.files.iter().map(AsFd::as_fd).collect();
    let mut sent = 0;
    while sent < message.bytes.len() {
        let beside = if sent == 0 { files.as_slice() } else { &[] };
        let rest = &message.bytes[sent..];
        let write = || wire::send_some(socket, rest, beside);
        sent += socket.async_io(Interest::WRITABLE, write).await?;
    }
    Ok(())
}

async fn read(mut socket: OwnedReadHalf, commands: Commands, tell: watch::Sender<Stage>) {
    // Whatever ends the reports ends the cell.
    while let Ok(Some((report, files))) = next_report(&mut socket).await {
        take(report, files, &commands, &tell);
    }
    tell.send_replace(Stage::Gone);
    lock(&commands).clear();
}

fn take(report: Report, files: Vec<OwnedFd>, commands: &Commands, tell: &watch::Sender<Stage>) {
    match report {
        Report::Started { id } => {
            let started = lock(commands)
                .get_mut(&id)
                .and_then(|waiting| waiting.started.take());
            if let Some(started) = started {
                // Nobody listens when the caller gave up: the command runs all the same.
                let _ = started.send(Ok(files));
            }
        }
        Report::Refused { id, why } => {
            if let Some(started) = lock(commands)
                .remove(&id)
                .and_then(|waiting| waiting.started)
            {
                let _ = started.send(Err(why));
            }
        }
        Report::Exited { id, code } => {
            if let Some(waiting) = lock(commands).remove(&id) {
                let _ = waiting.exit.send(code);
            }
        }
        Report::Ended => {
            tell.send_replace(Stage::Ended);
            lock(commands).clear();
        }
        // Said once, before this link was made.
        Report::Ready { .. } | Report::Failed { .. } => {}
    }
}

async fn next_report(socket: &mut OwnedReadHalf) -> io::Result<Option<(Report, Vec<OwnedFd>)>> {
    let mut head = [0; 4];
    let mut files = Vec::new();
    let stream: &UnixStream = socket.as_ref();
    let first = stream
        .async_io(Interest::READABLE, || {
            wire::receive_head(stream, &mut head, &mut files)
        })
        .await?;
    if first == 0 {
        return Ok(None);
    }
    socket.read_exact(&mut head[first..]).await?;
    let mut body = vec![0; wire::body_length(head)?];
    socket.read_exact(&mut body).await?;
    Ok(Some((serde_json::from_slice(&body)?, files)))
}
