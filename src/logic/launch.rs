//! What is started on request: commands in a running session, and new sandboxes.
//!
//! A command is bound to the session that the person saw: it is looked at once more before the request. A request
//! that may have run is never repeated; when its answer is lost, the sentence says so and where to look.

use super::{Call, Calls, Effect, Now, Purpose, Reply, World, command_line, explain};
use crate::model::request::{CreateSandbox, RunCommand};
use crate::model::{
    Clean, Command, CommandKey, Failure, FailureKind, SandboxAnswer, SandboxKey, SandboxName,
    SessionId,
};
use crate::text::{clean, clean_str, say};
use std::collections::BTreeMap;

/// Where a command is to run: the sandbox, and the session it had when the question was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    pub key: SandboxKey,
    pub session: SessionId,
}

impl Site {
    /// # Errors
    /// Why nothing can be run in that sandbox now. Nothing here resumes one.
    pub fn of(key: &SandboxKey, world: &World) -> Result<Self, Clean> {
        let name = clean(key.name.as_foreign());
        let fact = world.fact(key).filter(|fact| !fact.gone);
        let Some(fact) = fact else {
            return Err(say(format_args!("{name} is deleted")));
        };
        if !fact.sandbox.is_running() {
            let word = fact.sandbox.status.as_ref().map(|status| status.word());
            let word = clean_str(word.unwrap_or("in an unknown state"));
            return Err(say(format_args!("{name} does not run: it is {word}")));
        }
        match fact.sandbox.current_session_id.clone() {
            Some(session) => Ok(Self {
                key: key.clone(),
                session,
            }),
            None => Err(say(format_args!("{name}: its session is not known yet"))),
        }
    }

    /// What makes this another place than the one that was meant; `None` while it is the same.
    pub fn changed(&self, world: &World) -> Option<Clean> {
        match Self::of(&self.key, world) {
            Ok(now) if now == *self => None,
            Ok(_) => Some(Clean::from(OTHER_SESSION)),
            Err(why) => Some(why),
        }
    }

    fn verdict(&self, answer: &SandboxAnswer) -> Result<(), Clean> {
        if answer.sandbox.key() != self.key {
            return Err(Clean::from(
                "it was deleted, and another sandbox of that name was made since",
            ));
        }
        if answer.sandbox.current_session_id.as_ref() != Some(&self.session) {
            return Err(Clean::from(OTHER_SESSION));
        }
        match &answer.sandbox.status {
            Some(status) if !answer.sandbox.is_running() => {
                let word = clean_str(status.word());
                Err(say(format_args!("it is {word}")))
            }
            _ => Ok(()),
        }
    }
}

const OTHER_SESSION: &str = "it runs in another session by now; look at that one first";

/// All that was asked for and is not answered yet.
#[derive(Debug, Default)]
pub struct Launches {
    next: u64,
    runs: BTreeMap<u64, (Site, RunCommand)>,
    creates: BTreeMap<u64, Option<SandboxName>>,
}

/// What came of a step.
#[derive(Debug, PartialEq)]
pub enum Launch {
    /// It goes on.
    Sent(Vec<Effect>),
    Command(SandboxKey, CommandKey, Clean),
    Sandbox(SandboxKey, Clean),
    /// It did not happen, and why.
    Refused(Clean),
    /// It may have happened: nobody knows, and what to do.
    Unknown(Clean),
    /// Nobody waits for it.
    Nothing,
}

impl Launches {
    /// The person said yes: first the second look.
    pub fn run(
        &mut self,
        site: Site,
        wanted: RunCommand,
        calls: &mut Calls,
        world: &mut World,
        now: Now,
    ) -> Effect {
        self.next += 1;
        let look = Call::GetSandbox(site.key.name.clone());
        self.runs.insert(self.next, (site, wanted));
        calls.send(look, Purpose::RunLook(self.next), world, now)
    }

    pub fn create(
        &mut self,
        wanted: CreateSandbox,
        calls: &mut Calls,
        world: &mut World,
        now: Now,
    ) -> Effect {
        self.next += 1;
        self.creates.insert(self.next, wanted.name.clone());
        let call = Call::CreateSandbox(Box::new(wanted));
        calls.send(call, Purpose::Create(self.next), world, now)
    }

