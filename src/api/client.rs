//! The client: connections, token, scope, and the one way a call is sent.

use super::address::Address;
use super::answer::Answered;
use super::asked::Asked;
use super::call::{Call, Pace};
use super::json;
use super::stream::LogStream;
use crate::model::{Failure, Page, ProjectId, TeamId};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Response, redirect};
use secrecy::{ExposeSecret, SecretString};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Duration;

/// Where the official clients send their calls (api.md §1.1).
pub const DEFAULT_BASE: &str = "https://vercel.com/api";

/// The largest answer that is read, unpacked.
const MAX_BODY: usize = 64 << 20;

/// Who asks, and about what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// An id, or a slug: sent as `teamId` either way.
    pub team: Option<TeamId>,
    /// An id or a name.
    pub project: Option<ProjectId>,
}

/// Whether somebody meant the token for the host it will go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenOrigin {
    /// Named together with the host (a flag), or made by the engine that is called.
    Given,
    /// Lay around (environment, files): goes to the service's own hosts only.
    Found,
}

/// How long to wait for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    pub connect: Duration,
    /// Reads and small changes, whole; of a stream its head only.
    pub quick: Duration,
    /// What boots, stops, deletes or waits before it answers.
    pub slow: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            quick: Duration::from_secs(30),
            slow: Duration::from_secs(600),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Options {
    /// Any path before `/v2/…` is kept.
    pub base: String,
    pub token: SecretString,
    pub origin: TokenOrigin,
    pub scope: Scope,
    pub patience: Patience,
}

/// Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Client {
    address: Address,
    control: reqwest::Client,
    streams: reqwest::Client,
    token: SecretString,
    scope: Scope,
    patience: Patience,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client")
            .field("address", &self.address)
            .field("scope", &self.scope)
            .finish_non_exhaustive()
    }
}

impl Client {
    /// Sends nothing. Refuses a base URL or a token that must not be used, with a sentence.
    pub fn new(options: Options) -> Result<Self, Failure> {
        let Options {
            base,
            token,
            origin,
            scope,
            patience,
        } = options;
        let asked = Asked {
            call: "set up the connection",
            request: "".into(),
            token: token.clone(),
        };
        let address = Address::parse(&base).map_err(|why| asked.refused(why))?;
        if origin == TokenOrigin::Found && !address.is_service() {
            return Err(asked.refused(
                "a token that was found (not given by --token) is not sent to another host than the service's",
            ));
        }
        let headers = headers(&token).map_err(|why| asked.refused(why))?;
        let wire = |streams| {
            wire(&address, &headers, patience, streams).map_err(|error| asked.unanswered(error))
        };
        Ok(Self {
            control: wire(false)?,
            streams: wire(true)?,
            address,
            token,
            scope,
            patience,
        })
    }

    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The same connections, asking about something else.
    #[must_use]
    pub fn with_scope(&self, scope: Scope) -> Self {
        Self {
            scope,
            ..self.clone()
        }
    }

    /// A call whose answer is one JSON object, in the team of the scope.
    pub(super) async fn fetch<T: DeserializeOwned>(
        &self,
        call: Call,
    ) -> Result<Answered<T>, Failure> {
        let asked = self.asked(&call);
        let answer = self.object(self.in_team(call)).await?;
        let value = serde_json::from_value(answer.value)
            .map_err(|error| asked.unreadable(&error.to_string()))?;
        Ok(Answered {
            value,
            date: answer.date,
            request_id: answer.request_id,
        })
    }

    /// A call whose answer is a page of a list. `{}` is an empty last page where the service allows it (api.md §9.40).
    pub(super) async fn page<T: DeserializeOwned>(
        &self,
        call: Call,
        field: &'static str,
        may_lack: bool,
    ) -> Result<Answered<Page<T>>, Failure> {
        let asked = self.asked(&call);
        let answer = self.object(self.in_team(call)).await?;
        match answer.value.get(field) {
            Some(Value::Array(_)) => {}
            None if may_lack => {}
            _ => return Err(asked.unreadable(&format!("the answer holds no list `{field}`"))),
        }
        Ok(answer.map(|value| Page::read(value, field)))
    }

