//! `sandtop serve`: the local engine for other programs, until it is told to end.

use super::args::time;
use super::complaint::Complaint;
use super::engine_start::{FAREWELL, IDLE_AFTER};
use super::{FAILED, UNUSABLE, fail, journal, places};
use crate::engine::cell::Level;
use crate::engine::{
    Clock, FaultRule, Options, Plan, Running, ServeError, access_log, serve as start,
};
use crate::model::Span;
use secrecy::{ExposeSecret, SecretString};
use std::fs::File;
use std::future::pending;
use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinSet;

/// Sessions are ended in order, but not for ever: what hangs in the kernel must not hold the program.
const ENDING: Duration = Duration::from_secs(60);

pub const HELP: &str = "\
The line that begins with `node` is for a shell, without that word: from then on the official SDK and CLI, started
there, use this engine, whatever account they have.

Each request is a line of JSON in access.log in the data directory: method, path, status, bytes, time, client; no
token, no body.

A file for --import has a line of JSON for each record: {\"sandbox\": {…}}, {\"session\": {…}} or {\"snapshot\": {…}},
with the fields of the service's answers. A sandbox needs a name; a session or a snapshot its sourceSandboxName; what
else is not said follows, or is a default. Times are -3h, +10m, 2026-01-31T12:00:00Z or ms since 1970. projectId puts
a record into a project; ports lists a sandbox's ports. Imported records have no process and no files: a command for
one that runs is answered as for one that has ended, and its time limit ends it.

A rule of --fault is a method (or *), a path and what goes wrong. In a path * is one part, ** any number of them.
  status=503     refuse, and do nothing; with code=WORD, message=\"WORDS\", retry-after=SECONDS
  cut=BYTES      do it, and close the connection after so many bytes of the answer; cut alone: after its head
  stall=BYTES    do it, and send nothing more after so many
  garbage=BYTES  do it, and send wrong bytes after so many
  delay=TIME     wait first: 300ms, 2s; alone or with one of the others
  chance=0.5     not always     count=3  at most so many times     skip=1  not the first so many
The first rule that is for a request and strikes counts.

Examples:
  sandtop serve --fault 'GET /v2/sandboxes status=429 retry-after=5 count=3'
  sandtop serve --fault 'GET /**/logs cut=4096 chance=0.5' --fault-seed 7
  sandtop serve --fault '* /** delay=300ms'";

/// Runs a local engine that speaks the service's API, for the official SDK and CLI and for other dashboards.
#[derive(Debug, clap::Args)]
pub struct ServeArguments {
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
    /// Begin with the records of this file besides those that are there, all of them or none
    #[arg(long, value_name = "FILE")]
    import: Option<PathBuf>,
    /// Grant what a plan of the service grants: hobby, pro or enterprise (time limits, vCPUs, how many run at once)
    #[arg(long, default_value = "enterprise")]
    plan: Plan,
    /// Refuse more requests than this in a minute, with status 429 and Retry-After [default: none is refused]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rate_limit: Option<u32>,
    /// Write a line for each request to standard error too, as it is answered
    #[arg(long)]
    log_requests: bool,
    /// Let something go wrong, for tests and drills; may be given several times
    #[arg(long = "fault", value_name = "RULE")]
    faults: Vec<FaultRule>,
    /// What chance is drawn from, to repeat a drill [default: a new one, which is told]
    #[arg(long, value_name = "NUMBER", requires = "faults")]
    fault_seed: Option<u64>,
    /// End after this time (30m, 1h) with nothing running and no request [default: never; for an engine that a
    /// dashboard has started and left serving as its settings say]
    #[arg(long, env = IDLE_AFTER, value_name = "TIME", value_parser = time)]
    idle_after: Option<Span>,
    /// End when standard input does: for the program that started this
    #[arg(long, hide = true)]
    lifeline: bool,
}

/// Serves until SIGINT, SIGTERM or SIGHUP; then all sessions are stopped, which keeps persistent files.
pub fn serve(args: ServeArguments) -> ExitCode {
    match run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Unusable(complaint)) => fail(UNUSABLE, &complaint),
        Err(Failure::System(error)) => fail(FAILED, &Complaint::new(&error.to_string())),
        Err(Failure::Engine(error)) => fail(FAILED, &Complaint::new(&error.to_string())),
    }
}

enum Failure {
    /// The system lacks something the program stands on.
    System(io::Error),
    Unusable(Complaint),
    Engine(ServeError),
}

