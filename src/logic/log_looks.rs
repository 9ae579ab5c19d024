//! What is shown of a log's lines beside their text: chosen by keys, and found again at the next start.

use serde::{Deserialize, Serialize};

/// How the time is told at which a line arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineTimes {
    #[default]
    Off,
    /// How long ago.
    Relative,
    /// By this machine's zone.
    Local,
    Utc,
}

impl LineTimes {
    pub fn next(self) -> Self {
        match self {
            Self::Off => Self::Relative,
            Self::Relative => Self::Local,
            Self::Local => Self::Utc,
            Self::Utc => Self::Off,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LogLooks {
    pub numbers: bool,
    pub times: LineTimes,
    /// A sign before lines that are not of stdout.
    pub streams: bool,
    /// Lines that say how grave they are have its colour.
    pub levels: bool,
    /// Merged logs: whose line it is.
    pub sources: bool,
    /// JSON is laid out on several rows.
    pub json: bool,
}

impl Default for LogLooks {
    fn default() -> Self {
        Self {
            numbers: false,
            times: LineTimes::Off,
            streams: true,
            levels: true,
            sources: true,
            json: false,
        }
    }
}
