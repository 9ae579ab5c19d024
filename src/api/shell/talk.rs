//! An open shell: its two directions, which wait for each other as little as the wire allows.

use super::super::asked::Asked;
use crate::model::Failure;
use crate::model::shell::{CallerFrame, ServerFrame, StartFrame};
use bytes::Bytes;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use reqwest::Upgraded;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};

/// The largest message that is taken, in bytes. Output comes in much smaller ones.
const LARGEST: usize = 16 << 20;
/// What is read at once, in bytes.
const READ: usize = 64 << 10;

type Socket = WebSocketStream<Upgraded>;

/// Dropping both halves closes the connection, and the program is hung up on.
pub struct Shell {
    pub input: ShellInput,
    pub output: ShellOutput,
}

pub struct ShellInput {
    to: SplitSink<Socket, Message>,
    asked: Asked,
}

pub struct ShellOutput {
    from: SplitStream<Socket>,
    asked: Asked,
    ended: bool,
}

/// Something from the other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShellSaid {
    Output(Bytes),
    /// The program has ended, with this code if the frame holds one. The connection is closed next.
    Exit(Option<i32>),
    /// Answers the ping of that number: all that was sent before it has arrived.
    Answered(u64),
    /// A sign of life.
    Alive,
}

impl Shell {
    pub(super) async fn begin(
        upgraded: Upgraded,
        start: &StartFrame,
        asked: Asked,
    ) -> Result<Self, Failure> {
        let config = WebSocketConfig::default()
            .read_buffer_size(READ)
            .max_message_size(Some(LARGEST));
        let socket = WebSocketStream::from_raw_socket(upgraded, Role::Client, Some(config)).await;
        let (to, from) = socket.split();
        let mut input = ShellInput {
            to,
            asked: asked.clone(),
        };
        let words = CallerFrame::Start(start).text();
        input.send(Message::text(words)).await?;
        let output = ShellOutput {
            from,
            asked,
            ended: false,
        };
        Ok(Self { input, output })
    }
}

impl ShellInput {
    /// Returns when the system has taken it, which is no proof that it arrived.
    pub async fn type_in(&mut self, bytes: Bytes) -> Result<(), Failure> {
        self.send(Message::Binary(bytes)).await
    }

    pub async fn resize(&mut self, cols: u16, rows: u16) -> Result<(), Failure> {
        let words = CallerFrame::Resize { cols, rows }.text();
        self.send(Message::text(words)).await
    }

    /// Answered by [`ShellSaid::Answered`].
    pub async fn ping(&mut self, number: u64) -> Result<(), Failure> {
        let payload = Bytes::copy_from_slice(&number.to_be_bytes());
        self.send(Message::Ping(payload)).await
    }

    /// Takes leave. Who is gone already misses nothing.
    pub async fn close(mut self) {
        let _ = self.to.close().await;
    }

    async fn send(&mut self, frame: Message) -> Result<(), Failure> {
        let sent = self.to.send(frame).await;
        sent.map_err(|error| broken(&self.asked, &error))
    }
}

impl ShellOutput {
    /// `None` when the other side has closed the connection in order, and ever after. Waits without limit.
    ///
    /// Safe to drop while it waits: nothing that arrived is lost.
    pub async fn next(&mut self) -> Result<Option<ShellSaid>, Failure> {
        if self.ended {
            return Ok(None);
        }
        let said = match self.from.next().await {
            Some(Ok(Message::Binary(bytes))) => ShellSaid::Output(bytes),
            Some(Ok(Message::Text(text))) => match ServerFrame::read(&text) {
                Some(ServerFrame::Exit { code }) => ShellSaid::Exit(code),
                Some(ServerFrame::Other) => ShellSaid::Alive,
                None => ShellSaid::Output(text.into()),
            },
            Some(Ok(Message::Pong(payload))) => match payload.as_ref().try_into() {
                Ok(number) => ShellSaid::Answered(u64::from_be_bytes(number)),
                Err(_) => ShellSaid::Alive,
            },
            Some(Ok(Message::Ping(_) | Message::Frame(_))) => ShellSaid::Alive,
            Some(Ok(Message::Close(frame))) => {
                self.ended = true;
                return self.closed(frame);
            }
            Some(Err(error)) => {
                self.ended = true;
                return Err(broken(&self.asked, &error));
            }
            None => {
                self.ended = true;
                return Ok(None);
            }
        };
        Ok(Some(said))
    }

    /// Any code but the ordinary one is a fault, told with its reason.
    fn closed(&self, frame: Option<CloseFrame>) -> Result<Option<ShellSaid>, Failure> {
        match frame {
            None => Ok(None),
            Some(frame) if frame.code == CloseCode::Normal => Ok(None),
            Some(CloseFrame { code, reason }) => {
                let gap = if reason.is_empty() { "" } else { ": " };
                let cause = format!("the server closed it with code {code}{gap}{reason}");
                Err(self.asked.broken(&cause))
            }
        }
    }
}

fn broken(asked: &Asked, error: &Error) -> Failure {
    asked.broken(&error.to_string())
}
