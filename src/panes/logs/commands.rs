//! The commands to choose from, and which is chosen when the user did not choose.

use super::state::{Choice, Memory, State};
use crate::logic::{Listing, World};
use crate::model::{
    Clean, Command, CommandKey, Foreign, SandboxKey, SessionId, Span, Status, Timestamp,
};
use crate::panes::Ctx;
use crate::text;

/// A command line may hold a whole prompt; this much of it is enough for a row.
const SHOWN_BYTES: usize = 512;

/// A command, and whether its session may still run it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'a> {
    pub(super) session: &'a SessionId,
    pub(super) command: &'a Command,
    /// Its session is over: without an exit code it did not end by itself.
    pub(super) over: bool,
    /// Of a session before the current one.
    pub(super) earlier: bool,
}

/// How a command stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Running,
    Exit(i64),
    Killed(i64),
    /// Its session ended and the service never told how the command did.
    Lost,
}

impl Entry<'_> {
    pub(super) fn key(&self) -> CommandKey {
        self.command.key(self.session)
    }

    pub(super) fn standing(&self) -> Standing {
        match self.command.exit_code.map(|code| code.0) {
            Some(code @ 137) => Standing::Killed(code),
            Some(code) => Standing::Exit(code),
            None if self.over => Standing::Lost,
            None => Standing::Running,
        }
    }

    /// How long it took, or runs so far.
    pub(super) fn duration(&self, service_now: Timestamp) -> Option<Span> {
        let so_far = || Some(service_now.since(self.command.started_at?));
        let running = self.standing() == Standing::Running;
        self.command
            .duration_ms
            .or_else(|| running.then(so_far).flatten())
    }

    /// The command line, as much as a row may show.
    pub(super) fn line(&self) -> Clean {
        let mut line = String::new();
        for word in self
            .command
            .name
            .iter()
            .chain(&self.command.args)
            .map(Foreign::as_raw)
        {
            if !line.is_empty() {
                line.push(' ');
            }
            let room = SHOWN_BYTES.saturating_sub(line.len());
            line.push_str(&word[..word.floor_char_boundary(room)]);
            if word.len() > room {
                line.push('…');
                break;
            }
        }
        text::clean_str(&line)
    }
}

/// All commands known of the subject: the current session's first, newest first.
pub(super) fn entries<'a>(state: &'a State, world: &'a World, ctx: &Ctx<'_>) -> Vec<Entry<'a>> {
    let Some(memory) = ctx.subject.and_then(|key| state.memories.get(key)) else {
        return Vec::new();
    };
    let current = ctx.subject.and_then(|key| current_session(world, key));
    let over = ctx.subject.is_none_or(|key| is_over(world, key));
    let of_session = |session: &'a SessionId| {
        let earlier = Some(session) != current;
        let known = world
            .commands
            .get(session)
            .map(|known| known.value.entries.as_slice());
        known.unwrap_or_default().iter().map(move |command| Entry {
            session,
            command,
            over: over || earlier,
            earlier,
        })
    };
    memory.sessions.iter().flat_map(of_session).collect()
}

/// The listing of the subject's current session.
pub(super) fn listing<'a>(world: &'a World, ctx: &Ctx<'_>) -> Option<&'a Listing<Command>> {
    let session = ctx.subject.and_then(|key| current_session(world, key))?;
    world.commands.get(session).map(|known| &known.value)
}

pub(super) fn current_session<'a>(world: &'a World, key: &SandboxKey) -> Option<&'a SessionId> {
    world.fact(key)?.sandbox.current_session_id.as_ref()
}

/// The subject's session will never run anything again.
fn is_over(world: &World, key: &SandboxKey) -> bool {
    world
        .fact(key)
        .is_none_or(|fact| fact.gone || fact.sandbox.status.as_ref().is_some_and(Status::is_final))
}

impl Memory {
    pub(super) fn saw(&mut self, session: &SessionId) {
        if self.sessions.first() != Some(session) {
            self.sessions.retain(|known| known != session);
            self.sessions.insert(0, session.clone());
        }
    }
}

impl Choice {
    /// The choice among what there is now. The user's stays, listed or not, while its log is held.
    pub(super) fn settled(&self, entries: &[Entry<'_>], world: &World) -> Self {
        let runs = |entry: &&Entry<'_>| entry.standing() == Standing::Running;
        let held = |key: &CommandKey| {
            world.tails.contains_key(key) || entries.iter().any(|entry| entry.key() == *key)
        };
        match self {
            Self::Made(key) if held(key) => self.clone(),
            Self::Default(key) if entries.iter().filter(runs).any(|entry| entry.key() == *key) => {
                self.clone()
            }
            _ => {
                let newest = entries.iter().find(runs).or(entries.first());
                newest.map_or(Self::None, |entry| Self::Default(entry.key()))
            }
        }
    }
}
