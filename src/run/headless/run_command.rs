//! `sandtop run`: a command in a sandbox, its output here, its exit code ours.

use super::super::args::RunArguments;
use super::super::backend::choose;
use super::super::clock::Clock;
use super::super::complaint::Complaint;
use super::ask::can_ask;
use super::drive::{Drive, Driven};
use super::operate::Desk;
use super::output::Output;
use super::{INTERRUPTED, Trouble, complete, connect, json_line, print, read, told, trouble};
use crate::api::LogStream;
use crate::app::report::Outcome;
use crate::logic::{Call, Deed, Reply, World, explain, retry};
use crate::model::request::{Env, RunCommand};
use crate::model::{Clean, Command, Failure, LogObject, SandboxName, SessionId, Status};
use crate::text::{clean, clean_str, say};
use secrecy::ExposeSecret;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

/// It was not run, or its end was not seen: as `docker run` and `timeout` have it.
const LOST: u8 = 125;
/// As a program that dies of a pipe without a reader.
const UNREAD: u8 = 141;
/// Connections in a row that brought nothing.
const MOST_TRIES: u32 = 5;

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
    let session = session(arguments, &mut desk).await?;
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
    let mut follower = Follower {
        desk: &desk,
        session,
        command: None,
        exit: None,
        output: Output::new(arguments.json),
    };
    let ended = tokio::select! {
        ended = follower.follow(&wanted) => Some(ended),
        _ = tokio::signal::ctrl_c() => None,
    };
    follower.report(ended, &arguments.name)
}

/// The session to run it in; a stopped sandbox is resumed, after a question.
async fn session(arguments: &RunArguments, desk: &mut Desk) -> Result<SessionId, Trouble> {
    let name = SandboxName::new(arguments.name.as_str());
    let key = desk.look_up(&name).await.map_err(|why| told(&why))?;
    let sandbox = desk.world.fact(&key).map(|fact| &fact.sandbox);
    let status = sandbox.and_then(|sandbox| sandbox.status.clone());
    let unknown = || trouble("The service does not tell its session.");
    if !status.as_ref().is_some_and(Status::is_final) {
        let session = sandbox.and_then(|sandbox| sandbox.current_session_id.clone());
        return session.ok_or_else(unknown);
    }
    let (targets, refused) = Deed::Resume.targets(std::slice::from_ref(&key), &desk.world);
    if let Some(why) = refused.first() {
        return Err(trouble(why.as_str()));
    }
    if !arguments.yes {
        can_ask()?;
        if !desk.agreed(&Deed::Resume, &targets).await? {
            return Err(trouble("Nothing was done."));
        }
    }
    let drive = Drive {
        client: &desk.client,
        clock: desk.clock,
        world: &mut desk.world,
    };
    let mut outcome = None;
    let tell = |target: &_| outcome = Some(Outcome::of(target, &Deed::Resume));
    let driven = drive.through(Deed::Resume, targets, tell).await;
    match (driven, outcome) {
        (Driven::Through, Some(outcome)) if outcome.is_done() => {
            let fact = desk.world.fact(&key);
            let session = fact.and_then(|fact| fact.sandbox.current_session_id.clone());
            session.ok_or_else(unknown)
        }
        (_, Some(outcome)) => Err(trouble(outcome.line().as_str())),
        (_, None) => Err(unknown()),
    }
}

/// Watches one command until it ends, over as many connections as that takes.
struct Follower<'a> {
    desk: &'a Desk,
    session: SessionId,
    /// As its stream told it.
    command: Option<Command>,
    /// As it was asked for.
    exit: Option<i64>,
    output: Output,
}

/// How the watching ended.
enum Ended {
    Exit(i64),
    /// The command may run on.
    Lost(Clean),
    Unread,
}

