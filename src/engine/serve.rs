//! An engine from its start to its end.

use super::access::AccessLog;
use super::cell::{Ground, Level, probe};
use super::clock::Clock;
use super::fault::Drill;
use super::http::{self, Gate, Quota};
use super::import::ImportError;
use super::lock::{self, Hold, discover};
use super::options::Options;
use super::preload;
use super::refusal::Refusal;
use super::secret;
use super::state::Engine;
use crate::store::{Store, StoreError};
use axum::serve::{Listener, ListenerExt};
use secrecy::{ExposeSecret, SecretString};
use std::future::IntoFuture;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;
use tracing_appender::non_blocking::WorkerGuard;

/// What clients that still hang on may take to let go, once all sessions have ended.
const LAST_ANSWERS: Duration = Duration::from_secs(2);
/// Between two looks whether something runs.
const IDLE_LOOK: Duration = Duration::from_secs(30);
/// Somebody who looks whether an engine runs takes the lock for a moment.
const LOCK_TRIES: u32 = 5;
const LOCK_PAUSE: Duration = Duration::from_millis(30);

/// A serving engine; [`Running::shutdown`] ends it in order.
pub struct Running {
    /// The base of the API, `http://127.0.0.1:<port>/api`.
    pub url: String,
    pub token: SecretString,
    /// How its sandboxes are kept apart.
    pub level: Level,
    /// Why no better level was taken; empty when none is.
    pub level_why: String,
    engine: Arc<Engine>,
    gate: Arc<Gate>,
    stop_accepting: CancellationToken,
    server: AbortOnDropHandle<io::Result<()>>,
    _expiring: AbortOnDropHandle<()>,
    _log: WorkerGuard,
    _hold: Hold,
}

/// Why an engine did not start.
#[derive(Debug)]
pub enum ServeError {
    NotLoopback(SocketAddr),
    /// Another engine has the data directory; where it is, if it says so.
    Held {
        data_dir: PathBuf,
        by: Option<(u32, String)>,
    },
    DataDir {
        data_dir: PathBuf,
        cause: io::Error,
    },
    Listen {
        address: SocketAddr,
        cause: io::Error,
    },
    Records(StoreError),
    /// Clearing up after an engine that died.
    Leftovers(String),
    Import(ImportError),
    NoRandomness,
}

impl std::fmt::Display for ServeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotLoopback(address) => write!(
                f,
                "the engine runs commands for whoever reaches it, so it listens on this machine only: \
                 use 127.0.0.1:<port> instead of {address}"
            ),
            Self::Held { data_dir, by } => {
                let data_dir = data_dir.display();
                match by {
                    Some((pid, url)) => write!(
                        f,
                        "another engine (process {pid}, {url}) serves {data_dir}: use that one, end it, or give \
                         this one another --data-dir"
                    ),
                    None => write!(
                        f,
                        "another engine is just starting or ending on {data_dir}: try again, or give this one \
                         another --data-dir"
                    ),
                }
            }
            Self::DataDir { data_dir, cause } => {
                write!(
                    f,
                    "cannot use the data directory {}: {cause}; name another with --data-dir",
                    data_dir.display()
                )
            }
            Self::Listen { address, cause } => write!(f, "cannot listen on {address}: {cause}"),
            Self::Records(error) => error.fmt(f),
            Self::Leftovers(why) => {
                write!(f, "clearing up after an engine that died: {why}")
            }
            Self::Import(error) => error.fmt(f),
            Self::NoRandomness => f.write_str("the system gives no random bytes for a token"),
        }
    }
}

impl std::error::Error for ServeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::DataDir { cause, .. } | Self::Listen { cause, .. } => Some(cause),
            Self::Records(error) => Some(error),
            Self::Import(error) => error.source(),
            _ => None,
        }
    }
}

