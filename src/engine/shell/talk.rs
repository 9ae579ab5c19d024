//! What goes between a caller and a program in a terminal, both ways and at once.
//!
//! Neither side is read faster than the other one takes: a caller that does not read stops the program, and a
//! program that does not read stops the caller. Nothing piles up here.

use super::super::cell::{Exit, Shell, Terminal};
use super::super::clock::Clock;
use super::farewell::Farewell;
use super::start::Control;
use crate::model::Span;
use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;
use tokio::sync::Notify;

const READ: usize = 64 * 1024;
/// Between two looks whether the caller is still there.
const BEAT: Span = Span::seconds(15);
/// How many of them it may leave unanswered.
const MOST_UNANSWERED: u32 = 3;
/// After its exit a program's last output is in the terminal already; what it left running may hold that open.
const GRACE: Duration = Duration::from_millis(100);
/// In bytes; what comes beyond is of what was left running.
const MOST_LATE: usize = 1 << 20;

/// The caller cannot be reached any more.
struct Gone;

pub(super) struct Talk<'a> {
    clock: &'a Clock,
    terminal: Terminal,
    pulse: Pulse,
}

#[derive(Default)]
struct Pulse {
    /// Pings since the last frame from the caller.
    unanswered: AtomicU32,
    /// The program does not read, so the caller is not heard: its silence means nothing.
    deaf: AtomicBool,
    due: Notify,
}

/// Speaks until the program has ended (and how is to be told), or the caller is gone: then the program is
/// hung up on.
pub(super) async fn talk(clock: &Clock, shell: Shell, socket: &mut WebSocket) -> Option<Farewell> {
    let talk = Talk {
        clock,
        terminal: shell.terminal,
        pulse: Pulse::default(),
    };
    let (to_caller, from_caller) = socket.split();
    tokio::select! {
        wrong = talk.input(from_caller) => wrong,
        exit = talk.output(shell.exit, to_caller) => exit.ok().map(Farewell::exit),
        () = talk.silence() => None,
    }
}

impl Talk<'_> {
    /// Returns when the caller leaves, or says what it must not.
    async fn input(&self, mut caller: SplitStream<&mut WebSocket>) -> Option<Farewell> {
        while let Some(Ok(frame)) = caller.next().await {
            self.pulse.unanswered.store(0, Ordering::Relaxed);
            match frame {
                Message::Binary(bytes) => self.write(&bytes).await,
                Message::Text(text) => match Control::read(&text) {
                    Control::Resize(size) => {
                        // Fails only when nobody is there to be told.
                        let _ = self.terminal.resize(size);
                    }
                    Control::Start => {
                        return Some(Farewell::refused("it has been started already"));
                    }
                    Control::Other => {}
                },
                Message::Ping(_) | Message::Pong(_) => {}
                Message::Close(_) => return None,
            }
        }
        None
    }

    async fn write(&self, mut bytes: &[u8]) {
        self.pulse.deaf.store(true, Ordering::Relaxed);
        while !bytes.is_empty() {
            match self.terminal.write(bytes).await {
                Ok(written) => bytes = &bytes[written..],
                // Nobody holds the terminal any more; the exit is on its way.
                Err(_) => break,
            }
        }
        self.pulse.deaf.store(false, Ordering::Relaxed);
    }

    /// The program's exit code, when it has ended and all its output is sent.
    async fn output(
        &self,
        mut exit: Exit,
        mut caller: SplitSink<&mut WebSocket, Message>,
    ) -> Result<i32, Gone> {
        let mut buffer = vec![0; READ];
        let mut open = true;
        let code = loop {
            let read = tokio::select! {
                code = &mut exit => break code,
                read = self.terminal.read(&mut buffer), if open => read.unwrap_or(0),
                () = self.pulse.due.notified() => {
                    send(&mut caller, Message::Ping(Bytes::new())).await?;
                    continue;
                }
            };
            open = pass_on(&mut caller, &buffer[..read]).await?;
        };
        let mut grace = std::pin::pin!(tokio::time::sleep(GRACE));
        let mut late = 0;
        while open && late < MOST_LATE {
            let read = tokio::select! {
                biased;
                read = self.terminal.read(&mut buffer) => read.unwrap_or(0),
                () = &mut grace => break,
            };
            late += read;
            open = pass_on(&mut caller, &buffer[..read]).await?;
        }
        Ok(code)
    }

    /// Returns when the caller has been silent for too long.
    async fn silence(&self) {
        let pulse = &self.pulse;
        loop {
            self.clock.reaches(self.clock.now() + BEAT).await;
            // To a caller that is gone it fails, also while nothing is heard.
            pulse.due.notify_one();
            let heard = pulse.deaf.load(Ordering::Relaxed);
            if !heard && pulse.unanswered.fetch_add(1, Ordering::Relaxed) == MOST_UNANSWERED {
                return;
            }
        }
    }
}

/// Sends output; whether there can be more of it.
async fn pass_on(
    caller: &mut SplitSink<&mut WebSocket, Message>,
    output: &[u8],
) -> Result<bool, Gone> {
    if output.is_empty() {
        return Ok(false);
    }
    let frame = Message::Binary(Bytes::copy_from_slice(output));
    send(caller, frame).await?;
    Ok(true)
}

async fn send(caller: &mut SplitSink<&mut WebSocket, Message>, frame: Message) -> Result<(), Gone> {
    caller.send(frame).await.map_err(|_| Gone)
}
