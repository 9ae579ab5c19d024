//! Interactive shells (api.md §5): the invitation to one, whether its server is there, and the connection.
//!
//! The socket is the HTTP library's own connection, upgraded: proxies, certificates and their faults are the same as
//! for every other call.

mod talk;

pub use talk::{Shell, ShellInput, ShellOutput, ShellSaid};

use super::address::Address;
use super::answer::{Answered, text};
use super::asked::{Asked, without_logins};
use super::call::Call;
use super::client::{Client, MAX_BODY, read};
use super::options::Patience;
use super::wire::{self, Kind};
use crate::model::shell::StartFrame;
use crate::model::{Failure, SessionId};
use reqwest::header::{
    CONNECTION, HeaderMap, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE,
};
use reqwest::{Response, StatusCode, Url};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde_json::json;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

#[derive(Deserialize)]
struct Told {
    url: String,
    token: SecretString,
}

/// Where a shell can be had, once and soon.
pub struct Invitation {
    /// Of the websocket, as HTTP.
    url: Url,
    token: SecretString,
    wire: reqwest::Client,
    patience: Patience,
    request: String,
}

impl Client {
    /// Asks a running session for a place to connect to. A stopped one answers 410, and stays stopped.
    pub async fn invite_to_shell(
        &self,
        session: &SessionId,
    ) -> Result<Answered<Invitation>, Failure> {
        let call = Call::post("open shell", "/v2/sandboxes/sessions")
            .id(session)
            .then("/interactive")
            .body(&json!({}));
        let answer = self.fetch::<Told>(call).await?;
        let (date, request_id) = (answer.date, answer.request_id);
        let value = Invitation::new(answer.value, self.patience()).await?;
        Ok(Answered {
            value,
            date,
            request_id,
        })
    }
}

impl Invitation {
    async fn new(told: Told, patience: Patience) -> Result<Self, Failure> {
        let address = told.url.split('?').next().unwrap_or_default();
        let request = without_logins(&format!("GET {address}"));
        let asked = Asked {
            call: "open shell",
            request: request.as_str().into(),
            token: told.token.clone(),
        };
        let (address, url) = place(&told.url).map_err(|why| asked.unreadable(why))?;
        // Reading the system's certificates takes a while.
        let opened = tokio::task::spawn_blocking(move || {
            wire::open(&address, &HeaderMap::new(), patience, Kind::Streams)
        });
        let wire = match opened.await {
            Ok(opened) => opened.map_err(|error| asked.unanswered(error))?,
            Err(_) => return Err(asked.refused("the program is ending")),
        };
        Ok(Self {
            url,
            token: told.token,
            wire,
            patience,
            request,
        })
    }

    /// One look whether the server is there: any 2xx of its `/health`. It is asked at the port of the websocket; a
    /// server that is not healthy there also at its name alone, the only place where the official client asks.
    pub async fn health(&self) -> Result<(), Failure> {
        let here = self.look(self.url.clone()).await;
        let mut elsewhere = self.url.clone();
        // On this machine the usual port is somebody else's.
        let other = self.url.scheme() == "https" && self.url.port().is_some();
        if here.is_ok() || !other || elsewhere.set_port(None).is_err() {
            return here;
        }
        self.look(elsewhere).await.or(here)
    }

    async fn look(&self, mut url: Url) -> Result<(), Failure> {
        url.set_path("/health");
        let asked = self.asked("check the shell's server", format!("GET {url}"));
        let request = self.wire.get(url).timeout(self.patience.quick);
        let response = request
            .send()
            .await
            .map_err(|error| asked.unanswered(error))?;
        match response.status().is_success() {
            true => Ok(()),
            false => Err(refusal(response, &asked).await),
        }
    }

    /// Connects, and says what is to be started. The invitation is used up by it.
    pub async fn accept(self, start: &StartFrame) -> Result<Shell, Failure> {
        let asked = self.asked("connect to the shell", self.request.clone());
        let connected = timeout(self.patience.quick, async {
            let upgraded = self.connect(&asked).await?;
            Shell::begin(upgraded, start, asked.clone()).await
        });
        connected.await.map_err(|_| asked.too_slow())?
    }

    async fn connect(&self, asked: &Asked) -> Result<reqwest::Upgraded, Failure> {
        let mut url = self.url.clone();
        url.query_pairs_mut()
            .append_pair("token", self.token.expose_secret());
        let key = generate_key();
        let request = self
            .wire
            .get(url)
            .header(CONNECTION, "Upgrade")
            .header(UPGRADE, "websocket")
            .header(SEC_WEBSOCKET_VERSION, "13")
            .header(SEC_WEBSOCKET_KEY, &key);
        let response = request
            .send()
            .await
            .map_err(|error| asked.unanswered(error))?;
        if response.status() != StatusCode::SWITCHING_PROTOCOLS {
            return Err(refusal(response, asked).await);
        }
        let accepted = text(response.headers(), SEC_WEBSOCKET_ACCEPT.as_str());
        if accepted != Some(&derive_accept_key(key.as_bytes())) {
            return Err(asked.unreadable("the server accepts another websocket than was asked for"));
        }
        response
            .upgrade()
            .await
            .map_err(|error| asked.unanswered(error))
    }

    fn asked(&self, call: &'static str, request: String) -> Asked {
        Asked {
            call,
            request: request.into(),
            token: self.token.clone(),
        }
    }
}

async fn refusal(mut response: Response, asked: &Asked) -> Failure {
    let status = response.status();
    if status.is_success() {
        return asked.unreadable("the server answered, but opened no websocket");
    }
    let body = read(&mut response, MAX_BODY, asked).await;
    asked.status(status, response.headers(), &body.unwrap_or_default())
}

/// The websocket's address as HTTP, by the rules for every address; says why not.
fn place(url: &str) -> Result<(Address, Url), &'static str> {
    let as_http = match url.split_once("://") {
        Some(("wss", rest)) => format!("https://{rest}"),
        Some(("ws", rest)) => format!("http://{rest}"),
        _ => return Err("the shell's address is not one of a websocket"),
    };
    let address = Address::parse(&as_http)
        .map_err(|_| "the shell's address has a login or a query, or is without TLS elsewhere")?;
    let url = address.join("")?;
    Ok((address, url))
}
