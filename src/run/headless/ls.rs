//! `sandtop ls`: the list without a screen.

use super::super::FAILED;
use super::super::args::LsArguments;
use super::super::backend::choose;
use super::super::clock::Clock;
use super::{Trouble, complete, connect, print, read, something_else, told};
use crate::app::report;
use crate::logic::{Call, Reply, World, retry};
use crate::model::request::{ListSandboxes, ListStatus, SortBy};
use crate::model::{Foreign, Sandbox};
use std::collections::HashSet;
use std::process::ExitCode;

/// The most the service gives at once (api.md §2.1).
const PAGE: u8 = 50;

pub fn ls(arguments: &LsArguments) -> ExitCode {
    complete(&arguments.connection, FAILED, async {
        print(&list(arguments).await?)?;
        Ok(ExitCode::SUCCESS)
    })
}

async fn list(arguments: &LsArguments) -> Result<String, Trouble> {
    let wanted = choose(&arguments.connection, false).map_err(Trouble::Unusable)?;
    let client = connect(&wanted).await?;
    let clock = Clock::start();
    let mut world = World::default();
    let mut asked = ListSandboxes {
        limit: Some(PAGE),
        sort_by: Some(SortBy::CreatedAt),
        status: (!arguments.all).then_some(ListStatus::Running),
        ..ListSandboxes::default()
    };
    let mut sandboxes: Vec<Sandbox> = Vec::new();
    let mut seen: HashSet<Foreign> = HashSet::new();
    loop {
        let call = Call::ListSandboxes(asked.clone());
        let answer = read(&client, call, clock).await.map_err(|why| told(&why))?;
        let (Reply::Sandboxes(page), date) = answer else {
            return Err(something_else());
        };
        retry::succeeded(&mut world, date, clock.now());
        sandboxes.extend(page.entries);
        // A cursor that comes again would never end.
        match page.next {
            Some(next) if seen.insert(next.clone()) => asked.cursor = Some(next),
            _ => break,
        }
    }
    if arguments.json {
        let json = report::json(&sandboxes)?;
        return Ok(report::harmless(&json) + "\n");
    }
    let lines = report::table(&sandboxes, arguments.all, world.service_now(clock.now()));
    Ok(lines.iter().map(|line| format!("{line}\n")).collect())
}
