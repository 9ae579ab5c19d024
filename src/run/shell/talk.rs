//! What goes between the loop and an open shell, both ways and at once, until one of them ends it.

use super::credit::Credit;
use super::pulse::{Beat, Pulse};
use super::record::Recorder;
use super::{Desk, Orders, Wish};
use crate::api::{Shell, ShellInput, ShellOutput, ShellSaid};
use crate::logic::{ShellId, ShellNews, explain};
use crate::model::{Failure, Foreign};
use bytes::{Bytes, BytesMut};
use futures_util::FutureExt;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, watch};

/// Small pieces of output that are there already come together, up to this many bytes.
const BATCH: usize = 64 << 10;
/// Input goes in pieces of this many bytes.
const PIECE: usize = 32 << 10;
/// The connection should be closed right after the exit is told; who does not is left.
const AFTER_EXIT: Duration = Duration::from_secs(5);
/// Taking leave may take this long.
const LEAVE: Duration = Duration::from_secs(2);

struct Talk<'a> {
    desk: &'a Desk,
    id: ShellId,
    pulse: Mutex<Pulse>,
    ping: Notify,
    recorder: Mutex<Option<Recorder>>,
}

enum End {
    /// The other side closed it in order.
    Closed,
    Lost(Foreign),
    /// By our own wish, or nobody listens.
    Left,
}

/// The last word, if anybody is to hear one.
pub async fn talk(desk: &Desk, id: ShellId, shell: Shell, mut orders: Orders) -> Option<ShellNews> {
    let talk = Talk {
        desk,
        id,
        pulse: Mutex::new(Pulse::new(desk.now())),
        ping: Notify::new(),
        recorder: Mutex::default(),
    };
    let Shell { mut input, output } = shell;
    let close = orders.close.clone();
    let typed = orders.typed.clone();
    let end = tokio::select! {
        biased;
        () = close.cancelled() => End::Left,
        end = talk.input(&mut input, &mut orders) => end,
        end = talk.output(output) => end,
        end = talk.silence() => end,
    };
    let recorder = lock(&talk.recorder).take();
    if let Some(recorder) = recorder {
        let ended = recorder.finish().await.err();
        talk.tell(ShellNews::RecordingEnded(ended)).await;
    }
    match end {
        End::Left => {
            let _ = tokio::time::timeout(LEAVE, input.close()).await;
            None
        }
        End::Closed => Some(ShellNews::Closed),
        End::Lost(why) => {
            let typed = typed.load(Ordering::Relaxed);
            let unsent = typed.saturating_sub(lock(&talk.pulse).arrived());
            Some(ShellNews::Lost { why, unsent })
        }
    }
}

