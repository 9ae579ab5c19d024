//! What a running engine holds: its records, the ground its cells stand on, and the sessions that live.

use super::cell::{Cell, Ground};
use super::clock::Clock;
use super::command::Run;
use super::plan::Plan;
use super::refusal::Refusal;
use super::shell::Invitations;
use crate::model::{CommandId, ProjectId, SandboxName, Session, SessionId, Status, Timestamp};
use crate::store::{Row, SandboxRecord, SessionRecord, Store};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{OwnedMutexGuard, watch};
use tokio_util::task::TaskTracker;

pub(super) struct Engine {
    pub store: Store,
    pub ground: Ground,
    pub clock: Clock,
    pub plan: Plan,
    /// Where it listens.
    pub address: SocketAddr,
    /// Output of commands, a directory a session.
    pub logs: PathBuf,
    /// Files of snapshots are removed by one at a time.
    pub clearing: tokio::sync::Mutex<()>,
    /// Room for what comes in and is not taken yet.
    pub spool: PathBuf,
    pub invitations: Invitations,
    /// Those that are open.
    pub shells: TaskTracker,
    live: Mutex<HashMap<SessionId, Arc<Live>>>,
    turns: Mutex<HashMap<(ProjectId, SandboxName), Queue>>,
}

/// Those who wait to act on one sandbox.
type Queue = Arc<tokio::sync::Mutex<()>>;

/// A session whose processes run.
pub(super) struct Live {
    pub session: SessionId,
    pub cell: Cell,
    /// When it will be stopped; extensions move it.
    pub deadline: watch::Sender<Timestamp>,
    /// In the order in which they were started. They end with the session, so no record is kept.
    commands: Mutex<Vec<Arc<Run>>>,
}

/// The right to start, stop, change or delete a sandbox; one holder at a time, the others wait.
pub(super) type Turn = OwnedMutexGuard<()>;

impl Engine {
    pub fn new(
        store: Store,
        ground: Ground,
        clock: Clock,
        plan: Plan,
        address: SocketAddr,
        logs: PathBuf,
        spool: PathBuf,
    ) -> Self {
        Self {
            store,
            ground,
            clock,
            plan,
            address,
            logs,
            clearing: tokio::sync::Mutex::default(),
            spool,
            invitations: Invitations::default(),
            shells: TaskTracker::new(),
            live: Mutex::default(),
            turns: Mutex::default(),
        }
    }

    pub async fn turn(&self, project: &ProjectId, name: &SandboxName) -> Turn {
        let turn = {
            let mut turns = lock(&self.turns);
            turns.retain(|_, turn| Arc::strong_count(turn) > 1);
            let key = (project.clone(), name.clone());
            Arc::clone(turns.entry(key).or_default())
        };
        turn.lock_owned().await
    }

    /// The sandbox of this name; without a project the name must be unique among all projects.
    pub fn find(
        &self,
        project: Option<&ProjectId>,
        name: &str,
    ) -> Result<Row<SandboxRecord>, Refusal> {
        let mut found = self
            .store
            .with(|records| records.sandboxes_named(project, name))?;
        match (found.pop(), found.len()) {
            (Some(sandbox), 0) => Ok(sandbox),
            (None, _) => Err(Refusal::unknown("sandbox", name)),
            (Some(_), _) => Err(Refusal::field(
                "projectId",
                format!("is needed: several projects have a sandbox {name:?}"),
            )),
        }
    }

    /// Takes the turn of the sandbox and reads it once more.
    pub async fn find_in_turn(
        &self,
        project: Option<&ProjectId>,
        name: &str,
    ) -> Result<(Turn, Row<SandboxRecord>), Refusal> {
        let first = self.find(project, name)?.record;
        let turn = self.turn(&first.project, &first.fact.name).await;
        let sandbox = self.find(Some(&first.project), name)?;
        Ok((turn, sandbox))
    }

    pub fn session(&self, id: &SessionId) -> Result<(SessionRecord, Row<SandboxRecord>), Refusal> {
        let unknown = || Refusal::unknown("session", id.as_raw());
        self.store.with(|records| {
            let session = records.session(id)?.ok_or_else(unknown)?;
            let sandbox = records.sandbox(session.sandbox)?.ok_or_else(unknown)?;
            Ok((session, sandbox))
        })
    }

    /// The session if it takes commands; else why it does not (api.md §4.1).
    pub fn accepting(&self, id: &SessionId) -> Result<Arc<Live>, Refusal> {
        match self.session(id)?.0.fact.status {
            Some(Status::Stopping) => Err(Refusal::stopping()),
            Some(Status::Snapshotting) => Err(Refusal::snapshotting()),
            _ => self.readable(id),
        }
    }

    /// The session while its commands can be looked at, so also while it is being stopped.
    pub fn readable(&self, id: &SessionId) -> Result<Arc<Live>, Refusal> {
        let status = self.session(id)?.0.fact.status;
        self.live(id).ok_or_else(|| match status {
            Some(Status::Pending) => Refusal::pending(),
            _ => Refusal::stopped(),
        })
    }

    pub fn live(&self, id: &SessionId) -> Option<Arc<Live>> {
        lock(&self.live).get(id).cloned()
    }

    pub fn all_live(&self) -> Vec<SessionId> {
        lock(&self.live).keys().cloned().collect()
    }

    pub fn enliven(&self, session: &Session, cell: Cell) -> Arc<Live> {
        let live = Arc::new(Live {
            session: session.id.clone(),
            cell,
            deadline: watch::Sender::new(session.deadline().unwrap_or(self.clock.now())),
            commands: Mutex::default(),
        });
        lock(&self.live).insert(session.id.clone(), Arc::clone(&live));
        live
    }

    pub fn bury(&self, session: &SessionId) {
        lock(&self.live).remove(session);
    }
}

impl Live {
    pub fn add(&self, run: Arc<Run>) {
        lock(&self.commands).push(run);
    }

    /// Oldest first.
    pub fn commands(&self) -> Vec<Arc<Run>> {
        lock(&self.commands).clone()
    }

    pub fn command(&self, id: &CommandId) -> Result<Arc<Run>, Refusal> {
        let commands = lock(&self.commands);
        let found = commands.iter().find(|run| run.id() == id);
        found
            .cloned()
            .ok_or_else(|| Refusal::unknown("command", id.as_raw()))
    }
}

/// A panic elsewhere leaves these maps whole: every change is a single call.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