impl Follower<'_> {
    async fn follow(&mut self, wanted: &RunCommand) -> Ended {
        let client = &self.desk.client;
        let mut opened = match client.run_command_waiting(&self.session, wanted).await {
            Ok(answer) => Some(answer.value),
            Err(failure) => return Ended::Lost(explain::in_full(&failure)),
        };
        let mut why = None;
        let mut tries = 0;
        loop {
            if let Some(stream) = opened.take() {
                // What a stream leaves out that broke off, or ended before the command did, comes with the next.
                let over = self.exit;
                match self.pass_on(stream, &mut tries).await {
                    Ok(early) => why = early,
                    Err(_) => return Ended::Unread,
                }
                let told = self.command.as_ref().and_then(|known| known.exit_code);
                if let Some(code) = told.map(|code| code.0).or(over.filter(|_| why.is_none())) {
                    return Ended::Exit(code);
                }
            }
            let Some(known) = self.command.clone() else {
                return Ended::Lost(why.unwrap_or("the service did not tell its id".into()));
            };
            match self.exit_code(&known).await {
                Ok(code) => self.exit = code,
                // Its session is gone, and nobody knows more.
                Err(failure) => return Ended::Lost(explain::in_full(&failure)),
            }
            tries += 1;
            if tries > MOST_TRIES {
                return Ended::Lost(why.unwrap_or("its output ends again and again".into()));
            }
            self.wait(tries).await;
            let key = known.key(&self.session);
            match client.logs(&key.session, &key.command).await {
                Ok(answer) => {
                    self.output.again();
                    opened = Some(answer.value);
                }
                Err(failure) => why = Some(explain::in_full(&failure)),
            }
        }
    }

    /// Passes the stream on to its end, and tells why it ended early.
    async fn pass_on(
        &mut self,
        mut stream: LogStream,
        tries: &mut u32,
    ) -> io::Result<Option<Clean>> {
        let mut why = None;
        loop {
            let objects = match stream.next().await {
                Ok(Some(objects)) => objects,
                Ok(None) => return Ok(why),
                Err(failure) => return Ok(Some(explain::in_full(&failure))),
            };
            for object in objects {
                match object {
                    LogObject::Piece { stream, data } => {
                        if self.output.piece(&stream, &data)? {
                            *tries = 0;
                        }
                    }
                    LogObject::Command(command) => self.command = Some(*command),
                    LogObject::Error { code, message } => {
                        why = Some(say(format_args!("{}: {}", clean(&code), clean(&message))));
                    }
                    LogObject::Unreadable(_) => {}
                }
            }
        }
    }

    async fn exit_code(&self, known: &Command) -> Result<Option<i64>, Failure> {
        let call = Call::GetCommand(known.key(&self.session));
        match read(&self.desk.client, call, self.desk.clock).await?.0 {
            Reply::Command(command) => Ok(command.exit_code.map(|code| code.0)),
            _ => Ok(None),
        }
    }

    async fn wait(&self, tries: u32) {
        let wait = retry::backoff(tries, self.desk.clock.now());
        tokio::time::sleep(Duration::from_millis(u64::try_from(wait.0).unwrap_or(0))).await;
    }

    /// `None`: a Ctrl-C.
    fn report(&mut self, ended: Option<Ended>, name: &str) -> Result<ExitCode, Trouble> {
        let unread = ExitCode::from(UNREAD);
        let flushed = match (&ended, &self.command) {
            (Some(Ended::Unread), _) => return Ok(unread),
            (Some(Ended::Exit(code)), Some(command)) => self.output.ended(command, *code),
            _ => self.output.flush(),
        };
        match ended {
            _ if flushed.is_err() => Ok(unread),
            Some(Ended::Exit(code)) => Ok(ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX))),
            Some(Ended::Lost(why)) => Err(trouble(&format!("{why}{}", self.whereabouts(name)))),
            Some(Ended::Unread) => Ok(unread),
            None => {
                let sentence = format!("interrupted{}", self.whereabouts(name));
                let _ = writeln!(io::stderr(), "sandtop: {}", Complaint::new(&sentence));
                Ok(ExitCode::from(INTERRUPTED))
            }
        }
    }

    /// Where a command goes on that nobody watches any more.
    fn whereabouts(&self, name: &str) -> String {
        match &self.command {
            Some(command) if self.exit.is_none() => format!(
                "; the command runs on in {} as {} (session {})",
                clean_str(name),
                clean(command.id.as_foreign()),
                clean(self.session.as_foreign())
            ),
            Some(_) => String::new(),
            None => "; whether the command was started is not known".to_owned(),
        }
    }
}
