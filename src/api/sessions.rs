//! Sessions: list, get, stop, extend (api.md §2.7).

use super::answer::Answered;
use super::call::Call;
use super::client::Client;
use crate::model::request::ListOfSandbox;
use crate::model::{Failure, Page, Session, SessionId, Span, StopAnswer};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct OfSession {
    session: Session,
}

const SESSIONS: &str = "/v2/sandboxes/sessions";

impl Client {
    /// One page, of one sandbox or of the whole project, by time of creation.
    pub async fn list_sessions(
        &self,
        asked: &ListOfSandbox,
    ) -> Result<Answered<Page<Session>>, Failure> {
        let call = Call::get("list sessions", SESSIONS)
            .project("project", self.scope())
            .of_sandbox(asked);
        self.page(call, "sessions", true).await
    }

    pub async fn get_session(&self, id: &SessionId) -> Result<Answered<Session>, Failure> {
        let call = Call::get("get session", SESSIONS).id(id);
        Ok(self.fetch::<OfSession>(call).await?.map(|of| of.session))
    }

    /// Answers when it has stopped, which takes seconds. A 410 says that it was gone already.
    pub async fn stop(&self, id: &SessionId) -> Result<Answered<StopAnswer>, Failure> {
        let call = Call::post("stop session", SESSIONS).id(id).then("/stop");
        self.fetch(call.slow()).await
    }

    /// Adds to the time limit: at least a second, and twice if sent twice.
    pub async fn extend(&self, id: &SessionId, by: Span) -> Result<Answered<Session>, Failure> {
        let call = Call::post("extend session", SESSIONS)
            .id(id)
            .then("/extend-timeout")
            .body(&json!({ "duration": by }))
            .refuse((by.0 < 1000).then_some("a session is extended by a second or more"));
        Ok(self.fetch::<OfSession>(call).await?.map(|of| of.session))
    }
}
