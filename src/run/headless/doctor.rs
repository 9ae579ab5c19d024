//! `sandtop doctor`: what is found here, and what is in the way.

use super::super::FAILED;
use super::super::args::{ConnectionArguments, DoctorArguments};
use super::super::backend::{Wanted, choose, look, place};
use super::super::clock::Clock;
use super::super::settings::SettingsFiles;
use super::super::terminal::Terminal;
use super::super::{journal, places};
use super::{Trouble, complete, connect, print, read};
use crate::api::{Found, Scope, Skipped};
use crate::app::report::{Check, Health, checks};
use crate::engine::cell::probe;
use crate::engine::{Discovery, access_log, discover, preload};
use crate::logic::{Call, explain};
use crate::model::Clean;
use crate::model::request::ListSandboxes;
use crate::text::{clean, clean_str, say};
use crate::ui::{Depth, Looks};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What the samples can use, in the order in which they look.
const TOOLS: [&str; 6] = ["python3", "node", "busybox", "cc", "curl", "git"];

pub fn doctor(arguments: &DoctorArguments) -> ExitCode {
    complete(&arguments.connection, FAILED, async {
        let mut found = examine(&arguments.connection).await;
        found.insert(1, settings(arguments.settings.config_dir.clone()));
        let lines = checks(&found);
        print(
            &lines
                .iter()
                .map(|line| format!("{line}\n"))
                .collect::<String>(),
        )?;
        let blocked = found.iter().any(|check| check.health == Health::Blocked);
        Ok(match blocked {
            true => ExitCode::from(FAILED),
            false => ExitCode::SUCCESS,
        })
    })
}

async fn examine(arguments: &ConnectionArguments) -> Vec<Check> {
    let mut found = vec![program()];
    let wanted = choose(arguments, false);
    let local = matches!(wanted, Ok(Wanted::Local(_)));
    found.extend(engine(arguments, local).await);
    found.extend(credentials(&look(arguments).1));
    found.push(service(wanted).await);
    found.extend(terminal());
    found.push(tools());
    found
}

fn fine(about: &'static str, words: Clean) -> Check {
    Check::new(about, Health::Fine, words)
}

fn program() -> Check {
    let words = say(format_args!(
        "{} on {} {}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH
    ));
    fine("sandtop", words)
}

/// What is wrong in the files is left out, and the rest applies: nothing is blocked by it.
fn settings(config_dir: Option<PathBuf>) -> Check {
    let mut files = SettingsFiles::of(places::config_dir(config_dir));
    let Some([config, keys]) = files.paths() else {
        return fine(
            "settings",
            "the defaults: there is no home directory".into(),
        );
    };
    let (config, keys) = (config.display().to_string(), keys.display().to_string());
    let paths = say(format_args!(
        "{} and {}",
        clean_str(&config),
        clean_str(&keys)
    ));
    match files.read().complaints.len() {
        0 => fine("settings", paths),
        count => {
            let words = say(format_args!(
                "{paths}: {count} wrong, `sandtop config check` tells them"
            ));
            Check::new("settings", Health::Lacking, words)
        }
    }
}

/// The local engine's directory, whether one runs there, and how its sandboxes are kept apart.
async fn engine(arguments: &ConnectionArguments, needed: bool) -> Vec<Check> {
    let trouble = if needed {
        Health::Blocked
    } else {
        Health::Lacking
    };
    let data_dir = match places::data_dir(arguments.data_dir.clone()) {
        Ok(data_dir) => data_dir,
        Err(complaint) => {
            return vec![Check::new(
                "data",
                trouble,
                clean_str(&complaint.to_string()),
            )];
        }
    };
    let shown = clean_str(&data_dir.display().to_string());
    let mut found = match discover(&data_dir) {
        Ok(running) => {
            let kind = if data_dir.exists() {
                ""
            } else {
                " (not made yet)"
            };
            vec![
                fine("data", say(format_args!("{shown}{kind}"))),
                fine("log", journal_place(&data_dir)),
                running_engine(running.as_ref()),
                access(&data_dir),
                fine("node", for_node(&data_dir)),
            ]
        }
        Err(error) => {
            let words = say(format_args!("{shown} cannot be used: {error}"));
            return vec![Check::new("data", trouble, words)];
        }
    };
    found.extend(isolation(&data_dir, trouble).await);
    found
}

