//! `sandtop stop`, `rm` and `extend`: to one sandbox or to many, after a question, with a line a result.

use super::super::FAILED;
use super::super::args::{ExtendArguments, NamedArguments, RmArguments, StopArguments};
use super::super::backend::choose;
use super::super::clock::Clock;
use super::ask::{ask, can_ask};
use super::drive::{Drive, Driven};
use super::{INTERRUPTED, Trouble, complete, connect, json_line, print, read, trouble};
use crate::api::Client;
use crate::app::report::{Known, Outcome, Snapshots, guard, question};
use crate::logic::{Call, Deed, Reply, Target, World, explain, retry};
use crate::model::request::ListOfSandbox;
use crate::model::{Clean, Failure, SandboxKey, SandboxName, Snapshot, SnapshotStatus};
use futures_util::{StreamExt, stream};
use std::collections::HashSet;
use std::process::ExitCode;

/// Readings at once.
const AT_ONCE: usize = 4;
/// The most snapshots that are counted.
const COUNTED: u8 = 50;

pub fn stop(arguments: &StopArguments) -> ExitCode {
    operate(&arguments.named, Deed::Stop)
}

pub fn rm(arguments: &RmArguments) -> ExitCode {
    let orphans = arguments.delete_orphan_snapshots;
    operate(&arguments.named, Deed::Delete { orphans })
}

pub fn extend(arguments: &ExtendArguments) -> ExitCode {
    operate(&arguments.named, Deed::Extend { by: arguments.by })
}

fn operate(arguments: &NamedArguments, deed: Deed) -> ExitCode {
    complete(&arguments.connection, FAILED, async {
        if !arguments.yes {
            can_ask()?;
        }
        let wanted = choose(&arguments.connection, false).map_err(Trouble::Unusable)?;
        let mut desk = Desk {
            client: connect(&wanted).await?,
            clock: Clock::start(),
            world: World {
                backend: wanted.backend(),
                ..World::default()
            },
        };
        let mut report = Report {
            json: arguments.json,
            all_done: true,
            broken: None,
        };
        let targets = desk.targets(arguments, &deed, &mut report).await?;
        if !arguments.yes && !targets.is_empty() && !desk.agreed(&deed, &targets).await? {
            return Err(trouble("Nothing was done."));
        }
        let drive = Drive {
            client: &desk.client,
            clock: desk.clock,
            world: &mut desk.world,
        };
        let driven = drive
            .through(deed.clone(), targets, |target| {
                report.tell(&Outcome::of(target, &deed));
            })
            .await;
        report.code(&driven)
    })
}

/// What the results are told with, a line each as they come.
struct Report {
    json: bool,
    all_done: bool,
    /// Output that cannot be written stops nothing that was begun.
    broken: Option<Trouble>,
}

impl Report {
    fn tell(&mut self, outcome: &Outcome) {
        self.all_done &= outcome.is_done();
        let line = match self.json {
            true => json_line(outcome).map_err(Trouble::from),
            false => Ok(format!("{}\n", outcome.line())),
        };
        if let Err(broken) = line.and_then(|line| print(&line)) {
            self.broken = Some(broken);
        }
    }

    fn code(self, driven: &Driven) -> Result<ExitCode, Trouble> {
        match (driven, self.broken) {
            (Driven::Interrupted, _) => Ok(ExitCode::from(INTERRUPTED)),
            (Driven::Through, Some(broken)) => Err(broken),
            (Driven::Through, None) if self.all_done => Ok(ExitCode::SUCCESS),
            (Driven::Through, None) => Ok(ExitCode::from(FAILED)),
        }
    }
}

/// What a command works with.
pub(super) struct Desk {
    pub client: Client,
    pub clock: Clock,
    pub world: World,
}

impl Desk {
    /// Reads one sandbox, without resuming it.
    pub async fn look_up(&mut self, name: &SandboxName) -> Result<SandboxKey, Failure> {
        let call = Call::GetSandbox(name.clone());
        let (reply, date) = read(&self.client, call, self.clock).await?;
        retry::succeeded(&mut self.world, date, self.clock.now());
        Ok(self.saw(reply, name))
    }

