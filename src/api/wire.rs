//! The HTTP connections: what every request carries, and how each kind of connection behaves.

use super::address::Address;
use super::options::Patience;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::redirect;
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Short calls, many on one connection.
    Control,
    /// A connection each, and the bytes as they were sent: nothing holds them back to pack or unpack them.
    Streams,
}

/// The content type goes with every call, those without a body included (api.md §1.1).
pub(super) fn headers(token: &SecretString) -> Result<HeaderMap, &'static str> {
    let mut bearer = HeaderValue::from_str(&format!("Bearer {}", token.expose_secret()))
        .map_err(|_| "the token holds characters that no token has")?;
    bearer.set_sensitive(true);
    let json = HeaderValue::from_static("application/json");
    Ok(HeaderMap::from_iter([
        (AUTHORIZATION, bearer),
        (CONTENT_TYPE, json),
        (ACCEPT, HeaderValue::from_static("*/*")),
    ]))
}

/// Proxy variables and the system's certificates are the library's defaults; a request is tried once. A connection
/// that goes silent is found by its beat.
pub(super) fn open(
    address: &Address,
    headers: &HeaderMap,
    patience: Patience,
    kind: Kind,
) -> Result<reqwest::Client, reqwest::Error> {
    // Fails only when there is one already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let beat = Duration::from_secs(15);
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!("sandtop/", env!("CARGO_PKG_VERSION")))
        .default_headers(headers.clone())
        .connect_timeout(patience.connect)
        .redirect(redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .tcp_keepalive(beat);
    builder = match kind {
        Kind::Control => builder
            .http2_keep_alive_interval(beat)
            .http2_keep_alive_timeout(beat),
        Kind::Streams => builder.http1_only().gzip(false),
    };
    if address.is_loopback() {
        builder = builder.no_proxy();
    }
    if address.is_plain() {
        // Reading the system's certificates is most of the time that this function takes.
        builder = builder.tls_certs_only([]);
    }
    builder.build()
}
