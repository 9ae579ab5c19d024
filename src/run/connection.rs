//! The way to the service: made while the first frame is on the screen already, renewed when credentials change.
//!
//! Calls wait for it; where it cannot be made they are answered with the reason, and the next call has it tried
//! again: how often that is, is decided where all retries are.

use super::Control;
use super::backend::{Remote, Wanted, complain};
use super::engine_start::{self, EngineChild, Started};
use crate::api::{Client, Options, Patience, Scope, ScopeProblem, TokenOrigin, infer};
use crate::engine::Discovery;
use crate::logic::{Backend, EngineFate, Event, Told};
use crate::model::{Failure, FailureKind, Foreign, Span};
use std::path::Path;
use std::sync::Arc;
use tokio::sync::{Notify, mpsc, oneshot, watch};

/// What a call goes through.
#[derive(Clone)]
pub enum Connection {
    Ready(Client),
    Failed(Failure),
}

/// The calls' end of it.
#[derive(Clone)]
pub struct Link {
    state: watch::Receiver<State>,
    asked: Arc<Asked>,
}

#[derive(Clone, Default)]
struct State {
    /// Counts the attempts that came to something.
    attempt: u64,
    /// `None` until the first one did.
    connection: Option<Connection>,
}

#[derive(Default)]
struct Asked {
    /// A call waits for another attempt.
    again: Notify,
    reread: Notify,
}

impl Link {
    /// To what is connected for good.
    pub fn to(client: Client) -> Self {
        let connected = State {
            attempt: 1,
            connection: Some(Connection::Ready(client)),
        };
        Self {
            state: watch::channel(connected).1,
            asked: Arc::default(),
        }
    }

    /// The connection, once there is one, or why there is none: never an old reason.
    pub async fn settled(&mut self) -> Connection {
        let stale = match &*self.state.borrow() {
            State {
                attempt,
                connection: Some(Connection::Failed(_)),
            } => Some(*attempt),
            _ => None,
        };
        if stale.is_some() {
            self.asked.again.notify_one();
        }
        let fresh = |state: &State| match &state.connection {
            Some(Connection::Ready(_)) => true,
            Some(Connection::Failed(_)) => stale.is_none_or(|stale| state.attempt > stale),
            None => false,
        };
        let connection = match self.state.wait_for(fresh).await {
            Ok(state) => state.connection.clone(),
            Err(_) => None,
        };
        connection.unwrap_or_else(|| Connection::Failed(refused("the program is ending")))
    }

    /// Nobody listens where the calls go: a local engine may have ended, and another one be elsewhere.
    pub fn doubt(&self) {
        self.asked.again.notify_one();
    }

    /// Looks for the credentials anew; answered by [`Told::Credentials`].
    pub fn reread(&self) {
        self.asked.reread.notify_one();
    }
}

/// The other end: one task for the program's life.
pub struct Connector {
    wanted: Wanted,
    /// For an engine that is started here and left alone.
    idle_after: Span,
    state: watch::Sender<State>,
    asked: Arc<Asked>,
    news: mpsc::Sender<Event>,
    control: mpsc::UnboundedSender<Control>,
    /// The local engine, when it is ours.
    child: Option<EngineChild>,
}

impl Connector {
    pub fn new(
        wanted: Wanted,
        idle_after: Span,
        news: mpsc::Sender<Event>,
        control: mpsc::UnboundedSender<Control>,
    ) -> (Self, Link) {
        let (sender, state) = watch::channel(State::default());
        let asked = Arc::new(Asked::default());
        let link = Link {
            state,
            asked: Arc::clone(&asked),
        };
        (
            Self {
                wanted,
                idle_after,
                state: sender,
                asked,
                news,
                control,
                child: None,
            },
            link,
        )
    }

    /// Connects, and keeps the connection right until it is told what is to become of the engine that it started.
    /// Whether that was left serving.
    pub async fn run(mut self, ending: oneshot::Receiver<EngineFate>) -> bool {
        let fate = tokio::select! {
            () = self.keep() => EngineFate::End,
            fate = ending => fate.unwrap_or(EngineFate::End),
        };
        match (self.child.as_mut(), fate) {
            (Some(child), EngineFate::Leave) => child.leave().await,
            (Some(child), EngineFate::End) => {
                child.end().await;
                false
            }
            (None, _) => false,
        }
    }

