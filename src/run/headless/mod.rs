//! The commands without a screen, for people and for scripts. What they print is made in `app::report`.

mod ask;
mod doctor;
mod drive;
mod ls;
mod operate;
mod output;
mod play;
mod printer;
mod read_run;
mod readings;
mod run_command;
mod session;
mod shell;
mod tail;
mod unread;

pub use doctor::doctor;
pub use ls::ls;
pub use operate::{extend, rm, stop};
pub use play::{PlayArguments, play};
pub use read_run::read_run;
pub use run_command::run;
pub use shell::{ShellArguments, shell};
pub use tail::tail;

use super::args::ConnectionArguments;
use super::backend::{self, Wanted};
use super::clock::Clock;
use super::complaint::Complaint;
use super::connection::client_of;
use super::effects::once;
use super::{UNUSABLE, fail, journal, places, write_out};
use crate::api::{Client, ScopeProblem, infer};
use crate::app::report::harmless;
use crate::engine::discover;
use crate::logic::{Call, Reply, Tag, World, explain, retry};
use crate::model::{Failure, Timestamp};
use serde::Serialize;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

/// Ctrl-C, as a shell reports it.
const INTERRUPTED: u8 = 130;

/// Not run, or its end was not seen: as `docker run` and `timeout` have it.
const LOST: u8 = 125;

/// Why a command came to nothing.
enum Trouble {
    Unusable(Complaint),
    Failed(Complaint),
}

impl From<serde_json::Error> for Trouble {
    fn from(error: serde_json::Error) -> Self {
        trouble(&format!("The result cannot be written as JSON: {error}."))
    }
}

/// Runs a command to its end. `failed` is the exit code of what could not be done.
fn complete(
    connection: &ConnectionArguments,
    failed: u8,
    work: impl Future<Output = Result<ExitCode, Trouble>>,
) -> ExitCode {
    let data_dir = places::data_dir(connection.data_dir.clone()).ok();
    let _journal = data_dir.and_then(|data_dir| journal::start(&data_dir));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let ended = match runtime {
        Ok(runtime) => runtime.block_on(work),
        Err(error) => Err(trouble(&format!("The system refuses: {error}."))),
    };
    match ended {
        Ok(code) => code,
        Err(Trouble::Unusable(complaint)) => fail(UNUSABLE, &complaint),
        Err(Trouble::Failed(complaint)) => fail(failed, &complaint),
    }
}

/// Writes to standard output.
fn print(text: &str) -> Result<(), Trouble> {
    write_out(text).map_err(|error| trouble(&format!("The output cannot be written: {error}.")))
}

/// One line of JSON for scripts.
fn json_line(value: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(harmless(&serde_json::to_string(value)?) + "\n")
}

/// The client to ask: no engine is started for it.
async fn connect(wanted: &Wanted) -> Result<Client, Trouble> {
    let remote = match wanted {
        Wanted::Local(data_dir) => {
            let found = discover(data_dir).map_err(|error| {
                trouble(&format!(
                    "The data directory {} cannot be used: {error}.",
                    data_dir.display()
                ))
            })?;
            let none = "No local engine is running. Start one with `sandtop serve` or `sandtop`, or give credentials.";
            return client_of(&found.ok_or_else(|| trouble(none))?)
                .map_err(|failure| told(&failure));
        }
        Wanted::Remote(remote) => remote,
    };
    let client = Client::new(remote.options()).map_err(|failure| told(&failure))?;
    if !remote.infers_scope() {
        return Ok(client);
    }
    match infer(&client).await {
        Ok(scope) => Ok(client.with_scope(scope)),
        Err(ScopeProblem::Missing(missing)) => Err(Trouble::Unusable(backend::complain(&missing))),
        Err(ScopeProblem::Failed(failure)) => Err(told(&failure)),
    }
}

/// Tries again as the dashboard would, but not for ever: a script waits for this. Also the service's clock.
async fn read(
    client: &Client,
    call: Call,
    clock: Clock,
) -> Result<(Reply, Option<Timestamp>), Failure> {
    let mut link = World::default();
    let mut tries = 0;
    loop {
        tries += 1;
        let answer = once(client, Tag(0), call.clone()).await;
        let failure = match answer.result {
            Ok(reply) => return Ok((reply, answer.date)),
            Err(failure) => failure,
        };
        let wait = retry::failed(&mut link, &call, &failure, answer.date, clock.now());
        match wait.filter(|_| retry::may_repeat(&call, &failure, tries)) {
            Some(wait) => {
                tokio::time::sleep(Duration::from_millis(u64::try_from(wait.0).unwrap_or(0))).await;
            }
            None => return Err(failure),
        }
    }
}

/// A sentence on standard error; nobody may be there to read it.
fn complain(sentence: &str) {
    let _ = writeln!(io::stderr(), "sandtop: {}", Complaint::new(sentence));
}

/// A command's exit code as ours.
fn exit_code(code: i64) -> ExitCode {
    ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX))
}

fn told(failure: &Failure) -> Trouble {
    trouble(explain::in_full(failure).as_str())
}

fn trouble(sentence: &str) -> Trouble {
    Trouble::Failed(Complaint::new(sentence))
}

fn something_else() -> Trouble {
    trouble("The service answered something else.")
}
