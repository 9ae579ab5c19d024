//! How an agent's run stands, in a sign and a word, and what there is to say of it.

use super::Ctx;
use crate::agents::{Kind, State};
use crate::logic::{AgentRun, Standing, World};
use crate::model::{Clean, CommandKey, Timestamp};
use crate::text::{clean, figures, say};
use crate::ui::{Piece, Role, label};

/// The word on the screen.
pub fn word(state: Option<&State>) -> &'static str {
    match state {
        Some(State::Starting) => "starting",
        Some(State::Working { .. }) => "working",
        Some(State::Waiting(_)) => "waiting",
        Some(State::RateLimited(_)) => "rate-limited",
        Some(State::Done) => "done",
        Some(State::Failed(_)) => "failed",
        Some(State::EndedWithoutResult(_)) => "no result",
        Some(State::NotAnAgent) => "no agent",
        None => "ended",
    }
}

/// Sign and word.
pub fn sign(standing: &Standing, ctx: &Ctx<'_>) -> Vec<Piece> {
    let state = standing.state.as_ref();
    let (sign, role) = ctx.theme.glyphs.run(state);
    vec![
        label(sign, role),
        label(" ", role),
        label(word(state), role),
    ]
}

/// What it does now, waits for, or ended with.
pub fn doing(key: &CommandKey, standing: &Standing, world: &World, ctx: &Ctx<'_>) -> Clean {
    let run = world.agent_runs.get(key).map(AgentRun::run);
    let said = match &standing.state {
        Some(State::Working { on, .. }) => {
            let step = on.and_then(|on| run?.steps.get(on));
            step.map(|step| match &step.tool {
                Some(tool) => say(format_args!("{} {}", clean(tool), clean(&step.short))),
                None => clean(&step.short),
            })
        }
        Some(State::RateLimited(until)) => Some(limited(*until, world, ctx)),
        Some(State::Done) => {
            let mut steps = run.into_iter().flat_map(|run| run.steps.iter().rev());
            let last = steps.find(|step| step.kind == Kind::Text && step.parent.is_none());
            last.map(|step| clean(&step.short))
        }
        Some(state) => state.reason().map(clean),
        None => Some(Clean::from("its output was not read")),
    };
    let said = said.unwrap_or_default();
    match standing.silent {
        Some(silent) => {
            let silent = figures::ago(Some(silent));
            say(format_args!("silent for {silent} · {said}"))
        }
        None => said,
    }
}

fn limited(until: Option<Timestamp>, world: &World, ctx: &Ctx<'_>) -> Clean {
    let Some(until) = until else {
        return Clean::from("until the limit is reset");
    };
    let left = until.since(world.service_now(ctx.now));
    let at = figures::clock(Some(until), ctx.zone);
    match left.0 > 0 {
        true => say(format_args!("until {at}, in {}", figures::left(Some(left)))),
        false => say(format_args!("until {at}")),
    }
}

/// Its agent, with the version where it is told.
pub fn agent(key: &CommandKey, world: &World) -> Clean {
    let runs = &world.agent_runs;
    let version = runs.get(key).and_then(|run| run.run().version.as_ref());
    match version {
        Some(version) => say(format_args!("{} {}", runs.agent(key), clean(version))),
        None => Clean::from(runs.agent(key)),
    }
}

/// Since when it stands so, as a length of time.
pub fn since(standing: &Standing, world: &World, ctx: &Ctx<'_>) -> Clean {
    let since = standing
        .since
        .map(|since| world.service_now(ctx.now).since(since));
    figures::ago(since)
}

pub(super) fn dim_unknown(text: &Clean) -> Role {
    match text.as_str() == figures::UNKNOWN {
        true => Role::Dim,
        false => Role::Text,
    }
}
