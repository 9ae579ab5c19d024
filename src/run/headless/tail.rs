//! `sandtop tail`: what commands print, merged, from their first line on. Nothing is resumed for it.

use super::super::args::TailArguments;
use super::super::backend::choose;
use super::super::clock::Clock;
use super::super::complaint::Complaint;
use super::super::places;
use super::super::settings::SettingsFiles;
use super::operate::Desk;
use super::printer::{Printer, Sieve, Style};
use super::readings::Readings;
use super::unread::{UNREAD, unread};
use super::{INTERRUPTED, LOST, Trouble, complain, complete, connect, exit_code, read};
use crate::api::Client;
use crate::app::report::{Order, Telling};
use crate::logic::agents::call_of;
use crate::logic::{Call, Follow, Reply, TailState, World, explain};
use crate::model::{
    Clean, Command, CommandId, CommandKey, Failure, Foreign, SandboxAnswer, SandboxName, SessionId,
    Status,
};
use crate::text::{clean, clean_str, say};
use crate::ui::{Depth, Looks};
use futures_util::{StreamExt, stream};
use std::collections::HashSet;
use std::process::ExitCode;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

/// Sandboxes that are looked at, at once.
const AT_ONCE: usize = 4;
/// Between two looks: for commands that begin, and for ends that a dead connection does not tell.
const BEAT: Duration = Duration::from_secs(5);
const SLOW_BEAT: Duration = Duration::from_secs(30);
/// One of several commands did not end with 0.
const NOT_ALL: u8 = 1;

pub fn tail(arguments: &TailArguments) -> ExitCode {
    complete(&arguments.connection, LOST, async {
        if arguments.cmd.is_some() && arguments.names.len() > 1 {
            let sentence = "--cmd is a command of one sandbox: name only that one.";
            return Err(Trouble::Unusable(Complaint::new(sentence)));
        }
        if arguments.agent && arguments.names.len() > 1 {
            let sentence = "--agent reads the run of one sandbox: name only that one.";
            return Err(Trouble::Unusable(Complaint::new(sentence)));
        }
        let sieve = Sieve::new(&arguments.include, &arguments.exclude)?;
        let wanted = choose(&arguments.connection, false).map_err(Trouble::Unusable)?;
        let (client, clock) = (connect(&wanted).await?, Clock::start());
        let directory = places::config_dir(arguments.settings.config_dir.clone());
        let settings = SettingsFiles::of(directory).read().settings;
        let looks = Looks::of(|name| std::env::var(name).ok());
        let colour = !arguments.no_color && looks.depth != Depth::None;
        let style = Style::of(arguments.json, colour);
        let several = arguments.all || arguments.names.len() > 1;
        let mut printer = Printer::new(style, sieve, several);
        if arguments.agent {
            printer = printer.telling(Telling::new(None, arguments.json, Order::Ended));
        }
        let tailing = Tailing {
            readings: Readings::new(&client, clock),
            desk: Desk {
                client,
                clock,
                world: World::default(),
            },
            printer,
            sandboxes: Vec::new(),
            said: Vec::new(),
            looks: JoinSet::new(),
            choice: match &arguments.cmd {
                Some(id) => Choice::Only(CommandId::new(id.as_str())),
                None if arguments.all => Choice::All,
                None => Choice::Newest,
            },
            several,
            most: settings.logs.streams,
            told_most: false,
            lost: false,
        };
        Ok(tailing.through(&arguments.names).await)
    })
}

/// Which commands of a sandbox.
enum Choice {
    Only(CommandId),
    Newest,
    All,
}

struct Tailing {
    desk: Desk,
    readings: Readings,
    printer: Printer,
    sandboxes: Vec<Watched>,
    /// What was last said of each log.
    said: Vec<TailState>,
    looks: JoinSet<(usize, Look)>,
    choice: Choice,
    several: bool,
    /// Logs that are open at once.
    most: usize,
    told_most: bool,
    /// Something that was asked for could not be read.
    lost: bool,
}

struct Watched {
    name: SandboxName,
    /// It does not run: no more commands come.
    over: bool,
}

/// A sandbox as it was found, and its commands where it has a session that may tell them.
type Look = (Result<Reply, Failure>, Option<Result<Reply, Failure>>);

