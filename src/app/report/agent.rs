//! A coding agent's run as lines: JSON for scripts, text for people.

use crate::agents::{Body, Figure, Format, Kind, Outcome, Run, State, Step, Totals};
use crate::model::{Clean, Foreign};
use crate::text::{clean, say};
use serde::Serialize;
use std::fmt::Write;

#[derive(Serialize)]
struct StepLine<'a> {
    r#type: &'static str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'a Foreign>,
    short: &'a Foreign,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<&'a Foreign>,
}

#[derive(Serialize)]
struct RunLine<'a> {
    r#type: &'static str,
    format: &'static str,
    agent: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'a Foreign>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a Foreign>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<&'a Foreign>,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a Foreign>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resets_at: Option<String>,
    totals: TotalsObject,
}

#[derive(Serialize)]
struct TotalsObject {
    #[serde(skip_serializing_if = "Option::is_none")]
    input_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_tokens_at_least: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_read_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_write_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_usd: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turns: Option<u64>,
}

impl TotalsObject {
    fn of(totals: &Totals) -> Self {
        let (exact, at_least) = match totals.output {
            Figure::Unknown => (None, None),
            Figure::AtLeast(n) => (None, Some(n)),
            Figure::Exactly(n) => (Some(n), None),
        };
        Self {
            input_tokens: totals.input,
            output_tokens: exact,
            output_tokens_at_least: at_least,
            reasoning_tokens: totals.reasoning,
            cache_read_tokens: totals.cache_read,
            cache_write_tokens: totals.cache_write,
            total_tokens: totals.total,
            cost_usd: totals.cost,
            turns: totals.turns,
        }
    }
}

/// A step as JSON. `is_over`: what still runs will not end any more.
///
/// # Errors
/// When serde refuses.
pub fn step_json(step: &Step, is_over: bool) -> Result<String, serde_json::Error> {
    let status = match step.status {
        Some(Outcome::Running) if is_over => Some(Outcome::Unknown),
        status => status,
    };
    serde_json::to_string(&StepLine {
        r#type: "step",
        kind: step.kind.word(),
        tool: step.tool.as_ref(),
        short: &step.short,
        status: status.map(Outcome::word),
        exit_code: match &step.body {
            Body::Tool(tool) => tool.exit_code,
            _ => None,
        },
        parent: step.parent.as_ref(),
    })
}

/// A run as JSON: its identity, state and totals.
///
/// # Errors
/// When serde refuses.
pub fn run_json(run: &Run, state: &State) -> Result<String, serde_json::Error> {
    let agent = run.format.filter(|format| format.is_agent());
    let resets_at = match state {
        State::RateLimited(Some(at)) => jiff::Timestamp::from_millisecond(at.0).ok(),
        _ => None,
    };
    serde_json::to_string(&RunLine {
        r#type: "run",
        format: agent.map_or(Format::Plain.word(), Format::word),
        agent: agent.map_or("", Format::agent),
        version: run.version.as_ref(),
        model: run.model.as_ref(),
        session: run.session.as_ref(),
        state: state.word(),
        reason: state.reason(),
        resets_at: resets_at.map(|at| at.to_string()),
        totals: TotalsObject::of(&run.totals),
    })
}

/// A step as a line for people.
pub fn step_text(step: &Step) -> Clean {
    let mark = match (step.kind, step.status) {
        (Kind::Text, _) => "●",
        (Kind::Thinking, _) => "·",
        (Kind::User, _) => ">",
        (Kind::Error, _) | (_, Some(Outcome::Error)) => "✗",
        (Kind::Waiting, _) => "?",
        (Kind::Retry, _) => "↻",
        (_, Some(Outcome::Ok)) => "✓",
        (Kind::Tool | Kind::FileChange | Kind::Plan, _) => "○",
        (Kind::Notice, _) => "i",
        (Kind::Unknown | Kind::Raw, _) => " ",
    };
    let indent = if step.parent.is_some() { "  " } else { "" };
    let short = clean(&step.short);
    match &step.tool {
        Some(tool) => say(format_args!("{indent}{mark} {} {short}", clean(tool))),
        None => say(format_args!("{indent}{mark} {short}")),
    }
}

/// The run as a line for people: `claude-code 2.1 · model · done · 1 200 in, 80 out · $0.01`.
pub fn run_text(run: &Run, state: &State) -> Clean {
    let agent = match run.agent() {
        "" => "no agent",
        agent => agent,
    };
    let mut line = agent.to_owned();
    for part in [&run.version, &run.model].into_iter().flatten() {
        let _ = write!(line, " · {}", clean(part));
    }
    let _ = write!(line, " · {}", state.word());
    if let Some(reason) = state.reason() {
        let _ = write!(line, ": {}", clean(reason));
    }
    let totals = &run.totals;
    if let Some(input) = totals.input {
        let _ = write!(line, " · {input} in");
    }
    match totals.output {
        Figure::Unknown => {}
        Figure::AtLeast(n) => {
            let _ = write!(line, ", ≥ {n} out");
        }
        Figure::Exactly(n) => {
            let _ = write!(line, ", {n} out");
        }
    }
    if let Some(cached) = totals.cache_read {
        let _ = write!(line, ", {cached} from cache");
    }
    if let Some(turns) = totals.turns {
        let _ = write!(line, " · {turns} turns");
    }
    if let Some(cost) = totals.cost {
        let _ = write!(line, " · ${cost:.4}");
    }
    if run.uncounted > 0 {
        let _ = write!(line, " · {} more lines, not shown", run.uncounted);
    }
    say(format_args!("{line}"))
}
