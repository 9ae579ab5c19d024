//! Answers that come bit by bit: a command's log, a run that is waited for, an exit that is waited for.
//!
//! Their headers are sent at once, and blank lines keep a silent connection alive (api.md §6.1, §6.2).

use super::super::command::Run;
use super::super::ndjson;
use super::super::refusal::Refusal;
use axum::body::{Body, Bytes};
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde_json::json;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::fs::File;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::mpsc;

/// The official client compares it letter by letter.
const NDJSON: HeaderValue = HeaderValue::from_static("application/x-ndjson");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const SILENCE: Duration = Duration::from_secs(15);
const CHUNK: usize = 64 * 1024;

type Piece = io::Result<Bytes>;

/// The client has hung up.
struct Gone;

struct Sink(mpsc::Sender<Piece>);

impl Sink {
    async fn send(&self, bytes: impl Into<Bytes>) -> Result<(), Gone> {
        self.0.send(Ok(bytes.into())).await.map_err(|_| Gone)
    }

    /// Breaks the answer off, so that its end is not taken for the log's.
    async fn fail(&self, error: io::Error) -> Result<(), Gone> {
        self.0.send(Err(error)).await.map_err(|_| Gone)?;
        Err(Gone)
    }

    /// Waits while `event` does not come, with a sign of life from time to time.
    async fn idle(&self, event: impl Future<Output = ()>) -> Result<(), Gone> {
        let mut event = std::pin::pin!(event);
        loop {
            tokio::select! {
                () = &mut event => return Ok(()),
                () = self.0.closed() => return Err(Gone),
                () = tokio::time::sleep(SILENCE) => self.send("\n").await?,
            }
        }
    }
}

/// `POST …/cmd` with `wait`: the command, its output if it was asked for, the command when it has ended.
pub(super) async fn wait(run: Arc<Run>, logs: bool) -> Result<Response, Refusal> {
    let file = open(&run).await?;
    Ok(answer(NDJSON, |sink| async move {
        sink.send(ndjson::command(run.started())).await?;
        if logs {
            replay_and_follow(&run, file, &sink).await?;
        } else {
            sink.idle(run.ended()).await?;
        }
        let last = fault(&run, logs);
        sink.send(last.unwrap_or_else(|| ndjson::command(&run.fact())))
            .await
    }))
}

/// `GET …/logs`: from the first byte, then on while the command runs.
pub(super) async fn logs(run: Arc<Run>) -> Result<Response, Refusal> {
    let file = open(&run).await?;
    Ok(answer(NDJSON, |sink| async move {
        replay_and_follow(&run, file, &sink).await?;
        match fault(&run, true) {
            Some(last) => sink.send(last).await,
            None => Ok(()),
        }
    }))
}

/// The last line of a stream that must not end as if all was well.
fn fault(run: &Run, logs: bool) -> Option<Vec<u8>> {
    if run.is_cut() {
        return Some(ndjson::closed());
    }
    let lost = run.lost();
    (logs && lost > 0).then(|| ndjson::incomplete(lost))
}

/// `GET …/cmd/{id}?wait=true`: JSON after as many blank lines as the wait takes.
pub(super) fn exit(run: Arc<Run>) -> Response {
    answer(JSON, |sink| async move {
        sink.idle(run.ended()).await?;
        sink.send(json!({"command": run.fact()}).to_string()).await
    })
}

async fn open(run: &Run) -> Result<File, Refusal> {
    File::open(&run.log)
        .await
        .map_err(|error| match error.kind() {
            // The session has just ended.
            io::ErrorKind::NotFound => Refusal::stopped(),
            _ => Refusal::internal("reading the command's output", &error),
        })
}

fn answer<F>(content_type: HeaderValue, write: impl FnOnce(Sink) -> F) -> Response
where
    F: Future<Output = Result<(), Gone>> + Send + 'static,
{
    let (sender, receiver) = mpsc::channel(4);
    // A client that is gone needs no answer.
    tokio::spawn(write(Sink(sender)));
    let pieces = stream::unfold(receiver, async |mut receiver| {
        receiver.recv().await.map(|piece: Piece| (piece, receiver))
    });
    let headers = [
        (CONTENT_TYPE, content_type),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (headers, Body::from_stream(pieces)).into_response()
}

async fn replay_and_follow(run: &Run, mut file: File, sink: &Sink) -> Result<(), Gone> {
    let mut progress = run.progress.subscribe();
    let mut sent = 0;
    loop {
        let now = *progress.borrow_and_update();
        while sent < now.written {
            let most = usize::try_from(now.written - sent).map_or(CHUNK, |left| left.min(CHUNK));
            match read(&mut file, most).await {
                Ok(bytes) => {
                    sent += bytes.len() as u64;
                    sink.send(bytes).await?;
                }
                Err(error) => return sink.fail(error).await,
            }
        }
        if now.end.is_some() {
            return Ok(());
        }
        // The sender lives as long as `run`.
        sink.idle(async { drop(progress.changed().await) }).await?;
    }
}

async fn read(file: &mut (impl AsyncRead + Unpin), most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(most);
    let got = file.take(most as u64).read_buf(&mut bytes).await?;
    if got == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(bytes)
}
