//! How a run stands: the stream, the process and the silence put together.

use super::{Phase, Run};
use crate::model::{Foreign, Span, Timestamp};

/// What is known beside the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outside {
    pub process: Process,
    /// The command line names an agent: what it prints is a run, whatever it looks like.
    pub named: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Process {
    /// Or not known to have ended.
    Running,
    Exited(i64),
    /// Its session has ended, and no exit code was told.
    Lost,
}

#[derive(Clone, Debug, PartialEq)]
pub enum State {
    Starting,
    /// On which step, and since when.
    Working {
        on: Option<usize>,
        since: Option<Timestamp>,
    },
    Waiting(Foreign),
    RateLimited(Option<Timestamp>),
    Done,
    /// Why.
    Failed(Foreign),
    /// Why.
    EndedWithoutResult(Foreign),
    NotAnAgent,
}

impl State {
    /// As in `sandtop read --json`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Working { .. } => "running",
            Self::Waiting(_) => "waiting",
            Self::RateLimited(_) => "rate-limited",
            Self::Done => "done",
            Self::Failed(_) => "failed",
            Self::EndedWithoutResult(_) => "ended-without-result",
            Self::NotAnAgent => "not-an-agent",
        }
    }

    /// What it waits for, or why it failed or ended.
    pub fn reason(&self) -> Option<&Foreign> {
        match self {
            Self::Waiting(reason) | Self::Failed(reason) | Self::EndedWithoutResult(reason) => {
                Some(reason)
            }
            _ => None,
        }
    }

    pub fn is_over(&self) -> bool {
        matches!(
            self,
            Self::Done | Self::Failed(_) | Self::EndedWithoutResult(_)
        )
    }
}

/// The table; `tests.rs` walks it.
pub fn state(run: &Run, outside: &Outside) -> State {
    let is_agent = run.format.is_some_and(super::Format::is_agent);
    if !is_agent {
        return unread(run, outside);
    }
    match (outside.process, &run.phase) {
        (_, Phase::Failed(why)) => State::Failed(why.clone()),
        (_, Phase::Broken(why)) if outside.process != Process::Running => {
            State::EndedWithoutResult(why.clone())
        }
        (Process::Exited(code), Phase::Done) if code != 0 => {
            State::Failed(format!("exit {code} after a good result").into())
        }
        (_, Phase::Done) | (Process::Exited(0), Phase::Answered) => State::Done,
        (Process::Running, Phase::Silent | Phase::Started) => State::Starting,
        (Process::Running, Phase::Waiting(what)) => State::Waiting(what.clone()),
        (Process::Running, Phase::RateLimited(until)) => State::RateLimited(*until),
        (Process::Running, Phase::Working | Phase::Answered | Phase::Broken(_)) => working(run),
        (Process::Exited(code), _) => State::EndedWithoutResult(ended(run, code)),
        (Process::Lost, _) => State::EndedWithoutResult("its session has ended".into()),
    }
}

fn working(run: &Run) -> State {
    let on = run.doing.or(run.steps.len().checked_sub(1));
    let since = on.and_then(|on| run.steps.get(on)?.at);
    State::Working { on, since }
}

/// Of what printed nothing that is an agent's.
fn unread(run: &Run, outside: &Outside) -> State {
    match outside.process {
        Process::Running if run.format.is_none() => State::Starting,
        _ if !outside.named => State::NotAnAgent,
        Process::Running => working(run),
        Process::Exited(0) => State::Done,
        Process::Exited(code) => State::Failed(ended(run, code)),
        Process::Lost => State::EndedWithoutResult("its session has ended".into()),
    }
}

/// Why a process that told no result ended.
fn ended(run: &Run, code: i64) -> Foreign {
    let said = run.last_words().map(Foreign::as_raw);
    match (code, said) {
        (0, _) => "exit 0 without a result".into(),
        (_, Some(said)) => format!("exit {code}: {said}").into(),
        (_, None) => format!("exit {code}").into(),
    }
}

/// Nothing was printed for so long that it is worth a word.
const SILENT_AFTER: Span = Span::minutes(2);

/// The hint beside a state that expects output. `silent`: since the last output, or the start.
pub fn silent_for(state: &State, silent: Span) -> Option<Span> {
    let expects = matches!(state, State::Starting | State::Working { .. });
    Some(silent).filter(|silent| expects && *silent >= SILENT_AFTER)
}
