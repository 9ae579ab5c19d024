//! Which kinds of steps are shown.

use crate::agents::{Kind, Outcome, Step};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Kinds {
    #[default]
    All,
    /// What was said, without the work between.
    Talk,
    Tools,
    Edits,
    /// What failed, and what waits for a person.
    Trouble,
}

impl Kinds {
    pub(super) fn next(self) -> Self {
        match self {
            Self::All => Self::Talk,
            Self::Talk => Self::Tools,
            Self::Tools => Self::Edits,
            Self::Edits => Self::Trouble,
            Self::Trouble => Self::All,
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::All => "everything",
            Self::Talk => "talk",
            Self::Tools => "tools",
            Self::Edits => "edits",
            Self::Trouble => "errors and questions",
        }
    }

    pub(super) fn has(self, step: &Step) -> bool {
        match self {
            Self::All => true,
            Self::Talk => matches!(step.kind, Kind::Text | Kind::User | Kind::Waiting),
            Self::Tools => matches!(step.kind, Kind::Tool | Kind::FileChange),
            Self::Edits => is_edit(step),
            Self::Trouble => is_error(step) || is_question(step),
        }
    }
}

pub(super) fn is_edit(step: &Step) -> bool {
    step.kind == Kind::FileChange || !step.changes().is_empty()
}

pub(super) fn is_error(step: &Step) -> bool {
    step.kind == Kind::Error || step.status == Some(Outcome::Error)
}

pub(super) fn is_question(step: &Step) -> bool {
    step.kind == Kind::Waiting
}
