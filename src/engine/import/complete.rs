//! What a record does not say: it follows from its own times and from its sandbox, else it is the service's default.

use super::super::{facts, image, names};
use super::shape::{Fields, overlay};
use crate::model::{
    Bytes, CreationMethod, Foreign, Sandbox, SandboxName, Session, SessionId, Snapshot, SnapshotId,
    SnapshotStatus, Status, Timestamp,
};
use crate::store::SandboxRecord;
use serde_json::{Value, json};
use std::net::SocketAddr;

/// Where the sandboxes of the service work.
const CWD: &str = "/vercel/sandbox";

pub(super) struct Completing {
    /// Where the engine listens.
    pub engine: SocketAddr,
    pub now: Timestamp,
}

impl Completing {
    /// One of which nothing runs, unless it says otherwise.
    pub fn sandbox(&self, name: SandboxName, given: &Fields) -> Result<Sandbox, String> {
        let mut base = facts::new_sandbox(name, stamp(given, "createdAt").unwrap_or(self.now));
        base.status = Some(Status::Stopped);
        base.cwd = Some(Foreign::from(CWD));
        if !given.contains_key("runtime") {
            base.image = image::pinned(image::DEFAULT);
        }
        overlay(&base, given)
    }

    /// The session that a sandbox's own fields tell of.
    pub fn told_by(&self, owner: &SandboxRecord, given: &Fields) -> Result<Session, String> {
        let fact = &owner.fact;
        let changed = stamp(given, "statusUpdatedAt");
        let limit = fact.timeout.unwrap_or_default();
        let before = |end: Timestamp| Timestamp(end.0.saturating_sub(limit.0));
        let mut told = Fields::new();
        if let Some(id) = &fact.current_session_id {
            told.insert("id".to_owned(), json!(id));
        }
        told.insert("status".to_owned(), json!(fact.status));
        if fact.status.as_ref().is_some_and(Status::is_final) {
            let end = match fact.status {
                Some(Status::Aborted) => "abortedAt",
                _ => "stoppedAt",
            };
            // It lasted no longer than it may.
            let created = fact.created_at.unwrap_or(self.now);
            let start = changed.map_or(created, |changed| created.max(before(changed)));
            if let Some(changed) = changed {
                told.insert(end.to_owned(), json!(changed));
            }
            return self.session(owner, &told, start);
        }
        let expires = stamp(given, "expiresAt");
        let start = changed.or(expires.map(before)).unwrap_or(self.now);
        if let Some(expires) = expires {
            told.insert("timeout".to_owned(), json!(expires.since(start)));
        }
        self.session(owner, &told, start)
    }

    /// A session that began at `created`, unless it says otherwise.
    pub fn session(
        &self,
        owner: &SandboxRecord,
        given: &Fields,
        created: Timestamp,
    ) -> Result<Session, String> {
        let begins = ["createdAt", "requestedAt", "startedAt"];
        let begin = begins.iter().find_map(|name| stamp(given, name));
        let begin = begin.unwrap_or(created);
        let mut base = facts::new_session(owner, self.engine, None, begin);
        base.status = Some(Status::Stopped);
        base.cwd.clone_from(&owner.fact.cwd);
        let mut session: Session = overlay(&base, given)?;
        if session.status != Some(Status::Pending) {
            session.started_at.get_or_insert(begin);
        }
        let start = session.started_at.unwrap_or(begin);
        let ran = session.duration.or(session.timeout).unwrap_or_default();
        let end = (start + ran).min(self.now).max(start);
        match session.status {
            Some(Status::Stopped) => {
                let end = *session.stopped_at.get_or_insert(end);
                session.duration.get_or_insert(end.since(start));
            }
            Some(Status::Failed) => {
                session.stopped_at.get_or_insert(end);
            }
            Some(Status::Aborted) => {
                session.aborted_at.get_or_insert(end);
            }
            _ => {}
        }
        if !given.contains_key("updatedAt") {
            let stamps = [
                session.created_at,
                session.started_at,
                session.requested_stop_at,
                session.snapshotted_at,
                session.stopped_at,
                session.aborted_at,
            ];
            session.updated_at = stamps.into_iter().max().flatten();
        }
        Ok(session)
    }

    /// A snapshot of this sandbox, taken now and kept for ever, unless it says otherwise.
    pub fn snapshot(
        &self,
        owner: Option<&SandboxRecord>,
        given: &Fields,
    ) -> Result<Snapshot, String> {
        let taken = stamp(given, "createdAt").unwrap_or(self.now);
        let session = owner.and_then(|owner| owner.fact.current_session_id.clone());
        let region = owner.and_then(|owner| owner.fact.region.clone());
        let base = Snapshot {
            id: SnapshotId::new(names::id("snap")),
            status: Some(SnapshotStatus::Created),
            source_session_id: session.or_else(|| Some(SessionId::new(names::id("sbx")))),
            region: region.or_else(|| Some(Foreign::from(facts::DEFAULT_REGION))),
            regions: None,
            size_bytes: Some(Bytes(0)),
            created_at: Some(taken),
            updated_at: Some(taken),
            expires_at: None,
            last_used_at: Some(taken),
            creation_method: Some(CreationMethod::Automatic),
            parent_id: None,
        };
        overlay(&base, given)
    }
}

/// Times are numbers by now.
pub(super) fn stamp(given: &Fields, name: &str) -> Option<Timestamp> {
    given.get(name).and_then(Value::as_i64).map(Timestamp)
}