async fn look(client: Client, clock: Clock, name: SandboxName) -> Look {
    let ask = async |call| read(&client, call, clock).await.map(|(reply, _)| reply);
    let sandbox = ask(Call::GetSandbox(name)).await;
    let commands = match &sandbox {
        Ok(Reply::Sandbox(answer)) => match session(answer) {
            Some(session) => Some(ask(Call::ListCommands(session)).await),
            None => None,
        },
        _ => None,
    };
    (sandbox, commands)
}

/// The one that runs.
fn session(answer: &SandboxAnswer) -> Option<SessionId> {
    let status = answer.sandbox.status.as_ref();
    let runs = !status.is_some_and(Status::is_final);
    let session = answer.sandbox.current_session_id.clone();
    session.filter(|_| runs)
}

impl Tailing {
    async fn through(mut self, names: &[String]) -> ExitCode {
        self.begin(names).await;
        let period = match self.choice {
            Choice::All => BEAT,
            _ => SLOW_BEAT,
        };
        let mut beat = interval_at(Instant::now() + period, period);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (interrupt, unread) = (tokio::signal::ctrl_c(), unread());
        tokio::pin!(interrupt, unread);
        loop {
            let waiting = self.readings.settle(&self.desk.world, self.most);
            self.say_waiting(waiting);
            self.say_states();
            if !self.printer.flush() {
                return ExitCode::from(UNREAD);
            }
            if self.is_over() {
                break;
            }
            let printer = &mut self.printer;
            tokio::select! {
                happened = self.readings.wait() => {
                    self.readings.take(happened, |number, heard| printer.hear(number, heard));
                }
                Some(Ok((index, look))) = self.looks.join_next() => self.looked(index, look, false),
                _ = beat.tick() => self.look(),
                _ = &mut interrupt => {
                    self.printer.close();
                    return ExitCode::from(INTERRUPTED);
                }
                () = &mut unread => return ExitCode::from(UNREAD),
            }
        }
        match self.printer.close() {
            true => self.code(),
            false => ExitCode::from(UNREAD),
        }
    }

    /// Looks at all sandboxes, each once however often it is named.
    async fn begin(&mut self, names: &[String]) {
        let mut seen = HashSet::new();
        let names = names.iter().map(|name| SandboxName::new(name.as_str()));
        let names: Vec<SandboxName> = names.filter(|name| seen.insert(name.clone())).collect();
        let (client, clock) = (&self.desk.client, self.desk.clock);
        let looks: Vec<Look> = stream::iter(names.clone())
            .map(|name| look(client.clone(), clock, name))
            .buffered(AT_ONCE)
            .collect()
            .await;
        for (index, (name, look)) in names.into_iter().zip(looks).enumerate() {
            self.sandboxes.push(Watched { name, over: false });
            self.looked(index, look, true);
        }
    }

    /// Looks again, unless the last look is not over yet.
    fn look(&mut self) {
        if !self.looks.is_empty() {
            return;
        }
        for (index, watched) in self.sandboxes.iter().enumerate() {
            let look = look(
                self.desk.client.clone(),
                self.desk.clock,
                watched.name.clone(),
            );
            self.looks.spawn(async move { (index, look.await) });
        }
    }

    fn looked(&mut self, index: usize, (sandbox, commands): Look, first: bool) {
        let answer = match sandbox {
            Ok(Reply::Sandbox(answer)) => answer,
            Ok(_) => return,
            Err(failure) => {
                self.sandboxes[index].over |= first || failure.status() == Some(404);
                return self.lose(index, first, &explain::in_full(&failure));
            }
        };
        let (session, status) = (session(&answer), answer.sandbox.status.clone());
        self.sandboxes[index].over = session.is_none();
        let now = self.desk.clock.now();
        self.desk.world.saw_detail(answer, now);
        match (session, commands) {
            (Some(session), Some(Ok(Reply::Commands(page)))) => {
                self.desk.world.told_commands(&session, &page, now);
                self.choose(index, &session, &page.entries, first);
            }
            (_, Some(Err(failure))) => self.lose(index, first, &explain::in_full(&failure)),
            (_, _) => {
                let status = status.map_or(Clean::from("not running"), |status| {
                    clean_str(status.word())
                });
                let why = say(format_args!(
                    "it is {status}: its logs went with its session, and nothing is resumed for looking"
                ));
                self.lose(index, first, &why);
            }
        }
    }

    /// What was asked for and is not there; later on the logs tell that themselves.
    fn lose(&mut self, index: usize, first: bool, why: &Clean) {
        if first {
            self.lost = true;
            complain(&format!(
                "{}: {why}",
                clean(self.sandboxes[index].name.as_foreign())
            ));
        }
    }

