//! What a token says about itself (api.md §1.3). Nothing is verified: the service does that.

use crate::model::{ProjectId, TeamId, Timestamp};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

/// The claims of an OIDC token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claims {
    pub(super) team: TeamId,
    pub(super) project: Option<ProjectId>,
    pub(super) expires_at: Option<Timestamp>,
}

impl Claims {
    /// Three parts and an owner make it one; any other token says nothing.
    pub(super) fn of(token: &str) -> Option<Self> {
        let parts: Vec<&str> = token.split('.').collect();
        let [_, payload, _] = parts[..] else {
            return None;
        };
        let payload = URL_SAFE_NO_PAD.decode(payload.trim_end_matches('=')).ok()?;
        let claims: Value = serde_json::from_slice(&payload).ok()?;
        let word = |key: &str| claims[key].as_str().filter(|word| !word.is_empty());
        Some(Self {
            team: TeamId::new(word("owner_id")?),
            project: word("project_id").map(ProjectId::new),
            expires_at: seconds(&claims["exp"]),
        })
    }
}

/// A time in seconds since the epoch, the unit of tokens and of `auth.json` (api.md §9.5).
pub(super) fn seconds(value: &Value) -> Option<Timestamp> {
    // Saturates: what lies beyond has not expired.
    let ms = |seconds: f64| Timestamp((seconds * 1000.0) as i64);
    value.as_f64().map(ms)
}