fn journal_place(data_dir: &Path) -> Clean {
    let path = data_dir.join(journal::FILE);
    let path = clean_str(&path.display().to_string());
    match std::env::var_os(journal::VARIABLE).is_some_and(|value| !value.is_empty()) {
        true => path,
        false => say(format_args!(
            "none: {} is not set; it would be {path}",
            journal::VARIABLE
        )),
    }
}

fn access(data_dir: &Path) -> Check {
    let path = access_log(data_dir);
    let kind = if path.exists() { "" } else { " (not made yet)" };
    let path = clean_str(&path.display().to_string());
    fine("access log", say(format_args!("{path}{kind}")))
}

/// How the official SDK and CLI come here.
fn for_node(data_dir: &Path) -> Clean {
    match (preload(data_dir).exists(), places::for_node(data_dir)) {
        (true, Some(line)) => clean_str(&line),
        _ => "the engine, once it ran, tells the SDK and the CLI where it is".into(),
    }
}

fn running_engine(running: Option<&Discovery>) -> Check {
    let words = match running {
        Some(engine) => say(format_args!(
            "runs at {} as process {}, isolation {}",
            clean_str(&engine.url),
            engine.pid,
            engine.level.word()
        )),
        None => "none runs; the dashboard starts one where it is needed".into(),
    };
    fine("engine", words)
}

/// Tried where it would be used, or beside it while that is not there: nothing is to be left behind.
async fn isolation(data_dir: &Path, trouble: Health) -> Vec<Check> {
    let tried = async {
        let agent = std::env::current_exe()?;
        let scratch = std::env::temp_dir().join(format!("sandtop-doctor-{}", std::process::id()));
        let place = if data_dir.exists() {
            data_dir
        } else {
            scratch.as_path()
        };
        let probe = probe(&agent, place, None).await;
        if place == scratch {
            std::fs::remove_dir_all(&scratch)?;
        }
        Ok::<_, io::Error>(probe)
    };
    match tried.await {
        Ok(probe) => {
            let why = match probe.why.is_empty() {
                true => Clean::default(),
                false => say(format_args!(" (no better one: {})", clean_str(&probe.why))),
            };
            let (word, sentence) = (probe.level.word(), probe.level.sentence());
            let words = say(format_args!("{word}: {sentence}{why}"));
            vec![fine("isolation", words), policies(&probe.offline)]
        }
        Err(error) => {
            let words = say(format_args!("could not be tried: {error}"));
            vec![Check::new("isolation", trouble, words)]
        }
    }
}

/// What the local engine makes true of network policies.
fn policies(offline: &Result<(), String>) -> Check {
    match offline {
        Ok(()) => {
            let words = "deny-all is enforced for what is started under it; other rules are kept and told, \
                         not enforced";
            fine("policies", words.into())
        }
        Err(why) => {
            let why = clean_str(why);
            let words = say(format_args!("kept and told; none is enforced: {why}"));
            Check::new("policies", Health::Lacking, words)
        }
    }
}

/// Names of places only; what is passed over says why.
fn credentials(found: &Found) -> Vec<Check> {
    let at = |what: &str, source| say(format_args!("{what} from {}", clean_str(&place(source))));
    let mut checks = match &found.credentials {
        None => vec![fine("credentials", "none: the local engine is used".into())],
        Some(credentials) => {
            let mut words = vec![at("token", &credentials.token.source)];
            let team = credentials.team.as_ref();
            words.extend(team.map(|team| at("team", &team.source)));
            let project = credentials.project.as_ref();
            words.extend(project.map(|project| at("project", &project.source)));
            words
                .into_iter()
                .map(|words| fine("credentials", words))
                .collect()
        }
    };
    let skipped = found.skipped.iter().map(|Skipped { source, why }| {
        let words = say(format_args!(
            "passed over: {}: {why}",
            clean_str(&place(source))
        ));
        Check::new("credentials", Health::Lacking, words)
    });
    checks.extend(skipped);
    checks
}

