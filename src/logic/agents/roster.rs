//! Which commands are agents' runs, over all sandboxes, and which of their logs are open by themselves.

use super::{AgentRun, Call, call_of, rank};
use crate::agents::{Format, State};
use crate::logic::{Mono, Now, Plan, StoreId, Tail, TailState, World, command_line};
use crate::model::{Clean, Command, CommandKey, SandboxKey, SessionId, Timestamp};
use crate::text::clean;
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
    /// The run that a sandbox is told by: of those that go on the most urgent, else the newest.
    of_sandboxes: HashMap<SandboxKey, CommandKey>,
    /// Those that wait for a person.
    waiting: usize,
    /// Changes of state that are not told yet.
    news: Vec<CommandKey>,
    /// The running sandboxes, newest first, and the world's revision that this follows from.
    asked: (Option<u64>, Arc<[SandboxKey]>),
}

/// A command that runs an agent by its name, or by what it printed.
#[derive(Debug)]
struct Candidate {
    call: Call,
    started: Option<Timestamp>,
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
        self.candidates
            .get(key)
            .map(|candidate| candidate.call.agent)
    }

    /// How the agent is called, without what is around it.
    pub fn line(&self, key: &CommandKey) -> Clean {
        let candidate = self.candidates.get(key);
        candidate.map_or_else(Clean::default, |candidate| clean(&candidate.call.line))
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

    /// The run that tells most of what goes on in a sandbox.
    pub fn of_sandbox(&self, key: &SandboxKey) -> Option<&CommandKey> {
        self.of_sandboxes.get(key)
    }

    /// How many wait for a person.
    pub fn waiting(&self) -> usize {
        self.waiting
    }

    /// When the command began, by the service's clock.
    pub fn started(&self, key: &CommandKey) -> Option<Timestamp> {
        self.candidates.get(key)?.started
    }

    /// Runs that came into another state since this was asked last, and it is worth telling.
    pub fn take_news(&mut self) -> Vec<CommandKey> {
        std::mem::take(&mut self.news)
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
    let mut changed = runs.ask(world);
    changed |= runs.look_through(world);
    changed |= runs.follow(world);
    world.agent_runs = runs;
    let news = changes(world, now);
    let has_news = !news.is_empty();
    for change in news {
        let runs = &mut world.agent_runs;
        if let Some(candidate) = runs.candidates.get_mut(&change.key) {
            candidate.state = Some((change.state, change.since));
        }
        runs.news.extend(change.told.then_some(change.key));
    }
    if (changed || has_news) && sum_up(world, now) | has_news {
        // Rows show it, and may be in its order.
        world.revision += 1;
        world.agent_runs.asked.0 = Some(world.revision);
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
    /// The running sandboxes of now. Tells whether the world is another than before.
    fn ask(&mut self, world: &World) -> bool {
        if self.asked.0 == Some(world.revision) {
            return false;
        }
        let running = world.sandboxes.iter();
        let running = running.filter(|(_, fact)| !fact.gone && fact.sandbox.is_running());
        let mut keys: Vec<&SandboxKey> = running.map(|(key, _)| key).collect();
        keys.sort_by_key(|key| std::cmp::Reverse(key.created_at));
        let keys = keys.into_iter().take(MOST_ASKED).cloned();
        self.asked = (Some(world.revision), keys.collect());
        true
    }

    /// Finds the candidates of the lists of commands that are new. Tells whether one was.
    fn look_through(&mut self, world: &World) -> bool {
        let mut looked = false;
        for (session, known) in &world.commands {
            let state = (known.seen, known.value.entries.len());
            if self.looked_at.get(session) == Some(&state) {
                continue;
            }
            looked = true;
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
        looked
    }

    fn look_at(&mut self, command: &Command, session: &SessionId) {
        let key = command.key(session);
        if let Some(known) = self.candidates.get_mut(&key) {
            known.running = command.is_running();
        } else if let Some(call) = call_of(command) {
            self.candidates.insert(key, Candidate::new(call, command));
        }
    }

    /// Follows the logs; one that is an agent's by what it says is a candidate too. Tells whether one was.
    fn follow(&mut self, world: &World) -> bool {
        let mut found = false;
        for (key, run) in &mut self.runs {
            let named = self.candidates.contains_key(key);
            if let Some(tail) = world.tails.get(key) {
                run.follow(tail, named);
            }
            if run.is_agent()
                && !named
                && let Some(command) = listed(world, key)
            {
                found = true;
                let call = Call {
                    agent: run.run().agent(),
                    line: command_line(command).as_str().into(),
                };
                let candidate = Candidate::new(call, command);
                self.candidates.insert(key.clone(), candidate);
            }
        }
        found
    }
}

impl Candidate {
    fn new(call: Call, command: &Command) -> Self {
        Self {
            call,
            started: command.started_at,
            running: command.is_running(),
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

fn listed<'a>(world: &'a World, key: &CommandKey) -> Option<&'a Command> {
    let known = &world.commands.get(&key.session)?.value.entries;
    known.iter().find(|command| command.id == key.command)
}

/// A run came into another state.
struct Change {
    key: CommandKey,
    state: State,
    since: Option<Timestamp>,
    /// It happened now, or is worth telling all the same.
    told: bool,
}

/// What changed in the logs that are read, but for replays on their way.
fn changes(world: &World, now: Now) -> Vec<Change> {
    let runs = &world.agent_runs;
    let read = runs.candidates.iter().filter_map(|(key, candidate)| {
        let follow = &world.tails.get(key)?.follow;
        let is_over = |(state, _): &(State, _)| state.is_over() && follow.has_all();
        let settled = follow.state == TailState::Live || follow.has_all();
        (settled && !candidate.state.as_ref().is_some_and(is_over)).then_some((
            key,
            candidate,
            follow.has_all(),
        ))
    });
    let changes = read.filter_map(|(key, candidate, has_all)| {
        let state = world.standing(key, now)?.state?;
        let before = candidate.state.as_ref().map(|(state, _)| state);
        let kind = std::mem::discriminant::<State>;
        if before.is_some_and(|before| kind(before) == kind(&state)) {
            return None;
        }
        // Of what is seen for the first time, only what still is so.
        let goes_on = matches!(state, State::Waiting(_) | State::RateLimited(_));
        let told = before.is_some() || goes_on || has_all && candidate.admitted;
        let last = || {
            let run = runs.get(key)?.run();
            run.ended.or_else(|| run.steps.last()?.at)
        };
        Some(Change {
            since: before.map_or_else(last, |_| Some(world.service_now(now))),
            key: key.clone(),
            state,
            told,
        })
    });
    changes.collect()
}

/// What the sandboxes are told by, and who waits. Whether that is new.
fn sum_up(world: &mut World, now: Now) -> bool {
    let runs = &world.agent_runs;
    let mut best: HashMap<&SandboxKey, (_, &CommandKey)> = HashMap::new();
    let mut waiting = 0;
    for (key, candidate) in &runs.candidates {
        let Some(owner) = runs.owners.get(&key.session) else {
            continue;
        };
        let session = world
            .fact(owner)
            .and_then(|fact| fact.sandbox.current_session_id.as_ref());
        let Some(standing) = world
            .standing(key, now)
            .filter(|_| session == Some(&key.session))
        else {
            continue;
        };
        waiting += usize::from(matches!(standing.state, Some(State::Waiting(_))));
        let is_over = standing.state.as_ref().is_none_or(State::is_over);
        let urgency = if is_over {
            u8::MAX
        } else {
            rank(standing.state.as_ref())
        };
        let place = (urgency, std::cmp::Reverse(candidate.started));
        let known = best.entry(owner).or_insert((place, key));
        if place < known.0 {
            *known = (place, key);
        }
    }
    let best = best.into_iter();
    let of_sandboxes = best.map(|(owner, (_, key))| (owner.clone(), key.clone()));
    let of_sandboxes: HashMap<_, _> = of_sandboxes.collect();
    let runs = &mut world.agent_runs;
    let is_new = (&runs.of_sandboxes, runs.waiting) != (&of_sandboxes, waiting);
    (runs.of_sandboxes, runs.waiting) = (of_sandboxes, waiting);
    is_new
}
