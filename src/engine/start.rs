//! Beginning: a sandbox is made, and sessions boot.

use super::accounts::DEFAULT_PROJECT;
use super::cell::{Boot, Cell, CellError, LayerId};
use super::command::logs_of;
use super::fields::Fields;
use super::refusal::Refusal;
use super::retention::use_snapshot;
use super::settings::Settings;
use super::source::{self, Content, Source};
use super::state::{Engine, Live};
use super::stop::ended;
use super::{facts, image, names, rules};
use crate::model::{ProjectId, SandboxName, Session, SnapshotId, Span, Status, Timestamp};
use crate::store::{Kept, Records, Row, SandboxRecord, SessionRecord};
use axum::http::StatusCode;
use std::sync::Arc;

/// Which of the three paths a sandbox is created at: the first knows runtimes, the others images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Creation {
    WithRuntime,
    WithImage,
}

const DEFAULT_RUNTIME: &str = "node24";
/// After an end of a session that could not be carried out or written down: nobody else would try again.
const TRY_AGAIN: Span = Span::seconds(30);

impl Creation {
    /// Reads the body of a create (api.md §2.2) into a sandbox that is not stored yet.
    fn read(
        self,
        fields: &Fields,
        engine: &Engine,
    ) -> Result<(SandboxRecord, Option<Source>), Refusal> {
        let project = fields.get("projectId", rules::short_text)?;
        let name = fields.get("name", rules::sandbox_name)?;
        let name = name.unwrap_or_else(|| SandboxName::new(names::sandbox()));
        let mut sandbox = facts::new_sandbox(name, engine.clock.now());
        let mut kept = Kept::default();
        let settings = Settings::read(fields)?;
        let pinned = fields.get("image", image::rule)?;
        match self {
            Self::WithRuntime if pinned.is_some() => {
                return Err(Refusal::field("image", "is not for /v2: use /v3/sandboxes"));
            }
            Self::WithImage if settings.runtime.is_some() => {
                return Err(Refusal::field("runtime", "is only for /v2/sandboxes"));
            }
            Self::WithRuntime => sandbox.runtime = Some(DEFAULT_RUNTIME.into()),
            Self::WithImage => sandbox.image = pinned.or_else(|| image::pinned(image::DEFAULT)),
        }
        let source = fields.get("source", source::rule)?;
        if fields.get("__interactive", rules::flag)? == Some(true) {
            kept.terminal = Some(names::subdomain());
        }
        settings.check(&sandbox, engine.plan)?;
        settings.apply(&mut sandbox, &mut kept);
        let called = project.map_or_else(|| ProjectId::new(DEFAULT_PROJECT), ProjectId::new);
        let record = SandboxRecord {
            project: engine.store.with(|records| records.project_id(&called))?,
            fact: sandbox,
            kept,
        };
        Ok((record, source))
    }
}

impl Engine {
    pub async fn create(
        self: &Arc<Self>,
        creation: Creation,
        fields: &Fields,
    ) -> Result<(SandboxRecord, Session), Refusal> {
        let (record, source) = creation.read(fields, self)?;
        let (snapshot, content) = match source {
            Some(Source::Snapshot(id)) => {
                self.know_snapshot(&id, &record.project)?;
                (Some(id), None)
            }
            Some(Source::Content(content)) => (None, Some(content)),
            None => (None, None),
        };
        self.found(record, snapshot, content.as_ref()).await
    }