    /// The second look is back.
    pub fn looked(
        &mut self,
        id: u64,
        result: Result<&Reply, &Failure>,
        calls: &mut Calls,
        world: &mut World,
        now: Now,
    ) -> Launch {
        let Some((site, wanted)) = self.runs.get(&id) else {
            return Launch::Nothing;
        };
        let verdict = match result {
            Ok(Reply::Sandbox(answer)) => {
                world.saw_detail(answer.clone(), now);
                site.verdict(answer)
            }
            Ok(_) => Err(Clean::from(SOMETHING_ELSE)),
            Err(failure) => {
                if failure.status() == Some(404) {
                    world.lost(&site.key);
                }
                Err(explain::in_full(failure))
            }
        };
        if let Err(why) = verdict {
            let name = clean(site.key.name.as_foreign());
            self.runs.remove(&id);
            return Launch::Refused(say(format_args!("nothing was run in {name}: {why}")));
        }
        let call = Call::RunCommand(site.session.clone(), Box::new(wanted.clone()));
        Launch::Sent(vec![calls.send(call, Purpose::Run(id), world, now)])
    }

    /// The service answered the request to run.
    pub fn ran(&mut self, id: u64, result: Result<&Reply, &Failure>, world: &mut World) -> Launch {
        let Some((site, _)) = self.runs.remove(&id) else {
            return Launch::Nothing;
        };
        let name = clean(site.key.name.as_foreign());
        match result {
            Ok(Reply::Command(command)) => {
                let key = command.key(&site.session);
                let line = command_line(command);
                took_up(world, &site.session, command);
                Launch::Command(
                    site.key,
                    key,
                    say(format_args!("running in {name}: {line}")),
                )
            }
            Err(failure) if !may_have_happened(failure) => {
                let why = explain::in_full(failure);
                Launch::Refused(say(format_args!("nothing was run in {name}: {why}")))
            }
            other => Launch::Unknown(say(format_args!(
                "The command may have been run in {name}: {}. It is not sent again by itself; look at the sandbox's \
                 commands (Logs) before you run it once more.",
                lost(other.err())
            ))),
        }
    }

    /// The service answered the request to create.
    pub fn created(
        &mut self,
        id: u64,
        result: Result<&Reply, &Failure>,
        world: &mut World,
        now: Now,
    ) -> Launch {
        let Some(name) = self.creates.remove(&id) else {
            return Launch::Nothing;
        };
        let name = name.map(|name| clean(name.as_foreign()));
        let name = name.unwrap_or(Clean::from("a sandbox"));
        match result {
            Ok(Reply::Sandbox(answer)) => {
                let key = answer.sandbox.key();
                world.saw_detail(answer.clone(), now);
                let name = clean(key.name.as_foreign());
                Launch::Sandbox(key, say(format_args!("{name} is created")))
            }
            Err(failure) if !may_have_happened(failure) => {
                let why = explain::in_full(failure);
                Launch::Refused(say(format_args!("{name} was not created: {why}")))
            }
            other => Launch::Unknown(say(format_args!(
                "It may be that {name} was created: {}. It is not sent again by itself; look whether the list shows \
                 it (newest first) before you create it once more.",
                lost(other.err())
            ))),
        }
    }
}

const SOMETHING_ELSE: &str = "the service answered something else";

fn lost(failure: Option<&Failure>) -> Clean {
    failure.map_or(Clean::from(SOMETHING_ELSE), explain::in_full)
}

/// Whether the request may have had its effect although no good answer came.
fn may_have_happened(failure: &Failure) -> bool {
    match failure.kind {
        FailureKind::Network { sent, .. } => sent,
        FailureKind::Status { status, .. } => status >= 500 && status != 501,
        FailureKind::Unreadable => true,
        FailureKind::Refused(_) => false,
    }
}

/// The new command stands in the list before the next reading.
fn took_up(world: &mut World, session: &SessionId, command: &Command) {
    let listing = &mut world.commands.entry(session.clone()).or_default().value;
    listing.entries.retain(|known| known.id != command.id);
    listing.entries.insert(0, command.clone());
}
