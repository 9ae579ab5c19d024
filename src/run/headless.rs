//! `sandtop ls`: the list without a screen, for people and for scripts.

use super::args::LsArguments;
use super::backend::{Wanted, choose, complain};
use super::clock::Clock;
use super::complaint::Complaint;
use super::connection::client_of;
use super::effects::once;
use super::{FAILED, UNUSABLE, fail, journal, places};
use crate::api::{Client, ScopeProblem, infer};
use crate::app::report;
use crate::engine::discover;
use crate::logic::{Call, Reply, Tag, World, explain, retry};
use crate::model::request::{ListSandboxes, ListStatus, SortBy};
use crate::model::{Failure, Foreign, Page, Sandbox};
use std::collections::HashSet;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;
use std::time::Duration;

/// The most the service gives at once (api.md §2.1).
const PAGE: u8 = 50;

enum Trouble {
    Unusable(Complaint),
    Failed(Complaint),
}

pub fn ls(arguments: &LsArguments) -> ExitCode {
    let data_dir = places::data_dir(arguments.connection.data_dir.clone()).ok();
    let _journal = data_dir.and_then(|data_dir| journal::start(&data_dir));
    let runtime = match tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            return fail(
                FAILED,
                &Complaint::new(&format!("The system refuses: {error}.")),
            );
        }
    };
    match runtime.block_on(list(arguments)) {
        Ok(text) => print(&text),
        Err(Trouble::Unusable(complaint)) => fail(UNUSABLE, &complaint),
        Err(Trouble::Failed(complaint)) => fail(FAILED, &complaint),
    }
}

/// A reader that has seen enough (`| head`) is no failure.
fn print(text: &str) -> ExitCode {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => fail(
            FAILED,
            &Complaint::new(&format!("The list cannot be written: {error}.")),
        ),
        _ => ExitCode::SUCCESS,
    }
}

async fn list(arguments: &LsArguments) -> Result<String, Trouble> {
    let wanted = choose(&arguments.connection, false).map_err(Trouble::Unusable)?;
    let client = connect(&wanted).await?;
    let clock = Clock::start();
    let mut world = World {
        backend: wanted.backend(),
        ..World::default()
    };
    let mut asked = ListSandboxes {
        limit: Some(PAGE),
        sort_by: Some(SortBy::CreatedAt),
        status: (!arguments.all).then_some(ListStatus::Running),
        ..ListSandboxes::default()
    };
    let mut sandboxes: Vec<Sandbox> = Vec::new();
    let mut seen: HashSet<Foreign> = HashSet::new();
    loop {
        let page = read_page(&client, &asked, &mut world, clock).await?;
        sandboxes.extend(page.entries);
        // A cursor that comes again would never end.
        match page.next {
            Some(next) if seen.insert(next.clone()) => asked.cursor = Some(next),
            _ => break,
        }
    }
    if arguments.json {
        let json = report::json(&sandboxes).map_err(|error| failed(&error.to_string()))?;
        return Ok(harmless(&json) + "\n");
    }
    let lines = report::table(&sandboxes, arguments.all, world.service_now(clock.now()));
    Ok(lines.iter().map(|line| format!("{line}\n")).collect())
}

/// The same JSON, with every character escaped that does something to a terminal: they stand in strings only.
fn harmless(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '\n' => text.push(c),
            c if c.is_control() || is_direction(c) => {
                text.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => text.push(c),
        }
    }
    text
}

fn is_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

async fn connect(wanted: &Wanted) -> Result<Client, Trouble> {
    let remote = match wanted {
        Wanted::Local(data_dir) => {
            let found = discover(data_dir).map_err(|error| {
                failed(&format!(
                    "The data directory {} cannot be used: {error}.",
                    data_dir.display()
                ))
            })?;
            let none = "No local engine is running. Start one with `sandtop serve` or `sandtop`, or give credentials.";
            return client_of(&found.ok_or_else(|| failed(none))?)
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
        Err(ScopeProblem::Missing(missing)) => Err(Trouble::Unusable(complain(&missing))),
        Err(ScopeProblem::Failed(failure)) => Err(told(&failure)),
    }
}

/// Tries again as the dashboard would, but not for ever: a script waits for this.
async fn read_page(
    client: &Client,
    asked: &ListSandboxes,
    world: &mut World,
    clock: Clock,
) -> Result<Page<Sandbox>, Trouble> {
    let call = Call::ListSandboxes(asked.clone());
    for tries in 1.. {
        let answer = once(client, Tag(0), call.clone()).await;
        let failure = match answer.result {
            Ok(Reply::Sandboxes(page)) => {
                retry::succeeded(world, answer.date, clock.now());
                return Ok(page);
            }
            Ok(_) => break,
            Err(failure) => failure,
        };
        let wait = retry::failed(world, &call, &failure, answer.date, clock.now());
        match wait.filter(|_| retry::may_repeat(&call, &failure, tries)) {
            Some(wait) => {
                tokio::time::sleep(Duration::from_millis(u64::try_from(wait.0).unwrap_or(0))).await;
            }
            None => return Err(told(&failure)),
        }
    }
    Err(failed("The service answered something else."))
}

fn told(failure: &Failure) -> Trouble {
    failed(explain::in_full(failure).as_str())
}

fn failed(sentence: &str) -> Trouble {
    Trouble::Failed(Complaint::new(sentence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_says_the_same_and_does_nothing_to_a_terminal() {
        let facts = serde_json::json!({ "name": "a\u{9b}31m\u{7f}\u{202e}é\u{1b}]", "n": 1 });
        let json = harmless(&serde_json::to_string_pretty(&facts).unwrap());
        assert!(
            json.chars()
                .all(|c| c == '\n' || !c.is_control() && !is_direction(c)),
            "{json:?}"
        );
        assert!(json.contains('é'));
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&json).unwrap(),
            facts
        );
    }
}
