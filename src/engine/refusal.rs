//! Why a request is not carried out, in the service's error form (api.md §1.2).

use crate::store::StoreError;
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// An error answer: `{"error": {"code", "message"}}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub status: StatusCode,
    pub code: &'static str,
    pub message: String,
}

impl Refusal {
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
        }
    }

    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_request", message)
    }

    /// A field of the body or the query that breaks a rule.
    pub fn field(name: &str, rule: impl std::fmt::Display) -> Self {
        Self::bad_request(format!("`{name}` {rule}"))
    }

    /// A time limit beyond the longest there is.
    pub fn timeout_invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "sandbox_timeout_invalid", message)
    }

    /// What the plan does not include.
    pub fn payment_required(message: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYMENT_REQUIRED, "payment_required", message)
    }

    pub fn conflict(message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", message)
    }

    /// Too many requests in a minute, or too many sandboxes at once.
    pub fn rate_limited(message: impl Into<String>) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", message)
    }

    pub fn forbidden(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", message)
    }

    pub fn unknown(what: &str, id: &str) -> Self {
        let message = format!("there is no {what} {id:?} here");
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    pub fn stopped() -> Self {
        let message = "the session has ended; resume the sandbox for a new one";
        Self::new(StatusCode::GONE, "sandbox_stopped", message)
    }

    pub fn stopping() -> Self {
        let message = "the session is being stopped";
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        Self::new(status, "sandbox_stopping", message)
    }

    pub fn snapshotting() -> Self {
        let message = "the session is taking a snapshot and will stop";
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        Self::new(status, "sandbox_snapshotting", message)
    }

    /// The service's code for this is not documented; its clients only show it.
    pub fn pending() -> Self {
        let message = "the session is still starting";
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        Self::new(status, "sandbox_pending", message)
    }

    pub fn snapshot_gone(id: &str) -> Self {
        let message = format!("the snapshot {id:?} has expired or was deleted");
        Self::new(StatusCode::GONE, "snapshot_not_found", message)
    }

    pub fn no_file(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "path_not_found", message)
    }

    pub fn too_large(message: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "payload_too_large", message)
    }

    /// Not a fault of the server's: those are tried again by clients, and again there would be no room.
    pub fn disk_full(message: impl Into<String>) -> Self {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        Self::new(status, "disk_full", message)
    }

    /// What the service can do and this engine cannot (yet).
    pub fn not_yet(what: &str) -> Self {
        let message = format!("the local engine does not do this yet: {what}");
        Self::new(StatusCode::NOT_IMPLEMENTED, "not_implemented", message)
    }

    /// Not the client's fault.
    pub fn internal(what: &str, error: &dyn std::error::Error) -> Self {
        let message = format!("{what}: {}", with_causes(error));
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        Self::new(status, "internal_server_error", message)
    }
}

/// An error with what caused it.
pub(super) fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::internal("the engine's records", &error)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = json!({"error": {"code": self.code, "message": self.message}});
        (self.status, Json(body)).into_response()
    }
}
