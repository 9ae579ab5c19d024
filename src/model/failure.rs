//! What went wrong with a call: for people (what failed, on which thing, why) and for the retry rules.

use super::{Foreign, Timestamp};

/// A failed call. Holds no secret: its URL is without query and credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The call's name, e.g. `list sandboxes`.
    pub call: &'static str,
    /// Method and URL, e.g. `GET https://vercel.com/api/v2/sandboxes/box`.
    pub request: Foreign,
    pub kind: FailureKind,
    /// The chain of causes below, outermost first, as the libraries tell it (secrets removed).
    pub causes: Vec<Foreign>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The service answered with another status than 2xx (api.md §1.2).
    Status {
        status: u16,
        code: Option<Foreign>,
        message: Option<Foreign>,
        request_id: Option<Foreign>,
        retry_after: Option<RetryAfter>,
    },
    /// No answer, or one that broke off. `sent` = the request may have reached the service.
    Network { fault: NetworkFault, sent: bool },
    /// A 2xx answer that is not what the call promises.
    Unreadable,
    /// Not sent, by our own rules (a token for another host, plain http beyond loopback, no credentials…).
    Refused(&'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkFault {
    Connect,
    Timeout,
    /// The connection ended in the middle of the answer.
    Cut,
    Other,
}

impl Failure {
    pub fn status(&self) -> Option<u16> {
        match &self.kind {
            FailureKind::Status { status, .. } => Some(*status),
            _ => None,
        }
    }

    /// The service's machine code, `error.code`.
    pub fn code(&self) -> Option<&str> {
        match &self.kind {
            FailureKind::Status {
                code: Some(code), ..
            } => Some(code.as_raw()),
            _ => None,
        }
    }
}

/// `Retry-After`, as seconds or as a date; what is neither is told apart from an absent header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryAfter {
    /// Milliseconds from now: "1.5" seconds counts.
    Wait(i64),
    At(Timestamp),
    Nonsense,
}

impl RetryAfter {
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        if let Ok(seconds) = text.parse::<f64>() {
            if !seconds.is_finite() || seconds < 0.0 {
                return Self::Nonsense;
            }
            // Saturates: the waiting time is bounded where it is used.
            return Self::Wait((seconds * 1000.0) as i64);
        }
        match jiff::fmt::rfc2822::parse(text) {
            Ok(date) => Self::At(Timestamp(date.timestamp().as_millisecond())),
            Err(_) => Self::Nonsense,
        }
    }
}
