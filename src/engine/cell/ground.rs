//! Where cells stand: a data directory, an agent program and a level of isolation.
//!
//! ```text
//! <data>/cells/<session>/          one running session
//!     layer/                       what it writes: a directory (plain), or the upper sides of its overlays
//!     base/0 base/1 …              links to the layers it was booted from, newest first
//!     work/ root/ empty/           the kernel's own room, and where the whole is put together
//! <data>/layers/<level>/<layer>/   kept layers, never written again
//! ```

use super::live::Cell;
use super::merge::merge;
use super::{Level, Probe};
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// A kept, immutable layer, by the name the engine gave it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LayerId(String);

impl LayerId {
    /// `None` for a name that could not be a file's: only letters, digits, `-` and `_`, 1 to 128 of them.
    pub fn new(name: &str) -> Option<Self> {
        is_plain_name(name).then(|| Self(name.to_owned()))
    }
}

fn is_plain_name(name: &str) -> bool {
    (1..=128).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// What to boot.
#[derive(Clone, Debug)]
pub struct Boot<'a> {
    /// A name of its own among all sessions there are; by the rules of [`LayerId::new`].
    pub session: &'a str,
    /// What `hostname` says inside.
    pub hostname: &'a str,
    /// The chain of layers to start from, newest first; empty for a fresh system. At `plain` each layer is
    /// whole, and only the newest is read.
    pub base: Vec<LayerId>,
}

/// What became of a writable layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frozen {
    /// Bytes of the files that the session wrote; at `plain` of all its files.
    pub size_bytes: i64,
    /// It has all files itself: nothing needs to lie under it.
    pub whole: bool,
}

/// Why a cell could not be made or kept.
#[derive(Debug)]
pub enum CellError {
    BadName(String),
    NoSuchLayer {
        layer: String,
        level: Level,
    },
    Files {
        what: &'static str,
        on: PathBuf,
        cause: io::Error,
    },
    Agent {
        program: PathBuf,
        cause: io::Error,
    },
    /// The agent says why.
    Boot(String),
}

impl std::fmt::Display for CellError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::BadName(name) => write!(f, "{name:?} cannot name a session or a layer"),
            Self::NoSuchLayer { layer, level } => write!(
                f,
                "the files of {layer} are not here for isolation level {}; a layer kept at \
                 one level cannot be used at another",
                level.word()
            ),
            Self::Files { what, on, cause } => write!(f, "cannot {what} {}: {cause}", on.display()),
            Self::Agent { program, cause } => {
                write!(f, "cannot talk to the agent {}: {cause}", program.display())
            }
            Self::Boot(why) => write!(f, "cannot make the sandbox: {why}"),
        }
    }
}

impl std::error::Error for CellError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Files { cause, .. } | Self::Agent { cause, .. } => Some(cause),
            _ => None,
        }
    }
}

/// Made once an engine; all its methods may run at the same time for different sessions.
#[derive(Clone, Debug)]
pub struct Ground {
    data_dir: PathBuf,
    agent: PathBuf,
    level: Level,
    can_keep_offline: bool,
}

impl Ground {
    /// At the level that was found to work here.
    ///
    /// # Errors
    /// As [`Ground::new`].
    pub fn found(data_dir: &Path, agent: &Path, probe: &Probe) -> io::Result<Self> {
        Ok(Self {
            can_keep_offline: probe.offline.is_ok(),
            ..Self::new(data_dir, agent, probe.level)?
        })
    }

    /// `agent` is the program that understands [`ARGUMENT`](super::ARGUMENT): this one, as a rule.
    ///
    /// # Errors
    /// When the data directory cannot be made.
    pub fn new(data_dir: &Path, agent: &Path, level: Level) -> io::Result<Self> {
        for name in ["cells", "layers"] {
            let dir = data_dir.join(name);
            fs::create_dir_all(&dir)?;
            // The superuser of a cell can leave set-user-id programs there: for nobody else to reach.
            fs::set_permissions(&dir, Permissions::from_mode(0o700))?;
        }
        fs::create_dir_all(data_dir.join("layers").join(level.word()))?;
        Ok(Self {
            data_dir: data_dir.canonicalize()?,
            agent: agent.to_owned(),
            level,
            can_keep_offline: level != Level::Plain,
        })
    }

