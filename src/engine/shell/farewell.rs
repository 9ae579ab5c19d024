//! The last frames of a shell.

use crate::model::shell::ServerFrame;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use std::time::Duration;
use tokio::time::timeout;

/// What a caller that has stopped reading may take to go on.
const LAST_FRAMES: Duration = Duration::from_secs(60);
/// What it may take for its own last frame.
const PATIENCE: Duration = Duration::from_secs(2);
/// In bytes; the protocol has no room for more.
const LONGEST_REASON: usize = 123;

pub(super) struct Farewell {
    /// Shown to people as if it was output.
    output: String,
    /// Absent where no program was to be started.
    exit: Option<i32>,
    code: u16,
    reason: String,
}

impl Farewell {
    /// The program has ended.
    pub fn exit(code: i32) -> Self {
        Self {
            output: String::new(),
            exit: Some(code),
            code: close_code::NORMAL,
            reason: String::new(),
        }
    }

    /// The program was not started.
    pub fn not_started(why: &str, code: i32) -> Self {
        Self {
            output: format!("{why}\r\n"),
            ..Self::exit(code)
        }
    }

    /// The caller does not keep to the protocol.
    pub fn refused(reason: &str) -> Self {
        let fits = reason.floor_char_boundary(LONGEST_REASON);
        Self {
            output: String::new(),
            exit: None,
            code: close_code::POLICY,
            reason: reason[..fits].to_owned(),
        }
    }

    /// Who is gone meanwhile misses nothing.
    pub async fn say(self, socket: &mut WebSocket) {
        let _ = timeout(LAST_FRAMES, self.send(socket)).await;
    }

    async fn send(self, socket: &mut WebSocket) {
        let close = CloseFrame {
            code: self.code,
            reason: self.reason.into(),
        };
        let output = Some(self.output).filter(|output| !output.is_empty());
        let exit = self.exit.map(|code| ServerFrame::Exit { code: Some(code) });
        let frames = [
            output.map(|output| Message::Binary(output.into())),
            exit.map(|exit| Message::Text(exit.text().into())),
            Some(Message::Close(Some(close))),
        ];
        for frame in frames.into_iter().flatten() {
            if socket.send(frame).await.is_err() {
                return;
            }
        }
    }
}

/// Lets the caller close as well: a connection that is dropped before takes the last frames with it.
pub(super) async fn until_closed(mut socket: WebSocket) {
    let closed = async { while let Some(Ok(_)) = socket.recv().await {} };
    // Who does not is cut off.
    let _ = timeout(PATIENCE, closed).await;
}
