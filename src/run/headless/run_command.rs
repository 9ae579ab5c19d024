//! `sandtop run`: a command in a sandbox, its output here, its exit code ours.

use super::super::args::RunArguments;
use super::super::backend::choose;
use super::super::clock::Clock;
use super::operate::Desk;
use super::output::Output;
use super::readings::Readings;
use super::session::{Boot, session};
use super::unread::UNREAD;
use super::{
    INTERRUPTED, LOST, Trouble, complain, complete, connect, exit_code, json_line, print, told,
    trouble,
};
use crate::api::{Client, LogStream};
use crate::logic::{Follow, TailState, World, explain};
use crate::model::request::{Env, RunCommand};
use crate::model::{Clean, CommandKey, LogObject, SessionId};
use crate::text::{clean, clean_str};
use secrecy::ExposeSecret;
use std::process::ExitCode;

pub fn run(arguments: &RunArguments) -> ExitCode {
    complete(&arguments.connection, LOST, async {
        let wanted = choose(&arguments.connection, false).map_err(Trouble::Unusable)?;
        let desk = Desk {
            client: connect(&wanted).await?,
            clock: Clock::start(),
            world: World {
                backend: wanted.backend(),
                ..World::default()
            },
        };
        in_sandbox(arguments, desk).await
    })
}

async fn in_sandbox(arguments: &RunArguments, mut desk: Desk) -> Result<ExitCode, Trouble> {
    let boot = match arguments.yes {
        true => Boot::Agreed,
        false => Boot::Ask,
    };
    let session = session(&arguments.name, boot, &mut desk).await?;
    let mut words = arguments.command.iter().cloned();
    let variables = arguments.env.iter();
    let variables = variables.map(|(key, value)| (key.clone(), value.expose_secret().to_owned()));
    let wanted = RunCommand {
        command: words.next().unwrap_or_default(),
        args: words.collect(),
        cwd: arguments.cwd.clone(),
        env: Env(variables.collect()),
        sudo: arguments.sudo,
        timeout: arguments.timeout.map(|timeout| timeout.0),
        ..RunCommand::default()
    };
    if arguments.detach {
        let started = desk.client.run_command(&session, &wanted).await;
        let command = started.map_err(|why| told(&why))?.value;
        print(&match arguments.json {
            true => json_line(&serde_json::json!({
                "name": arguments.name, "session": session, "command": command.id,
            }))?,
            false => format!("{}\n", clean(command.id.as_foreign())),
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut running = Running {
        readings: Readings::new(&desk.client, desk.clock),
        command: None,
        output: Output::new(arguments.json),
    };
    let ended = tokio::select! {
        ended = running.until_its_end(&desk, &session, &wanted) => Some(ended),
        _ = tokio::signal::ctrl_c() => None,
    };
    running.report(ended, &arguments.name)
}

/// One command that is watched until it ends, over as many connections as that takes.
struct Running {
    readings: Readings,
    /// As its stream told it.
    command: Option<CommandKey>,
    output: Output,
}

/// How the watching ended.
enum Ended {
    Exit(i64),
    /// The command may run on.
    Lost(Clean),
    Unread,
}

impl Running {
    async fn until_its_end(
        &mut self,
        desk: &Desk,
        session: &SessionId,
        wanted: &RunCommand,
    ) -> Ended {
        let (command, first, stream) = match begin(&desk.client, session, wanted).await {
            Ok(begun) => begun,
            Err(why) => return Ended::Lost(why),
        };
        self.command = Some(command.clone());
        self.readings.adopt(command, first, stream);
        loop {
            self.readings.settle(&desk.world, 1);
            match self.readings.logs().first().map(|log| &log.state) {
                Some(TailState::Ended { exit }) => return Ended::Exit(*exit),
                Some(TailState::GaveUp { why } | TailState::Unavailable { why }) => {
                    return Ended::Lost(why.clone());
                }
                _ => {}
            }
            let happened = self.readings.wait().await;
            let output = &mut self.output;
            self.readings.take(happened, |_, heard| output.hear(heard));
            if output.is_unread() {
                return Ended::Unread;
            }
        }
    }

    /// `None`: a Ctrl-C.
    fn report(&mut self, ended: Option<Ended>, name: &str) -> Result<ExitCode, Trouble> {
        match (&ended, &self.command) {
            (Some(Ended::Exit(code)), Some(command)) => self.output.end(&command.command, *code),
            _ => self.output.flush(),
        }
        match ended {
            _ if self.output.is_unread() => Ok(ExitCode::from(UNREAD)),
            Some(Ended::Exit(code)) => Ok(exit_code(code)),
            Some(Ended::Lost(why)) => Err(trouble(&format!("{why}{}", self.whereabouts(name)))),
            Some(Ended::Unread) => Ok(ExitCode::from(UNREAD)),
            None => {
                complain(&format!("interrupted{}", self.whereabouts(name)));
                Ok(ExitCode::from(INTERRUPTED))
            }
        }
    }

    /// Where a command goes on that nobody watches any more.
    fn whereabouts(&self, name: &str) -> String {
        let exit = self.readings.logs().first().and_then(Follow::exit);
        match &self.command {
            Some(command) if exit.is_none() => format!(
                "; the command runs on in {} as {} (session {})",
                clean_str(name),
                clean(command.command.as_foreign()),
                clean(command.session.as_foreign())
            ),
            Some(_) => String::new(),
            None => "; whether the command was started is not known".to_owned(),
        }
    }
}

/// Starts it: its identity comes with the first piece of its stream.
async fn begin(
    client: &Client,
    session: &SessionId,
    wanted: &RunCommand,
) -> Result<(CommandKey, Vec<LogObject>, LogStream), Clean> {
    let started = client.run_command_waiting(session, wanted).await;
    let mut stream = started.map_err(|why| explain::in_full(&why))?.value;
    let first = stream.next().await.map_err(|why| explain::in_full(&why))?;
    let first = first.unwrap_or_default();
    match first.first() {
        Some(LogObject::Command(command)) => Ok((command.key(session), first, stream)),
        _ => Err("the service did not tell its id".into()),
    }
}