fn run(args: ServeArguments) -> Result<(), Failure> {
    let data_dir = places::data_dir(args.data_dir).map_err(Failure::Unusable)?;
    let _journal = journal::start(&data_dir);
    let fault_seed = args.fault_seed.unwrap_or_else(|| fastrand::u32(..).into());
    let about = About::of(&data_dir, &args.faults, fault_seed);
    let options = Options {
        listen: args.listen,
        token: args.token,
        data_dir,
        agent: std::env::current_exe().map_err(Failure::System)?,
        level: args.isolation,
        import: args.import,
        plan: args.plan,
        rate_limit: args.rate_limit,
        log_requests: args.log_requests,
        faults: args.faults,
        fault_seed,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Failure::System)?;
    if args.lifeline {
        // The terminal of the program that started this is none of ours. Fails only where that is so already.
        let _ = rustix::process::setsid();
    }
    runtime.block_on(async {
        // Before the first cell: a signal that comes during the start must not leave processes behind.
        let told_to_end = told_to_end().map_err(Failure::System)?;
        let engine = start(options, Clock::System)
            .await
            .map_err(Failure::Engine)?;
        announce(&engine, &about).map_err(Failure::System)?;
        tokio::select! {
            () = told_to_end => {}
            () = no_longer_needed(args.lifeline, args.idle_after, &engine) => {}
        }
        let _ = tokio::time::timeout(ENDING, engine.shutdown()).await;
        Ok(())
    })
}

/// What is told of an engine beside its place and token.
struct About(String);

impl About {
    fn of(data_dir: &Path, faults: &[FaultRule], seed: u64) -> Self {
        let mut lines = format!("access-log {}\n", access_log(data_dir).display());
        if let Some(line) = places::for_node(data_dir) {
            lines.push_str(&format!("node {line}\n"));
        }
        for rule in faults {
            lines.push_str(&format!("fault {rule}\n"));
        }
        if !faults.is_empty() {
            lines.push_str(&format!("fault-seed {seed}\n"));
        }
        Self(lines)
    }
}

/// The first lines of standard output, for people and for programs that start the engine. Written at once: who reads
/// one line may close the pipe.
fn announce(engine: &Running, about: &About) -> io::Result<()> {
    let (url, token) = (&engine.url, engine.token.expose_secret());
    let (word, sentence) = (engine.level.word(), engine.level.sentence());
    let About(rest) = about;
    let lines = format!("url {url}\ntoken {token}\nisolation {word}: {sentence}\n{rest}");
    let mut out = io::stdout().lock();
    out.write_all(lines.as_bytes())?;
    out.flush()
}

/// SIGINT, SIGTERM or SIGHUP. What `nohup` had ignored stays so.
fn told_to_end() -> io::Result<impl Future<Output = ()>> {
    let ignored = ignored_signals();
    let mut ends = JoinSet::new();
    for kind in [
        SignalKind::interrupt(),
        SignalKind::terminate(),
        SignalKind::hangup(),
    ] {
        if ignored & (1 << (kind.as_raw_value() - 1)) == 0 {
            let mut arrived = signal(kind)?;
            ends.spawn(async move {
                arrived.recv().await;
            });
        }
    }
    Ok(async move {
        if ends.join_next().await.is_none() {
            pending::<()>().await;
        }
    })
}

/// As a mask, bit 0 for signal 1. Where the system does not tell, none is.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}

/// When whoever started this has gone without a farewell. An engine that stands alone ends when it has been idle for
/// the time that was asked for.
async fn no_longer_needed(lifeline: bool, idle_after: Option<Span>, engine: &Running) {
    if lifeline && !left_serving().await {
        return;
    }
    match idle_after.and_then(|after| u64::try_from(after.0).ok()) {
        Some(after) => engine.idle(Duration::from_millis(after)).await,
        None => pending().await,
    }
}

/// Waits for the end of the program that holds our input; whether this engine is to outlive it. Reads on a thread of
/// its own, which may wait for ever: the end of this program does not wait for it.
async fn left_serving() -> bool {
    let (end, ended) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let mut words = Vec::new();
        // An input that cannot be read is as much an end of it.
        let _ = io::stdin().lock().read_to_end(&mut words);
        let _ = end.send(words == FAREWELL);
    });
    let left = ended.await.unwrap_or(false);
    if left && let Ok(nowhere) = File::options().read(true).write(true).open("/dev/null") {
        // Nobody holds the other ends any more.
        let _ = rustix::stdio::dup2_stdin(&nowhere);
        let _ = rustix::stdio::dup2_stdout(&nowhere);
        let _ = rustix::stdio::dup2_stderr(&nowhere);
    }
    left
}
