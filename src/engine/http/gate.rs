//! Who gets in: programs of this machine that know the token. A web page's script does not, even when a name
//! of its own leads to the loopback address.

use super::super::refusal::Refusal;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use secrecy::{ExposeSecret, SecretString};
use std::io::Write;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;
use tokio::sync::watch;
use tokio::time::Instant;

pub(in crate::engine) struct Gate {
    pub token: SecretString,
    pub log_requests: bool,
    /// When somebody who may was last asked something or got an answer.
    pub asked: watch::Sender<Instant>,
}

pub(super) async fn pass(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let line = gate
        .log_requests
        .then(|| format!("{} {}", request.method(), printable(request.uri())));
    let response = match gate.check(request.headers()) {
        Ok(()) => {
            gate.asked.send_replace(Instant::now());
            let response = next.run(request).await;
            gate.asked.send_replace(Instant::now());
            response
        }
        Err(refusal) => refusal.into_response(),
    };
    if let Some(line) = line {
        // Who closed standard error wants no log.
        let _ = writeln!(std::io::stderr(), "{line} {}", response.status().as_u16());
    }
    response
}

impl Gate {
    fn check(&self, headers: &HeaderMap) -> Result<(), Refusal> {
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

/// Path and query without the value of a `token`.
fn printable(uri: &Uri) -> String {
    let Some(query) = uri.query() else {
        return uri.path().to_owned();
    };
    let pairs = query.split('&').map(|pair| match pair.split_once('=') {
        Some(("token", _)) => "token=…",
        _ => pair,
    });
    format!("{}?{}", uri.path(), pairs.collect::<Vec<_>>().join("&"))
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

    #[test]
    fn the_log_tells_no_token() {
        let uri = Uri::from_static("/shell?cols=80&token=secret&x");
        assert_eq!(printable(&uri), "/shell?cols=80&token=…&x");
    }
}
