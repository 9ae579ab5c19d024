//! The files of settings: found, read, and looked at again while the program runs.
//!
//! Nobody wakes up for that: a look is two questions for a file's state, asked when something is due anyway, when the
//! window gets the focus, and by the refresh key.

use crate::logic::settings::{Config, Source};
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Files in the directory of settings.
const CONFIG: &str = "config.toml";
const KEYS: &str = "keys.toml";
/// Larger files are none of ours.
const MOST: u64 = 1 << 20;
const BETWEEN_LOOKS: Duration = Duration::from_secs(5);

pub struct SettingsFiles {
    /// `None`: this user has no directory, so the defaults apply.
    directory: Option<PathBuf>,
    seen: [Stamp; 2],
    looked: Instant,
}

/// Another one: the file is another, or has other contents. Size and device count too, since editors may keep the
/// time and file systems may count it in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stamp {
    Missing,
    There {
        file: (u64, u64),
        modified: (i64, i64),
        size: u64,
        mode: u32,
    },
    Hidden(ErrorKind),
}

impl SettingsFiles {
    /// Those of that directory, not read yet.
    pub fn of(directory: Option<PathBuf>) -> Self {
        Self {
            directory,
            seen: [Stamp::Missing; 2],
            looked: Instant::now(),
        }
    }

    pub fn paths(&self) -> Option<[PathBuf; 2]> {
        let directory = self.directory.as_ref()?;
        Some([CONFIG, KEYS].map(|name| directory.join(name)))
    }

    pub fn read(&mut self) -> Config {
        let Some(paths) = self.paths() else {
            return Config::default();
        };
        // Before the reading: what changes during it is seen by the next look.
        self.seen = paths.each_ref().map(|path| stamp(path));
        let [config, keys] = paths.each_ref().map(|path| source(path));
        Config::read(&config, &keys)
    }

    /// Long enough ago that somebody may have edited them.
    pub fn are_due(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.looked) >= BETWEEN_LOOKS
    }

    /// What they say now, if they are not as they were.
    pub fn changed(&mut self, now: Instant) -> Option<Config> {
        self.looked = now;
        let stamps = self.paths()?.each_ref().map(|path| stamp(path));
        (stamps != self.seen).then(|| self.read())
    }
}

fn stamp(path: &Path) -> Stamp {
    match fs::metadata(path) {
        Ok(found) => Stamp::There {
            file: (found.dev(), found.ino()),
            modified: (found.mtime(), found.mtime_nsec()),
            size: found.len(),
            mode: found.mode(),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Stamp::Missing,
        Err(error) => Stamp::Hidden(error.kind()),
    }
}

fn source(path: &Path) -> Source {
    let file = path.display().to_string();
    let unreadable = |why: String| Source::Unreadable {
        file: file.clone(),
        why,
    };
    let bytes = fs::metadata(path).and_then(|found| match refusal(&found) {
        Some(why) => Ok(Err(why)),
        None => fs::read(path).map(Ok),
    });
    match bytes {
        Err(error) if error.kind() == ErrorKind::NotFound => Source::Missing,
        Err(error) => unreadable(format!("this file cannot be read: {}", words(&error))),
        Ok(Err(why)) => unreadable(why),
        Ok(Ok(bytes)) => match String::from_utf8(bytes) {
            Ok(text) => Source::Text { file, text },
            Err(_) => unreadable("this file is no UTF-8 text".to_owned()),
        },
    }
}

/// Reading something else than a file may take for ever.
fn refusal(found: &Metadata) -> Option<String> {
    if found.is_dir() {
        return Some("this is a directory, where a file is expected".to_owned());
    }
    if !found.is_file() {
        return Some("this is no file".to_owned());
    }
    let (size, most) = (found.len() >> 10, MOST >> 10);
    (found.len() > MOST)
        .then(|| format!("this file has {size} KiB, and settings have {most} KiB at most"))
}

/// Without the number that only programmers know.
fn words(error: &io::Error) -> String {
    let words = error.to_string();
    words
        .split(" (os error")
        .next()
        .unwrap_or_default()
        .to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::settings::ThemeChoice;

    #[test]
    fn a_look_reads_only_what_changed() {
        let home = tempfile::TempDir::new().unwrap();
        let path = home.path().join(CONFIG);
        let mut files = SettingsFiles::of(Some(home.path().to_owned()));
        assert_eq!(files.read(), Config::default());
        let look = |files: &mut SettingsFiles| files.changed(Instant::now());
        assert!(look(&mut files).is_none());
        fs::write(&path, "theme = \"light\"").unwrap();
        let config = look(&mut files).unwrap();
        assert_eq!(config.settings.theme, ThemeChoice::Light);
        assert!(look(&mut files).is_none());
        // As editors do it: another file under the same name.
        fs::write(home.path().join("new"), "theme = \"darkk\"").unwrap();
        fs::rename(home.path().join("new"), &path).unwrap();
        assert_eq!(look(&mut files).unwrap().complaints.len(), 1);
        fs::remove_file(&path).unwrap();
        assert_eq!(look(&mut files), Some(Config::default()));
        assert!(look(&mut files).is_none());
    }

    #[test]
    fn what_is_no_readable_file_is_told() {
        let home = tempfile::TempDir::new().unwrap();
        let said = || {
            let config = SettingsFiles::of(Some(home.path().to_owned())).read();
            let said = config.complaints.first().map(|first| first.sentence());
            said.map_or_else(String::new, |said| said.as_str().to_owned())
        };
        let path = home.path().join(CONFIG);
        fs::create_dir(&path).unwrap();
        assert!(said().ends_with("config.toml: this is a directory, where a file is expected"));
        fs::remove_dir(&path).unwrap();
        fs::write(&path, vec![b'#'; 5 << 20]).unwrap();
        assert!(said().contains("has 5120 KiB"), "{}", said());
        fs::write(&path, b"theme = \"\xff\"").unwrap();
        assert!(said().contains("UTF-8"), "{}", said());
        fs::write(&path, b"").unwrap();
        assert_eq!(said(), "");
    }
}
