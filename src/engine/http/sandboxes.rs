//! Calls about sandboxes (api.md §2.1 to §2.5).

use super::super::access::Remark;
use super::super::facts;
use super::super::fields::Fields;
use super::super::query::Query;
use super::super::refusal::Refusal;
use super::super::start::Creation;
use super::super::state::Engine;
use super::{App, Segments, to_the_end};
use crate::model::request::SortBy;
use crate::model::{SandboxAnswer, Session};
use crate::store::{Key, SandboxRecord};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) async fn list(State(engine): App, query: Query) -> Result<Json<Value>, Refusal> {
    let (filter, listing) = query.sandboxes()?;
    let by = listing.by;
    let rows = engine
        .store
        .with(|records| records.sandboxes(&filter, by, &listing.window()))?;
    let key = |sandbox: &SandboxRecord| sort_key(sandbox, by);
    Ok(Json(listing.page("sandboxes", rows, key, |sandbox| {
        json!(sandbox.fact)
    })))
}

fn sort_key(sandbox: &SandboxRecord, by: SortBy) -> Key {
    let fact = &sandbox.fact;
    match by {
        SortBy::Name => Key::Text(fact.name.as_raw().to_owned()),
        SortBy::CreatedAt => Key::Number(fact.created_at.unwrap_or_default().0),
        SortBy::StatusUpdatedAt => Key::Number(fact.status_updated_at.unwrap_or_default().0),
        SortBy::CurrentSnapshotId => {
            let id = fact.current_snapshot_id.as_ref();
            Key::Text(id.map(|id| id.as_raw().to_owned()).unwrap_or_default())
        }
    }
}

pub(super) async fn create_with_runtime(engine: App, fields: Fields) -> Answer {
    create(engine, Creation::WithRuntime, fields).await
}

pub(super) async fn create_with_image(engine: App, fields: Fields) -> Answer {
    create(engine, Creation::WithImage, fields).await
}

type Answer = Result<Remarked<SandboxAnswer>, Refusal>;

/// With what the access log is to tell beside it.
type Remarked<T> = (Option<Extension<Remark>>, Json<T>);

async fn create(State(engine): App, creation: Creation, fields: Fields) -> Answer {
    let creator = Arc::clone(&engine);
    let (sandbox, session) =
        to_the_end(async move { creator.create(creation, &fields).await }).await?;
    Ok(answer(&engine, sandbox, session, None, false))
}

pub(super) async fn fork(
    State(engine): App,
    Segments(name): Segments<String>,
    query: Query,
    fields: Fields,
) -> Answer {
    let project = query.project("projectId")?;
    let forker = Arc::clone(&engine);
    let fork = async move { forker.fork(project.as_ref(), &name, &fields).await };
    let (sandbox, session) = to_the_end(fork).await?;
    Ok(answer(&engine, sandbox, session, None, false))
}

pub(super) async fn get(
    State(engine): App,
    Segments(name): Segments<String>,
    query: Query,
) -> Answer {
    let project = query.project("projectId")?;
    let with_system = query.flag("__includeSystemRoutes")?;
    let (sandbox, session, resumed) = if query.flag("resume")? {
        let engine = Arc::clone(&engine);
        to_the_end(async move { engine.resume(project.as_ref(), &name).await }).await?
    } else {
        let sandbox = engine.find(project.as_ref(), &name)?.record;
        let session = engine.current_session(&sandbox)?;
        (sandbox, session, false)
    };
    Ok(answer(
        &engine,
        sandbox,
        session,
        Some(resumed),
        with_system,
    ))
}

fn answer(
    engine: &Engine,
    sandbox: SandboxRecord,
    session: Session,
    resumed: Option<bool>,
    with_system: bool,
) -> Remarked<SandboxAnswer> {
    let policy = session.network_policy.as_ref();
    let has_started = resumed != Some(false);
    let remark = engine.remark_on(policy.filter(|_| has_started));
    let answer = SandboxAnswer {
        routes: facts::routes(&sandbox.kept, engine.address, with_system),
        sandbox: sandbox.fact,
        session: Some(session),
        resumed,
    };
    (remark.map(Extension), Json(answer))
}

/// With `resume` the answer is that of a resume.
pub(super) async fn update(
    State(engine): App,
    Segments(name): Segments<String>,
    query: Query,
    fields: Fields,
) -> Result<Response, Refusal> {
    let project = query.project("projectId")?;
    let sets_policy = fields.has("networkPolicy");
    let resume = query.flag("resume")?;
    let updated = Arc::clone(&engine);
    let update = async move { updated.update(project.as_ref(), &name, &fields).await };
    let SandboxRecord {
        project,
        fact,
        kept,
    } = to_the_end(update).await?;
    if resume {
        let resumer = Arc::clone(&engine);
        let name = fact.name;
        let resume = async move { resumer.resume(Some(&project), name.as_raw()).await };
        let (sandbox, session, resumed) = to_the_end(resume).await?;
        return Ok(answer(&engine, sandbox, session, Some(resumed), false).into_response());
    }
    let routes = facts::routes(&kept, engine.address, false);
    let policy = fact.network_policy.as_ref();
    let remark = engine.remark_on(policy.filter(|_| sets_policy));
    let answer = json!({"sandbox": fact, "routes": routes});
    Ok((remark.map(Extension), Json(answer)).into_response())
}

pub(super) async fn delete(
    State(engine): App,
    Segments(name): Segments<String>,
    query: Query,
) -> Result<Json<Value>, Refusal> {
    let project = query.project("projectId")?;
    let orphans = query.flag("deleteOrphanSnapshots")?;
    let delete = async move { engine.delete(project.as_ref(), &name, orphans).await };
    Ok(Json(json!({"sandbox": to_the_end(delete).await?})))
}
