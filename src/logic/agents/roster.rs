//! Which commands are agents' runs, over all sandboxes, and which of their logs are open by themselves.

use super::{AgentRun, agent_of};
use crate::agents::{Format, State};
use crate::logic::{Mono, Now, Plan, StoreId, Tail, TailState, World};
use crate::model::{Command, CommandKey, SandboxKey, SessionId, Timestamp};
use std::collections::HashMap;
use std::sync::Arc;

/// Logs that are open by themselves; the others wait until one of them ends.
const MOST_OPEN: usize = 16;
/// Running sandboxes that are asked for commands nobody looks at.
pub const MOST_ASKED: usize = 100;

#[derive(Debug, Default)]
pub struct AgentRuns {
    runs: HashMap<CommandKey, AgentRun>,
    candidates: HashMap<CommandKey, Candidate>,
    /// Which list of a session's commands was looked through: when it was read, and how long it is.
    looked_at: HashMap<SessionId, (Mono, usize)>,
    owners: HashMap<SessionId, SandboxKey>,
    /// The running sandboxes, newest first, and the world's revision that this follows from.
    asked: (Option<u64>, Arc<[SandboxKey]>),
}

/// A command that runs an agent by its name, or by what it printed.
#[derive(Debug)]
struct Candidate {
    agent: &'static str,
    running: bool,
    /// Its log is open by itself.
    admitted: bool,
    /// The state as it was last seen, and since when.
    state: Option<(State, Option<Timestamp>)>,
}

impl AgentRuns {
    /// What was read of a command's log, be it an agent's or not; `None`: nothing was.
    pub fn get(&self, key: &CommandKey) -> Option<&AgentRun> {
        self.runs.get(key)
    }

    /// The agent that the command runs by its name.
    pub fn candidate(&self, key: &CommandKey) -> Option<&'static str> {
        self.candidates.get(key).map(|candidate| candidate.agent)
    }

    /// The agent's name, by its output or else by its command.
    pub fn agent(&self, key: &CommandKey) -> &'static str {
        let told = self
            .get(key)
            .map(|run| run.run().agent())
            .filter(|agent| !agent.is_empty());
        told.or(self.candidate(key)).unwrap_or_default()
    }

    /// All that are or may be runs, in no order.
    pub fn keys(&self) -> impl Iterator<Item = &CommandKey> {
        self.candidates.keys()
    }

    pub fn owner(&self, session: &SessionId) -> Option<&SandboxKey> {
        self.owners.get(session)
    }

    /// Sandboxes whose commands are to be read now and then, so that no agent is missed.
    pub fn asked(&self) -> Arc<[SandboxKey]> {
        Arc::clone(&self.asked.1)
    }

    pub(super) fn since(&self, key: &CommandKey) -> Option<Timestamp> {
        self.candidates.get(key)?.state.as_ref()?.1
    }

    /// The run that a log's output goes to.
    pub(in crate::logic) fn of(&mut self, key: &CommandKey, store: StoreId) -> &mut AgentRun {
        let named = self.candidates.contains_key(key);
        let new = || AgentRun::new(store, named);
        let run = self.runs.entry(key.clone()).or_insert_with(new);
        if run.store() != store {
            run.anew(store);
        }
        run
    }

    /// Reads a log as that format, whatever it looks like.
    pub fn read_as(&mut self, key: &CommandKey, format: Format, tail: &Tail) {
        self.of(key, tail.store_id).read_as(format, tail);
    }
}

/// Follows the world: who is a candidate, who ended. After every event.
pub fn settle(world: &mut World, now: Now) {
    let mut runs = std::mem::take(&mut world.agent_runs);
    runs.ask(world);
    runs.look_through(world);
    for (key, run) in &mut runs.runs {
        if let Some(tail) = world.tails.get(key) {
            run.follow(tail, runs.candidates.contains_key(key));
        }
        if run.is_agent() && !runs.candidates.contains_key(key) {
            let running = is_running(world, key);
            runs.candidates
                .insert(key.clone(), Candidate::new(run.run().agent(), running));
        }
    }
    world.agent_runs = runs;
    let changed = changed(world, now);
    for (key, state) in changed {
        let since = since(world, &key, now);
        if let Some(candidate) = world.agent_runs.candidates.get_mut(&key) {
            candidate.state = Some((state, since));
        }
    }
}

