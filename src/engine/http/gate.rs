//! Who gets in: programs of this machine that know the token. A web page's script does not, even when a name
//! of its own leads to the loopback address.

use super::super::access::{AccessLog, Remark};
use super::super::names;
use super::super::refusal::Refusal;
use super::OPEN;
use super::watched::Watched;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use secrecy::{ExposeSecret, SecretString};
use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;
use tokio::sync::watch;
use tokio::time::Instant;

pub(in crate::engine) struct Gate {
    token: SecretString,
    log: AccessLog,
    /// When somebody who may was last asked something or got an answer.
    pub asked: watch::Sender<Instant>,
}

/// How the service names the id of a request in its answer.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-vercel-id");

pub(super) async fn pass(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let id = names::id("req");
    let (method, uri) = (request.method(), request.uri());
    let mut entry = gate.log.begin(&id, method, uri, request.headers());
    let mut response = match gate.check(uri.path(), request.headers()) {
        Ok(()) => {
            gate.asked.send_replace(Instant::now());
            let response = next.run(request).await;
            gate.asked.send_replace(Instant::now());
            response
        }
        Err(refusal) => refusal.into_response(),
    };
    let remark = response.extensions_mut().remove::<Remark>();
    entry.answered(response.status(), remark.map(|Remark(text)| text));
    if let Ok(id) = HeaderValue::try_from(id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response.map(|answer| Body::new(Watched::new(answer, entry)))
}

impl Gate {
    pub fn new(token: SecretString, log: AccessLog) -> Self {
        Self {
            token,
            log,
            asked: watch::Sender::new(Instant::now()),
        }
    }

    fn check(&self, path: &str, headers: &HeaderMap) -> Result<(), Refusal> {
        let host = headers.get(HOST).and_then(|host| host.to_str().ok());
        if !host.is_some_and(is_loopback) {
            return Err(Refusal::forbidden(
                "the local engine answers only under a name of this machine",
            ));
        }
        if headers.contains_key(ORIGIN) {
            return Err(Refusal::forbidden(
                "the local engine does not answer web pages",
            ));
        }
        if OPEN.contains(&path) {
            return Ok(());
        }
        let header = headers.get(AUTHORIZATION).map(|value| value.as_bytes());
        let token = header.and_then(|value| {
            let (scheme, token) = value.split_at_checked(7)?;
            scheme.eq_ignore_ascii_case(b"bearer ").then_some(token)
        });
        if token.is_some_and(|token| same(token, self.token.expose_secret().as_bytes())) {
            return Ok(());
        }
        Err(Refusal::new(
            StatusCode::UNAUTHORIZED,
            "unauthorized",
            "the token is missing or wrong; `sandtop serve` prints the right one",
        ))
    }
}

/// Whether a `Host` header names this machine, whatever the port.
fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let name = name.to_ascii_lowercase();
    let ipv6 = name
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    name == "localhost"
        || name.ends_with(".localhost")
        || name.parse().is_ok_and(|ip: Ipv4Addr| ip.is_loopback())
        || ipv6.is_some_and(|ip| ip.parse().is_ok_and(|ip: Ipv6Addr| ip.is_loopback()))
}

/// Takes the same time wherever the difference is.
fn same(one: &[u8], other: &[u8]) -> bool {
    let different = one.iter().zip(other).fold(0, |sum, (a, b)| sum | (a ^ b));
    one.len() == other.len() && different == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_loopback() {
        for host in [
            "127.0.0.1",
            "127.0.0.1:80",
            "127.8.9.1:1",
            "localhost:3",
            "LocalHost",
            "a.localhost:9",
            "[::1]:80",
            "[::1]",
        ] {
            assert!(is_loopback(host), "{host}");
        }
        for host in [
            "",
            "example.com",
            "localhost.example.com",
            "127.0.0.1.example.com",
            "10.0.0.1:80",
            "notlocalhost",
            "[::2]:80",
            "0.0.0.0",
            "::1",
            "127.0.0.1:80:80",
        ] {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
