//! A command: one process started in a session (api.md §3.3).

use super::{CommandId, CommandKey, Count, Foreign, SessionId, Span, Timestamp, lenient};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Command {
    pub id: CommandId,
    /// The program; the request calls it `command`.
    #[serde(
        default,
        deserialize_with = "lenient::field",
        skip_serializing_if = "Option::is_none"
    )]
    pub name: Option<Foreign>,
    #[serde(default, deserialize_with = "lenient::list")]
    pub args: Vec<Foreign>,
    #[serde(
        default,
        deserialize_with = "lenient::field",
        skip_serializing_if = "Option::is_none"
    )]
    pub cwd: Option<Foreign>,
    #[serde(
        default,
        deserialize_with = "lenient::field",
        skip_serializing_if = "Option::is_none"
    )]
    pub session_id: Option<SessionId>,
    /// `None` while it runs; on the wire always there, as null or a number. 137 = SIGKILL, also by a time limit.
    #[serde(default, deserialize_with = "lenient::field")]
    pub exit_code: Option<Count>,
    #[serde(
        default,
        deserialize_with = "lenient::field",
        skip_serializing_if = "Option::is_none"
    )]
    pub started_at: Option<Timestamp>,
    #[serde(
        default,
        deserialize_with = "lenient::field",
        skip_serializing_if = "Option::is_none"
    )]
    pub duration_ms: Option<Span>,
}

impl Command {
    /// The identity; the session asked about stands in where the answer leaves it out.
    pub fn key(&self, asked: &SessionId) -> CommandKey {
        CommandKey {
            session: self.session_id.clone().unwrap_or_else(|| asked.clone()),
            command: self.id.clone(),
        }
    }

    pub fn is_running(&self) -> bool {
        self.exit_code.is_none()
    }
}