    fn choose(&mut self, index: usize, session: &SessionId, commands: &[Command], first: bool) {
        let chosen: Vec<&Command> = match &self.choice {
            Choice::All => {
                let known = |command: &&Command| {
                    let key = command.key(session);
                    let mut logs = self.readings.logs().iter();
                    logs.any(|log| log.stream.command == key)
                };
                commands.iter().rev().filter(|one| !known(one)).collect()
            }
            _ if !first => return,
            Choice::Only(id) => commands.iter().filter(|one| one.id == *id).collect(),
            Choice::Newest => {
                let running = commands.iter().find(|one| one.is_running());
                running.or(commands.first()).into_iter().collect()
            }
        };
        if chosen.is_empty() && !matches!(self.choice, Choice::All) {
            let why = match &self.choice {
                Choice::Only(id) => {
                    say(format_args!("it has no command {}", clean(id.as_foreign())))
                }
                _ => Clean::from("it has run no command yet"),
            };
            return self.lose(index, first, &why);
        }
        for command in chosen {
            self.add(index, command, command.key(session));
        }
    }

    fn add(&mut self, index: usize, command: &Command, key: CommandKey) {
        let name = self.sandboxes[index].name.clone();
        let label = match &self.choice {
            Choice::All => self.label(&name, command),
            _ => clean(name.as_foreign()),
        };
        self.printer.add(name, key.command.clone(), label);
        if call_of(command).is_some() {
            self.printer.is_named();
        }
        self.said.push(TailState::Closed);
        self.readings.add(key);
    }

    /// `web/npm`, `web/npm#2` …
    fn label(&self, sandbox: &SandboxName, command: &Command) -> Clean {
        let program = command.name.as_ref().map_or("?", Foreign::as_raw);
        let program = program.rsplit('/').next().unwrap_or(program);
        let label = say(format_args!("{}/{program}", clean(sandbox.as_foreign())));
        let numbered = (2..).map(|n| say(format_args!("{label}#{n}")));
        let mut labels = std::iter::once(label.clone()).chain(numbered);
        let free = labels.find(|label| !self.printer.has_label(label));
        free.unwrap_or(label)
    }

    fn say_waiting(&mut self, waiting: usize) {
        if waiting > 0 && !std::mem::replace(&mut self.told_most, true) {
            complain(&format!(
                "only {} logs are read at once (`logs.streams` in config.toml); {waiting} more wait until one ends",
                self.most
            ));
        }
    }

    /// Tells on standard error what became of the streams.
    fn say_states(&mut self) {
        let now = self.desk.clock.now().mono;
        for (number, (log, said)) in self.readings.logs().iter().zip(&mut self.said).enumerate() {
            if log.state == *said {
                continue;
            }
            said.clone_from(&log.state);
            if log.is_over() {
                let exit = match log.state {
                    TailState::Ended { exit } => Some(exit),
                    _ => None,
                };
                self.printer.ended(number, exit);
            }
            let sentence = match &log.state {
                TailState::Retrying { at, why, .. } => {
                    let seconds = (at.since(now).0 + 999) / 1000;
                    say(format_args!("{why}; trying again in {seconds} s"))
                }
                TailState::GaveUp { why } | TailState::Unavailable { why } => {
                    self.lost = true;
                    why.clone()
                }
                TailState::Ended { exit } if self.several => {
                    say(format_args!("ended, exit {exit}"))
                }
                _ => continue,
            };
            complain(&format!("{}: {sentence}", self.printer.label(number)));
        }
    }

    fn is_over(&self) -> bool {
        let more = matches!(self.choice, Choice::All)
            && self.sandboxes.iter().any(|watched| !watched.over);
        !more && self.readings.logs().iter().all(Follow::is_over)
    }

    fn code(&self) -> ExitCode {
        let exits = self.readings.logs().iter().map(|log| match log.state {
            TailState::Ended { exit } => Some(exit),
            _ => None,
        });
        let exits: Option<Vec<i64>> = exits.collect();
        match exits.as_deref().filter(|_| !self.lost) {
            None => ExitCode::from(LOST),
            Some([exit]) if !self.several => exit_code(*exit),
            Some(exits) if exits.iter().all(|exit| *exit == 0) => ExitCode::SUCCESS,
            Some(_) => ExitCode::from(NOT_ALL),
        }
    }
}
