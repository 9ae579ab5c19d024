//! `state.json` in the data directory: where the user was when the dashboard ended.

use crate::logic::settings::Remembered;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

const FILE: &str = "state.json";
/// Larger files are none of ours.
const MOST: u64 = 64 << 10;

pub struct Memory {
    directory: Option<PathBuf>,
    was: Remembered,
}

impl Memory {
    /// What was kept there; what cannot be read is forgotten.
    pub fn of(directory: Option<PathBuf>) -> Self {
        let text = directory.as_deref().and_then(text).unwrap_or_default();
        Self {
            directory,
            was: Remembered::parse(&text),
        }
    }

    pub fn remembered(&self) -> Remembered {
        self.was.clone()
    }

    /// Keeps it for the next start, if it is news. Not being able to is no reason to end otherwise.
    pub fn keep(&self, now: &Remembered) {
        let Some(directory) = self.directory.as_deref().filter(|_| *now != self.was) else {
            return;
        };
        if let Err(error) = write(directory, &now.to_text()) {
            tracing::warn!(%error, "state.json");
        }
    }
}

fn text(directory: &Path) -> Option<String> {
    let path = directory.join(FILE);
    let found = fs::metadata(&path).ok()?;
    let fits = found.is_file() && found.len() <= MOST;
    fits.then(|| fs::read_to_string(path).ok())?
}

/// As a whole or not at all.
fn write(directory: &Path, text: &str) -> io::Result<()> {
    // As the engine makes it, which may come later.
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)?;
    let new = directory.join(format!("{FILE}.{}", std::process::id()));
    fs::write(&new, text)?;
    fs::rename(new, directory.join(FILE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::settings::Chosen;
    use crate::logic::{Action, Column, LineTimes, LogLooks, Order, Pick, View};
    use crate::model::{SandboxKey, SandboxName, Timestamp};

    #[test]
    fn what_was_kept_is_there_at_the_next_start() {
        let home = tempfile::TempDir::new().unwrap();
        let directory = home.path().join("a/b");
        let memory = Memory::of(Some(directory.clone()));
        assert_eq!(memory.remembered(), Remembered::default());
        memory.keep(&Remembered::default());
        assert!(!directory.exists(), "nothing new, and yet written");
        let now = Remembered {
            view: View::Activity,
            filter: "status:running \"é\"".to_owned(),
            order: Order {
                column: Column::Cost,
                reverse: true,
            },
            columns: Chosen::new(vec![Column::Mounts, Column::Name], Column::ALL.to_vec()),
            share: Chosen::new(61, 40),
            picked: vec![
                Pick::GoTo(SandboxKey {
                    name: SandboxName::new("a \"\u{1b}[31m"),
                    created_at: Some(Timestamp(1)),
                }),
                Pick::Do(Action::Columns),
            ],
            wrap: Chosen::new(false, true),
            looks: LogLooks {
                times: LineTimes::Utc,
                json: true,
                ..LogLooks::default()
            },
        };
        memory.keep(&now);
        assert_eq!(Memory::of(Some(directory.clone())).remembered(), now);
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
        for broken in [
            "",
            "{",
            "[1]",
            "{\"view\": 7}",
            "{\"sort\": \"size\", \"reverse\": true}",
            "{\"columns\": {\"value\": [\"size\"], \"instead_of\": []}}",
            "{\"share\": {\"value\": 400, \"instead_of\": 40}}",
            "{\"logs\": {\"times\": \"noon\"}}",
            "{\"picked\": [{\"do\": \"explode\"}, {\"see\": 1}, 2]}",
        ] {
            fs::write(directory.join(FILE), broken).unwrap();
            let found = Memory::of(Some(directory.clone())).remembered();
            assert_eq!(found, Remembered::default(), "{broken}");
        }
    }
}
