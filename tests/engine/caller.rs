//! A caller of interactive shells: a websocket as the official client uses it.

use super::bench::{Api, PATIENCE};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

pub struct Caller {
    pub socket: WebSocketStream<TcpStream>,
    /// All output so far.
    pub output: Vec<u8>,
    pub exit: Option<Value>,
    /// Code and reason.
    pub close: Option<(u16, String)>,
    pub pings: u32,
}

/// What `POST …/interactive` answers.
pub async fn invitation(api: &Api, session: &str) -> (String, String) {
    let path = format!("/sessions/{session}/interactive");
    let answer = api.post(&path, &json!({})).await.ok();
    let text = |field: &str| answer[field].as_str().unwrap().to_owned();
    (text("url"), text("token"))
}

/// Connects; else the status of the refusal. `headers` are over the usual ones.
pub async fn dial(url: &str, token: &str, headers: &[(&'static str, &str)]) -> Result<Caller, u16> {
    let mut request = format!("{url}?token={token}")
        .into_client_request()
        .unwrap();
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    let address = request.uri().authority().unwrap().as_str().to_owned();
    let stream = TcpStream::connect(address).await.unwrap();
    match timeout(PATIENCE, client_async(request, stream))
        .await
        .unwrap()
    {
        Ok((socket, _)) => Ok(Caller {
            socket,
            output: Vec::new(),
            exit: None,
            close: None,
            pings: 0,
        }),
        Err(Error::Http(answer)) => Err(answer.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

/// A shell that runs `script` in a window of 80 to 24.
pub async fn script(api: &Api, session: &str, script: &str) -> Caller {
    let start =
        json!({"type": "start", "command": "sh", "args": ["-c", script], "cols": 80, "rows": 24});
    start_with(api, session, &start).await
}

pub async fn start_with(api: &Api, session: &str, start: &Value) -> Caller {
    let (url, token) = invitation(api, session).await;
    let mut caller = dial(&url, &token, &[]).await.unwrap();
    caller.say(start).await;
    caller
}

impl Caller {
    /// A frame of words.
    pub async fn say(&mut self, words: &Value) {
        self.send(Message::Text(words.to_string().into())).await;
    }

    pub async fn type_in(&mut self, keys: &str) {
        self.send(Message::Binary(keys.to_owned().into())).await;
    }

    pub async fn send(&mut self, frame: Message) {
        let sent = timeout(PATIENCE, self.socket.send(frame)).await;
        sent.unwrap().unwrap();
    }

    /// Takes one frame; `false` when the connection is closed.
    pub async fn take(&mut self) -> bool {
        let frame = timeout(PATIENCE, self.socket.next()).await;
        match frame.expect("nothing comes") {
            Some(Ok(Message::Binary(bytes))) => self.output.extend_from_slice(&bytes),
            Some(Ok(Message::Text(text))) => {
                assert_eq!(self.exit, None, "a frame of words after the exit: {text}");
                let frame: Value = serde_json::from_str(&text).unwrap();
                assert_eq!(frame["type"], "exit");
                self.exit = Some(frame["code"].clone());
            }
            Some(Ok(Message::Ping(_))) => self.pings += 1,
            Some(Ok(Message::Close(frame))) => {
                self.close = frame.map(|frame| (frame.code.into(), frame.reason.to_string()));
            }
            Some(Ok(_)) => {}
            Some(Err(error)) => panic!("{error}; its output: {}", self.text()),
            None => return false,
        }
        true
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.output).replace("\r\n", "\n")
    }

    /// Waits until the output has `wanted` in it.
    pub async fn sees(&mut self, wanted: &str) {
        while !self.text().contains(wanted) {
            assert!(
                self.take().await,
                "closed without {wanted:?}: {}",
                self.text()
            );
        }
    }

    /// Waits for the end; the output and the exit code.
    pub async fn ends(&mut self) -> (String, i64) {
        while self.take().await {}
        let code = self.exit.as_ref().and_then(Value::as_i64);
        assert_eq!(self.close, Some((1000, String::new())), "{}", self.text());
        (self.text(), code.expect("no exit frame"))
    }

    /// Waits for the end of one that does not keep to the protocol; the reason.
    pub async fn is_refused(&mut self) -> String {
        while self.take().await {}
        assert_eq!(self.exit, None);
        let (code, reason) = self.close.clone().unwrap();
        assert_eq!(code, 1008, "{reason}");
        reason
    }
}
