//! Where credentials may lie around, as values: so that finding them is a function, and a test owns all of it.

use super::dotenv;
use crate::model::Timestamp;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Larger files are none of ours.
const MAX_FILE: u64 = 1 << 20;

/// Not `Debug`: an environment is full of secrets.
pub struct Surroundings {
    pub env: BTreeMap<String, String>,
    pub cwd: PathBuf,
    pub home: Option<PathBuf>,
    pub now: Timestamp,
}

/// Where a variable was found: the file, or `None` for the environment.
pub(super) struct Variable {
    pub(super) value: String,
    pub(super) file: Option<PathBuf>,
}

impl Surroundings {
    /// Those of this process.
    pub fn of_this_process(now: Timestamp) -> Self {
        let pair = |(key, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((key.into_string().ok()?, value.into_string().ok()?))
        };
        Self {
            env: std::env::vars_os().filter_map(pair).collect(),
            cwd: std::env::current_dir().unwrap_or_default(),
            home: directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_owned()),
            now,
        }
    }

    /// The environment and the dotenv files of the working directory, as one look-up. Also the files that are there
    /// and cannot be read, with the reason.
    pub(super) fn variables(&self) -> (Variables<'_>, Vec<(PathBuf, &'static str)>) {
        let mut files = Vec::new();
        let mut unreadable = Vec::new();
        for name in [".env.local", ".env"] {
            let path = self.cwd.join(name);
            match read(&path) {
                Ok(Some(text)) => files.push((path, dotenv::parse(&text))),
                Ok(None) => {}
                Err(why) => unreadable.push((path, why)),
            }
        }
        let env = &self.env;
        (Variables { env, files }, unreadable)
    }

    /// The Vercel CLI's data file, in the order its readers look (api.md §1.4).
    pub(super) fn auth_files(&self) -> Vec<PathBuf> {
        let dir = |name: &str| {
            let path = PathBuf::from(self.env.get(name)?);
            path.is_absolute().then_some(path)
        };
        let home = |inside: &str| self.home.as_ref().map(|home| home.join(inside));
        let own = PathBuf::from("com.vercel.cli");
        let places = match dir("XDG_DATA_HOME") {
            Some(data) => vec![Some(data.join(own))],
            None if cfg!(target_os = "macos") => {
                vec![home("Library/Application Support").map(|data| data.join(own))]
            }
            None if cfg!(windows) => vec![
                dir("LOCALAPPDATA").map(|data| data.join(&own)),
                dir("APPDATA").map(|data| data.join(own).join("Data")),
            ],
            None => vec![home(".local/share").map(|data| data.join(own))],
        };
        let places = places.into_iter().flatten();
        places.map(|place| place.join("auth.json")).collect()
    }
}

pub(super) struct Variables<'a> {
    env: &'a BTreeMap<String, String>,
    files: Vec<(PathBuf, BTreeMap<String, String>)>,
}

impl Variables<'_> {
    /// A variable that is set to nothing is not set, and hides those of the files all the same.
    pub(super) fn get(&self, name: &str) -> Option<Variable> {
        let in_env = self.env.get(name).map(|value| (value, None));
        let mut in_files = self.files.iter();
        let (value, file) = in_env.or_else(|| {
            in_files.find_map(|(path, values)| Some((values.get(name)?, Some(path.clone()))))
        })?;
        let value = value.trim().to_owned();
        (!value.is_empty()).then_some(Variable { value, file })
    }
}

/// `None` where there is no such file.
pub(super) fn read(path: &Path) -> Result<Option<String>, &'static str> {
    let meta = match std::fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(_) => return Err("the file cannot be looked at"),
    };
    if !meta.is_file() {
        return Err("it is not a file");
    }
    if meta.len() > MAX_FILE {
        return Err("the file is far too large");
    }
    let bytes = std::fs::read(path).map_err(|_| "the file cannot be read")?;
    let text = String::from_utf8(bytes).map_err(|_| "the file is not text")?;
    Ok(Some(text))
}