impl Talk<'_> {
    async fn input(&self, to: &mut ShellInput, orders: &mut Orders) -> End {
        loop {
            let done = tokio::select! {
                biased;
                resized = orders.size.changed() => match resized {
                    Ok(()) => self.resize(to, &mut orders.size).await,
                    Err(_) => return End::Left,
                },
                wish = orders.wishes.recv() => match wish {
                    Some(Wish::Input(bytes, room)) => {
                        let sent = self.send(to, bytes.into()).await;
                        drop(room);
                        sent
                    }
                    Some(Wish::Record(path)) => {
                        let size = *orders.size.borrow();
                        self.record(path.as_deref(), size).await;
                        Ok(())
                    }
                    None => return End::Left,
                },
                () = self.ping.notified() => {
                    let number = lock(&self.pulse).number();
                    to.ping(number).await
                }
            };
            if let Err(failure) = done {
                return End::Lost(why(&failure));
            }
        }
    }

    async fn send(&self, to: &mut ShellInput, mut bytes: Bytes) -> Result<(), Failure> {
        while !bytes.is_empty() {
            let piece = bytes.split_to(bytes.len().min(PIECE));
            let count = piece.len();
            // Before it is sent: an answer may come at once.
            lock(&self.pulse).sent(count);
            to.type_in(piece).await?;
        }
        Ok(())
    }

    async fn resize(
        &self,
        to: &mut ShellInput,
        size: &mut watch::Receiver<(u16, u16)>,
    ) -> Result<(), Failure> {
        let (columns, rows) = *size.borrow_and_update();
        if let Some(recorder) = &*lock(&self.recorder) {
            recorder.resize(self.desk.now(), (columns, rows));
        }
        to.resize(columns, rows).await
    }

    async fn output(&self, mut from: ShellOutput) -> End {
        let credit = Credit::new();
        let mut ahead = None;
        loop {
            let next = match ahead.take() {
                Some(next) => next,
                None => from.next().await,
            };
            lock(&self.pulse).heard(self.desk.now());
            let heard = match next {
                Ok(Some(ShellSaid::Output(bytes))) => {
                    let joined = join(bytes, &mut from, &mut ahead);
                    self.pass_on(&credit, joined).await
                }
                Ok(Some(ShellSaid::Exit(code))) => {
                    self.tell(ShellNews::Exited(code)).await;
                    let closed = async { while let Ok(Some(_)) = from.next().await {} };
                    let _ = tokio::time::timeout(AFTER_EXIT, closed).await;
                    return End::Closed;
                }
                Ok(Some(ShellSaid::Answered(number))) => {
                    lock(&self.pulse).answered(number, self.desk.now());
                    self.tell(ShellNews::Answered).await
                }
                Ok(Some(ShellSaid::Alive)) => true,
                Ok(None) => return End::Closed,
                Err(failure) => return End::Lost(why(&failure)),
            };
            if !heard {
                return End::Left;
            }
        }
    }

    async fn pass_on(&self, credit: &Credit, mut bytes: Bytes) -> bool {
        self.write_down(&bytes).await;
        while !bytes.is_empty() {
            let piece = bytes.split_to(bytes.len().min(BATCH));
            lock(&self.pulse).stop_listening();
            let piece = credit.hold(piece).await;
            if !self.tell(ShellNews::Output(piece)).await {
                return false;
            }
            lock(&self.pulse).heard(self.desk.now());
        }
        true
    }

    async fn write_down(&self, bytes: &[u8]) {
        let failed = {
            let mut recorder = lock(&self.recorder);
            let failed = recorder.as_mut().and_then(|recorder| {
                recorder.output(self.desk.now(), bytes);
                recorder.failed()
            });
            if failed.is_some() {
                *recorder = None;
            }
            failed
        };
        if failed.is_some() {
            self.tell(ShellNews::RecordingEnded(failed)).await;
        }
    }

    /// Begins a recording, or ends it.
    async fn record(&self, path: Option<&Path>, size: (u16, u16)) {
        let former = lock(&self.recorder).take();
        if let Some(former) = former {
            let ended = former.finish().await.err();
            self.tell(ShellNews::RecordingEnded(ended)).await;
        }
        let Some(path) = path else { return };
        let news = match Recorder::start(path, size, self.desk.now()) {
            Ok(recorder) => {
                *lock(&self.recorder) = Some(recorder);
                ShellNews::Recording(path.display().to_string().into())
            }
            Err(error) => {
                let why = format!("{} cannot be made: {error}", path.display());
                ShellNews::RecordingEnded(Some(why.into()))
            }
        };
        self.tell(news).await;
    }

    /// Returns when the other side has been silent for too long.
    async fn silence(&self) -> End {
        loop {
            tokio::time::sleep(self.desk.tick).await;
            match lock(&self.pulse).look(self.desk.now()) {
                Beat::Fine => {}
                Beat::Ping => self.ping.notify_one(),
                Beat::Dead => return End::Lost("the other side does not answer any more".into()),
            }
        }
    }

    async fn tell(&self, news: ShellNews) -> bool {
        self.desk.tell(self.id, news).await
    }
}

/// With what is there already, without waiting; what is no output comes `ahead` of the next.
fn join(
    first: Bytes,
    from: &mut ShellOutput,
    ahead: &mut Option<Result<Option<ShellSaid>, Failure>>,
) -> Bytes {
    let mut joined = BytesMut::new();
    while first.len() + joined.len() < BATCH {
        match from.next().now_or_never() {
            Some(Ok(Some(ShellSaid::Output(more)))) => joined.extend_from_slice(&more),
            other => {
                *ahead = other;
                break;
            }
        }
    }
    if joined.is_empty() {
        return first;
    }
    let mut whole = BytesMut::from(first);
    whole.unsplit(joined);
    whole.freeze()
}

/// The cause alone: that the connection broke is said by whoever shows it.
fn why(failure: &Failure) -> Foreign {
    let cause = failure.causes.last().cloned();
    cause.unwrap_or_else(|| explain::in_full(failure).as_str().into())
}

/// A panic elsewhere leaves these whole: every change is a single call.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
