//! `sandtop serve`: the local engine for other programs, until it is told to end.

use crate::engine::cell::Level;
use crate::engine::{Clock, Options, Running, ServeError, serve as start};
use secrecy::{ExposeSecret, SecretString};
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};

/// Sessions are ended in order, but not for ever: what hangs in the kernel must not hold the program.
const ENDING: Duration = Duration::from_secs(60);

/// Runs a local engine that speaks the service's API, for the official SDK and CLI and for other dashboards.
#[derive(Debug, clap::Args)]
pub struct ServeArgs {
    /// Where to listen: an address of this machine only; port 0 = any free one.
    #[arg(long, default_value = "127.0.0.1:0", value_name = "ADDRESS")]
    listen: SocketAddr,
    /// What clients must present [default: a new random token]
    #[arg(long, env = "SANDTOP_ENGINE_TOKEN", hide_env_values = true)]
    token: Option<SecretString>,
    /// Where sandboxes are kept, one engine at a time [default: the user's data directory]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// How sandboxes are kept apart: root, userns or plain [default: the best that works here]
    #[arg(long)]
    isolation: Option<Level>,
    /// Write a line for each request to standard error
    #[arg(long)]
    log_requests: bool,
    /// End when standard input does: for the program that started this
    #[arg(long, hide = true)]
    lifeline: bool,
}

/// Serves until SIGINT, SIGTERM or SIGHUP; then all sessions are stopped, which keeps persistent files.
pub fn serve(args: ServeArgs) -> ExitCode {
    match run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // There is nowhere else to say it.
            let _ = writeln!(io::stderr(), "sandtop serve: {error}");
            ExitCode::FAILURE
        }
    }
}

#[derive(Debug)]
enum Failure {
    /// The system lacks something the program stands on.
    System(io::Error),
    NoDataDir,
    Engine(ServeError),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::System(error) => error.fmt(f),
            Self::NoDataDir => f.write_str("there is no home directory; name a --data-dir"),
            Self::Engine(error) => error.fmt(f),
        }
    }
}

fn run(args: ServeArgs) -> Result<(), Failure> {
    let options = Options {
        listen: args.listen,
        token: args.token,
        data_dir: match args.data_dir {
            Some(dir) => dir,
            None => default_data_dir().ok_or(Failure::NoDataDir)?,
        },
        agent: std::env::current_exe().map_err(Failure::System)?,
        level: args.isolation,
        log_requests: args.log_requests,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Failure::System)?;
    runtime.block_on(async {
        // Before the first cell: a signal that comes during the start must not leave processes behind.
        let told_to_end = told_to_end(args.lifeline).map_err(Failure::System)?;
        let engine = start(options, Clock::System)
            .await
            .map_err(Failure::Engine)?;
        announce(&engine).map_err(Failure::System)?;
        told_to_end.await;
        let _ = tokio::time::timeout(ENDING, engine.shutdown()).await;
        Ok(())
    })
}

/// The first lines of standard output, for people and for programs that start the engine.
fn announce(engine: &Running) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "url {}", engine.url)?;
    writeln!(out, "token {}", engine.token.expose_secret())?;
    writeln!(
        out,
        "isolation {}: {}",
        engine.level.word(),
        engine.level.sentence()
    )?;
    out.flush()
}

/// The engine's home when none is named.
pub fn default_data_dir() -> Option<PathBuf> {
    let dirs = directories::ProjectDirs::from("", "", "sandtop")?;
    Some(dirs.data_local_dir().join("engine"))
}

fn told_to_end(lifeline: bool) -> io::Result<impl Future<Output = ()>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
            () = end_of_input(), if lifeline => {}
        }
    })
}

/// Reads on a thread of its own, which may wait for ever: the end of the program does not wait for it.
async fn end_of_input() {
    let (end, ended) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        // An input that cannot be read is as much an end of it.
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        let _ = end.send(());
    });
    let _ = ended.await;
}
