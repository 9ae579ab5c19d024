//! Snapshots: made of what a session leaves, expiring, evicted, deleted with their sandbox.

use super::facts::DEFAULT_REGION;
use super::names;
use super::refusal::Refusal;
use super::rules::DAY;
use super::start::layer_of;
use super::state::Engine;
use crate::model::{
    Bytes, CreationMethod, Foreign, Sandbox, Session, Snapshot, SnapshotId, SnapshotStatus, Span,
    Timestamp,
};
use crate::store::{SandboxRecord, SnapshotRecord};

/// After its last use, where nothing else was said.
const DEFAULT_EXPIRATION: Span = Span(30 * DAY);

impl Engine {
    /// Keeps the files of an ended session; the record is not stored yet.
    pub(super) async fn freeze(
        &self,
        session: &Session,
        owner: &SandboxRecord,
    ) -> Result<SnapshotRecord, Refusal> {
        let id = SnapshotId::new(names::id("snap"));
        let layer = layer_of(&id).ok_or_else(|| Refusal::bad_request("no layer's name"))?;
        let frozen = self
            .ground
            .freeze(session.id.as_raw(), &layer)
            .await
            .map_err(|error| Refusal::internal("taking the snapshot", &error))?;
        let now = self.clock.now();
        let expiration = lifetime(&owner.fact);
        let region = session.region.clone();
        let region = region.unwrap_or_else(|| Foreign::from(DEFAULT_REGION));
        Ok(SnapshotRecord {
            project: owner.project.clone(),
            sandbox: owner.fact.name.clone(),
            expiration,
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
                creation_method: Some(CreationMethod::Automatic),
                parent_id: session.source_snapshot_id.clone(),
            },
        })
    }

    /// The snapshot that the end of this session made.
    pub(super) fn automatic_snapshot(
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

    /// Deletes the snapshots whose time has come.
    pub(super) async fn expire_snapshots(&self) -> Result<(), Refusal> {
        let now = self.clock.now();
        let expired = self.store.with(|records| {
            let expired = records.expired_snapshots(now)?;
            let any = !expired.is_empty();
            for snapshot in expired {
                records.set_snapshot(&deleted(snapshot, now))?;
            }
            Ok::<_, Refusal>(any)
        })?;
        if expired {
            self.clear_layers().await;
        }
        Ok(())
    }

    /// Leaves a sandbox the newest snapshots that its `keepLastSnapshots` grants (api.md §4.2).
    pub(super) fn evict(&self, owner: &SandboxRecord) -> Result<(), Refusal> {
        let Some(keep) = owner.fact.keep_last_snapshots else {
            return Ok(());
        };
        let now = self.clock.now();
        let count = usize::try_from(keep.count.0).unwrap_or_default();
        self.store.with(|records| {
            let mut own = records.kept_snapshots()?;
            own.retain(|snapshot| belongs(snapshot, owner));
            let evicted = own.len().saturating_sub(count);
            for mut snapshot in own.into_iter().take(evicted) {
                if keep.delete_evicted == Some(false) {
                    let used = snapshot.fact.last_used_at.unwrap_or(now);
                    snapshot.expiration = Some(DEFAULT_EXPIRATION);
                    snapshot.fact.expires_at = Some(used + DEFAULT_EXPIRATION);
                    records.set_snapshot(&snapshot)?;
                } else {
                    records.set_snapshot(&deleted(snapshot, now))?;
                }
            }
            Ok(())
        })
    }

    /// Deletes the snapshots of a deleted sandbox that no other one starts from.
    pub(super) fn delete_orphans(&self, gone: &SandboxRecord) -> Result<(), Refusal> {
        let now = self.clock.now();
        self.store.with(|records| {
            for snapshot in records.kept_snapshots()? {
                if belongs(&snapshot, gone) && !records.starts_a_sandbox(&snapshot.fact.id)? {
                    records.set_snapshot(&deleted(snapshot, now))?;
                }
            }
            Ok(())
        })
    }
}

/// How long a new snapshot of this sandbox lives after each use; `None` = for ever.
fn lifetime(sandbox: &Sandbox) -> Option<Span> {
    let kept = sandbox.keep_last_snapshots.and_then(|keep| keep.expiration);
    match kept.or(sandbox.snapshot_expiration) {
        Some(Span(0)) => None,
        Some(span) => Some(span),
        None => Some(DEFAULT_EXPIRATION),
    }
}

/// Whether it was taken of this sandbox, not of an earlier one of that name.
fn belongs(snapshot: &SnapshotRecord, owner: &SandboxRecord) -> bool {
    snapshot.project == owner.project
        && snapshot.sandbox == owner.fact.name
        && snapshot.fact.created_at >= owner.fact.created_at
}

fn deleted(mut snapshot: SnapshotRecord, now: Timestamp) -> SnapshotRecord {
    snapshot.fact.status = Some(SnapshotStatus::Deleted);
    snapshot.fact.updated_at = Some(now);
    snapshot.fact.expires_at = None;
    snapshot
}
