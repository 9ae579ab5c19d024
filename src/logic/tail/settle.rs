//! Which logs are open: the one on screen, and no other.

use super::{STRAGGLE, Tail, TailState};
use crate::logic::{Calls, Effect, Mono, Now, Purpose, Reply, StreamId, StreamNews, World, retry};
use crate::model::{Command, CommandKey, Failure};

/// Opens the wanted log, closes all others, and opens again what broke off and is due.
pub fn settle(world: &mut World, wanted: Option<&CommandKey>, now: Now) -> Vec<Effect> {
    let mut effects = Vec::new();
    for (key, tail) in &mut world.tails {
        if Some(key) != wanted && tail.is_open() {
            effects.push(Effect::CloseStream(tail.stream.clone()));
        }
        let waits = matches!(tail.state, TailState::Retrying { .. } | TailState::Asking);
        if Some(key) != wanted && (tail.is_open() || waits) {
            tail.enter(TailState::Closed, now);
        }
    }
    let Some(wanted) = wanted else {
        return effects;
    };
    let open_at = retry::open_at(world);
    let exit = known_exit(world, wanted);
    let jumps = world.jumps;
    let World { tails, keeping, .. } = world;
    let tail = tails
        .entry(wanted.clone())
        .or_insert_with(|| Tail::new(wanted.clone(), keeping));
    tail.looked_at = now.mono;
    tail.end_burst(now);
    let silent = now.mono.since(tail.last_news) >= STRAGGLE;
    match tail.state {
        TailState::Closed => effects.push(tail.open(jumps, now)),
        TailState::Retrying { at, .. } if at.max(open_at) <= now.mono => {
            effects.push(tail.open(jumps, now));
        }
        _ if tail.is_open() && tail.jumps != jumps => {
            effects.push(Effect::CloseStream(tail.stream.clone()));
            effects.push(tail.open(jumps, now));
        }
        TailState::Live if exit.is_some() && silent => {
            effects.push(Effect::CloseStream(tail.stream.clone()));
            tail.enter(
                TailState::Ended {
                    exit: exit.unwrap_or_default(),
                },
                now,
            );
        }
        _ => {}
    }
    effects
}

/// News of a stream; what is not of its latest opening is dropped.
pub fn news(
    world: &mut World,
    calls: &mut Calls,
    stream: &StreamId,
    news: StreamNews,
    now: Now,
) -> Vec<Effect> {
    let Some(tail) = world.tails.get_mut(&stream.command) else {
        return Vec::new();
    };
    if tail.stream != *stream || !tail.is_open() {
        return Vec::new();
    }
    match tail.take(news, now) {
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
    let Some(tail) = world.tails.get_mut(&stream.command) else {
        return;
    };
    if tail.stream != *stream || tail.state != TailState::Asking {
        return;
    }
    match result {
        Ok(Reply::Command(command)) => {
            tail.told(Ok(command), now);
            renew(world, &stream.command, command);
        }
        Ok(_) => {}
        Err(failure) => tail.told(Err(failure), now),
    }
}

/// The refresh key: what gave up, waits or is unavailable is tried once more.
pub fn retry_now(world: &mut World, wanted: &CommandKey, now: Now) {
    let Some(tail) = world.tails.get_mut(wanted) else {
        return;
    };
    let idle = matches!(
        tail.state,
        TailState::GaveUp { .. } | TailState::Retrying { .. } | TailState::Unavailable { .. }
    );
    if idle {
        tail.attempts = 0;
        tail.enter(TailState::Closed, now);
    }
}

/// The moment at which [`settle`] would do something by itself.
pub fn next_due(world: &World, wanted: Option<&CommandKey>) -> Option<Mono> {
    let wanted = wanted?;
    let tail = world.tails.get(wanted)?;
    let straggling = tail.state == TailState::Live && known_exit(world, wanted).is_some();
    match (&tail.state, tail.next_due()) {
        (TailState::Retrying { .. }, Some(at)) => Some(at.max(retry::open_at(world))),
        (_, Some(at)) => Some(at),
        (_, None) => straggling.then(|| tail.last_news.after(STRAGGLE)),
    }
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

fn known_exit(world: &World, key: &CommandKey) -> Option<i64> {
    let commands = &world.commands.get(&key.session)?.value.entries;
    let command: &Command = commands.iter().find(|command| command.id == key.command)?;
    command.exit_code.map(|exit| exit.0)
}
