//! Carries out effects that need waiting: each in a task of its own, whose result comes back as an event.

use super::connection::{Connection, Link};
use super::out::{self, Outlets};
use super::shell::Shells;
use super::spill::Spill;
use super::streams::Streams;
use crate::api::{Answered, Client, Resume};
use crate::logic::{Answer, Call, Effect, Event, Reply, Tag, Told};
use crate::model::{Failure, FailureKind, NetworkFault};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::{Semaphore, mpsc};

/// Reads on the wire at once, and apart from them changes: what a person asked for waits for no poll.
const READS: usize = 8;
const CHANGES: usize = 8;

pub struct Executor {
    link: Link,
    news: mpsc::Sender<Event>,
    streams: Streams,
    spill: Spill,
    shells: Shells,
    outlets: Outlets,
    reads: Arc<Semaphore>,
    changes: Arc<Semaphore>,
}

impl Executor {
    /// `spill`: where older lines of logs may be kept, the best place first.
    pub fn new(
        link: Link,
        news: mpsc::Sender<Event>,
        spill: Vec<PathBuf>,
        outlets: Outlets,
    ) -> Self {
        Self {
            outlets,
            spill: Spill::new(spill, news.clone()),
            shells: Shells::new(link.clone(), news.clone()),
            streams: Streams::new(link.clone(), news.clone()),
            link,
            news,
            reads: Arc::new(Semaphore::new(READS)),
            changes: Arc::new(Semaphore::new(CHANGES)),
        }
    }

    /// Everything but what concerns the terminal; that is the loop's.
    pub fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Call { tag, call } => self.call(tag, call),
            Effect::OpenStream(id) => self.streams.open(id),
            Effect::CloseStream(id) => self.streams.close(&id),
            Effect::Spill(store, order) => self.spill.carry_out(store, order),
            Effect::Shell(id, order) => self.shells.carry_out(id, order),
            Effect::Copy(text) => self.outlets.copy(text.as_str().to_owned()),
            Effect::CopyText(text) => self.outlets.copy(out::clean_lines(&text)),
            Effect::Export(export) => self.outlets.carry_out(*export, self.spill.shelf()),
            Effect::OpenUrl(url) => {
                let news = self.news.clone();
                tokio::spawn(async move {
                    let told =
                        tokio::task::spawn_blocking(move || super::browser::open(url.as_raw()))
                            .await;
                    if let Ok(Err(why)) = told {
                        let failed = Told::Failed {
                            what: "open the URL",
                            why,
                        };
                        let _ = news.send(Event::Told(failed)).await;
                    }
                });
            }
            Effect::Desktop(sentence) => {
                let news = self.news.clone();
                tokio::spawn(async move {
                    if let Err(why) = super::desktop::tell(&sentence).await {
                        let what = "tell by the desktop";
                        let failed = Told::Failed { what, why };
                        let _ = news.send(Event::Told(failed)).await;
                    }
                });
            }
            Effect::RereadCredentials => self.link.reread(),
            Effect::RereadSettings
            | Effect::CursorShape(_)
            | Effect::TellKeysApart(_)
            | Effect::MouseCapture(_)
            | Effect::Bell
            | Effect::Notify(..)
            | Effect::Redraw
            | Effect::Suspend
            | Effect::Quit(_) => {}
        }
    }

    fn call(&self, tag: Tag, call: Call) {
        let lane = Arc::clone(if call.is_read() {
            &self.reads
        } else {
            &self.changes
        });
        let (mut link, news) = (self.link.clone(), self.news.clone());
        tokio::spawn(async move {
            #[cfg(debug_assertions)]
            super::panics::on_purpose("task");
            let answer = match link.settled().await {
                Connection::Ready(client) => {
                    let _turn = lane.acquire().await;
                    let answer = once(&client, tag, call).await;
                    if answer.result.as_ref().is_err_and(nobody_listens) {
                        link.doubt();
                    }
                    answer
                }
                Connection::Failed(failure) => Answer {
                    tag,
                    call,
                    date: None,
                    request_id: None,
                    result: Err(failure),
                },
            };
            tracing::debug!(
                call = answer.call.title(),
                ok = answer.result.is_ok(),
                "answered"
            );
            let _ = news.send(Event::Answer(Box::new(answer))).await;
        });
    }
}

pub fn nobody_listens(failure: &Failure) -> bool {
    matches!(
        failure.kind,
        FailureKind::Network {
            fault: NetworkFault::Connect,
            ..
        }
    )
}

/// One try.
pub async fn once(client: &Client, tag: Tag, call: Call) -> Answer {
    let answered = match &call {
        Call::ListSandboxes(asked) => reply(client.list_sandboxes(asked).await, Reply::Sandboxes),
        Call::GetSandbox(name) => reply(client.get_sandbox(name, Resume::No).await, Reply::Sandbox),
        Call::CreateSandbox(wanted) => reply(client.create_sandbox(wanted).await, Reply::Sandbox),
        Call::ListSessions(of) => reply(client.list_sessions(of).await, Reply::Sessions),
        Call::GetSession(id) => reply(client.get_session(id).await, Reply::Session),
        Call::ListCommands(session) => reply(client.list_commands(session).await, Reply::Commands),
        Call::GetCommand(key) => reply(
            client.get_command(&key.session, &key.command, false).await,
            Reply::Command,
        ),
        Call::ListSnapshots(of) => reply(client.list_snapshots(of).await, Reply::Snapshots),
        Call::RunCommand(session, wanted) => {
            reply(client.run_command(session, wanted).await, Reply::Command)
        }
        Call::Stop(session) => reply(client.stop(session).await, Reply::Stopped),
        Call::DeleteSandbox { name, orphans } => {
            reply(client.delete_sandbox(name, *orphans).await, Reply::Deleted)
        }
        Call::Extend(session, by) => reply(client.extend(session, *by).await, Reply::Session),
        Call::Resume(name) => reply(client.get_sandbox(name, Resume::Yes).await, Reply::Sandbox),
        Call::Kill(key, signal) => reply(
            client.kill(&key.session, &key.command, *signal).await,
            Reply::Command,
        ),
    };
    match answered {
        Ok(Answered {
            value,
            date,
            request_id,
        }) => Answer {
            tag,
            call,
            date,
            request_id,
            result: Ok(value),
        },
        Err(failure) => {
            let request_id = match &failure.kind {
                FailureKind::Status { request_id, .. } => request_id.clone(),
                _ => None,
            };
            Answer {
                tag,
                call,
                date: None,
                request_id,
                result: Err(failure),
            }
        }
    }
}

fn reply<T>(
    answered: Result<Answered<T>, Failure>,
    into: impl FnOnce(T) -> Reply,
) -> Result<Answered<Reply>, Failure> {
    answered.map(|answered| answered.map(into))
}
