//! Where this program keeps things.

use super::complaint::Complaint;
use crate::engine::preload;
use std::path::{Path, PathBuf};

/// The local engine's directory: as given, else this user's.
///
/// # Errors
/// When nobody can say where this user's home is.
pub fn data_dir(given: Option<PathBuf>) -> Result<PathBuf, Complaint> {
    given
        .or_else(|| {
            let dirs = directories::ProjectDirs::from("", "", "sandtop")?;
            Some(dirs.data_local_dir().join("engine"))
        })
        .ok_or_else(|| {
            Complaint::new(
                "There is no home directory to keep sandboxes in: name one with --data-dir.",
            )
        })
}

/// The directory of the settings: as given, else this user's. `None`: nobody can say where that is.
pub fn config_dir(given: Option<PathBuf>) -> Option<PathBuf> {
    // A variable that is set to nothing is not set.
    let given = given.filter(|given| !given.as_os_str().is_empty());
    given.or_else(|| {
        let dirs = directories::ProjectDirs::from("", "", "sandtop")?;
        Some(dirs.config_dir().to_owned())
    })
}

/// Where older lines of logs and other private files may be kept, the best place first.
pub fn private_dirs() -> Vec<PathBuf> {
    let dirs = directories::ProjectDirs::from("", "", "sandtop");
    let cache = dirs.map(|dirs| dirs.cache_dir().to_owned());
    cache.into_iter().chain([std::env::temp_dir()]).collect()
}

/// A line for a shell: from then on the official SDK and CLI go to the engine of this directory. `None`: the current
/// directory is gone, so nobody can say where that is.
pub fn for_node(data_dir: &Path) -> Option<String> {
    let path = std::path::absolute(preload(data_dir)).ok()?;
    let url = reqwest::Url::from_file_path(path).ok()?;
    let url = url.as_str().replace('\'', "%27");
    Some(format!("export NODE_OPTIONS='--import={url}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_for_node_survives_a_shell() {
        let line = for_node(Path::new("/a b/it's $HOME"));
        let wanted = "export NODE_OPTIONS='--import=file:///a%20b/it%27s%20$HOME/preload.mjs'";
        assert_eq!(line.as_deref(), Some(wanted));
    }
}