    fn saw(&mut self, reply: Reply, name: &SandboxName) -> SandboxKey {
        match reply {
            Reply::Sandbox(answer) => {
                let key = answer.sandbox.key();
                self.world.saw_detail(answer, self.clock.now());
                key
            }
            _ => SandboxKey {
                name: name.clone(),
                created_at: None,
            },
        }
    }

    /// Those of the named sandboxes that it can be done to; the others are told at once.
    async fn targets(
        &mut self,
        arguments: &NamedArguments,
        deed: &Deed,
        report: &mut Report,
    ) -> Result<Vec<Target>, Trouble> {
        let mut seen = HashSet::new();
        let names = arguments
            .names
            .iter()
            .map(|name| SandboxName::new(name.as_str()));
        let names: Vec<SandboxName> = names.filter(|name| seen.insert(name.clone())).collect();
        let (client, clock) = (self.client.clone(), self.clock);
        let answers: Vec<_> = stream::iter(names)
            .map(|name| async {
                let answer = read(&client, Call::GetSandbox(name.clone()), clock).await;
                (name, answer)
            })
            .buffered(AT_ONCE)
            .collect()
            .await;
        let mut targets = Vec::new();
        for (name, answer) in answers {
            let found = match answer {
                Ok((reply, date)) => {
                    retry::succeeded(&mut self.world, date, self.clock.now());
                    let key = self.saw(reply, &name);
                    deed.targets(std::slice::from_ref(&key), &self.world)
                }
                Err(failure) => (Vec::new(), vec![explain::in_full(&failure)]),
            };
            targets.extend(found.0);
            for why in found.1 {
                report.tell(&Outcome::refused(&name, deed, &why));
            }
        }
        match report.broken.take() {
            Some(broken) => Err(broken),
            None => Ok(targets),
        }
    }

    /// Asks, with all that the answer may hang on.
    pub async fn agreed(&mut self, deed: &Deed, targets: &[Target]) -> Result<bool, Trouble> {
        let lines = self.question(deed, targets).await?;
        ask(&lines, guard(deed, targets).as_deref())
    }

    async fn question(&mut self, deed: &Deed, targets: &[Target]) -> Result<Vec<Clean>, Trouble> {
        let mut snapshots = std::collections::HashMap::new();
        for target in targets {
            if matches!(deed, Deed::Stop | Deed::Delete { .. }) {
                self.read_commands(target).await;
            }
            if matches!(deed, Deed::Delete { .. })
                && let Some(count) = self.count_snapshots(target).await
            {
                snapshots.insert(target.key.clone(), count);
            }
        }
        let known = Known {
            world: &self.world,
            snapshots,
            service_now: self.world.service_now(self.clock.now()),
        };
        Ok(question(deed, targets, &known))
    }

    /// What cannot be read is asked about as unknown.
    async fn read_commands(&mut self, target: &Target) {
        let Some(session) = &target.session else {
            return;
        };
        let call = Call::ListCommands(session.clone());
        if let Ok((Reply::Commands(page), _)) = read(&self.client, call, self.clock).await {
            let (more, now) = (page.next.is_some(), self.clock.now());
            let known = self.world.commands.entry(session.clone()).or_default();
            known.renew(page.entries, more, now);
        }
    }

    async fn count_snapshots(&self, target: &Target) -> Option<Snapshots> {
        let of = ListOfSandbox {
            name: Some(target.key.name.clone()),
            limit: Some(COUNTED),
            ..ListOfSandbox::default()
        };
        match read(&self.client, Call::ListSnapshots(of), self.clock).await {
            Ok((Reply::Snapshots(page), _)) => {
                let gone = |snapshot: &&Snapshot| snapshot.status == Some(SnapshotStatus::Deleted);
                Some(Snapshots {
                    count: page.entries.iter().filter(|s| !gone(s)).count(),
                    more: page.next.is_some(),
                })
            }
            _ => None,
        }
    }
}
