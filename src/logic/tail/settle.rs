//! Which logs are open: those that are wanted, and no others.

use super::{Outlook, Tail, TailState};
use crate::logic::{Calls, Effect, Mono, Now, Purpose, Reply, StreamId, StreamNews, World, retry};
use crate::model::{Command, CommandKey, Failure, SessionId, Status};

/// Opens the wanted logs, closes all others, and opens again what broke off and is due.
pub fn settle<'a>(
    world: &mut World,
    wanted: impl IntoIterator<Item = &'a CommandKey>,
    now: Now,
) -> Vec<Effect> {
    let wanted: Vec<&CommandKey> = wanted.into_iter().collect();
    let others = world
        .tails
        .iter_mut()
        .filter(|(key, _)| !wanted.contains(key));
    let mut effects: Vec<Effect> = others
        .filter_map(|(_, tail)| tail.follow.close(now))
        .collect();
    for wanted in wanted {
        effects.extend(follow(world, wanted, now));
    }
    effects
}

fn follow(world: &mut World, wanted: &CommandKey, now: Now) -> Vec<Effect> {
    let silent = world.tails.get(wanted);
    let silent = silent.is_some_and(|tail| tail.follow.is_silent(now));
    let outlook = outlook(world, wanted, silent);
    let World { tails, keeping, .. } = world;
    let tail = tails
        .entry(wanted.clone())
        .or_insert_with(|| Tail::new(wanted.clone(), keeping));
    tail.looked_at = now.mono;
    tail.follow.settle(&outlook, now)
}

/// News of a stream; what is not of its latest opening is dropped.
pub fn news(
    world: &mut World,
    calls: &mut Calls,
    stream: &StreamId,
    news: StreamNews,
    now: Now,
) -> Vec<Effect> {
    let World {
        tails, agent_runs, ..
    } = world;
    let Some(tail) = tails.get_mut(&stream.command) else {
        return Vec::new();
    };
    if tail.follow.stream != *stream || !tail.follow.is_open() {
        return Vec::new();
    }
    let run = agent_runs.of(&stream.command, tail.store_id);
    match tail.take(run, news, now) {
        Some(call) => vec![calls.send(call, Purpose::Exit(stream.clone()), world, now)],
        None => Vec::new(),
    }
}

/// The answer to the question for the exit code.
pub fn exit_answered(
    world: &mut World,
    stream: &StreamId,
    result: &Result<Reply, Failure>,
    now: Now,
) {
    let World {
        tails, agent_runs, ..
    } = world;
    let Some(tail) = tails.get_mut(&stream.command) else {
        return;
    };
    if tail.follow.stream != *stream || tail.follow.state != TailState::Asking {
        return;
    }
    let run = agent_runs.of(&stream.command, tail.store_id);
    match result {
        Ok(Reply::Command(command)) => {
            tail.told(run, Ok(command), now);
            renew(world, &stream.command, command);
        }
        Ok(_) => {}
        Err(failure) => tail.told(run, Err(failure), now),
    }
}

/// The refresh key: what gave up, waits or is unavailable is tried once more.
pub fn retry_now(world: &mut World, wanted: &CommandKey, now: Now) {
    if let Some(tail) = world.tails.get_mut(wanted) {
        tail.follow.retry(now);
    }
}

/// The moment at which [`settle`] would do something by itself.
pub fn next_due<'a>(
    world: &World,
    wanted: impl IntoIterator<Item = &'a CommandKey>,
) -> Option<Mono> {
    let due = wanted.into_iter().filter_map(|wanted| {
        let tail = world.tails.get(wanted)?;
        tail.follow.next_due(&outlook(world, wanted, false))
    });
    due.min()
}

/// What the world knows about a command beside its stream. `silent`: the stream is, so that its session matters.
pub fn outlook(world: &World, command: &CommandKey, silent: bool) -> Outlook {
    Outlook {
        open_at: retry::open_at(world),
        jumps: world.jumps,
        exit: known_exit(world, command),
        session_over: silent && is_over(world, &command.session),
    }
}

/// By what was read of the session itself, or of the sandbox whose session it is.
fn is_over(world: &World, session: &SessionId) -> bool {
    let is_final = |status: &Option<Status>| status.as_ref().is_some_and(Status::is_final);
    let facts = || world.sandboxes.values();
    let listed = world.sessions.values();
    let listed = listed.flat_map(|listing| &listing.value.entries);
    let detailed = facts().filter_map(|fact| fact.detail.as_ref()?.value.session.as_ref());
    let mut known = listed.chain(detailed);
    let mut sandboxes = facts().map(|fact| &fact.sandbox);
    known.any(|known| known.id == *session && is_final(&known.status))
        || sandboxes.any(|sandbox| {
            sandbox.current_session_id.as_ref() == Some(session) && is_final(&sandbox.status)
        })
}

/// The list of commands shows what the command itself told, without waiting for the next reading.
fn renew(world: &mut World, key: &CommandKey, told: &Command) {
    let Some(listing) = world.commands.get_mut(&key.session) else {
        return;
    };
    let known = listing
        .value
        .entries
        .iter_mut()
        .find(|known| known.id == key.command);
    if let Some(known) = known {
        known.clone_from(told);
    }
}

/// As the list of commands has it.
pub fn known_exit(world: &World, key: &CommandKey) -> Option<i64> {
    let commands = &world.commands.get(&key.session)?.value.entries;
    let command: &Command = commands.iter().find(|command| command.id == key.command)?;
    command.exit_code.map(|exit| exit.0)
}
