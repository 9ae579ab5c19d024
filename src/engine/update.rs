//! Changing a sandbox (api.md §2.4) and extending a session's time.

use super::fields::Fields;
use super::refusal::Refusal;
use super::settings::Settings;
use super::state::Engine;
use super::{facts, rules};
use crate::model::{ProjectId, Session, SessionId, SnapshotId, Span};
use crate::store::SandboxRecord;
use std::sync::Arc;

impl Engine {
    /// Changes what was sent. All but the ports waits for the next session, as it does with the service: its
    /// client extends the running session by a call of its own.
    pub async fn update(
        self: &Arc<Self>,
        project: Option<&ProjectId>,
        name: &str,
        fields: &Fields,
    ) -> Result<SandboxRecord, Refusal> {
        let (_turn, mut sandbox) = self.find_in_turn(project, name).await?;
        let settings = Settings::read(fields)?;
        let snapshot = fields.get("currentSnapshotId", rules::short_text)?;
        settings.check(&sandbox.record.fact, self.plan)?;
        if let Some(id) = snapshot.map(SnapshotId::new) {
            self.check_snapshot(&id, &sandbox.record.project)?;
            sandbox.record.fact.current_snapshot_id = Some(id);
        }
        let SandboxRecord { fact, kept, .. } = &mut sandbox.record;
        settings.apply(fact, kept);
        fact.updated_at = Some(self.clock.now());
        self.store.with(|records| records.set_sandbox(&sandbox))?;
        Ok(sandbox.record)
    }

    /// Adds to the time limit of a running session; the longest a session may last stays the limit.
    pub async fn extend(&self, id: &SessionId, by: Span) -> Result<Session, Refusal> {
        let (_, owner) = self.session(id)?;
        let name = &owner.record.fact.name;
        let _turn = self.turn(&owner.record.project, name).await;
        let live = self.accepting(id)?;
        let (session, mut sandbox) = self.session(id)?;
        let mut session = session.fact;
        let timeout = session.timeout.unwrap_or_default() + by;
        self.plan.allow_timeout(timeout)?;
        let now = self.clock.now();
        session.timeout = Some(timeout);
        session.updated_at = Some(now);
        self.store.with(|records| {
            records.set_session(&session)?;
            facts::reflect(&mut sandbox.record.fact, &session, now);
            records.set_sandbox(&sandbox)
        })?;
        if let Some(deadline) = session.deadline() {
            live.deadline.send_replace(deadline);
        }
        Ok(session)
    }
}