/// The logs that are to be open by themselves. Each that comes anew costs a request of the plan's.
pub fn wanted(world: &mut World, plan: &mut Plan, now: Now) -> Vec<CommandKey> {
    let World {
        agent_runs,
        tails,
        sandboxes,
        ..
    } = world;
    let AgentRuns {
        candidates,
        owners,
        runs,
        ..
    } = agent_runs;
    let is_over = |key: &CommandKey| tails.get(key).is_some_and(|tail| tail.follow.is_over());
    let lives = |key: &CommandKey| {
        let fact = owners
            .get(&key.session)
            .and_then(|owner| sandboxes.get(owner));
        fact.is_some_and(|fact| {
            let current = fact.sandbox.current_session_id.as_ref() == Some(&key.session);
            current && !fact.gone && fact.sandbox.is_running()
        })
    };
    // What was let go for want of memory is not read again by itself.
    let was_let_go = |key: &CommandKey| {
        let (run, tail) = (runs.get(key), tails.get(key));
        run.zip(tail)
            .is_some_and(|(run, tail)| run.store() != tail.store_id)
    };
    let readable = candidates.iter_mut().filter(|(key, candidate)| {
        let may = candidate.admitted || candidate.running && lives(key);
        may && !is_over(key) && !was_let_go(key)
    });
    let (admitted, mut waiting): (Vec<_>, Vec<_>) = readable.partition(|(_, known)| known.admitted);
    waiting.sort_by_key(|(key, _)| *key);
    let mut wanted: Vec<CommandKey> = admitted.into_iter().map(|(key, _)| key.clone()).collect();
    for (key, candidate) in waiting {
        if wanted.len() >= MOST_OPEN || !plan.affords_detail(now) {
            break;
        }
        candidate.admitted = true;
        wanted.push(key.clone());
    }
    wanted
}

impl AgentRuns {
    /// The running sandboxes of now.
    fn ask(&mut self, world: &World) {
        if self.asked.0 == Some(world.revision) {
            return;
        }
        let running = world.sandboxes.iter();
        let running = running.filter(|(_, fact)| !fact.gone && fact.sandbox.is_running());
        let mut keys: Vec<&SandboxKey> = running.map(|(key, _)| key).collect();
        keys.sort_by_key(|key| std::cmp::Reverse(key.created_at));
        let keys = keys.into_iter().take(MOST_ASKED).cloned();
        self.asked = (Some(world.revision), keys.collect());
    }

    /// Finds the candidates of the lists of commands that are new.
    fn look_through(&mut self, world: &World) {
        for (session, known) in &world.commands {
            let state = (known.seen, known.value.entries.len());
            if self.looked_at.get(session) == Some(&state) {
                continue;
            }
            self.looked_at.insert(session.clone(), state);
            if !self.owners.contains_key(session)
                && let Some(owner) = owner(world, session)
            {
                self.owners.insert(session.clone(), owner);
            }
            for command in &known.value.entries {
                self.look_at(command, session);
            }
        }
    }

    fn look_at(&mut self, command: &Command, session: &SessionId) {
        let key = command.key(session);
        if let Some(known) = self.candidates.get_mut(&key) {
            known.running = command.is_running();
        } else if let Some(agent) = agent_of(command) {
            self.candidates
                .insert(key, Candidate::new(agent, command.is_running()));
        }
    }
}

impl Candidate {
    fn new(agent: &'static str, running: bool) -> Self {
        Self {
            agent,
            running,
            admitted: false,
            state: None,
        }
    }
}

fn owner(world: &World, session: &SessionId) -> Option<SandboxKey> {
    let mut sandboxes = world.sandboxes.iter();
    let found =
        sandboxes.find(|(_, fact)| fact.sandbox.current_session_id.as_ref() == Some(session));
    found.map(|(key, _)| key.clone())
}

fn is_running(world: &World, key: &CommandKey) -> bool {
    let known = world.commands.get(&key.session);
    let mut known = known.into_iter().flat_map(|known| &known.value.entries);
    known.any(|command| command.id == key.command && command.is_running())
}

/// Those whose state is another one than before.
fn changed(world: &World, now: Now) -> Vec<(CommandKey, State)> {
    let candidates = world.agent_runs.candidates.iter();
    let may_change = candidates.filter(|(key, candidate)| {
        let state = candidate.state.as_ref().map(|(state, _)| state);
        let is_known = candidate.running || world.agent_runs.runs.contains_key(*key);
        is_known && !state.is_some_and(State::is_over)
    });
    let changed = may_change.filter_map(|(key, candidate)| {
        let state = world.standing(key, now)?.state?;
        let before = candidate.state.as_ref().map(|(state, _)| state);
        let same = before
            .is_some_and(|before| std::mem::discriminant(before) == std::mem::discriminant(&state));
        (!same).then(|| (key.clone(), state))
    });
    changed.collect()
}

/// When a run came into the state it has just been seen in: of a replay, when its last step was.
fn since(world: &World, key: &CommandKey, now: Now) -> Option<Timestamp> {
    let tail = world.tails.get(key)?;
    let was_seen = world.agent_runs.candidates.get(key)?.state.is_some();
    if was_seen && tail.follow.state != TailState::Replaying {
        return Some(world.service_now(now));
    }
    let run = world.agent_runs.get(key)?.run();
    run.ended.or_else(|| run.steps.last()?.at)
}
