//! The engine's face: the paths of the API (api.md §2.0), and what is checked before any of them is walked.

mod accounts;
mod billing;
mod commands;
mod drill;
mod files;
mod gate;
mod interactive;
mod quota;
mod sandboxes;
mod sessions;
mod snapshots;
mod streams;
mod watched;

pub(super) use gate::Gate;
pub(super) use quota::Quota;

use super::fault::Drill;
use super::refusal::Refusal;
use super::shell;
use super::state::Engine;
use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{DefaultBodyLimit, FromRequestParts, Path, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// The largest body of a request, in bytes.
const LARGEST_BODY: usize = 4 << 20;

/// Where callers of a shell look whether it can be reached.
const HEALTH: &str = "/health";
/// Paths that need no bearer token: one says nothing, the other wants a token of its own.
const OPEN: [&str; 2] = [HEALTH, shell::PATH];

type App = axum::extract::State<Arc<Engine>>;

/// Everything, both as `/vN/…` and as `/api/vN/…`.
pub(super) fn router(
    engine: Arc<Engine>,
    gate: Arc<Gate>,
    drill: Drill,
    quota: Option<Arc<Quota>>,
) -> Router {
    let paths = paths().merge(accounts::paths());
    let paths = match quota {
        Some(quota) => paths.layer(from_fn_with_state(quota, quota::pass)),
        None => paths,
    };
    let router = Router::new()
        .nest("/api", paths.clone())
        .merge(paths)
        .route(HEALTH, get(interactive::health))
        .route(shell::PATH, get(interactive::connect))
        .fallback(unknown_path)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(LARGEST_BODY));
    let router = match drill.is_off() {
        true => router,
        false => router.layer(from_fn_with_state(Arc::new(drill), drill::strike)),
    };
    router
        .layer(from_fn_with_state(gate, gate::pass))
        .with_state(engine)
}

/// The words `sessions`, `snapshots` and `drives` go before names of sandboxes.
fn paths() -> Router<Arc<Engine>> {
    let session = "/v2/sandboxes/sessions/{session}";
    let command = "/v2/sandboxes/sessions/{session}/cmd/{command}";
    let at = |base: &str, rest: &str| format!("{base}{rest}");
    Router::new()
        .route(
            "/v2/sandboxes",
            get(sandboxes::list).post(sandboxes::create_with_runtime),
        )
        .route("/v3/sandboxes", post(sandboxes::create_with_image))
        .route("/v4/sandboxes", post(sandboxes::create_with_image))
        .route(
            "/v2/sandboxes/{name}",
            get(sandboxes::get)
                .patch(sandboxes::update)
                .delete(sandboxes::delete),
        )
        .route("/v2/sandboxes/{name}/fork", post(sandboxes::fork))
        .route("/v3/sandboxes/{name}/fork", post(sandboxes::fork))
        .route("/v2/sandboxes/sessions", get(sessions::list))
        .route(session, get(sessions::get))
        .route(&at(session, "/stop"), post(sessions::stop))
        .route(&at(session, "/extend-timeout"), post(sessions::extend))
        .route(
            &at(session, "/network-policy"),
            post(sessions::network_policy),
        )
        .route(
            &at(session, "/cmd"),
            get(commands::list).post(commands::run),
        )
        .route(&at(session, "/interactive"), post(interactive::invite))
        .route(command, get(commands::get))
        .route(&at(command, "/logs"), get(commands::logs))
        .route(&at(command, "/kill"), post(commands::kill))
        .route(&at(session, "/snapshot"), post(sessions::snapshot))
        .route(
            "/v3/sandboxes/sessions/{session}/snapshot",
            post(sessions::short_snapshot),
        )
        .route(&at(session, "/fs/read"), post(files::read))
        .route(&at(session, "/fs/write"), post(files::write))
        .route(&at(session, "/fs/mkdir"), post(files::make_directory))
        .route("/v2/sandboxes/snapshots", get(snapshots::list))
        .route("/v2/sandboxes/snapshots/tree", get(snapshots::tree))
        .route(
            "/v2/sandboxes/snapshots/{id}",
            get(snapshots::get).delete(snapshots::delete),
        )
        .route("/v1/billing/charges", get(billing::charges))
        .merge(still_missing())
}

/// What the service has and this engine has not yet.
fn still_missing() -> Router<Arc<Engine>> {
    let mut missing = Router::new();
    for drives in ["/v2/sandboxes/drives", "/v1/drives"] {
        let drive = format!("{drives}/{{name}}");
        missing = missing
            .route(drives, get(not_yet))
            .route(&drive, get(not_yet).post(not_yet).delete(no_drive))
            .route(&format!("{drive}/fork"), post(not_yet));
    }
    missing
}

async fn not_yet(request: Request) -> Refusal {
    Refusal::not_yet(&format!("{} {}", request.method(), request.uri().path()))
}

/// None can be made, so none is there.
async fn no_drive(Segments(name): Segments<String>) -> Refusal {
    Refusal::unknown("drive", &name)
}

async fn unknown_path(request: Request) -> Refusal {
    Refusal::unknown("path", request.uri().path())
}

async fn wrong_method(request: Request) -> Refusal {
    let message = format!("no {} here", request.method());
    Refusal::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        message,
    )
}

/// The parts of a path, percent-decoded.
struct Segments<T>(T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Segments<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let path: Result<Path<T>, PathRejection> = Path::from_request_parts(parts, state).await;
        path.map(|Path(segments)| Self(segments))
            .map_err(|error| Refusal::bad_request(error.body_text()))
    }
}

/// Carries work on to its end even if the client hangs up meanwhile: half a stop helps nobody.
async fn to_the_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, Refusal>> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::spawn(work)
        .await
        .unwrap_or_else(|error| Err(Refusal::internal("the engine", &error)))
}
