//! Ending: sessions stop, with a snapshot or without; sandboxes are deleted; what a dead engine left is cleared.

use super::command::logs_of;
use super::facts;
use super::refusal::Refusal;
use super::start::{layer_of, settle};
use super::state::{Engine, Live};
use crate::model::{
    Bytes, NetworkTransfer, ProjectId, Sandbox, Session, SessionId, SnapshotId, Span, Status,
    StopAnswer,
};
use crate::store::{Row, SandboxRecord, SnapshotRecord};
use std::sync::Arc;

impl Engine {
    /// Stops a session and waits for its end; a persistent sandbox keeps its files in a snapshot.
    pub async fn stop(self: &Arc<Self>, id: &SessionId) -> Result<StopAnswer, Refusal> {
        let (before, owner) = self.session(id)?;
        if ended(&before.fact) {
            return Err(Refusal::stopped());
        }
        let name = &owner.record.fact.name;
        let _turn = self.turn(&owner.record.project, name).await;
        let (session, mut sandbox) = self.session(id)?;
        let mut session = session.fact;
        let mut snapshot = None;
        let persistent = sandbox.record.fact.persistent == Some(true);
        if ended(&session) {
            // Somebody else stopped it meanwhile: the end is what was asked for.
            snapshot = self.automatic_snapshot(&session, &sandbox.record)?;
        } else if let Some(live) = self.live(id) {
            snapshot = self
                .end(&live, &mut session, &mut sandbox, persistent)
                .await?;
        } else {
            self.abort(&mut session, &mut sandbox).await?;
        }
        Ok(StopAnswer {
            session,
            sandbox: persistent.then_some(sandbox.record.fact),
            snapshot: snapshot.map(|snapshot| snapshot.fact),
        })
    }

    /// Deletes a sandbox with its sessions, and with `orphans` the snapshots that no other sandbox uses.
    pub async fn delete(
        self: &Arc<Self>,
        project: Option<&ProjectId>,
        name: &str,
        orphans: bool,
    ) -> Result<Sandbox, Refusal> {
        let (_turn, mut sandbox) = self.find_in_turn(project, name).await?;
        let mut session = self.current_session(&sandbox.record)?;
        if let Some(live) = self.live(&session.id) {
            self.end(&live, &mut session, &mut sandbox, false).await?;
        }
        self.store
            .with(|records| records.remove_sandbox(sandbox.row))?;
        if orphans {
            self.delete_orphans(&sandbox.record)?;
        }
        self.clear_layers().await;
        Ok(sandbox.record.fact)
    }

    /// All sessions end, each as if it were stopped.
    pub async fn stop_all(self: &Arc<Self>) {
        let stopping = self.all_live().into_iter().map(|id| async move {
            if let Err(refusal) = self.stop(&id).await {
                tracing::error!("{id:?} at the engine's end: {}", refusal.message);
            }
        });
        futures_util::future::join_all(stopping).await;
    }

    /// A session whose cell has ended without being asked to, or whose end could not be written down.
    pub(super) async fn lost(self: &Arc<Self>, id: &SessionId) -> Result<(), Refusal> {
        let owner = self.session(id)?.1.record;
        let _turn = self.turn(&owner.project, &owner.fact.name).await;
        if let Some(live) = self.live(id) {
            self.cut(&live);
            live.cell.end().await;
            self.bury(id);
        }
        self.abort_unfinished(id).await
    }

    /// Sessions that an engine left when it died are over, and so are their files.
    pub async fn abort_leftovers(&self) -> Result<(), Refusal> {
        let left = self.store.with(|records| records.unfinished_sessions())?;
        for session in left {
            self.abort_unfinished(&session.fact.id).await?;
        }
        Ok(())
    }

    async fn abort_unfinished(&self, id: &SessionId) -> Result<(), Refusal> {
        let (session, mut sandbox) = self.session(id)?;
        let mut session = session.fact;
        if ended(&session) {
            return Ok(());
        }
        self.abort(&mut session, &mut sandbox).await
    }

    /// Writes down that a session is over which nothing runs in any more: not by our doing, or its end could not be
    /// written down when it came. The caller holds the sandbox's turn.
    pub(super) async fn abort(
        &self,
        session: &mut Session,
        sandbox: &mut Row<SandboxRecord>,
    ) -> Result<(), Refusal> {
        let now = self.clock.now();
        session.status = Some(Status::Aborted);
        session.aborted_at = Some(now);
        session.updated_at = Some(now);
        self.store
            .with(|records| settle(records, sandbox, session, now))?;
        self.discard(&session.id).await;
        Ok(())
    }

