//! The client: token, scope, and the one way a call is sent.

use super::address::Address;
use super::answer::Answered;
use super::asked::Asked;
use super::call::{Call, Pace};
use super::json;
use super::options::{Options, Patience, Scope, TokenOrigin};
use super::stream::LogStream;
use super::wire::{self, Kind};
use crate::model::{Failure, Page};
use reqwest::Response;
use reqwest::header::HeaderMap;
use secrecy::SecretString;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The largest answer that is read, unpacked.
pub(super) const MAX_BODY: usize = 64 << 20;

/// Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Client {
    address: Address,
    control: reqwest::Client,
    /// Opened by the first stream.
    streams: Arc<OnceLock<reqwest::Client>>,
    headers: HeaderMap,
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
        let headers = wire::headers(&token).map_err(|why| asked.refused(why))?;
        let control = wire::open(&address, &headers, patience, Kind::Control)
            .map_err(|error| asked.unanswered(error))?;
        Ok(Self {
            control,
            streams: Arc::default(),
            headers,
            address,
            token,
            scope,
            patience,
        })
    }

    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    pub(super) fn patience(&self) -> Patience {
        self.patience
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
        let streams = self.streams(&asked)?;
        let response = tokio::time::timeout(limit, self.send(streams, call, None))
            .await
            .map_err(|_| asked.too_slow())??;
        let headers = response.headers().clone();
        Ok(Answered::new(LogStream::new(response, asked)?, &headers))
    }

    fn streams(&self, asked: &Asked) -> Result<&reqwest::Client, Failure> {
        if let Some(streams) = self.streams.get() {
            return Ok(streams);
        }
        let opened = wire::open(&self.address, &self.headers, self.patience, Kind::Streams)
            .map_err(|error| asked.unanswered(error))?;
        Ok(self.streams.get_or_init(|| opened))
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
            request: call.line(self.address.base()),
            token: self.token.clone(),
        }
    }
}

pub(super) async fn read(
    response: &mut Response,
    most: usize,
    asked: &Asked,
) -> Result<Vec<u8>, Failure> {
    let mut body = Vec::new();
    while let Some(bytes) = response.chunk().await.map_err(|error| asked.cut(error))? {
        if body.len() + bytes.len() > most {
            return Err(asked.unreadable(&format!("the answer is larger than {most} bytes")));
        }
        body.extend_from_slice(&bytes);
    }
    Ok(body)
}
