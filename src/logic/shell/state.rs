//! How a shell stands, from the wish to its end.

use super::ShellNews;
use crate::logic::explain;
use crate::model::Clean;
use crate::text::clean;

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum ShellState {
    /// Nothing is sent before the layout says how large it is.
    #[default]
    Wanted,
    /// The session is asked for a place to connect to.
    Asking,
    /// That place is looked at until it is healthy, a bounded time.
    Checking,
    Connecting,
    Open,
    /// With this code, if it told one.
    Exited(Option<i32>),
    /// The connection broke; what is on the screen stays.
    Lost {
        why: Clean,
        /// Bytes of input that may not have arrived.
        unsent: u64,
    },
    /// It never was open.
    Refused {
        why: Clean,
        /// The session does not run any more.
        gone: bool,
    },
}

impl ShellState {
    /// What follows from news. An end is final: what comes after it changes nothing.
    pub(super) fn after(&self, news: &ShellNews) -> Option<Self> {
        if self.is_over() {
            return None;
        }
        match news {
            ShellNews::Asked => Some(Self::Checking),
            ShellNews::Healthy => Some(Self::Connecting),
            ShellNews::Open => Some(Self::Open),
            ShellNews::Exited(code) => Some(Self::Exited(*code)),
            ShellNews::Closed => Some(Self::Exited(None)),
            ShellNews::Failed(failure) => Some(Self::Refused {
                why: explain::in_full(failure),
                gone: matches!(failure.status(), Some(404 | 410)),
            }),
            ShellNews::Lost { why, unsent } => Some(Self::Lost {
                why: clean(why),
                unsent: *unsent,
            }),
            ShellNews::Output(_)
            | ShellNews::Answered
            | ShellNews::Recording(_)
            | ShellNews::RecordingEnded(_) => None,
        }
    }

    pub fn is_open(&self) -> bool {
        *self == Self::Open
    }

    /// Nothing more comes of it; another can be opened in its place.
    pub fn is_over(&self) -> bool {
        matches!(
            self,
            Self::Exited(_) | Self::Lost { .. } | Self::Refused { .. }
        )
    }
}
