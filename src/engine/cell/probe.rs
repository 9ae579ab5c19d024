//! Which level this machine allows: found by really booting a cell in the data directory, not by version numbers.

use super::{Boot, Cell, Ground, Job, Level};
use std::path::Path;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    pub level: Level,
    /// Why no higher level was taken, in sentences for people; empty at the highest.
    pub why: String,
    /// Whether commands can be kept off the network, or why not.
    pub offline: Result<(), String>,
}

/// Finds the best level that works in `data_dir` with `agent`; `force` takes one without trying others.
pub async fn probe(agent: &Path, data_dir: &Path, force: Option<Level>) -> Probe {
    if let Some(level) = force {
        return Probe {
            level,
            why: "set so".to_owned(),
            // Not tried: where it fails, no command runs that is to be kept off.
            offline: match level {
                Level::Root | Level::Userns => Ok(()),
                Level::Plain => Err(no_network_of_its_own()),
            },
        };
    }
    let mut reasons = Vec::new();
    for level in [Level::Root, Level::Userns] {
        match attempt(agent, data_dir, level).await {
            Ok(offline) => {
                let why = reasons.join("; ");
                return Probe {
                    level,
                    why,
                    offline,
                };
            }
            Err(reason) => reasons.push(format!("{}: {reason}", level.word())),
        }
    }
    Probe {
        level: Level::Plain,
        why: reasons.join("; "),
        offline: Err(no_network_of_its_own()),
    }
}

fn no_network_of_its_own() -> String {
    "level plain has no network of its own".to_owned()
}

/// Whether `level` works; if so, whether commands can be kept off the network at it.
async fn attempt(
    agent: &Path,
    data_dir: &Path,
    level: Level,
) -> Result<Result<(), String>, String> {
    if level == Level::Root && !rustix::process::geteuid().is_root() {
        return Err("the engine does not run as root".to_owned());
    }
    let ground = Ground::new(data_dir, agent, level).map_err(|error| error.to_string())?;
    let session = format!("probe-{}-{}", level.word(), std::process::id());
    let clear = async || ground.discard(&session).await.map_err(|e| e.to_string());
    // One that was killed while it tried may have had the same number: in a container it often has.
    clear().await?;
    let tried = run_in_cell(&ground, &session).await;
    clear().await.and(tried)
}

async fn run_in_cell(ground: &Ground, session: &str) -> Result<Result<(), String>, String> {
    let spec = Boot {
        session,
        hostname: "probe",
        base: Vec::new(),
    };
    let cell = ground
        .boot(&spec)
        .await
        .map_err(|error| error.to_string())?;
    let result = match run_true(&cell, false).await {
        Ok(()) => Ok(run_true(&cell, true).await),
        Err(why) => Err(why),
    };
    cell.end().await;
    result
}

async fn run_true(cell: &Cell, offline: bool) -> Result<(), String> {
    let job = Job {
        program: "true".to_owned(),
        offline,
        ..Job::default()
    };
    match cell.spawn(job).await {
        Ok(process) => match process.exit.await {
            0 => Ok(()),
            code => Err(format!("`true` ended with {code}")),
        },
        Err(error) => Err(error.to_string()),
    }
}
