//! Ending: sessions stop, with a snapshot or without; sandboxes are deleted; what a dead engine left is cleared.

use super::facts;
use super::refusal::Refusal;
use super::retention::{delete_orphans, evict};
use super::snapshot::Keep;
use super::start::settle;
use super::state::{Engine, Live};
use crate::model::{
    Bytes, CreationMethod, NetworkTransfer, ProjectId, Sandbox, Session, SessionId, Span, Status,
    StopAnswer,
};
use crate::store::{Row, SandboxRecord, SessionRecord, SnapshotRecord};
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
            snapshot = self.snapshot_of(&session, &sandbox.record)?;
        } else if let Some(live) = self.live(id) {
            let keep = persistent.then_some(Keep::AUTOMATIC);
            snapshot = self.end(&live, &mut session, &mut sandbox, keep).await?;
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
            self.end(&live, &mut session, &mut sandbox, None).await?;
        }
        let now = self.clock.now();
        self.store.with(|records| {
            records.remove_sandbox(sandbox.row)?;
            if orphans {
                delete_orphans(records, &sandbox.record, now)?;
            }
            Ok::<_, Refusal>(())
        })?;
        self.clear_soon();
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
        for SessionRecord { sandbox, fact } in left {
            self.abort_unfinished(&fact.id).await?;
            // Its creation was never answered, and what it should start with may not be there.
            let never_ran = fact.started_at.is_none();
            self.store.with(|records| {
                if never_ran && records.count_sessions(sandbox)? == 1 {
                    records.remove_sandbox(sandbox)?;
                }
                Ok::<_, Refusal>(())
            })?;
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
    pub(super) async fn end(
        self: &Arc<Self>,
        live: &Arc<Live>,
        session: &mut Session,
        sandbox: &mut Row<SandboxRecord>,
        keep: Option<Keep>,
    ) -> Result<Option<SnapshotRecord>, Refusal> {
        self.announce_end(session, sandbox, keep.as_ref());
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
        let kept = match keep {
            Some(keep) => self.freeze(session, &sandbox.record, keep).await.map(Some),
            None => Ok(None),
        };
        self.bury(&live.session);
        self.ended(session, sandbox, kept).await
    }

    /// Writes down that a session is ending.
    fn announce_end(
        &self,
        session: &mut Session,
        sandbox: &mut Row<SandboxRecord>,
        keep: Option<&Keep>,
    ) {
        let now = self.clock.now();
        if keep.is_some_and(|keep| keep.method == CreationMethod::Manual) {
            session.status = Some(Status::Snapshotting);
        } else {
            session.status = Some(Status::Stopping);
            session.requested_stop_at = Some(now);
        }
        session.snapshotted_at = keep.map(|_| now);
        session.updated_at = Some(now);
        let told = self
            .store
            .with(|records| settle(records, sandbox, session, now));
        if let Err(refusal) = told {
            // Who has no room for records needs the end all the more.
            tracing::warn!("{:?} is being stopped: {}", session.id, refusal.message);
        }
    }

    /// Writes the end of a session down. What was not kept, or not written down, is gone.
    async fn ended(
        self: &Arc<Self>,
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
        let written = self.store.with(|records| {
            facts::add_totals(&mut sandbox.record.fact, session);
            if let Ok(Some(snapshot)) = &kept {
                records.add_snapshot(snapshot)?;
                sandbox.record.fact.current_snapshot_id = Some(snapshot.fact.id.clone());
                evict(records, &sandbox.record, now)?;
            }
            settle(records, sandbox, session, now)
        });
        self.discard(&session.id).await;
        if let (Err(_), Ok(Some(snapshot))) = (&written, &kept) {
            self.clear_layer(&snapshot.fact.id).await;
        }
        written?;
        if let Ok(Some(_)) = &kept {
            self.sync().await;
        }
        self.clear_soon();
        kept
    }

    fn cut(&self, live: &Live) {
        let now = self.clock.now();
        for run in live.commands() {
            run.cut(now);
        }
    }
}

pub(super) fn ended(session: &Session) -> bool {
    session.status.as_ref().is_some_and(Status::is_final)
}