    pub fn level(&self) -> Level {
        self.level
    }

    /// Whether [`Job::offline`](super::Job::offline) is enforced.
    pub fn can_keep_offline(&self) -> bool {
        self.can_keep_offline
    }

    /// Where the commands of a session start, as they and clients see it.
    pub fn cwd(&self, session: &str) -> PathBuf {
        super::cwd_of(self.level, &self.data_dir.join("cells").join(session))
    }

    pub(super) fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    pub(super) fn agent(&self) -> &Path {
        &self.agent
    }

    /// Starts a session. Its files stay until [`Ground::freeze`] or [`Ground::discard`], also after a failure.
    ///
    /// # Errors
    /// When a layer is missing, or this machine does not let the cell be made.
    pub async fn boot(&self, spec: &Boot<'_>) -> Result<Cell, CellError> {
        let home = self.home(spec.session)?;
        let layers: Vec<PathBuf> = spec.base.iter().map(|layer| self.layer(layer)).collect();
        for (path, layer) in layers.iter().zip(&spec.base) {
            if !path.is_dir() {
                return Err(CellError::NoSuchLayer {
                    layer: layer.0.clone(),
                    level: self.level,
                });
            }
        }
        let level = self.level;
        blocking("prepare the files of", &home, move |home| {
            prepare(home, &layers, level)
        })
        .await?;
        Cell::start(self, spec, home).await
    }

    pub(super) fn home(&self, session: &str) -> Result<PathBuf, CellError> {
        if !is_plain_name(session) {
            return Err(CellError::BadName(session.to_owned()));
        }
        Ok(self.data_dir.join("cells").join(session))
    }

    pub(super) fn layer(&self, layer: &LayerId) -> PathBuf {
        self.layer_at(self.level, layer)
    }

    pub(super) fn layer_at(&self, level: Level, layer: &LayerId) -> PathBuf {
        self.data_dir
            .join("layers")
            .join(level.word())
            .join(&layer.0)
    }
}

fn prepare(home: &Path, layers: &[PathBuf], level: Level) -> io::Result<()> {
    fs::create_dir(home)?;
    if level == Level::Plain {
        return match layers.first() {
            Some(newest) => merge(vec![newest.clone()], &home.join("layer"), level, true, None),
            None => fs::create_dir(home.join("layer")),
        };
    }
    for name in ["layer", "base", "work", "root", "empty"] {
        fs::create_dir(home.join(name))?;
    }
    for (number, layer) in layers.iter().enumerate() {
        symlink(layer, home.join("base").join(number.to_string()))?;
    }
    Ok(())
}

/// Runs file work on a thread for it.
pub(super) async fn blocking<T: Send + 'static>(
    what: &'static str,
    on: &Path,
    work: impl FnOnce(&Path) -> io::Result<T> + Send + 'static,
) -> Result<T, CellError> {
    let path = on.to_owned();
    tokio::task::spawn_blocking(move || work(&path))
        .await
        .unwrap_or_else(|ended| Err(io::Error::other(ended)))
        .map_err(|cause| CellError::Files {
            what,
            on: on.to_owned(),
            cause,
        })
}

#[cfg(test)]
mod tests {
    use super::LayerId;

    #[test]
    fn a_name_that_leads_elsewhere_is_no_layer() {
        for name in ["", ".", "..", "a/b", "a b", "a:b", "é", &"x".repeat(129)] {
            assert_eq!(LayerId::new(name), None, "{name:?}");
        }
        assert!(LayerId::new("snap_aZ09-x").is_some());
    }
}
