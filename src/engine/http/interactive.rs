//! Interactive shells: the invitation to one, and the websocket that it opens (api.md §2.7, §5).

use super::super::query::Query;
use super::super::refusal::Refusal;
use super::super::shell;
use super::super::state::Engine;
use super::{App, LARGEST_BODY, Segments};
use crate::model::SessionId;
use axum::Json;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) async fn invite(
    State(engine): App,
    Segments(session): Segments<SessionId>,
) -> Result<Json<Value>, Refusal> {
    engine.accepting(&session)?;
    let token = engine.invitations.issue(&session, engine.clock.now())?;
    let url = format!("ws://{}{}", engine.address, shell::PATH);
    Ok(Json(json!({"url": url, "token": token})))
}

pub(super) async fn health() -> &'static str {
    "ok"
}

pub(super) async fn connect(
    State(engine): App,
    query: Query,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    // Before the token, which is not to be used up by what is no websocket.
    let upgrade = upgrade.map_err(|error| Refusal::bad_request(error.body_text()))?;
    let session = admit(&engine, query.one("token")?)?;
    let live = engine.accepting(&session)?;
    let speak = move |socket| {
        let shells = engine.shells.clone();
        shells.track_future(shell::serve(Arc::clone(&engine), live, socket))
    };
    let upgrade = upgrade
        .max_frame_size(LARGEST_BODY)
        .max_message_size(LARGEST_BODY);
    Ok(upgrade.on_upgrade(speak))
}

fn admit(engine: &Engine, token: Option<&str>) -> Result<SessionId, Refusal> {
    let session = token.and_then(|token| engine.invitations.redeem(token, engine.clock.now()));
    session.ok_or_else(|| {
        let message =
            "the shell's token is wrong, was used already, or is too old; ask for a new one";
        Refusal::new(StatusCode::UNAUTHORIZED, "unauthorized", message)
    })
}