    /// Ends a living session; the caller holds the sandbox's turn. With `keep` its files become a snapshot.
    async fn end(
        &self,
        live: &Arc<Live>,
        session: &mut Session,
        sandbox: &mut Row<SandboxRecord>,
        keep: bool,
    ) -> Result<Option<SnapshotRecord>, Refusal> {
        let now = self.clock.now();
        session.status = Some(Status::Stopping);
        session.requested_stop_at = Some(now);
        session.snapshotted_at = keep.then_some(now);
        session.updated_at = Some(now);
        let told = self
            .store
            .with(|records| settle(records, sandbox, session, now));
        if let Err(refusal) = told {
            // Who has no room for records needs the end all the more.
            tracing::warn!("{:?} is being stopped: {}", session.id, refusal.message);
        }
        self.cut(live);
        let counters = live.cell.end().await;
        self.discard_logs(&session.id).await;
        session.active_cpu_duration_ms = Some(Span(counters.cpu_ms));
        if counters.ingress.is_some() || counters.egress.is_some() {
            session.network_transfer = Some(NetworkTransfer {
                ingress: counters.ingress.map(Bytes),
                egress: counters.egress.map(Bytes),
            });
        }
        let kept = if keep {
            self.freeze(session, &sandbox.record).await.map(Some)
        } else {
            Ok(None)
        };
        self.bury(&live.session);
        self.ended(session, sandbox, kept).await
    }

    /// Writes the end of a session down.
    async fn ended(
        &self,
        session: &mut Session,
        sandbox: &mut Row<SandboxRecord>,
        kept: Result<Option<SnapshotRecord>, Refusal>,
    ) -> Result<Option<SnapshotRecord>, Refusal> {
        let now = self.clock.now();
        session.status = Some(match kept {
            Ok(_) => Status::Stopped,
            Err(_) => Status::Failed,
        });
        session.stopped_at = Some(now);
        session.updated_at = Some(now);
        session.duration = session.started_at.map(|start| now.since(start));
        self.store.with(|records| {
            facts::add_totals(&mut sandbox.record.fact, session);
            if let Ok(Some(snapshot)) = &kept {
                records.add_snapshot(snapshot)?;
                sandbox.record.fact.current_snapshot_id = Some(snapshot.fact.id.clone());
            }
            settle(records, sandbox, session, now)
        })?;
        if kept.is_ok() {
            self.discard(&session.id).await;
            self.evict(&sandbox.record)?;
            self.clear_layers().await;
        }
        kept
    }

    fn cut(&self, live: &Live) {
        let now = self.clock.now();
        for run in live.commands() {
            run.cut(now);
        }
    }

    /// Removes what is left of a session on disk. What cannot be removed costs room, nothing else.
    pub(super) async fn discard(&self, id: &SessionId) {
        if let Err(error) = self.ground.discard(id.as_raw()).await {
            tracing::warn!("{id:?}: {error}");
        }
        self.discard_logs(id).await;
    }

    async fn discard_logs(&self, id: &SessionId) {
        let logs = logs_of(&self.logs, id);
        match tokio::fs::remove_dir_all(&logs).await {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                tracing::warn!("cannot remove {}: {error}", logs.display());
            }
            _ => {}
        }
    }

    /// Removes the files of snapshots that nothing is built upon any more.
    pub(super) async fn clear_layers(&self) {
        let idle = match self.store.with(|records| records.idle_layers()) {
            Ok(idle) => idle,
            Err(error) => return tracing::warn!("looking for files of deleted snapshots: {error}"),
        };
        for id in &idle {
            self.clear_layer(id).await;
        }
    }

    async fn clear_layer(&self, id: &SnapshotId) {
        let Some(layer) = layer_of(id) else { return };
        let cleared = match self.ground.remove_layer(&layer).await {
            Ok(()) => self
                .store
                .with(|records| records.forget_layer(id))
                .map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        if let Err(error) = cleared {
            tracing::warn!("removing the files of {id:?}: {error}");
        }
    }
}

pub(super) fn ended(session: &Session) -> bool {
    session.status.as_ref().is_some_and(Status::is_final)
}
