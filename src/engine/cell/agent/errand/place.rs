//! Where paths lead: from what a client writes to what is on disk, link by link.

use super::super::super::wire::Setup;
use super::super::super::{Level, cwd_of, real};
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// As the kernel bounds it.
const MOST_LINKS: u32 = 40;

/// Where relative paths start.
pub struct Place {
    pub level: Level,
    pub home: PathBuf,
}

/// What the end of a path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Not there, or not yet.
    Nothing,
    Directory,
    File,
    Link,
    Other,
}

/// A path without links and dots, and what is there.
#[derive(Debug)]
pub struct Found {
    pub path: PathBuf,
    pub kind: Kind,
}

impl Place {
    pub fn of(setup: &Setup) -> Self {
        Self {
            level: setup.level,
            home: cwd_of(setup.level, &setup.home),
        }
    }

    pub fn path(&self, cwd: Option<&str>, path: &str) -> PathBuf {
        self.real(&self.home.join(cwd.unwrap_or_default()).join(path))
    }

    pub fn real(&self, path: &Path) -> PathBuf {
        real(self.level, path, &self.home)
    }
}

/// Follows the links of an absolute path; with `last` also one at its end. `planned` knows what is about to be
/// made; links among that are not followed.
///
/// # Errors
/// The words why the path leads nowhere.
pub fn resolve(
    path: &Path,
    last: bool,
    planned: &dyn Fn(&Path) -> Option<Kind>,
) -> Result<Found, String> {
    let mut found = Found {
        path: PathBuf::from("/"),
        kind: Kind::Directory,
    };
    let mut ahead: Vec<Step> = steps(path);
    let mut links = 0;
    while let Some(step) = ahead.pop() {
        let name = match step {
            Step::Up if found.kind == Kind::Nothing => return Err("leads nowhere".to_owned()),
            Step::Up => {
                found.path.pop();
                continue;
            }
            Step::Down(name) => name,
        };
        let next = found.path.join(name);
        found.kind = match planned(&next) {
            Some(Kind::Link) => {
                return Err("goes through a link that comes in the same upload".to_owned());
            }
            Some(kind) => kind,
            None => look(&next)?,
        };
        let is_last = ahead.is_empty();
        match found.kind {
            Kind::Link if last || !is_last => {
                links += 1;
                if links > MOST_LINKS {
                    return Err("goes round in links".to_owned());
                }
                let target = fs::read_link(&next).map_err(|error| error.to_string())?;
                if target.is_absolute() {
                    found.path = PathBuf::from("/");
                }
                found.kind = Kind::Directory;
                ahead.extend(steps(&target));
                continue;
            }
            Kind::File | Kind::Other if !is_last => {
                return Err("goes through what is no directory".to_owned());
            }
            _ => {}
        }
        found.path = next;
    }
    Ok(found)
}

/// What is at a path, links not followed.
pub fn look(path: &Path) -> Result<Kind, String> {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_dir() => Ok(Kind::Directory),
        Ok(meta) if meta.is_file() => Ok(Kind::File),
        Ok(meta) if meta.is_symlink() => Ok(Kind::Link),
        Ok(_) => Ok(Kind::Other),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Kind::Nothing),
        Err(error) => Err(error.to_string()),
    }
}

enum Step {
    Up,
    Down(OsString),
}

/// The parts of a path, the first one last.
fn steps(path: &Path) -> Vec<Step> {
    let parts = path.components().rev();
    parts
        .filter_map(|part| match part {
            Component::Normal(name) => Some(Step::Down(name.to_owned())),
            Component::ParentDir => Some(Step::Up),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_are_followed_to_what_is_there_or_will_be() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::write(root.join("a/file"), "").unwrap();
        symlink("a", root.join("near")).unwrap();
        symlink(root.join("a/b"), root.join("far")).unwrap();
        symlink("../a/none", root.join("a/dangling")).unwrap();
        symlink("round", root.join("round")).unwrap();
        let none = |_: &Path| None;
        let found = |path: &str, last: bool| {
            let found = resolve(&root.join(path), last, &none)?;
            let path = found.path.strip_prefix(&root).map(Path::to_owned);
            Ok::<_, String>((path.unwrap_or(found.path), found.kind))
        };
        let fine = [
            ("near/file", true, "a/file", Kind::File),
            ("near/./new/x", true, "a/new/x", Kind::Nothing),
            ("far/../file", true, "a/file", Kind::File),
            ("near", true, "a", Kind::Directory),
            ("near", false, "near", Kind::Link),
            ("a/dangling", true, "a/none", Kind::Nothing),
        ];
        for (path, last, wanted, kind) in fine {
            assert_eq!(found(path, last), Ok((wanted.into(), kind)), "{path}");
        }
        for path in ["round", "a/file/x", "a/none/../x"] {
            assert!(found(path, true).is_err(), "{path}");
        }
    }
}
