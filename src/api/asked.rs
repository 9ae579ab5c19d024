//! A call as failures tell it, and the veil over what they must never tell.

use super::answer::{date, request_id, text};
use super::json;
use crate::model::{Failure, FailureKind, Foreign, NetworkFault, RetryAfter};
use reqwest::header::{HeaderMap, LOCATION, RETRY_AFTER};
use reqwest::{StatusCode, Url};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use std::error::Error;

/// A token shorter than this is no secret, and would be found in every other word.
const SHORTEST_TOKEN: usize = 6;
/// How much of an error answer that is not JSON is told.
const SHOWN_BODY: usize = 300;

/// Which call it was; makes its failures.
#[derive(Clone)]
pub(super) struct Asked {
    pub(super) call: &'static str,
    pub(super) request: Foreign,
    pub(super) token: SecretString,
}

impl Asked {
    pub(super) fn refused(&self, why: &'static str) -> Failure {
        self.failure(FailureKind::Refused(why), Vec::new())
    }

    pub(super) fn unreadable(&self, cause: &str) -> Failure {
        self.failure(FailureKind::Unreadable, vec![self.veil(cause)])
    }

    /// No answer to a request that was handed over.
    pub(super) fn unanswered(&self, error: reqwest::Error) -> Failure {
        let fault = if error.is_timeout() {
            NetworkFault::Timeout
        } else if error.is_connect() {
            NetworkFault::Connect
        } else if broke_off(&error) {
            NetworkFault::Cut
        } else {
            NetworkFault::Other
        };
        let sent = !error.is_connect() && !error.is_builder();
        let causes = self.chain(&error.without_url());
        self.failure(FailureKind::Network { fault, sent }, causes)
    }

    /// The answer began and did not come to its end.
    pub(super) fn cut(&self, error: reqwest::Error) -> Failure {
        let fault = if error.is_timeout() {
            NetworkFault::Timeout
        } else {
            NetworkFault::Cut
        };
        let causes = self.chain(&error.without_url());
        self.failure(FailureKind::Network { fault, sent: true }, causes)
    }

    /// A connection that was open broke.
    pub(super) fn broken(&self, cause: &str) -> Failure {
        let fault = NetworkFault::Cut;
        let causes = vec![self.veil(cause)];
        self.failure(FailureKind::Network { fault, sent: true }, causes)
    }

    pub(super) fn too_slow(&self) -> Failure {
        let fault = NetworkFault::Timeout;
        self.failure(FailureKind::Network { fault, sent: true }, Vec::new())
    }

    /// Any answer but 2xx (api.md §1.2); a redirect too, since the token must not follow one.
    pub(super) fn status(&self, status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Failure {
        let answer = json::read(body).unwrap_or(Value::Null);
        let error = &answer["error"];
        let word = |value: &Value| value.as_str().map(|word| self.veil(word));
        let kind = FailureKind::Status {
            status: status.as_u16(),
            code: word(&error["code"]),
            message: word(&error["message"])
                .or_else(|| word(error))
                .or_else(|| word(&answer["message"])),
            request_id: request_id(headers),
            retry_after: retry_after(headers),
        };
        let mut causes = Vec::new();
        if status.is_redirection() {
            causes.push(self.veil(&redirect(headers)));
        } else if answer.is_null() && !body.is_empty() {
            let body = String::from_utf8_lossy(body);
            causes.push(self.veil(&body.chars().take(SHOWN_BODY).collect::<String>()));
        }
        self.failure(kind, causes)
    }

    fn failure(&self, kind: FailureKind, causes: Vec<Foreign>) -> Failure {
        Failure {
            call: self.call,
            request: self.request.clone(),
            kind,
            causes,
        }
    }

    fn chain(&self, error: &(dyn Error + 'static)) -> Vec<Foreign> {
        let mut causes: Vec<Foreign> = Vec::new();
        let mut next = Some(error);
        while let Some(error) = next {
            let cause = self.veil(&error.to_string());
            if causes.last() != Some(&cause) {
                causes.push(cause);
            }
            next = error.source();
        }
        causes
    }

    fn veil(&self, text: &str) -> Foreign {
        let token = self.token.expose_secret();
        let text = if token.len() < SHORTEST_TOKEN {
            text.to_owned()
        } else {
            text.replace(token, "(token)")
        };
        Foreign::from(without_logins(&text))
    }
}

/// A date is by the service's clock: where the answer tells that clock too, ours does not matter.
fn retry_after(headers: &HeaderMap) -> Option<RetryAfter> {
    let asked = RetryAfter::parse(text(headers, RETRY_AFTER.as_str())?);
    Some(match (asked, date(headers)) {
        (RetryAfter::At(at), Some(now)) => RetryAfter::Wait(at.since(now).0),
        (asked, _) => asked,
    })
}

/// The connection ended where an answer was due. The library tells this in words only (a test holds it to them).
fn broke_off(error: &reqwest::Error) -> bool {
    let mut next: Option<&(dyn Error + 'static)> = error.source();
    while let Some(error) = next {
        if let Some(io) = error.downcast_ref::<std::io::Error>() {
            use std::io::ErrorKind::{
                BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof,
            };
            return matches!(
                io.kind(),
                BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof
            );
        }
        if error.to_string().contains("closed before message") {
            return true;
        }
        next = error.source();
    }
    false
}

/// `scheme://user:password@host` and `user:password@host` without what stands before the `@`.
pub(super) fn without_logins(text: &str) -> String {
    text.split_inclusive(|c: char| c.is_whitespace() || "\"'()<>".contains(c))
        .map(|word| match (word.rfind('@'), word.find("://")) {
            (Some(at), Some(scheme)) if scheme < at => {
                format!("{}…{}", &word[..scheme + 3], &word[at..])
            }
            (Some(at), _) if word[..at].contains(':') => format!("…{}", &word[at..]),
            _ => word.to_owned(),
        })
        .collect()
}

fn redirect(headers: &HeaderMap) -> String {
    let place = text(headers, LOCATION.as_str()).unwrap_or_default();
    let place = match Url::parse(place) {
        Ok(url) => format!("{}{}", url.origin().ascii_serialization(), url.path()),
        Err(_) => place
            .split(['?', '#'])
            .next()
            .unwrap_or_default()
            .to_owned(),
    };
    format!(
        "the answer points to {place}; redirects are not followed, so that the token stays here"
    )
}
