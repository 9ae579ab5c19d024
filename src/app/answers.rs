//! What comes back: answers to calls go to whoever asked.

use super::dialogs::{Dialog, Notice};
use super::message::Tone;
use super::{State, launch, sent, shell};
use crate::logic::tail::{self, SpillNews, StoreId};
use crate::logic::{Answer, Effect, Link, Purpose, Settled, Step, Told};
use crate::model::{Clean, Foreign};
use crate::text::{clean, say};

pub(super) fn take(state: &mut State, answer: &Answer) -> Vec<Effect> {
    let State {
        calls, world, now, ..
    } = state;
    let link = world.link.clone();
    let was_refused = matches!(link, Link::Unauthorized { .. });
    let settled = calls.answered(answer, world, *now);
    let mut effects = Vec::new();
    if matches!(world.link, Link::Unauthorized { .. }) && (!was_refused || answer.result.is_err()) {
        effects.push(Effect::RereadCredentials);
    }
    if let Settled::For(purpose) = settled {
        effects.extend(settle(state, &purpose, answer));
    }
    state.unchanged &= state.world.link == link && effects.is_empty();
    effects
}

fn settle(state: &mut State, purpose: &Purpose, answer: &Answer) -> Vec<Effect> {
    let gaze = state.gaze();
    let State {
        calls,
        world,
        plan,
        operations,
        launches,
        sample,
        deadlines,
        now,
        ..
    } = state;
    let (now, result) = (*now, answer.result.as_ref());
    match purpose {
        Purpose::Page(_) | Purpose::Row(_) | Purpose::Sessions(_) | Purpose::Commands(..) => {
            let news = plan.answered(purpose, &answer.result, world, &gaze, now);
            state.unchanged = !news;
            if let Purpose::Commands(key, _) = purpose {
                deadlines.watch(key);
            }
            Vec::new()
        }
        Purpose::Exit(stream) => {
            tail::exit_answered(world, stream, &answer.result, now);
            Vec::new()
        }
        Purpose::Look { .. } | Purpose::Act { .. } => {
            let step = operations.answered(purpose, result, calls, world, now);
            stepped(state, step.unwrap_or_default())
        }
        Purpose::RunLook(id) => {
            let launch = launches.looked(*id, result, calls, world, now);
            launch::take(state, launch)
        }
        Purpose::Run(id) => {
            let launch = launches.ran(*id, result, world);
            launch::take(state, launch)
        }
        Purpose::KeepAlive(id) => shell::kept_alive(state, *id, result),
        Purpose::Create(id) => {
            let launch = launches.created(*id, result, world, now);
            launch::take(state, launch)
        }
        Purpose::Sample(step) => {
            let (effects, trouble) = sample.answered(*step, result, calls, world, now);
            if let Some(trouble) = trouble {
                state.say(trouble, Tone::Refused);
            }
            effects
        }
    }
}

fn stepped(state: &mut State, step: Step) -> Vec<Effect> {
    let has_results = step.ended.is_some_and(|id| state.ended(id));
    for message in step.messages {
        state.world.activity.note(message.clone(), state.now);
        if !has_results {
            state.say(message, Tone::Said);
        }
    }
    step.effects
}

/// What an effect without an answer of its own has to say.
pub(super) fn told(state: &mut State, told: Told) {
    match told {
        Told::Failed { what, why } => {
            let why = clean(&why);
            state.say(say(format_args!("{what}: {why}")), Tone::Refused);
            state
                .world
                .activity
                .failed(Clean::from(what), why, state.now);
        }
        Told::Credentials { changed: true } => {
            state
                .world
                .activity
                .note(Clean::from("the credentials were renewed"), state.now);
            state.plan.refresh(&mut state.world, state.now);
        }
        Told::Credentials { changed: false } => {}
        sent => sent::told(state, sent),
    }
}

/// Older lines of logs went to their file or came back, or did not.
pub(super) fn spilled(state: &mut State, store: StoreId, news: SpillNews) {
    if let Some(trouble) = tail::spilled(&mut state.world, store, news) {
        let (activity, now) = (&mut state.world.activity, state.now);
        activity.failed(Clean::from("logs"), trouble.clone(), now);
        state.say(trouble, Tone::Refused);
    }
}

/// The local engine is gone by itself: what is on screen is the last that was read.
pub(super) fn engine_ended(state: &mut State, words: &Foreign) {
    let words = clean(words);
    state
        .world
        .activity
        .failed(Clean::from("local engine"), words.clone(), state.now);
    let sentences = vec![
        Clean::from("The local engine ended by itself. What is on screen is what was last read."),
        words,
        Clean::from("Start sandtop again to start it again; its sandboxes' records are kept."),
    ];
    state
        .dialogs
        .push(Dialog::Notice(Notice::new("The engine ended", &sentences)));
}
