//! One sentence for the user: what was done, or why not. It goes by itself, since the activity view keeps it.

use crate::logic::{Mono, Now};
use crate::model::{Clean, Span};

/// Long enough to be read twice.
const SHOWN: Span = Span::seconds(8);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Said,
    /// Something did not happen that was asked for.
    Refused,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub sentence: Clean,
    pub tone: Tone,
    pub until: Mono,
}

impl Message {
    pub fn new(sentence: impl Into<Clean>, tone: Tone, now: Now) -> Self {
        Self {
            sentence: sentence.into(),
            tone,
            until: now.mono.after(SHOWN),
        }
    }
}
