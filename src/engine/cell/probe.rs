//! Which level this machine allows: found by really booting a cell in the data directory, not by version numbers.

use super::{Boot, Ground, Job, Level};
use std::path::Path;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    pub level: Level,
    /// Why no higher level was taken, in sentences for people; empty at the highest.
    pub why: String,
}

/// Finds the best level that works in `data_dir` with `agent`; `force` takes one without trying others.
pub async fn probe(agent: &Path, data_dir: &Path, force: Option<Level>) -> Probe {
    if let Some(level) = force {
        let why = "set so".to_owned();
        return Probe { level, why };
    }
    let mut reasons = Vec::new();
    for level in [Level::Root, Level::Userns] {
        match attempt(agent, data_dir, level).await {
            Ok(()) => {
                let why = reasons.join("; ");
                return Probe { level, why };
            }
            Err(reason) => reasons.push(format!("{}: {reason}", level.word())),
        }
    }
    Probe {
        level: Level::Plain,
        why: reasons.join("; "),
    }
}

async fn attempt(agent: &Path, data_dir: &Path, level: Level) -> Result<(), String> {
    if level == Level::Root && !rustix::process::geteuid().is_root() {
        return Err("the engine does not run as root".to_owned());
    }
    let ground = Ground::new(data_dir, agent, level).map_err(|error| error.to_string())?;
    let session = format!("probe-{}-{}", level.word(), std::process::id());
    let clear = async || ground.discard(&session).await.map_err(|e| e.to_string());
    // One that was killed while it tried may have had the same number: in a container it often has.
    clear().await?;
    let tried = run_true(&ground, &session).await;
    tried.and(clear().await)
}

async fn run_true(ground: &Ground, session: &str) -> Result<(), String> {
    let spec = Boot {
        session,
        hostname: "probe",
        base: Vec::new(),
    };
    let cell = ground
        .boot(&spec)
        .await
        .map_err(|error| error.to_string())?;
    let job = Job {
        program: "true".to_owned(),
        ..Job::default()
    };
    let result = match cell.spawn(job).await {
        Ok(process) => match process.exit.await {
            0 => Ok(()),
            code => Err(format!("`true` ended with {code}")),
        },
        Err(error) => Err(error.to_string()),
    };
    cell.end().await;
    result
}
