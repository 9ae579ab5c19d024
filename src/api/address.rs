//! Where the API is: the base URL, and which hosts a token may go to.

use reqwest::Url;
use std::net::{Ipv4Addr, Ipv6Addr};

/// A base URL that passed our rules, without a slash at its end.
#[derive(Clone, Debug)]
pub(super) struct Address {
    base: String,
    plain: bool,
    loopback: bool,
    service: bool,
}

impl Address {
    /// Says, where it refuses, what is wrong.
    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        let url = Url::parse(text.trim()).map_err(|_| "the API URL cannot be read as a URL")?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err("the API URL holds a user name or password; give a token instead");
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err("the API URL must end with its path: no query, no fragment");
        }
        let loopback = is_loopback(&url);
        match url.scheme() {
            "https" => {}
            "http" if loopback => {}
            "http" => return Err("plain http is for this machine only; use https"),
            _ => return Err("the API URL must begin with https:// (or http:// on this machine)"),
        }
        Ok(Self {
            base: url.as_str().trim_end_matches('/').to_owned(),
            plain: url.scheme() == "http",
            loopback,
            service: is_service(&url),
        })
    }

    /// Holds no secret: one with a login or a query was refused.
    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// Without TLS, which only this machine is reached by.
    pub(super) fn is_plain(&self) -> bool {
        self.plain
    }

    /// This machine. A proxy is never asked for it: there the same address would be another machine's.
    pub(super) fn is_loopback(&self) -> bool {
        self.loopback
    }

    /// One of the service's own hosts (api.md §1.1), where any token may go.
    pub(super) fn is_service(&self) -> bool {
        self.service
    }

    /// `path` begins with a slash and is percent-encoded.
    pub(super) fn join(&self, path: &str) -> Result<Url, &'static str> {
        let url = Url::parse(&format!("{}{path}", self.base))
            .map_err(|_| "the address of the call cannot be read as a URL")?;
        // The parser takes `..` and its encodings for steps up; then the call would be another one.
        if url.path().ends_with(path) {
            Ok(url)
        } else {
            Err("the name changes the path of the call")
        }
    }
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    host == "localhost"
        || host.parse::<Ipv4Addr>().is_ok_and(|ip| ip.is_loopback())
        || host
            .trim_matches(['[', ']'])
            .parse::<Ipv6Addr>()
            .is_ok_and(|ip| ip.is_loopback())
}

fn is_service(url: &Url) -> bool {
    matches!(url.host_str(), Some("vercel.com" | "api.vercel.com"))
        && url.scheme() == "https"
        && url.port_or_known_default() == Some(443)
}
