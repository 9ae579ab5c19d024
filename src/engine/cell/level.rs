//! How well a cell is kept apart from this machine, and what this machine allows.

use serde::{Deserialize, Serialize};

/// From the strongest to the weakest. None is a security boundary for hostile code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The engine runs as root: own processes, whole tree writable, copy on write.
    Root,
    /// A user namespace: own processes, own files; the system's files can hardly be changed.
    Userns,
    /// A directory and the engine's user: nothing is confined.
    Plain,
}

impl Level {
    pub const ALL: [Self; 3] = [Self::Root, Self::Userns, Self::Plain];

    /// One word, for the header and for settings.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Userns => "userns",
            Self::Plain => "plain",
        }
    }

    /// What a person must know about it.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Root => {
                "own files and processes, shares this machine's kernel and network; \
                 not a boundary for hostile code"
            }
            Self::Userns => {
                "own files and processes, no package installs, shares this machine's kernel \
                 and network; not a boundary for hostile code"
            }
            Self::Plain => {
                "nothing is confined: commands run as you, with your files, in a directory \
                 of their own"
            }
        }
    }
}

impl std::str::FromStr for Level {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|level| level.word() == word)
            .ok_or_else(|| format!("no isolation level {word:?}: use root, userns or plain"))
    }
}
