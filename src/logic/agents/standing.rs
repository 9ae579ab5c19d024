//! How a run stands: its stream, its process and its session together.

use super::{AgentRun, AgentRuns};
use crate::agents::{self, Outside, Process, Run, State};
use crate::logic::{Follow, Now, TailState, World, tail};
use crate::model::{CommandKey, Span, Status, Timestamp};

#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// `None`: it has ended, and its output was never read.
    pub state: Option<State>,
    /// Since when it is so, by the service's clock, as far as that is known.
    pub since: Option<Timestamp>,
    /// It prints nothing for so long: a hint, where output is to be expected.
    pub silent: Option<Span>,
}

impl World {
    /// How the command stands as an agent's run; `None`: it is none, or not known to be one.
    pub fn standing(&self, key: &CommandKey, now: Now) -> Option<Standing> {
        let runs = &self.agent_runs;
        let (named, run) = (runs.candidate(key).is_some(), runs.get(key));
        if !named && !run.is_some_and(AgentRun::is_agent) {
            return None;
        }
        let process = process(self, key);
        let unread = Run::default();
        let read = run.map_or(&unread, AgentRun::run);
        let outside = Outside {
            process,
            named: named || run.is_some_and(AgentRun::is_agent),
        };
        let follow = self.tails.get(key).map(|tail| &tail.follow);
        let was_heard = follow.is_some_and(|follow| match follow.state {
            TailState::Ended { .. } => true,
            // The service may have refused it from the first.
            TailState::Unavailable { .. } => read.format.is_some(),
            _ => false,
        });
        let state = agents::state(read, &outside);
        let silent = self
            .silence(key, now)
            .and_then(|silent| agents::silent_for(&state, silent));
        Some(Standing {
            since: since(runs, key, &state),
            state: (was_heard || process == Process::Running).then_some(state),
            silent,
        })
    }

    /// Since its last output, or since its log was opened. Only of one whose output would come.
    fn silence(&self, key: &CommandKey, now: Now) -> Option<Span> {
        let follow = &self.tails.get(key)?.follow;
        let is_live = follow.state == TailState::Live;
        let last = follow.last_piece.unwrap_or(follow.since);
        is_live.then(|| now.mono.since(last))
    }
}

fn since(runs: &AgentRuns, key: &CommandKey, state: &State) -> Option<Timestamp> {
    match state {
        State::Starting => runs.started(key),
        State::Working { since, .. } => *since,
        _ => runs.since(key),
    }
}

/// A process that ended may have more to say: it runs as long as its log is read.
fn process(world: &World, key: &CommandKey) -> Process {
    let follow = world.tails.get(key).map(|tail| &tail.follow);
    let told = follow.and_then(Follow::exit);
    match told.or_else(|| tail::known_exit(world, key)) {
        _ if follow.is_some_and(Follow::is_read) => Process::Running,
        Some(code) => Process::Exited(code),
        None if is_over(world, key) => Process::Lost,
        None => Process::Running,
    }
}

/// Its session has ended, or another one came after it.
fn is_over(world: &World, key: &CommandKey) -> bool {
    let Some(owner) = world.agent_runs.owner(&key.session) else {
        return false;
    };
    world.fact(owner).is_none_or(|fact| {
        let is_current = fact.sandbox.current_session_id.as_ref() == Some(&key.session);
        let is_final = fact.sandbox.status.as_ref().is_some_and(Status::is_final);
        fact.gone || !is_current || is_final
    })
}

/// Who waits for a person comes first, then who works, then what is over.
pub fn rank(state: Option<&State>) -> u8 {
    match state {
        Some(State::Waiting(_)) => 0,
        Some(State::RateLimited(_)) => 1,
        Some(State::Working { .. } | State::Starting) => 2,
        Some(State::Failed(_)) => 3,
        Some(State::EndedWithoutResult(_)) => 4,
        Some(State::Done) => 5,
        Some(State::NotAnAgent) | None => 6,
    }
}
