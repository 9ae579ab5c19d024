//! How long snapshots live: they expire after their last use, give way to newer ones, go with their sandbox, or
//! are deleted.

use super::refusal::Refusal;
use super::rules::DAY;
use super::state::Engine;
use crate::model::{ProjectId, Snapshot, SnapshotId, SnapshotStatus, Span, Timestamp};
use crate::store::{Records, SandboxRecord, SnapshotRecord, StoreError};
use std::sync::Arc;

/// After its last use, where nothing else was said.
pub(super) const DEFAULT_EXPIRATION: Span = Span(30 * DAY);
/// The same for snapshots that `/v3` is asked for.
pub(super) const SHORT_EXPIRATION: Span = Span(7 * DAY);
/// Between two looks for what has expired. Whoever asks for snapshots looks as well.
const LOOK: Span = Span::minutes(60);

impl Engine {
    /// Deletes the snapshots whose time has come.
    pub(super) fn expire_snapshots(self: &Arc<Self>) -> Result<(), Refusal> {
        let now = self.clock.now();
        let any = self.store.with(|records| {
            let expired = records.expired_snapshots(now)?;
            let any = !expired.is_empty();
            for snapshot in expired {
                records.set_snapshot(&deleted(snapshot, now))?;
            }
            Ok::<_, Refusal>(any)
        })?;
        if any {
            self.clear_soon();
        }
        Ok(())
    }

    /// Deletes what expires while nobody asks. Never ends.
    pub(super) async fn keep_expiring(self: Arc<Self>) {
        loop {
            if let Err(refusal) = self.expire_snapshots() {
                tracing::warn!("looking for expired snapshots: {}", refusal.message);
            }
            self.clock.reaches(self.clock.now() + LOOK).await;
        }
    }

    /// Deletes one snapshot; those that are built upon it stay whole. A second time changes nothing.
    pub fn delete_snapshot(self: &Arc<Self>, id: &SnapshotId) -> Result<Snapshot, Refusal> {
        let now = self.clock.now();
        let snapshot = self.store.with(|records| {
            let unknown = || Refusal::unknown("snapshot", id.as_raw());
            let snapshot = records.snapshot(id)?.ok_or_else(unknown)?;
            if snapshot.fact.status == Some(SnapshotStatus::Deleted) {
                return Ok(snapshot);
            }
            let snapshot = deleted(snapshot, now);
            records.set_snapshot(&snapshot)?;
            Ok::<_, Refusal>(snapshot)
        })?;
        self.clear_soon();
        Ok(snapshot.fact)
    }

    /// What a sandbox is set to start from must be there and of its project.
    pub(super) fn check_snapshot(
        self: &Arc<Self>,
        id: &SnapshotId,
        project: &ProjectId,
    ) -> Result<(), Refusal> {
        self.expire_snapshots()?;
        let found = self.store.with(|records| records.snapshot(id))?;
        let usable = found.is_some_and(|snapshot| {
            snapshot.project == *project && snapshot.fact.status == Some(SnapshotStatus::Created)
        });
        if usable {
            Ok(())
        } else {
            Err(Refusal::unknown("snapshot", id.as_raw()))
        }
    }
}

/// Marks a snapshot as used now, which puts its expiry off; refused when it is gone.
pub(super) fn use_snapshot(
    records: &Records<'_>,
    id: &SnapshotId,
    now: Timestamp,
) -> Result<(), Refusal> {
    let gone = || Refusal::snapshot_gone(id.as_raw());
    let mut snapshot = records.snapshot(id)?.ok_or_else(gone)?;
    if snapshot.fact.status != Some(SnapshotStatus::Created) {
        return Err(gone());
    }
    if !records.has_layer(id)? {
        let message = format!(
            "the snapshot {:?} was imported and has no files",
            id.as_raw()
        );
        return Err(Refusal::conflict(message));
    }
    snapshot.fact.last_used_at = Some(now);
    snapshot.fact.updated_at = Some(now);
    snapshot.fact.expires_at = snapshot.expiration.map(|span| now + span);
    Ok(records.set_snapshot(&snapshot)?)
}

/// Leaves a sandbox the newest snapshots that its `keepLastSnapshots` grants (api.md §4.2).
pub(super) fn evict(
    records: &Records<'_>,
    owner: &SandboxRecord,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(keep) = owner.fact.keep_last_snapshots else {
        return Ok(());
    };
    let count = usize::try_from(keep.count.0).unwrap_or_default();
    let own = own_snapshots(records, owner)?;
    let evicted = own.len().saturating_sub(count);
    for mut snapshot in own.into_iter().take(evicted) {
        if keep.delete_evicted == Some(false) {
            let usual = owner.fact.snapshot_expiration.unwrap_or(DEFAULT_EXPIRATION);
            snapshot.expiration = Some(usual).filter(|span| *span != Span(0));
            let used = snapshot.fact.last_used_at.unwrap_or(now);
            snapshot.fact.expires_at = snapshot.expiration.map(|span| used + span);
            records.set_snapshot(&snapshot)?;
        } else {
            records.set_snapshot(&deleted(snapshot, now))?;
        }
    }
    Ok(())
}

/// Deletes the snapshots of a deleted sandbox that no other one starts from.
pub(super) fn delete_orphans(
    records: &Records<'_>,
    gone: &SandboxRecord,
    now: Timestamp,
) -> Result<(), StoreError> {
    for snapshot in own_snapshots(records, gone)? {
        if !records.starts_a_sandbox(&snapshot.fact.id)? {
            records.set_snapshot(&deleted(snapshot, now))?;
        }
    }
    Ok(())
}

/// Those that were taken of this sandbox, not of an earlier one of that name; oldest first.
fn own_snapshots(
    records: &Records<'_>,
    owner: &SandboxRecord,
) -> Result<Vec<SnapshotRecord>, StoreError> {
    let mut own = records.kept_snapshots(&owner.project, &owner.fact.name)?;
    own.retain(|snapshot| snapshot.fact.created_at >= owner.fact.created_at);
    Ok(own)
}

fn deleted(mut snapshot: SnapshotRecord, now: Timestamp) -> SnapshotRecord {
    snapshot.fact.status = Some(SnapshotStatus::Deleted);
    snapshot.fact.updated_at = Some(now);
    snapshot.fact.expires_at = None;
    snapshot
}
