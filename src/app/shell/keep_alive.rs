//! More time for a session while somebody is in its shell.

use super::State;
use super::tell;
use crate::app::message::Tone;
use crate::logic::{Call, EXTENDS_BY, Effect, Purpose, Reply, ShellId, explain};
use crate::model::Failure;
use crate::text::{clean, say};

pub(super) fn toggle(state: &mut State, id: ShellId) {
    let Some(shell) = state.world.shells.get_mut(id) else {
        return;
    };
    shell.keep_alive.toggle();
    let sentence = match (shell.keep_alive.on, state.world.backend.local) {
        (true, true) => {
            "The session gets more time whenever its end is near and this shell has the keys."
        }
        (true, false) => {
            "The session gets more time, which is billed, whenever its end is near and this shell has the keys."
        }
        (false, _) => "The session gets no more time by itself.",
    };
    state.say(sentence, Tone::Said);
}

/// Asks for more, if the shell that has the keys wants it and it is time to.
pub(super) fn tick(state: &mut State, id: ShellId) -> Option<Effect> {
    let State {
        world, calls, now, ..
    } = state;
    let site = world.shells.get(id)?.site.clone();
    let service_now = world.service_now(*now);
    let fact = world.fact(&site.key)?;
    let is_current = fact.sandbox.current_session_id.as_ref() == Some(&site.session);
    let left = fact.left(service_now).filter(|_| is_current);
    let age = fact.started_at().map(|start| service_now.since(start));
    let shell = world.shells.get_mut(id)?;
    let was_on = shell.keep_alive.on;
    if shell.keep_alive.asks(left, age, *now) {
        let call = Call::Extend(site.session, EXTENDS_BY);
        return Some(calls.send(call, Purpose::KeepAlive(id), world, *now));
    }
    let ended = shell
        .keep_alive
        .ended
        .clone()
        .filter(|_| was_on && !shell.keep_alive.on);
    if let Some(why) = ended {
        let name = clean(site.key.name.as_foreign());
        tell(
            state,
            say(format_args!("{name} is kept alive no longer: {why}")),
            Tone::Refused,
        );
    }
    None
}

/// The service's answer: what the deadline is now is read anew; the first refusal ends it.
pub(in crate::app) fn answered(
    state: &mut State,
    id: ShellId,
    result: Result<&Reply, &Failure>,
) -> Vec<Effect> {
    let Some(shell) = state.world.shells.get_mut(id) else {
        return Vec::new();
    };
    let key = shell.site.key.clone();
    if let Err(failure) = result {
        let (name, why) = (clean(key.name.as_foreign()), explain::in_full(failure));
        shell.keep_alive.end(why.clone());
        tell(
            state,
            say(format_args!("{name} is kept alive no longer: {why}")),
            Tone::Refused,
        );
    }
    let State {
        world, calls, now, ..
    } = state;
    let call = Call::GetSandbox(key.name.clone());
    vec![calls.send(call, Purpose::Row(key), world, *now)]
}
