//! Words that open a shell: each once, soon, and in the session it was given for.

use super::super::refusal::Refusal;
use super::super::secret;
use crate::model::{SessionId, Span, Timestamp};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The official client looks for an answer of `/health` first, for some seconds if need be.
const VALID: Span = Span::minutes(1);

#[derive(Default)]
pub(in crate::engine) struct Invitations(Mutex<HashMap<String, Invitation>>);

struct Invitation {
    session: SessionId,
    until: Timestamp,
}

impl Invitations {
    pub fn issue(&self, session: &SessionId, now: Timestamp) -> Result<String, Refusal> {
        let word = secret::random().ok_or_else(|| {
            let error = std::io::Error::other("the system gives no random bytes");
            Refusal::internal("making a token", &error)
        })?;
        let invitation = Invitation {
            session: session.clone(),
            until: now + VALID,
        };
        self.with(|open| {
            open.retain(|_, invitation| invitation.until > now);
            open.insert(word.clone(), invitation);
        });
        Ok(word)
    }

    /// The session that the word opens; it opens nothing any more then.
    pub fn redeem(&self, word: &str, now: Timestamp) -> Option<SessionId> {
        let invitation = self.with(|open| open.remove(word))?;
        (invitation.until > now).then_some(invitation.session)
    }

    fn with<T>(&self, work: impl FnOnce(&mut HashMap<String, Invitation>) -> T) -> T {
        // A panic elsewhere leaves the table whole: every change is a single call.
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_opens_its_own_session_once_and_not_too_late() {
        let open = Invitations::default();
        let [one, other] = ["sbx_1", "sbx_2"].map(SessionId::new);
        let start = Timestamp(0);
        let [a, b, c] = [&one, &other, &one].map(|id| open.issue(id, start).unwrap());
        assert!(a.len() >= 32 && a != c);
        let late = start + VALID;
        let in_time = Timestamp(late.0 - 1);
        assert_eq!(open.redeem(&b, in_time), Some(other));
        assert_eq!(open.redeem(&b, in_time), None);
        assert_eq!(open.redeem(&a, in_time), Some(one.clone()));
        assert_eq!(open.redeem(&c, late), None);
        assert_eq!(open.redeem("", start), None);
        open.issue(&one, start).unwrap();
        open.issue(&one, late).unwrap();
        assert_eq!(open.with(|open| open.len()), 1);
    }
}