    /// Makes a sandbox of its record and boots its first session, from a snapshot or from nothing, and then with what
    /// is fetched.
    pub(super) async fn found(
        self: &Arc<Self>,
        mut record: SandboxRecord,
        snapshot: Option<SnapshotId>,
        content: Option<&Content>,
    ) -> Result<(SandboxRecord, Session), Refusal> {
        let name = record.fact.name.clone();
        let _turn = self.turn(&record.project, &name).await;
        // Until it has one of its own.
        record.fact.current_snapshot_id.clone_from(&snapshot);
        self.expire_snapshots()?;
        let (mut sandbox, session) = self.store.with(|records| {
            let taken = records.sandboxes_named(Some(&record.project), name.as_raw())?;
            if !taken.is_empty() {
                let rule = format!("{:?} is taken by another sandbox", name.as_raw());
                return Err(Refusal::field("name", rule));
            }
            let row = records.add_sandbox(&record)?;
            let mut sandbox = Row { row, record };
            let session = self.begin(records, &mut sandbox, snapshot)?;
            Ok((sandbox, session))
        })?;
        match self.boot(&mut sandbox, session, content).await {
            Ok(session) => Ok((sandbox.record, session)),
            Err(refusal) => {
                // Nothing has run: the name is free again.
                self.store
                    .with(|records| records.remove_sandbox(sandbox.row))?;
                Err(refusal)
            }
        }
    }

    /// The running session of a sandbox, started if need be; whether it was.
    pub async fn resume(
        self: &Arc<Self>,
        project: Option<&ProjectId>,
        name: &str,
    ) -> Result<(SandboxRecord, Session, bool), Refusal> {
        // A stop that is under way has the turn: what is seen here is its end.
        let (_turn, mut sandbox) = self.find_in_turn(project, name).await?;
        let mut last = self.current_session(&sandbox.record)?;
        if !ended(&last) {
            if self.live(&last.id).is_some() {
                return Ok((sandbox.record, last, false));
            }
            self.abort(&mut last, &mut sandbox).await?;
        }
        let source = sandbox.record.fact.current_snapshot_id.clone();
        self.expire_snapshots()?;
        let session = self
            .store
            .with(|records| self.begin(records, &mut sandbox, source))?;
        let session = self.boot(&mut sandbox, session, None).await?;
        Ok((sandbox.record, session, true))
    }

    pub fn current_session(&self, sandbox: &SandboxRecord) -> Result<Session, Refusal> {
        let Some(id) = &sandbox.fact.current_session_id else {
            let name = sandbox.fact.name.as_raw();
            return Err(Refusal::unknown("session of sandbox", name));
        };
        Ok(self.session(id)?.0.fact)
    }

    /// Refuses a snapshot that never was in this project; whether it is still there is seen later.
    fn know_snapshot(&self, id: &SnapshotId, project: &ProjectId) -> Result<(), Refusal> {
        let found = self.store.with(|records| records.snapshot(id))?;
        found
            .filter(|snapshot| snapshot.project == *project)
            .map(drop)
            .ok_or_else(|| Refusal::unknown("snapshot", id.as_raw()))
    }

    /// Writes a new session down; the caller holds the sandbox's turn. From here on its snapshot's files stay.
    fn begin(
        &self,
        records: &Records<'_>,
        sandbox: &mut Row<SandboxRecord>,
        source: Option<SnapshotId>,
    ) -> Result<Session, Refusal> {
        self.plan.allow_one_more(records.count_unfinished()?)?;
        let now = self.clock.now();
        if let Some(snapshot) = &source {
            use_snapshot(records, snapshot, now)?;
        }
        let mut session = facts::new_session(&sandbox.record, self.address, source, now);
        // The official client refuses a session without, also one that has not come up.
        let cwd = self.ground.cwd(session.id.as_raw());
        session.cwd = Some(cwd.to_string_lossy().into_owned().into());
        records.add_session(&SessionRecord {
            sandbox: sandbox.row,
            fact: session.clone(),
        })?;
        follow(records, sandbox, &session, now)?;
        Ok(session)
    }

