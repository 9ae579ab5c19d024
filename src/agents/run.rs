//! A run: what a command's output says about an agent's work.

use super::{Format, Kind, Step, Totals};
use crate::model::{Foreign, Timestamp};

#[derive(Clone, Debug, PartialEq, Default)]
pub struct Run {
    /// `None` until it is decided.
    pub format: Option<Format>,
    pub version: Option<Foreign>,
    pub model: Option<Foreign>,
    /// Of the section that is read now, as is the next.
    pub session: Option<Foreign>,
    pub cwd: Option<Foreign>,
    pub started: Option<Timestamp>,
    pub ended: Option<Timestamp>,
    /// In order of first appearance. Only added to; a step may change later, see `Reader::changed_since`.
    pub steps: Vec<Step>,
    /// Several where one log holds several sessions.
    pub sections: Vec<Section>,
    pub totals: Totals,
    /// How it stands, by the stream alone.
    pub phase: Phase,
    /// The tool that runs now: the newest of them.
    pub doing: Option<usize>,
    /// The step with the newest plan.
    pub plan: Option<usize>,
    /// By first touch. Bounded.
    pub files: Vec<TouchedFile>,
    /// The last lines of standard error. Bounded.
    pub complaints: Vec<Foreign>,
    /// Lines that are no part of the format and became no steps, since there are too many of them.
    pub uncounted: u64,
}

impl Run {
    /// The agent's name; empty for what is none, or not known yet.
    pub fn agent(&self) -> &'static str {
        self.format.map_or("", Format::agent)
    }

    /// The line that tells best why it ended: of standard error, else the last one that is no part of the format.
    pub fn last_words(&self) -> Option<&Foreign> {
        let newest = self.complaints.iter().rev();
        let telling = newest.clone().find(|line| is_telling(line.as_raw()));
        let raw = self.steps.last().filter(|step| step.kind == Kind::Raw);
        telling
            .or_else(|| newest.clone().next())
            .or_else(|| raw.map(|step| &step.short))
    }
}

/// Stack traces and good wishes come after it.
fn is_telling(line: &str) -> bool {
    let line = line.to_lowercase();
    let is_frame = line.starts_with("at ");
    let words = [
        "error",
        "invalid",
        "fail",
        "denied",
        "not found",
        "unauthorized",
        "fatal",
        "must ",
    ];
    !is_frame && words.iter().any(|word| line.contains(word))
}

/// A session within a log. A loop that tries again makes several.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    pub session: Option<Foreign>,
    pub first_step: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TouchedFile {
    pub path: Foreign,
    pub changes: u32,
    /// The newest step that touched it.
    pub step: usize,
}

/// What the stream alone says.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Phase {
    /// Nothing of an agent was seen.
    #[default]
    Silent,
    /// It said that it begins.
    Started,
    Working,
    /// For a person, and for what.
    Waiting(Foreign),
    /// Until when, if it is told.
    RateLimited(Option<Timestamp>),
    /// It has answered, and this format has no word for the end: exit code 0 makes it done.
    Answered,
    Done,
    Failed(Foreign),
    /// It stopped on the way, and why.
    Broken(Foreign),
}
