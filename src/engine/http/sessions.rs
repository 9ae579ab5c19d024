//! Calls about sessions (api.md §2.7).

use super::super::facts;
use super::super::fields::Fields;
use super::super::query::Query;
use super::super::refusal::Refusal;
use super::super::rules;
use super::{App, Segments, to_the_end};
use crate::model::request::SortBy;
use crate::model::{SandboxName, SessionId, StopAnswer};
use crate::store::{Key, SessionRecord};
use axum::Json;
use axum::extract::State;
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

pub(super) async fn extend(
    State(engine): App,
    Segments(id): Segments<SessionId>,
    fields: Fields,
) -> Result<Json<Value>, Refusal> {
    engine.accepting(&id)?;
    let by = fields.need("duration", rules::extension)?;
    let session = to_the_end(async move { engine.extend(&id, by).await }).await?;
    Ok(Json(json!({"session": session})))
}

/// The body is the policy itself. Only the one that is in force already can be set.
pub(super) async fn network_policy(
    State(engine): App,
    Segments(id): Segments<SessionId>,
    fields: Fields,
) -> Result<Json<Value>, Refusal> {
    engine.accepting(&id)?;
    rules::open_policy_object(fields.as_object())?;
    Ok(Json(json!({"session": engine.session(&id)?.0.fact})))
}
