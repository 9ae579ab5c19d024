//! Before the question: which targets there are, and what would be lost.

use super::{Deed, Target, TargetState};
use crate::logic::World;
use crate::model::{Clean, Command, CommandKey, SandboxKey, Status};
use crate::text::{clean, clean_str, say};

/// What a stop or a deletion would cost one sandbox.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// The command lines of what runs in it; `None` = not known.
    pub running: Option<Vec<Clean>>,
    /// Whether its files survive a stop; `None` = not known.
    pub persistent: Option<bool>,
}

impl Deed {
    /// What this would be done to among `keys`, and why not to the others.
    pub fn targets(&self, keys: &[SandboxKey], world: &World) -> (Vec<Target>, Vec<Clean>) {
        let mut targets = Vec::new();
        let mut refused = Vec::new();
        for key in keys {
            match self.target(key, world) {
                Ok(target) => targets.push(target),
                Err(why) => refused.push(why),
            }
        }
        (targets, refused)
    }

    fn target(&self, key: &SandboxKey, world: &World) -> Result<Target, Clean> {
        let name = clean(key.name.as_foreign());
        let fact = world.fact(key).filter(|fact| !fact.gone);
        let Some(fact) = fact else {
            return Err(say(format_args!("{name} is deleted")));
        };
        let status = fact.sandbox.status.as_ref();
        let over = status
            .filter(|status| status.is_final())
            .map(|status| clean_str(status.word()));
        match self {
            Self::Stop | Self::Extend { .. } => {
                if let Some(word) = over {
                    return Err(say(format_args!("{name} does not run: it is {word}")));
                }
                if status == Some(&Status::Stopping) || fact.requested.is_some() {
                    return Err(say(format_args!("{name} is being stopped already")));
                }
                if fact.sandbox.current_session_id.is_none() {
                    return Err(say(format_args!("{name}: its session is not known yet")));
                }
            }
            Self::Resume if over.is_none() => {
                let word = clean_str(status.map_or("in an unknown state", Status::word));
                return Err(say(format_args!("{name} needs no resume: it is {word}")));
            }
            Self::Resume | Self::Delete { .. } | Self::Kill { .. } => {}
        }
        let session = fact.sandbox.current_session_id.clone();
        Ok(Target {
            key: key.clone(),
            session,
            state: TargetState::Waiting,
        })
    }
}

impl Target {
    pub fn loss(&self, world: &World) -> Loss {
        let fact = world.fact(&self.key);
        let persistent = fact.and_then(|fact| fact.sandbox.persistent);
        let over = fact
            .and_then(|fact| fact.sandbox.status.as_ref())
            .is_some_and(Status::is_final);
        if over {
            return Loss {
                running: Some(Vec::new()),
                persistent,
            };
        }
        let commands = self
            .session
            .as_ref()
            .and_then(|session| world.commands.get(session));
        let running = commands
            .filter(|known| known.value.read.is_some())
            .map(|known| {
                let running = known
                    .value
                    .entries
                    .iter()
                    .filter(|command| command.is_running());
                running.map(command_line).collect()
            });
        Loss {
            running,
            persistent,
        }
    }
}

/// Program and arguments on one line.
pub fn command_line(command: &Command) -> Clean {
    let name = command.name.iter();
    let words: Vec<Clean> = name.chain(&command.args).map(clean).collect();
    let words: Vec<&str> = words.iter().map(Clean::as_str).collect();
    say(format_args!("{}", words.join(" ")))
}

/// As [`command_line`], of a command that was listed; of any other its id.
pub fn line_of(command: &CommandKey, world: &World) -> Clean {
    let listing = world.commands.get(&command.session);
    let known = listing.and_then(|known| {
        let mut entries = known.value.entries.iter();
        entries.find(|entry| entry.id == command.command)
    });
    match known {
        Some(known) => command_line(known),
        None => clean(command.command.as_foreign()),
    }
}