/// Whom sandtop would talk to, and whether one page of the list can be read.
async fn service(wanted: Result<Wanted, super::super::complaint::Complaint>) -> Check {
    let blocked = |words: Clean| Check::new("service", Health::Blocked, words);
    let wanted = match wanted {
        Ok(wanted) => wanted,
        Err(complaint) => return blocked(clean_str(&complaint.to_string())),
    };
    if let Wanted::Local(data_dir) = &wanted
        && !matches!(discover(data_dir), Ok(Some(_)))
    {
        return fine("service", "the local engine, once it runs".into());
    }
    let client = match connect(&wanted).await {
        Ok(client) => client,
        Err(Trouble::Unusable(complaint) | Trouble::Failed(complaint)) => {
            return blocked(clean_str(&complaint.to_string()));
        }
    };
    let one = ListSandboxes {
        limit: Some(1),
        ..ListSandboxes::default()
    };
    let name = wanted.backend().name;
    match read(&client, Call::ListSandboxes(one), Clock::start()).await {
        Ok(_) => {
            let scope = scope(client.scope());
            fine("service", say(format_args!("{name} answers{scope}")))
        }
        Err(failure) => {
            let why = explain::in_full(&failure);
            blocked(say(format_args!("{name} cannot be used: {why}")))
        }
    }
}

fn scope(scope: &Scope) -> Clean {
    let team = scope.team.as_ref().map(|team| clean(team.as_foreign()));
    let project = scope
        .project
        .as_ref()
        .map(|project| clean(project.as_foreign()));
    match (team, project) {
        (Some(team), Some(project)) => say(format_args!(", team {team}, project {project}")),
        (Some(team), None) => say(format_args!(", team {team}")),
        (None, Some(project)) => say(format_args!(", project {project}")),
        (None, None) => Clean::default(),
    }
}

fn terminal() -> Vec<Check> {
    let variable = |name: &str| std::env::var(name).ok();
    let term = variable("TERM").unwrap_or_default();
    let looks = Looks::of(variable);
    let depth = match looks.depth {
        Depth::None => "no colours",
        Depth::Sixteen => "16 colours",
        Depth::Indexed => "256 colours",
        Depth::True => "true colour",
    };
    let lines = if looks.ascii {
        "ASCII lines"
    } else {
        "Unicode lines"
    };
    let kind = say(format_args!(
        "{}, {depth}, {lines}, mouse asked for (m gives it back)",
        if term.is_empty() {
            "TERM is not set".into()
        } else {
            clean_str(&term)
        }
    ));
    let place = if io::stdin().is_terminal() && io::stdout().is_terminal() {
        let (columns, rows) = Terminal::size();
        fine(
            "screen",
            say(format_args!("{columns} columns, {rows} rows")),
        )
    } else {
        let words = "no terminal here: the dashboard needs one, the other commands do not";
        Check::new("screen", Health::Lacking, words.into())
    };
    vec![fine("terminal", kind), place]
}

fn tools() -> Check {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let here = |tool: &&str| std::env::split_paths(&path).any(|dir| dir.join(tool).is_file());
    let (found, missing): (Vec<&str>, Vec<&str>) = TOOLS.iter().partition(|tool| here(tool));
    let words = say(format_args!(
        "for the samples: {}; not here: {}",
        found.join(" "),
        missing.join(" ")
    ));
    match found.is_empty() {
        true => Check::new("tools", Health::Lacking, words),
        false => fine("tools", words),
    }
}
