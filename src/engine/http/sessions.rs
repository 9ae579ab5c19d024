//! Calls about sessions (api.md §2.7).

use super::super::facts;
use super::super::fields::Fields;
use super::super::policy;
use super::super::query::Query;
use super::super::refusal::Refusal;
use super::super::retention::{DEFAULT_EXPIRATION, SHORT_EXPIRATION};
use super::super::rules;
use super::super::snapshot::Keep;
use super::{App, Segments, to_the_end};
use crate::model::request::SortBy;
use crate::model::{CreationMethod, SandboxName, SessionId, Span, StopAnswer};
use crate::store::{Key, SessionRecord};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::{Extension, Json};
use serde_json::{Value, json};

pub(super) async fn list(State(engine): App, query: Query) -> Result<Json<Value>, Refusal> {
    let project = query.project("project")?;
    let name = query.sandbox()?;
    let listing = query.listing(SortBy::CreatedAt)?;
    let rows = engine.store.with(|records| {
        let name = name.as_ref().map(SandboxName::as_raw);
        records.sessions(project.as_ref(), name, &listing.window())
    })?;
    let key = |session: &SessionRecord| Key::Number(session.fact.created_at.unwrap_or_default().0);
    Ok(Json(listing.page("sessions", rows, key, |session| {
        json!(session.fact)
    })))
}

pub(super) async fn get(
    State(engine): App,
    Segments(id): Segments<SessionId>,
    query: Query,
) -> Result<Json<Value>, Refusal> {
    let with_system = query.flag("__includeSystemRoutes")?;
    let (session, sandbox) = engine.session(&id)?;
    let routes = facts::routes(&sandbox.record.kept, engine.address, with_system);
    Ok(Json(json!({"session": session.fact, "routes": routes})))
}

pub(super) async fn stop(
    State(engine): App,
    Segments(id): Segments<SessionId>,
) -> Result<Json<StopAnswer>, Refusal> {
    to_the_end(async move { engine.stop(&id).await })
        .await
        .map(Json)
}

/// `/v2` keeps it for a month where nothing else was said.
pub(super) async fn snapshot(engine: App, id: Segments<SessionId>, fields: Fields) -> Taken {
    take_snapshot(engine, id, &fields, DEFAULT_EXPIRATION).await
}

/// `/v3` keeps it for a week where nothing else was said.
pub(super) async fn short_snapshot(engine: App, id: Segments<SessionId>, fields: Fields) -> Taken {
    take_snapshot(engine, id, &fields, SHORT_EXPIRATION).await
}

type Taken = Result<(StatusCode, Json<Value>), Refusal>;

async fn take_snapshot(
    State(engine): App,
    Segments(id): Segments<SessionId>,
    fields: &Fields,
    default: Span,
) -> Taken {
    engine.accepting(&id)?;
    let keep = Keep {
        method: CreationMethod::Manual,
        expiration: fields.get("expiration", rules::snapshot_expiration)?,
        default,
    };
    let (snapshot, session) = to_the_end(async move { engine.snapshot(&id, keep).await }).await?;
    let taken = json!({"snapshot": snapshot, "session": session});
    Ok((StatusCode::CREATED, Json(taken)))
}

pub(super) async fn extend(
    State(engine): App,
    Segments(id): Segments<SessionId>,
    fields: Fields,
) -> Result<Json<Value>, Refusal> {
    engine.accepting(&id)?;
    let by = fields.need("duration", rules::session_timeout)?;
    let session = to_the_end(async move { engine.extend(&id, by).await }).await?;
    Ok(Json(json!({"session": session})))
}

/// The body is the policy itself.
pub(super) async fn network_policy(
    State(engine): App,
    Segments(id): Segments<SessionId>,
    fields: Fields,
) -> Result<impl IntoResponse, Refusal> {
    engine.accepting(&id)?;
    let policy = fields.whole(policy::read)?;
    let remark = engine.remark_on(Some(&policy)).map(Extension);
    let session = to_the_end(async move { engine.set_policy(&id, policy).await }).await?;
    Ok((remark, Json(json!({"session": session}))))
}
