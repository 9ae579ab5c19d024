//! The call about money (api.md §2.12).

use super::super::query::Query;
use super::super::refusal::Refusal;
use super::App;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

pub(super) async fn charges(State(engine): App, query: Query) -> Result<Response, Refusal> {
    let charges = engine.charges(query.time("from")?, query.time("to")?)?;
    let lines: String = charges.iter().map(|charge| format!("{charge}\n")).collect();
    Ok(([(CONTENT_TYPE, "application/jsonl")], lines).into_response())
}
