//! Snapshots are made of what a session leaves, on request and at its end.

use super::facts::DEFAULT_REGION;
use super::names;
use super::refusal::Refusal;
use super::retention::DEFAULT_EXPIRATION;
use super::start::layer_of;
use super::state::Engine;
use crate::model::{
    Bytes, CreationMethod, Foreign, Sandbox, Session, SessionId, Snapshot, SnapshotId,
    SnapshotStatus, Span,
};
use crate::store::{SandboxRecord, SnapshotRecord};
use std::sync::Arc;

/// How the files of a session are kept when it ends.
pub(super) struct Keep {
    pub method: CreationMethod,
    /// What was said for this snapshot alone: how long it lives after each use, 0 = for ever.
    pub expiration: Option<Span>,
    /// Where the sandbox says nothing either.
    pub default: Span,
}

impl Keep {
    /// At the end of every session of a persistent sandbox.
    pub const AUTOMATIC: Self = Self {
        method: CreationMethod::Automatic,
        expiration: None,
        default: DEFAULT_EXPIRATION,
    };

    /// How long the snapshot lives after each use; `None` = for ever (api.md §4.2).
    fn lifetime(&self, sandbox: &Sandbox) -> Option<Span> {
        let kept = sandbox.keep_last_snapshots.and_then(|keep| keep.expiration);
        let said = self.expiration.or(kept).or(sandbox.snapshot_expiration);
        Some(said.unwrap_or(self.default)).filter(|span| *span != Span(0))
    }
}

impl Engine {
    /// Takes a snapshot of a running session, which ends with it.
    pub async fn snapshot(
        self: &Arc<Self>,
        id: &SessionId,
        keep: Keep,
    ) -> Result<(Snapshot, Session), Refusal> {
        self.accepting(id)?;
        let owner = self.session(id)?.1.record;
        let _turn = self.turn(&owner.project, &owner.fact.name).await;
        let live = self.accepting(id)?;
        let (session, mut sandbox) = self.session(id)?;
        let mut session = session.fact;
        let made = self.end(&live, &mut session, &mut sandbox, Some(keep));
        let made = made.await?.ok_or_else(Refusal::stopped)?;
        Ok((made.fact, session))
    }

    /// Keeps the files of an ended session; the record is not stored yet.
    pub(super) async fn freeze(
        &self,
        session: &Session,
        owner: &SandboxRecord,
        keep: Keep,
    ) -> Result<SnapshotRecord, Refusal> {
        let id = SnapshotId::new(names::id("snap"));
        let layer = layer_of(&id).ok_or_else(|| Refusal::bad_request("no layer's name"))?;
        let base = self.base_of(session)?;
        let frozen = self
            .ground
            .freeze(session.id.as_raw(), &layer, &base)
            .await
            .map_err(|error| Refusal::internal("taking the snapshot", &error))?;
        let now = self.clock.now();
        let expiration = keep.lifetime(&owner.fact);
        let region = session.region.clone();
        let region = region.unwrap_or_else(|| Foreign::from(DEFAULT_REGION));
        let parent = session.source_snapshot_id.clone();
        Ok(SnapshotRecord {
            project: owner.project.clone(),
            sandbox: owner.fact.name.clone(),
            expiration,
            base: parent.clone().filter(|_| !frozen.whole),
            fact: Snapshot {
                id,
                status: Some(SnapshotStatus::Created),
                source_session_id: Some(session.id.clone()),
                regions: Some(vec![region.clone()]),
                region: Some(region),
                size_bytes: Some(Bytes(frozen.size_bytes)),
                created_at: Some(now),
                updated_at: Some(now),
                expires_at: expiration.map(|span| now + span),
                last_used_at: Some(now),
                creation_method: Some(keep.method),
                parent_id: parent,
            },
        })
    }

    /// The snapshot that the end of this session made.
    pub(super) fn snapshot_of(
        &self,
        session: &Session,
        owner: &SandboxRecord,
    ) -> Result<Option<SnapshotRecord>, Refusal> {
        let Some(id) = &owner.fact.current_snapshot_id else {
            return Ok(None);
        };
        let current = self.store.with(|records| records.snapshot(id))?;
        Ok(
            current
                .filter(|snapshot| snapshot.fact.source_session_id.as_ref() == Some(&session.id)),
        )
    }
}