    /// Starts a session that was written down.
    async fn boot(
        self: &Arc<Self>,
        sandbox: &mut Row<SandboxRecord>,
        mut session: Session,
        content: Option<&Content>,
    ) -> Result<Session, Refusal> {
        let booted = self.boot_cell(&sandbox.record, &session, content).await;
        let now = self.clock.now();
        session.updated_at = Some(now);
        let cell = match booted {
            Ok(cell) => cell,
            Err(refusal) => {
                session.status = Some(Status::Failed);
                session.stopped_at = Some(now);
                self.store
                    .with(|records| settle(records, sandbox, &session, now))?;
                return Err(refusal);
            }
        };
        session.status = Some(Status::Running);
        session.started_at = Some(now);
        self.store
            .with(|records| settle(records, sandbox, &session, now))?;
        let live = self.enliven(&session, cell);
        tokio::spawn(watch(Arc::clone(self), live));
        Ok(session)
    }

    /// The layers under what a session writes, newest first.
    pub(super) fn base_of(&self, session: &Session) -> Result<Vec<LayerId>, Refusal> {
        let line = match &session.source_snapshot_id {
            Some(snapshot) => self.store.with(|records| records.lineage(snapshot))?,
            None => Vec::new(),
        };
        Ok(line.iter().filter_map(layer_of).collect())
    }

    async fn boot_cell(
        &self,
        owner: &SandboxRecord,
        session: &Session,
        content: Option<&Content>,
    ) -> Result<Cell, Refusal> {
        let hostname: String = owner.fact.name.as_raw().chars().take(63).collect();
        let boot = Boot {
            session: session.id.as_raw(),
            hostname: &hostname,
            base: self.base_of(session)?,
        };
        tokio::fs::create_dir_all(logs_of(&self.logs, &session.id))
            .await
            .map_err(|error| Refusal::internal("keeping the session's logs", &error))?;
        let mut booted = self.ground.boot(&boot).await.map_err(|error| match error {
            CellError::NoSuchLayer { .. } => {
                Refusal::new(StatusCode::CONFLICT, "conflict", error.to_string())
            }
            _ => Refusal::internal("starting the session", &error),
        });
        if let (Ok(cell), Some(content)) = (&booted, content)
            && let Err(refusal) = self.fetch(content, cell).await
        {
            cell.end().await;
            booted = Err(refusal);
        }
        if booted.is_err() {
            // What is left of it is of no use.
            self.discard(&session.id).await;
        }
        booted
    }
}

/// The layer a snapshot's files are in.
pub(super) fn layer_of(snapshot: &SnapshotId) -> Option<LayerId> {
    LayerId::new(snapshot.as_raw())
}

/// Writes a session and what it changes in its sandbox.
pub(super) fn settle(
    records: &Records<'_>,
    sandbox: &mut Row<SandboxRecord>,
    session: &Session,
    now: Timestamp,
) -> Result<(), Refusal> {
    records.set_session(session)?;
    follow(records, sandbox, session, now)
}

fn follow(
    records: &Records<'_>,
    sandbox: &mut Row<SandboxRecord>,
    session: &Session,
    now: Timestamp,
) -> Result<(), Refusal> {
    facts::reflect(&mut sandbox.record.fact, session, now);
    Ok(records.set_sandbox(sandbox)?)
}

/// Stops the session when its time is over, and notices when it is gone by itself.
async fn watch(engine: Arc<Engine>, live: Arc<Live>) {
    let mut deadline = live.deadline.subscribe();
    let over = loop {
        let due = *deadline.borrow_and_update();
        tokio::select! {
            () = engine.clock.reaches(due) => break true,
            changed = deadline.changed() => if changed.is_err() { return },
            () = live.cell.gone() => break false,
        }
    };
    let session = &live.session;
    loop {
        let done = if over {
            engine.stop(session).await.map(drop)
        } else {
            engine.lost(session).await
        };
        match done {
            Err(refusal) if refusal.status.is_server_error() => {
                tracing::error!("{session:?} is over: {}", refusal.message);
            }
            // Done, or somebody else did it.
            _ => return,
        }
        engine.clock.reaches(engine.clock.now() + TRY_AGAIN).await;
    }
}