    async fn keep(&mut self) {
        self.connect().await;
        let asked = Arc::clone(&self.asked);
        loop {
            tokio::select! {
                () = asked.again.notified() => {
                    if self.may_differ() {
                        self.connect().await;
                    }
                }
                () = asked.reread.notified() => self.reread().await,
                words = ended(&mut self.child) => {
                    self.child = None;
                    self.settle(Connection::Failed(refused("the local engine has ended")));
                    let _ = self.news.send(Event::EngineEnded(words)).await;
                }
            }
        }
    }

    /// A connection to the service stays what it is, even while the service cannot be reached.
    fn may_differ(&self) -> bool {
        let ready = matches!(self.state.borrow().connection, Some(Connection::Ready(_)));
        !ready || matches!(self.wanted, Wanted::Local(_))
    }

    async fn connect(&mut self) {
        let connection = match &self.wanted {
            Wanted::Local(data_dir) => self.connect_locally(&data_dir.clone()).await,
            Wanted::Remote(remote) => self.connect_remotely(&remote.clone()).await,
        };
        self.settle(connection);
    }

    fn settle(&self, connection: Connection) {
        self.state.send_modify(|state| {
            state.attempt += 1;
            state.connection = Some(connection);
        });
    }

    async fn connect_locally(&mut self, data_dir: &Path) -> Connection {
        match engine_start::start(data_dir, self.idle_after).await {
            Ok(Started { found, child }) => {
                if child.is_some() {
                    self.child = child;
                }
                let isolation = Some(found.level.word().into());
                self.tell_backend(Backend {
                    isolation,
                    owned: self.child.is_some(),
                    ..self.wanted.backend()
                })
                .await;
                match client_of(&found) {
                    Ok(client) => Connection::Ready(client),
                    Err(failure) => Connection::Failed(failure),
                }
            }
            Err(why) => {
                let _ = self.news.send(Event::EngineEnded(why)).await;
                Connection::Failed(refused("there is no local engine"))
            }
        }
    }

    async fn connect_remotely(&self, remote: &Remote) -> Connection {
        let options = remote.options();
        // Reading the system's certificates takes a while.
        let made = tokio::task::spawn_blocking(|| Client::new(options)).await;
        let client = match made {
            Ok(Ok(client)) => client,
            Ok(Err(failure)) => return Connection::Failed(failure),
            Err(_) => return Connection::Failed(refused("the connection could not be set up")),
        };
        if !remote.infers_scope() {
            return Connection::Ready(client);
        }
        match infer(&client).await {
            Ok(scope) => {
                self.tell_backend(remote.backend(&scope)).await;
                Connection::Ready(client.with_scope(scope))
            }
            Err(ScopeProblem::Failed(failure)) => Connection::Failed(failure),
            Err(ScopeProblem::Missing(missing)) => {
                let _ = self.control.send(Control::Unusable(complain(&missing)));
                Connection::Failed(refused(missing.sentence()))
            }
        }
    }

    async fn reread(&mut self) {
        let changed = match &mut self.wanted {
            // A restarted engine has another address and token.
            Wanted::Local(_) => true,
            Wanted::Remote(remote) => remote.reread(),
        };
        if changed {
            self.connect().await;
        }
        let _ = self
            .news
            .send(Event::Told(Told::Credentials { changed }))
            .await;
    }

    async fn tell_backend(&self, backend: Backend) {
        let _ = self.news.send(Event::Connected(Box::new(backend))).await;
    }
}

/// Never, without a child.
async fn ended(child: &mut Option<EngineChild>) -> Foreign {
    match child {
        Some(child) => child.ended().await,
        None => std::future::pending().await,
    }
}

pub fn refused(why: &'static str) -> Failure {
    Failure {
        call: "connect",
        request: "".into(),
        kind: FailureKind::Refused(why),
        causes: Vec::new(),
    }
}

/// # Errors
/// As [`Client::new`].
pub fn client_of(engine: &Discovery) -> Result<Client, Failure> {
    Client::new(Options {
        base: engine.url.clone(),
        token: engine.token.clone(),
        origin: TokenOrigin::Given,
        scope: Scope::default(),
        patience: Patience::default(),
    })
}