/// Starts an engine: takes the data directory, clears up after one that died there, and listens.
pub async fn serve(options: Options, clock: Clock) -> Result<Running, ServeError> {
    if !options.listen.ip().is_loopback() {
        return Err(ServeError::NotLoopback(options.listen));
    }
    let data_dir = &options.data_dir;
    let broken = |cause| ServeError::DataDir {
        data_dir: data_dir.clone(),
        cause,
    };
    let hold = take_hold(data_dir).await?;
    let store = Store::open(&data_dir.join("engine.db")).map_err(ServeError::Records)?;
    let probe = probe(&options.agent, data_dir, options.level).await;
    let ground = Ground::found(data_dir, &options.agent, &probe).map_err(broken)?;
    let token = token(options.token)?;
    let (listener, address) = listen(options.listen).await?;
    let url = format!("http://{address}/api");
    let logs = private(data_dir, "logs").map_err(broken)?;
    let spool = private(data_dir, "spool").map_err(broken)?;
    let quota = options
        .rate_limit
        .map(|per_minute| Arc::new(Quota::new(per_minute, clock.clone())));
    let engine = Engine::new(store, ground, clock, options.plan, address, logs, spool);
    let engine = Arc::new(engine);
    prepare(&engine, options.import.as_deref()).await?;
    let expiring = AbortOnDropHandle::new(tokio::spawn(Arc::clone(&engine).keep_expiring()));
    preload::place(data_dir).map_err(broken)?;
    hold.announce(&url, &token, probe.level).map_err(broken)?;
    let (log, log_guard) =
        AccessLog::open(data_dir, engine.clock.clone(), options.log_requests).map_err(broken)?;
    let gate = Arc::new(Gate::new(token.clone(), log));
    let stop_accepting = CancellationToken::new();
    let server = axum::serve(
        prompt(listener),
        http::router(
            Arc::clone(&engine),
            Arc::clone(&gate),
            Drill::new(options.faults, options.fault_seed),
            quota,
        ),
    )
    .with_graceful_shutdown(stop_accepting.clone().cancelled_owned())
    .into_future();
    Ok(Running {
        url,
        token,
        level: probe.level,
        level_why: probe.why,
        engine,
        gate,
        stop_accepting,
        server: AbortOnDropHandle::new(tokio::spawn(server)),
        _expiring: expiring,
        _log: log_guard,
        _hold: hold,
    })
}

impl Running {
    /// Waits until nothing has run and nobody has asked anything for that long.
    pub async fn idle(&self, after: Duration) {
        loop {
            if !self.engine.all_live().is_empty() {
                self.gate.asked.send_replace(Instant::now());
            }
            let quiet = self.gate.asked.borrow().elapsed();
            if quiet >= after {
                return;
            }
            tokio::time::sleep((after - quiet).min(IDLE_LOOK)).await;
        }
    }

    /// Takes no more requests, stops all sessions (persistent sandboxes keep their files in snapshots), and
    /// lets the last answers go out.
    pub async fn shutdown(self) {
        self.stop_accepting.cancel();
        self.engine.stop_all().await;
        let shells = &self.engine.shells;
        shells.close();
        let last_answers = async { tokio::join!(self.server, shells.wait()) };
        // Who does not take its answer is cut off.
        let _ = tokio::time::timeout(LAST_ANSWERS, last_answers).await;
        // What was just being created.
        self.engine.stop_all().await;
    }
}

/// Clears up after an engine that died, and makes what must always be there.
async fn prepare(engine: &Arc<Engine>, import: Option<&Path>) -> Result<(), ServeError> {
    let leftovers = |refusal: Refusal| ServeError::Leftovers(refusal.message);
    engine.make_default_project().map_err(ServeError::Records)?;
    engine.abort_leftovers().await.map_err(leftovers)?;
    engine.sweep().await.map_err(leftovers)?;
    engine.clear_soon();
    import
        .map_or(Ok(()), |file| engine.import(file))
        .map_err(ServeError::Import)
}

fn private(data_dir: &Path, name: &str) -> io::Result<PathBuf> {
    let path = data_dir.join(name);
    lock::private_directory(&path)?;
    Ok(path)
}

async fn take_hold(data_dir: &Path) -> Result<Hold, ServeError> {
    let broken = |cause| ServeError::DataDir {
        data_dir: data_dir.to_owned(),
        cause,
    };
    for _ in 0..LOCK_TRIES {
        if let Some(hold) = lock::hold(data_dir).map_err(broken)? {
            return Ok(hold);
        }
        tokio::time::sleep(LOCK_PAUSE).await;
    }
    let holder = discover(data_dir).map_err(broken)?;
    Err(ServeError::Held {
        data_dir: data_dir.to_owned(),
        by: holder.map(|engine| (engine.pid, engine.url)),
    })
}

async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), ServeError> {
    let failed = |cause| ServeError::Listen { address, cause };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}

/// Streams send small pieces, which must not wait for each other.
fn prompt(listener: TcpListener) -> impl Listener<Io = TcpStream, Addr = SocketAddr> {
    listener.tap_io(|connection| {
        // Without it answers are slower, not wrong.
        let _ = connection.set_nodelay(true);
    })
}

/// The one that was given. One read from a file often brings its newline along; one of nothing would let nobody in.
fn token(given: Option<SecretString>) -> Result<SecretString, ServeError> {
    match given {
        Some(token) if !token.expose_secret().trim().is_empty() => {
            Ok(SecretString::from(token.expose_secret().trim()))
        }
        _ => random_token(),
    }
}

fn random_token() -> Result<SecretString, ServeError> {
    let word = secret::random().ok_or(ServeError::NoRandomness)?;
    Ok(SecretString::from(format!("sandtop_{word}")))
}
