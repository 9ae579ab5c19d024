//! A JSON body, read field by field so that a refusal names the field.

use super::refusal::Refusal;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use serde_json::{Map, Value};

/// An object from a request. What is not asked for is ignored.
#[derive(Debug)]
pub(super) struct Fields(Map<String, Value>);

/// How one field is read: its name (for the refusal) and its value.
pub(super) type Rule<T> = fn(&str, &Value) -> Result<T, Refusal>;

impl Fields {
    /// An empty body counts as an empty object.
    pub fn parse(body: &[u8]) -> Result<Self, Refusal> {
        if body.is_empty() {
            return Ok(Self(Map::new()));
        }
        match serde_json::from_slice(body) {
            Ok(Value::Object(fields)) => Ok(Self(fields)),
            Ok(_) => Err(Refusal::bad_request("the body must be a JSON object")),
            Err(error) => Err(Refusal::bad_request(format!(
                "the body is not JSON: {error}"
            ))),
        }
    }

    pub fn as_object(&self) -> &Map<String, Value> {
        &self.0
    }

    /// `None` when the field is absent. A null counts as a value.
    pub fn get<T>(&self, name: &str, rule: Rule<T>) -> Result<Option<T>, Refusal> {
        self.0.get(name).map(|value| rule(name, value)).transpose()
    }

    pub fn need<T>(&self, name: &str, rule: Rule<T>) -> Result<T, Refusal> {
        self.get(name, rule)?
            .ok_or_else(|| Refusal::field(name, "is missing"))
    }
}

impl<S: Send + Sync> FromRequest<S> for Fields {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        let body = Bytes::from_request(request, state).await.map_err(|error| {
            let text = error.body_text();
            match error.status() {
                StatusCode::PAYLOAD_TOO_LARGE => Refusal::too_large(text),
                _ => Refusal::bad_request(text),
            }
        })?;
        Self::parse(&body)
    }
}
