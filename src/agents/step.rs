//! One step of a run: what was said, thought, done, asked, or went wrong.

use crate::model::{Foreign, Span, Timestamp};
use std::ops::RangeInclusive;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// What the agent says.
    Text,
    Thinking,
    /// A call of a tool, whatever it does.
    Tool,
    /// A change of files that the maker reports as such.
    FileChange,
    Plan,
    /// What the agent was told.
    User,
    /// Something about the run that is no work: compaction, a background task, a warning.
    Notice,
    /// A failed call of the model that is tried again, or a rate limit.
    Retry,
    Error,
    /// A question or a permission that a person must answer.
    Waiting,
    /// A line whose type is not known: `short` begins with its name.
    Unknown,
    /// A line that is no part of the format.
    Raw,
}

impl Kind {
    /// As in `sandtop read --json`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Thinking => "thinking",
            Self::Tool => "tool",
            Self::FileChange => "file_change",
            Self::Plan => "plan",
            Self::User => "user",
            Self::Notice => "notice",
            Self::Retry => "retry",
            Self::Error => "error",
            Self::Waiting => "waiting",
            Self::Unknown => "unknown",
            Self::Raw => "raw",
        }
    }
}

/// How a tool, a change or a question ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    Running,
    Ok,
    Error,
    /// It was given up, or the stream ended before it did.
    Unknown,
}

impl Outcome {
    pub fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Ok => "ok",
            Self::Error => "error",
            Self::Unknown => "unknown",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub kind: Kind,
    /// The tool's name, as the maker says it.
    pub tool: Option<Foreign>,
    /// One line: the beginning of the text, or what of a tool's input tells most.
    pub short: Foreign,
    pub body: Body,
    /// `None` for what has no outcome.
    pub status: Option<Outcome>,
    /// The maker's id of a tool's call.
    pub id: Option<Foreign>,
    /// The maker's id of the call that started the sub-agent whose step this is.
    pub parent: Option<Foreign>,
    /// 1, 2 … : the answers of the model, counted in the stream. 0: before the first.
    pub turn: u32,
    /// Its lines in the log, first and last.
    pub lines: RangeInclusive<u64>,
    /// When it began: by the stream, else when it arrived.
    pub at: Option<Timestamp>,
    pub took: Option<Span>,
}

/// What a step holds beyond its one line. Bounded: the rest is in the log.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Body {
    #[default]
    None,
    /// Markdown, mostly. `size`: bytes of the whole text, of which this is the beginning.
    Text {
        text: Foreign,
        size: u64,
    },
    Tool(Box<ToolBody>),
    Plan(Vec<PlanEntry>),
    Changes(Vec<FileChange>),
    /// It was let go to keep memory bounded; its lines still are in the log.
    LetGo,
}

#[derive(Clone, Debug, PartialEq, Default)]
pub struct ToolBody {
    /// A command as it is, else JSON.
    pub input: Foreign,
    /// Images and other data stand as stubs: `[image/png 960 kB]`.
    pub output: Foreign,
    /// Bytes of the whole output.
    pub output_size: u64,
    pub exit_code: Option<i64>,
    pub changes: Vec<FileChange>,
    pub plan: Vec<PlanEntry>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Add,
    Update,
    Delete,
}

impl Change {
    pub fn word(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Update => "update",
            Self::Delete => "delete",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct FileChange {
    pub path: Foreign,
    pub change: Change,
    /// Empty where the maker does not tell what changed.
    pub hunks: Vec<Hunk>,
}

/// A piece of a file, before and after.
#[derive(Clone, Debug, PartialEq)]
pub struct Hunk {
    pub old: Foreign,
    pub new: Foreign,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PlanEntry {
    pub text: Foreign,
    /// Running: it is worked on.
    pub status: Option<Outcome>,
}

impl Step {
    pub fn is_running(&self) -> bool {
        self.status == Some(Outcome::Running)
    }

    /// The files it changed, however the maker reports that.
    pub fn changes(&self) -> &[FileChange] {
        match &self.body {
            Body::Changes(changes) => changes,
            Body::Tool(tool) => &tool.changes,
            _ => &[],
        }
    }

    pub fn plan(&self) -> &[PlanEntry] {
        match &self.body {
            Body::Plan(entries) => entries,
            Body::Tool(tool) => &tool.plan,
            _ => &[],
        }
    }
}

impl Body {
    /// Bytes held, roughly.
    pub(super) fn held(&self) -> usize {
        let of_changes = |changes: &[FileChange]| -> usize {
            let hunks = changes.iter().flat_map(|change| &change.hunks);
            hunks
                .map(|hunk| hunk.old.as_raw().len() + hunk.new.as_raw().len())
                .sum::<usize>()
                + changes.len() * 128
        };
        let of_plan = |plan: &[PlanEntry]| plan.iter().map(|e| e.text.as_raw().len() + 40).sum();
        match self {
            Self::None | Self::LetGo => 0,
            Self::Text { text, .. } => text.as_raw().len(),
            Self::Tool(tool) => {
                let plan: usize = of_plan(&tool.plan);
                let text = tool.input.as_raw().len() + tool.output.as_raw().len();
                200 + text + plan + of_changes(&tool.changes)
            }
            Self::Plan(entries) => of_plan(entries),
            Self::Changes(changes) => of_changes(changes),
        }
    }
}
