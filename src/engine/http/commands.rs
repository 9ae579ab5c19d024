//! Calls about commands (api.md §2.8).

use super::super::command::read_request;
use super::super::fields::Fields;
use super::super::query::Query;
use super::super::refusal::Refusal;
use super::super::rules;
use super::{App, Segments, streams, to_the_end};
use crate::model::{Command, CommandId, SessionId};
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) async fn list(
    State(engine): App,
    Segments(session): Segments<SessionId>,
) -> Result<Json<Value>, Refusal> {
    let runs = engine.readable(&session)?.commands();
    let commands: Vec<Command> = runs.iter().rev().map(|run| run.fact()).collect();
    Ok(Json(json!({"commands": commands})))
}

pub(super) async fn run(
    State(engine): App,
    Segments(session): Segments<SessionId>,
    fields: Fields,
) -> Result<Response, Refusal> {
    engine.accepting(&session)?;
    let request = read_request(&fields)?;
    let (wait, logs) = (request.wait, request.logs);
    let starter = Arc::clone(&engine);
    let run = to_the_end(async move { starter.run(&session, request).await }).await?;
    if wait {
        return streams::wait(run, logs).await;
    }
    Ok(Json(json!({"command": run.fact()})).into_response())
}

pub(super) async fn get(
    State(engine): App,
    Segments((session, id)): Segments<(SessionId, CommandId)>,
    query: Query,
) -> Result<Response, Refusal> {
    let run = engine.readable(&session)?.command(&id)?;
    if query.flag("wait")? {
        return Ok(streams::exit(run));
    }
    Ok(Json(json!({"command": run.fact()})).into_response())
}

pub(super) async fn logs(
    State(engine): App,
    Segments((session, id)): Segments<(SessionId, CommandId)>,
) -> Result<Response, Refusal> {
    let run = engine.readable(&session)?.command(&id)?;
    streams::logs(run).await
}

pub(super) async fn kill(
    State(engine): App,
    Segments((session, id)): Segments<(SessionId, CommandId)>,
    fields: Fields,
) -> Result<Json<Value>, Refusal> {
    let run = engine.readable(&session)?.command(&id)?;
    let signal = fields.need("signal", rules::signal)?;
    engine.kill(&session, &id, signal)?;
    Ok(Json(json!({"command": run.fact()})))
}
