//! What `sandtop doctor` found, as lines.

use crate::model::Clean;
use crate::text::say;

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    pub about: &'static str,
    pub health: Health,
    pub words: Clean,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// As it should be, or only to be known.
    Fine,
    /// Something is missing that not everybody needs.
    Lacking,
    /// In the way of what was asked for.
    Blocked,
}

impl Check {
    pub fn new(about: &'static str, health: Health, words: Clean) -> Self {
        Self {
            about,
            health,
            words,
        }
    }
}

/// A line a check: what is in the way stands out without a colour.
pub fn checks(checks: &[Check]) -> Vec<Clean> {
    let line = |check: &Check| {
        let sign = match check.health {
            Health::Fine => "ok",
            Health::Lacking => "--",
            Health::Blocked => "!!",
        };
        say(format_args!("{sign} {:<12} {}", check.about, check.words))
    };
    checks.iter().map(line).collect()
}
