//! Calls about the person, the teams and the projects (api.md §1.6). The engine has one person and one team, and a
//! project to start with; a team that a client names otherwise is taken for that one, a project for what it is called.

use super::super::fields::Fields;
use super::super::query::Query;
use super::super::refusal::Refusal;
use super::super::state::Engine;
use super::super::{accounts, names, rules};
use super::{App, Segments};
use crate::model::ProjectId;
use crate::store::{Key, ProjectRecord};
use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) fn paths() -> Router<Arc<Engine>> {
    let mut paths = Router::new()
        .route("/v2/user", get(user))
        .route("/v2/teams", get(teams))
        .route("/v2/teams/{team}", get(team))
        .route("/v11/projects", post(create));
    for version in ["v2", "v9", "v10"] {
        paths = paths
            .route(&format!("/{version}/projects"), get(projects))
            .route(&format!("/{version}/projects/{{project}}"), get(project));
    }
    paths
}

async fn user() -> Json<Value> {
    Json(json!({"user": accounts::user()}))
}

async fn teams(State(engine): App, query: Query) -> Result<Json<Value>, Refusal> {
    let team = engine.team()?;
    let (since, until) = query.since_until()?;
    let created = team["createdAt"].as_i64().unwrap_or_default();
    let inside =
        since.is_none_or(|since| created > since) && until.is_none_or(|until| created < until);
    let teams: Vec<Value> = inside.then_some(team).into_iter().collect();
    let pagination = json!({"count": teams.len(), "next": null, "prev": null});
    Ok(Json(json!({"teams": teams, "pagination": pagination})))
}

async fn team(
    State(engine): App,
    Segments(called): Segments<String>,
) -> Result<Json<Value>, Refusal> {
    let team = engine.team()?;
    if team["id"] == called || team["slug"] == called {
        return Ok(Json(team));
    }
    Err(Refusal::unknown("team", &called))
}

async fn projects(State(engine): App, query: Query) -> Result<Json<Value>, Refusal> {
    let (search, listing) = query.projects()?;
    let rows = engine
        .store
        .with(|records| records.projects(search.as_deref(), &listing.window()))?;
    let key = |project: &ProjectRecord| Key::Number(project.created_at.0);
    Ok(Json(listing.page("projects", rows, key, |project| {
        accounts::project(&project)
    })))
}

async fn project(
    State(engine): App,
    Segments(called): Segments<String>,
) -> Result<Json<Value>, Refusal> {
    let found = engine.store.with(|records| records.project(&called))?;
    let project = found.ok_or_else(|| Refusal::unknown("project", &called))?;
    Ok(Json(accounts::project(&project)))
}

async fn create(State(engine): App, fields: Fields) -> Result<Json<Value>, Refusal> {
    let name = fields.need("name", rules::project_name)?;
    let project = ProjectRecord {
        id: ProjectId::new(names::id("prj")),
        name,
        created_at: engine.clock.now(),
    };
    let added = engine.store.with(|records| records.add_project(&project))?;
    if !added {
        let message = format!("there is a project {:?} already", project.name);
        return Err(Refusal::conflict(message));
    }
    Ok(Json(accounts::project(&project)))
}
