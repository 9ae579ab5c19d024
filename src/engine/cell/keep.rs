//! What sessions leave: kept as immutable layers, or removed.

use super::ground::{CellError, Frozen, Ground, LayerId, blocking};
use super::merge::merge;
use super::{Level, TOP, tree};
use std::collections::{BTreeSet, HashSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Longer chains are put into one layer: the kernel takes some three hundred, and looks into each.
const MOST_LAYERS: usize = 32;

impl Ground {
    /// Keeps what an ended session wrote as `layer`; the session's own directory is gone then. `base` is what it
    /// was booted from. What is kept survives a loss of power.
    ///
    /// # Errors
    /// When the files cannot be moved or the disk fails; nothing is kept then. A layer of that name is never replaced.
    pub async fn freeze(
        &self,
        session: &str,
        layer: &LayerId,
        base: &[LayerId],
    ) -> Result<Frozen, CellError> {
        let home = self.home(session)?;
        let kept = self.layer(layer);
        let level = self.level();
        let base: Vec<PathBuf> = base.iter().map(|layer| self.layer(layer)).collect();
        blocking("keep the files of", &home, move |home| {
            if kept.exists() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            let written = home.join("layer");
            let size_bytes = tree::size(&written);
            let merged = (level != Level::Plain && base.len() >= MOST_LAYERS)
                .then(|| merged(home, &base, level))
                .flatten();
            let whole = level == Level::Plain || base.is_empty() || merged.is_some();
            fs::rename(merged.unwrap_or(written), &kept)?;
            if let Err(error) = sync(&kept) {
                // Whoever asks hears that first error; the next start removes what stays.
                let _ = tree::remove(&kept);
                return Err(error);
            }
            // The rest is empty room; what cannot be removed now costs nothing.
            let _ = tree::remove(home);
            Ok(Frozen { size_bytes, whole })
        })
        .await
    }

    /// Removes what an ended session wrote and did not keep. Nothing there is fine.
    ///
    /// # Errors
    /// When files cannot be removed.
    pub async fn discard(&self, session: &str) -> Result<(), CellError> {
        blocking("remove", &self.home(session)?, tree::remove).await
    }

    /// Removes a kept layer, whatever the level it was kept at. No running session and no kept chain may have it
    /// in its base any more.
    ///
    /// # Errors
    /// When files cannot be removed.
    pub async fn remove_layer(&self, layer: &LayerId) -> Result<(), CellError> {
        for level in Level::ALL {
            let path = self.layer_at(level, layer);
            blocking("remove", &path, tree::remove).await?;
        }
        Ok(())
    }

    /// Removes the files of all sessions, and all layers but the `known` ones. Only while nothing runs.
    ///
    /// # Errors
    /// When files cannot be removed; the others are gone then.
    pub async fn sweep(&self, known: HashSet<LayerId>) -> Result<(), CellError> {
        let cells = self.data_dir().join("cells");
        let mut swept = blocking("clear", &cells, |cells| remove_all(cells, |_| false)).await;
        for level in Level::ALL {
            let layers = self.data_dir().join("layers").join(level.word());
            let known = known.clone();
            let clear = move |layers: &Path| {
                remove_all(layers, |name| {
                    LayerId::new(name).is_some_and(|layer| known.contains(&layer))
                })
            };
            swept = swept.and(blocking("clear", &layers, clear).await);
        }
        swept
    }
}

/// What a session wrote and all that lies beneath it, in one layer; `None` when it cannot be made: the chain goes
/// on then, and the next session tries again.
fn merged(home: &Path, base: &[PathBuf], level: Level) -> Option<PathBuf> {
    let written = home.join("layer");
    let to = home.join("merged");
    let chain: Vec<PathBuf> = std::iter::once(&written).chain(base).cloned().collect();
    match merge_parts(&chain, &to, level) {
        Ok(()) => Some(to),
        Err(error) => {
            tracing::warn!("merging the layers of {}: {error}", home.display());
            // It goes with the session's own directory.
            None
        }
    }
}

fn merge_parts(chain: &[PathBuf], to: &Path, level: Level) -> io::Result<()> {
    let mut parts = BTreeSet::new();
    for layer in chain {
        for entry in fs::read_dir(layer)? {
            parts.insert(entry?.file_name());
        }
    }
    fs::create_dir(to)?;
    for part in parts {
        let layers = chain.iter().map(|layer| layer.join(&part));
        let layers = layers.filter(|path| path.is_dir()).collect();
        let sealed = part == TOP;
        merge(
            layers,
            &to.join(&part),
            level,
            sealed,
            chain.first().map(PathBuf::as_path),
        )?;
    }
    Ok(())
}

/// Removes what is in a directory, but for the names to `spare`.
fn remove_all(directory: &Path, spare: impl Fn(&str) -> bool) -> io::Result<()> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    let mut removed = Ok(());
    for entry in entries {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(&spare) {
            continue;
        }
        removed = removed.and(if entry.file_type()?.is_dir() {
            tree::remove(&entry.path())
        } else {
            fs::remove_file(entry.path())
        });
    }
    removed
}

/// Forces all that was written to the file system of `path` to disk. File by file would take longer: a cell's
/// overlay has forced none of them.
fn sync(path: &Path) -> io::Result<()> {
    Ok(rustix::fs::syncfs(File::open(path)?)?)
}
