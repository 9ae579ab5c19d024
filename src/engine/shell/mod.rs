//! Interactive shells: a program in a terminal of a session's cell, over a websocket (api.md §5).
//!
//! Who wants one asks for an invitation: the address of the websocket, and a word that opens it once and soon.
//! A shell is no command of the session: it is in no list, keeps no log, and ends with its caller or its session.

mod farewell;
mod invitation;
mod start;
mod talk;

pub(super) use invitation::Invitations;

use super::cell::{Job, Shell, SpawnError};
use super::command::resolve;
use super::refusal::Refusal;
use super::state::{Engine, Live};
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use farewell::Farewell;
use start::Start;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// Where the websocket is, below the engine's address.
pub(super) const PATH: &str = "/ws/interactive";
/// How long a caller may take to say what is to be started.
const START_LIMIT: Duration = Duration::from_secs(30);
/// As shells say it.
const NOT_FOUND: i32 = 127;
const NOT_STARTED: i32 = 126;
const KILLED: i32 = 128 + 9;

/// Speaks with a caller from the first frame to the last.
pub(super) async fn serve(engine: Arc<Engine>, live: Arc<Live>, mut socket: WebSocket) {
    let farewell = match begin(&engine, &live, &mut socket).await {
        Ok(shell) => talk::talk(&engine.clock, shell, &mut socket).await,
        Err(farewell) => farewell,
    };
    if let Some(farewell) = farewell {
        farewell.say(&mut socket).await;
    }
    farewell::until_closed(socket).await;
}

/// Starts what the first frame asks for; `None` when the caller leaves before.
async fn begin(
    engine: &Engine,
    live: &Live,
    socket: &mut WebSocket,
) -> Result<Shell, Option<Farewell>> {
    let frame = tokio::select! {
        frame = timeout(START_LIMIT, first_frame(socket)) => match frame {
            Ok(frame) => frame?,
            Err(_) => return Err(Some(Farewell::refused("no first frame came in time"))),
        },
        () = live.cell.gone() => return Err(Some(Farewell::exit(KILLED))),
    };
    let start = Start::read(&frame).map_err(|refusal| Some(Farewell::refused(&refusal.message)))?;
    open(engine, live, start).await.map_err(Some)
}

async fn first_frame(socket: &mut WebSocket) -> Result<Utf8Bytes, Option<Farewell>> {
    loop {
        match socket.recv().await {
            Some(Ok(Message::Text(text))) => return Ok(text),
            Some(Ok(Message::Binary(_))) => {
                return Err(Some(Farewell::refused(
                    "nothing goes before the start frame",
                )));
            }
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(None),
        }
    }
}

async fn open(engine: &Engine, live: &Live, start: Start) -> Result<Shell, Farewell> {
    let broken = |refusal: Refusal| Farewell::not_started(&refusal.message, NOT_STARTED);
    let (session, sandbox) = engine.session(&live.session).map_err(broken)?;
    let mut env = vec![("TERM".to_owned(), "xterm-256color".to_owned())];
    env.extend(sandbox.record.kept.env.0);
    env.extend(start.env);
    let job = Job {
        program: start.program,
        args: start.args,
        cwd: Some(resolve(start.cwd.as_deref(), live.cell.cwd())),
        env,
        sudo: false,
        offline: engine.keeps_offline(&session.fact),
    };
    live.cell
        .spawn_in_terminal(job, start.size)
        .await
        .map_err(|error| match error {
            SpawnError::NotFound(_) => Farewell::not_started(&error.to_string(), NOT_FOUND),
            SpawnError::CellGone => Farewell::not_started(&error.to_string(), KILLED),
            SpawnError::BadCwd(_) | SpawnError::Other { .. } => {
                Farewell::not_started(&error.to_string(), NOT_STARTED)
            }
        })
}
