//! A JSON body, read field by field so that a refusal names the field.

use super::refusal::Refusal;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use serde_json::{Map, Value};

/// An object from a request. What is not asked for is ignored.
#[derive(Debug)]
pub(super) struct Fields {
    /// Goes before the names, for refusals.
    within: String,
    fields: Map<String, Value>,
}

/// How one field is read: its name (for the refusal) and its value.
pub(super) type Rule<T> = fn(&str, &Value) -> Result<T, Refusal>;

impl Fields {
    /// An empty body counts as an empty object.
    pub fn parse(body: &[u8]) -> Result<Self, Refusal> {
        if body.is_empty() {
            return Ok(Self::at_top(Map::new()));
        }
        match serde_json::from_slice(body) {
            Ok(Value::Object(fields)) => Ok(Self::at_top(fields)),
            Ok(_) => Err(Refusal::bad_request("the body must be a JSON object")),
            Err(error) => Err(Refusal::bad_request(format!(
                "the body is not JSON: {error}"
            ))),
        }
    }

    fn at_top(fields: Map<String, Value>) -> Self {
        let within = String::new();
        Self { within, fields }
    }

    /// The object that is the value of `field`.
    pub fn within(field: &str, value: &Value) -> Result<Self, Refusal> {
        match value {
            Value::Object(fields) => Ok(Self {
                within: format!("{field}."),
                fields: fields.clone(),
            }),
            _ => Err(Refusal::field(field, "must be an object")),
        }
    }

    /// For a body that is a single value.
    pub fn whole<T>(self, rule: Rule<T>) -> Result<T, Refusal> {
        rule("", &Value::Object(self.fields))
    }

    /// `None` when the field is absent. A null counts as a value.
    pub fn get<T>(&self, name: &str, rule: Rule<T>) -> Result<Option<T>, Refusal> {
        let value = self.fields.get(name);
        value
            .map(|value| rule(&self.named(name), value))
            .transpose()
    }

    pub fn has(&self, name: &str) -> bool {
        self.fields.contains_key(name)
    }

    pub fn need<T>(&self, name: &str, rule: Rule<T>) -> Result<T, Refusal> {
        self.get(name, rule)?
            .ok_or_else(|| Refusal::field(&self.named(name), "is missing"))
    }

    fn named(&self, name: &str) -> String {
        format!("{}{name}", self.within)
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
