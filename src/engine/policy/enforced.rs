//! What becomes of a policy: a session is given one, and programs are started under it.
//!
//! Only "nothing at all" is enforced, by a network of the cell's own where the isolation level has one. It counts
//! from a program's start: those that run keep the network they have.

use super::super::access::Remark;
use super::super::refusal::Refusal;
use super::super::state::Engine;
use crate::model::{NetworkPolicy, PolicyMode, Session, SessionId};

impl Engine {
    /// Sets the policy of a running session.
    pub async fn set_policy(
        &self,
        id: &SessionId,
        policy: NetworkPolicy,
    ) -> Result<Session, Refusal> {
        let (_, owner) = self.session(id)?;
        let name = &owner.record.fact.name;
        let _turn = self.turn(&owner.record.project, name).await;
        self.accepting(id)?;
        let mut session = self.session(id)?.0.fact;
        session.network_policy = Some(policy);
        session.updated_at = Some(self.clock.now());
        self.store.with(|records| records.set_session(&session))?;
        Ok(session)
    }

    /// Whether programs of this session are started without a network.
    pub fn keeps_offline(&self, session: &Session) -> bool {
        let policy = session.network_policy.as_ref();
        self.ground.can_keep_offline() && policy.is_some_and(NetworkPolicy::denies_all)
    }

    /// What is to be known of the policy that a session has or will have, for the access log.
    pub fn remark_on(&self, policy: Option<&NetworkPolicy>) -> Option<Remark> {
        let policy = policy.filter(|policy| policy.mode != Some(PolicyMode::AllowAll))?;
        let words = match (policy.denies_all(), self.ground.can_keep_offline()) {
            (true, true) => "network policy: enforced for what is started from now on",
            (true, false) => "network policy: not enforced at this isolation level",
            (false, _) => "network policy: rules are kept, not enforced",
        };
        Some(Remark(words.to_owned()))
    }
}