    /// Sends as it is and reads a JSON object; an empty body is an empty object (api.md §1.2).
    pub(super) async fn object(&self, call: Call) -> Result<Answered<Value>, Failure> {
        let asked = self.asked(&call);
        let limit = self.limit(&call);
        let mut response = self.send(&self.control, call, Some(limit)).await?;
        let body = read(&mut response, MAX_BODY, &asked).await?;
        let value = if body.trim_ascii().is_empty() {
            Value::Object(serde_json::Map::new())
        } else {
            json::read(&body).map_err(|error| asked.unreadable(&error.to_string()))?
        };
        if !value.is_object() {
            return Err(asked.unreadable("the answer is JSON, but not an object"));
        }
        Ok(Answered::new(value, response.headers()))
    }

    /// A call whose answer is a stream; only its head is waited for with a limit.
    pub(super) async fn open(&self, call: Call) -> Result<Answered<LogStream>, Failure> {
        let asked = self.asked(&call);
        let limit = self.limit(&call);
        let call = self.in_team(call);
        let response = tokio::time::timeout(limit, self.send(&self.streams, call, None))
            .await
            .map_err(|_| asked.too_slow())??;
        let headers = response.headers().clone();
        Ok(Answered::new(LogStream::new(response, asked)?, &headers))
    }

    /// One try. Anything but 2xx is a failure.
    async fn send(
        &self,
        wire: &reqwest::Client,
        call: Call,
        limit: Option<Duration>,
    ) -> Result<Response, Failure> {
        let asked = self.asked(&call);
        if let Some(why) = call.refused {
            return Err(asked.refused(why));
        }
        let mut url = self
            .address
            .join(&call.path)
            .map_err(|why| asked.refused(why))?;
        if !call.query.is_empty() {
            url.query_pairs_mut().extend_pairs(call.query);
        }
        let mut request = wire.request(call.method, url);
        if let Some(body) = call.body {
            request = request.body(body);
        }
        if let Some(limit) = limit {
            request = request.timeout(limit);
        }
        let mut response = request
            .send()
            .await
            .map_err(|error| asked.unanswered(error))?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        // The status is worth more than the rest of the answer: what cannot be read of that is left out.
        let body = read(&mut response, MAX_BODY, &asked)
            .await
            .unwrap_or_default();
        Err(asked.status(status, response.headers(), &body))
    }

    /// `teamId` is the first of every query (api.md §1.1).
    fn in_team(&self, mut call: Call) -> Call {
        if let Some(team) = &self.scope.team {
            call.query.insert(0, ("teamId", team.as_raw().to_owned()));
        }
        call
    }

    fn limit(&self, call: &Call) -> Duration {
        match call.pace {
            Pace::Quick => self.patience.quick,
            Pace::Slow => self.patience.slow,
        }
    }

    fn asked(&self, call: &Call) -> Asked {
        Asked {
            call: call.name,
            request: call.line(),
            token: self.token.clone(),
        }
    }
}

async fn read(response: &mut Response, most: usize, asked: &Asked) -> Result<Vec<u8>, Failure> {
    let mut body = Vec::new();
    while let Some(bytes) = response.chunk().await.map_err(|error| asked.cut(error))? {
        if body.len() + bytes.len() > most {
            return Err(asked.unreadable(&format!("the answer is larger than {most} bytes")));
        }
        body.extend_from_slice(&bytes);
    }
    Ok(body)
}

/// The content type goes with every call, those without a body included (api.md §1.1).
fn headers(token: &SecretString) -> Result<HeaderMap, &'static str> {
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

/// Proxy variables and the system's certificates are the library's defaults. A stream has a connection of its own
/// and arrives as it was sent.
fn wire(
    address: &Address,
    headers: &HeaderMap,
    patience: Patience,
    streams: bool,
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
    if streams {
        builder = builder.http1_only().gzip(false);
    } else {
        builder = builder
            .http2_keep_alive_interval(beat)
            .http2_keep_alive_timeout(beat);
    }
    if address.is_loopback() {
        builder = builder.no_proxy();
    }
    builder.build()
}
