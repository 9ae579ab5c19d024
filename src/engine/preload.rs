//! What leads node's official SDK and CLI here: a file in the data directory that node is told to load first.

use super::lock;
use std::io;
use std::path::{Path, PathBuf};

/// Finds the engine by the card beside it.
const PRELOAD: &str = include_str!("../../assets/preload.mjs");

/// Where the preload of an engine of this data directory is.
pub fn preload(data_dir: &Path) -> PathBuf {
    data_dir.join("preload.mjs")
}

/// Puts this program's version of it there.
pub(super) fn place(data_dir: &Path) -> io::Result<()> {
    lock::put(&preload(data_dir), PRELOAD.as_bytes())
}
