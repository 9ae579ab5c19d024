//! Stopping a sandbox: what would be lost, the second look, the request, and its confirmation.
//!
//! A stop holds on to a session, not to a row: it is computed when the question is asked, and what the
//! question named is all that it can ever end.

use super::{Call, Calls, Effect, Now, Purpose, Reply, World, explain};
use crate::model::{
    Clean, Command, Failure, SandboxAnswer, SandboxKey, SessionId, Status, StopAnswer,
};
use crate::text;

/// One stop, from the question to the service's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    id: u64,
    pub key: SandboxKey,
    pub session: SessionId,
}

/// What a stop would cost, for the question.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// The command lines of what runs in it; `None` = not known.
    pub running: Option<Vec<Clean>>,
    /// Whether its files survive; `None` = not known.
    pub persistent: Option<bool>,
}

/// Stops that were confirmed and are under way.
#[derive(Debug, Default)]
pub struct Stops {
    next: u64,
    under_way: Vec<Stop>,
}

/// What an answer led to.
#[derive(Debug, Default, PartialEq)]
pub struct Step {
    pub effects: Vec<Effect>,
    /// To be told to the person.
    pub message: Option<Clean>,
}

impl Stops {
    /// The stop to ask about, or why there is nothing to stop.
    pub fn ask(&mut self, world: &World, key: &SandboxKey) -> Result<Stop, Clean> {
        let name = text::clean(key.name.as_foreign());
        let fact = world.fact(key).filter(|fact| !fact.gone);
        let Some(fact) = fact else {
            return Err(text::say(format_args!("{name} is deleted")));
        };
        if let Some(status) = fact
            .sandbox
            .status
            .as_ref()
            .filter(|status| status.is_final())
        {
            let word = text::clean_str(status.word());
            return Err(text::say(format_args!("{name} does not run: it is {word}")));
        }
        if fact.sandbox.status == Some(Status::Stopping) || fact.requested.is_some() {
            return Err(text::say(format_args!("{name} is being stopped already")));
        }
        let Some(session) = fact.sandbox.current_session_id.clone() else {
            return Err(text::say(format_args!(
                "{name}: its session is not known yet"
            )));
        };
        self.next += 1;
        Ok(Stop {
            id: self.next,
            key: key.clone(),
            session,
        })
    }

    /// The person said yes: look at the sandbox once more.
    pub fn confirmed(
        &mut self,
        stop: Stop,
        calls: &mut Calls,
        world: &mut World,
        now: Now,
    ) -> Vec<Effect> {
        let call = Call::GetSandbox(stop.key.name.clone());
        let effect = calls.send(call, Purpose::Verify(stop.id), world, now);
        self.under_way.push(stop);
        vec![effect]
    }

    /// The second look is back: send the stop, or refuse with a sentence.
    pub fn verified(
        &mut self,
        id: u64,
        result: Result<&Reply, &Failure>,
        calls: &mut Calls,
        world: &mut World,
        now: Now,
    ) -> Step {
        let Some(stop) = self.under_way.iter().find(|stop| stop.id == id).cloned() else {
            return Step::default();
        };
        let verdict = match result {
            Ok(Reply::Sandbox(answer)) => {
                let verdict = stop.still_meant(answer);
                world.saw_detail(answer.clone(), now);
                verdict
            }
            Ok(_) => Err(Clean::from("the service answered something else")),
            Err(failure) => {
                if failure.status() == Some(404) {
                    world.lost(&stop.key);
                }
                Err(explain::in_full(failure))
            }
        };
        match verdict {
            Ok(()) => {
                let call = Call::Stop(stop.session.clone());
                let effect = calls.send(call, Purpose::Stop(id), world, now);
                world.request(&stop.key, stop.session, now);
                Step {
                    effects: vec![effect],
                    message: None,
                }
            }
            Err(why) => {
                self.under_way.retain(|other| other.id != id);
                let name = text::clean(stop.key.name.as_foreign());
                Step::told(text::say(format_args!("{name} was not stopped: {why}")))
            }
        }
    }

    /// The service answered the stop.
    pub fn answered(
        &mut self,
        id: u64,
        result: Result<&Reply, &Failure>,
        calls: &mut Calls,
        world: &mut World,
        now: Now,
    ) -> Step {
        let Some(at) = self.under_way.iter().position(|stop| stop.id == id) else {
            return Step::default();
        };
        let stop = self.under_way.remove(at);
        let name = text::clean(stop.key.name.as_foreign());
        let mut step = match result {
            Ok(Reply::Stopped(answer)) => {
                stop.took_effect(answer, world, now);
                Step::told(text::say(format_args!("{name} is stopped")))
            }
            Err(failure) if failure.status() == Some(410) => Step::told(text::say(format_args!(
                "{name}: that session had ended already"
            ))),
            Ok(_) => Step::default(),
            Err(failure) => {
                world.unrequest(&stop.key);
                let why = explain::in_full(failure);
                Step::told(text::say(format_args!("{name} was not stopped: {why}")))
            }
        };
        // Whatever the answer, the row is read again: only the service says what is.
        let reread = Call::GetSandbox(stop.key.name.clone());
        step.effects
            .push(calls.send(reread, Purpose::Row(stop.key), world, now));
        step
    }
}

impl Step {
    fn told(message: Clean) -> Self {
        Self {
            effects: Vec::new(),
            message: Some(message),
        }
    }
}

impl Stop {
    pub fn loss(&self, world: &World) -> Loss {
        let commands = world
            .commands
            .get(&self.session)
            .filter(|known| known.value.read.is_some());
        let running = commands.map(|known| {
            let running = known
                .value
                .entries
                .iter()
                .filter(|command| command.is_running());
            running.map(command_line).collect()
        });
        Loss {
            running,
            persistent: world
                .fact(&self.key)
                .and_then(|fact| fact.sandbox.persistent),
        }
    }

    /// The same sandbox, in the same session, still to be stopped.
    fn still_meant(&self, answer: &SandboxAnswer) -> Result<(), Clean> {
        if answer.sandbox.key() != self.key {
            return Err(Clean::from(
                "it was deleted, and another sandbox of that name was made since",
            ));
        }
        if answer.sandbox.current_session_id.as_ref() != Some(&self.session) {
            return Err(Clean::from(
                "it runs in another session by now; look at that one first",
            ));
        }
        match &answer.sandbox.status {
            Some(status) if status.is_final() => {
                let word = text::clean_str(status.word());
                Err(text::say(format_args!("it is {word} already")))
            }
            _ => Ok(()),
        }
    }

    fn took_effect(&self, answer: &StopAnswer, world: &mut World, now: Now) {
        if let Some(sandbox) = &answer.sandbox {
            world.saw(sandbox.clone(), now);
        }
        if answer.session.status.as_ref().is_some_and(Status::is_final)
            && let Some(fact) = world.sandboxes.get_mut(&self.key)
            && fact.sandbox.current_session_id.as_ref() == Some(&answer.session.id)
        {
            fact.sandbox.status = answer.session.status.clone();
            fact.sandbox.expires_at = None;
            fact.requested = None;
            world.revision += 1;
        }
    }
}

/// Program and arguments on one line.
pub fn command_line(command: &Command) -> Clean {
    let name = command.name.iter();
    let words: Vec<Clean> = name.chain(&command.args).map(text::clean).collect();
    let words: Vec<&str> = words.iter().map(Clean::as_str).collect();
    text::say(format_args!("{}", words.join(" ")))
}
