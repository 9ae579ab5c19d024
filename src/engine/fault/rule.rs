//! A rule: which requests, what befalls them, and how often.

use super::pattern::Pattern;
use axum::http::{Method, StatusCode};
use std::fmt;
use std::time::Duration;

/// `GET /v2/sandboxes status=503 count=2`
#[derive(Clone, Debug, PartialEq)]
pub struct FaultRule {
    /// As it was written.
    pub(super) text: String,
    /// `None`: any.
    pub(super) method: Option<Method>,
    pub(super) pattern: Pattern,
    pub(super) fault: Fault,
    pub(super) limits: Limits,
}

/// What befalls an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::engine) struct Fault {
    /// Before the request is looked at.
    pub delay: Duration,
    pub answer: Option<Answer>,
}

#[derive(Clone, Debug, PartialEq)]
pub(in crate::engine) enum Answer {
    /// Instead of the real one, and nothing is done.
    Refused(Refused),
    /// What is asked for is done; its answer breaks after so many bytes of its body.
    Broken { after: u64, by: Break },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Refused {
    pub status: StatusCode,
    pub code: Option<String>,
    pub message: Option<String>,
    /// In seconds.
    pub retry_after: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum Break {
    /// The connection is closed.
    Cut,
    /// Nothing more comes, and the connection stays.
    Stall,
    /// As many bytes as there would be, and none of them right.
    Garbage,
}

/// When a rule strikes, of the requests that it is for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Limits {
    /// 0 to 1; `None`: always.
    pub chance: Option<f64>,
    /// At most so many times.
    pub count: Option<u64>,
    /// Not the first so many.
    pub skip: u64,
}

impl fmt::Display for FaultRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FaultRule {
    pub(super) fn is_for(&self, method: &Method, path: &str) -> bool {
        self.method.as_ref().is_none_or(|wanted| wanted == method) && self.pattern.is_for(path)
    }
}
