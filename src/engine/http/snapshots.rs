//! Calls about snapshots (api.md §2.10).

use super::super::query::{MOST, Query};
use super::super::refusal::Refusal;
use super::{App, Segments};
use crate::model::request::SortBy;
use crate::model::{Pagination, SandboxName, SnapshotId};
use crate::store::{Key, SnapshotRecord};
use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

const TREE_LIMIT: usize = 10;

pub(super) async fn list(State(engine): App, query: Query) -> Result<Json<Value>, Refusal> {
    let project = query.project("project")?;
    let name = query.sandbox()?;
    let listing = query.listing(SortBy::CreatedAt)?;
    engine.expire_snapshots()?;
    let rows = engine.store.with(|records| {
        let name = name.as_ref().map(SandboxName::as_raw);
        records.snapshots(project.as_ref(), name, &listing.window())
    })?;
    let key =
        |snapshot: &SnapshotRecord| Key::Number(snapshot.fact.created_at.unwrap_or_default().0);
    Ok(Json(listing.page("snapshots", rows, key, |snapshot| {
        json!(snapshot.fact)
    })))
}

pub(super) async fn get(
    State(engine): App,
    Segments(id): Segments<SnapshotId>,
) -> Result<Json<Value>, Refusal> {
    engine.expire_snapshots()?;
    let found = engine.store.with(|records| records.snapshot(&id))?;
    let snapshot = found.ok_or_else(|| Refusal::unknown("snapshot", id.as_raw()))?;
    Ok(Json(json!({"snapshot": snapshot.fact})))
}

pub(super) async fn delete(
    State(engine): App,
    Segments(id): Segments<SnapshotId>,
) -> Result<Json<Value>, Refusal> {
    engine.expire_snapshots()?;
    Ok(Json(json!({"snapshot": engine.delete_snapshot(&id)?})))
}

/// Ancestors, or with `sortOrder=asc` descendants. The next page starts from the last snapshot of this one.
pub(super) async fn tree(State(engine): App, query: Query) -> Result<Json<Value>, Refusal> {
    let project = query.project("project")?;
    let anchor = query.snapshot()?;
    let down = query.ascending()?;
    let limit = query.limit(TREE_LIMIT, MOST)?;
    let tree = engine.snapshot_tree(project.as_ref(), &anchor, down, limit)?;
    let pagination = Pagination {
        count: tree.nodes.len(),
        next: tree.next.map(|id| id.as_raw().to_owned()),
    };
    Ok(Json(json!({
        "snapshots": tree.nodes,
        "anchor": tree.anchor,
        "pagination": pagination,
    })))
}
