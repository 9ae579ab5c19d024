//! One engine a data directory: a lock held while it runs, and a private file that tells clients where it is.

use super::cell::Level;
use rustix::fs::{FlockOperation, flock};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

const LOCK: &str = "engine.lock";
const CARD: &str = "engine.json";

/// Where a running engine is and what it wants to be shown.
#[derive(Clone, Debug)]
pub struct Discovery {
    pub url: String,
    pub token: SecretString,
    pub pid: u32,
    /// How its sandboxes are kept apart.
    pub level: Level,
}

#[derive(Serialize, Deserialize)]
struct Card {
    url: String,
    token: String,
    pid: u32,
    level: Level,
}

/// The engine that serves this data directory, if one does.
pub fn discover(data_dir: &Path) -> io::Result<Option<Discovery>> {
    let lock = match File::open(data_dir.join(LOCK)) {
        Ok(lock) => lock,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    // A lock that can be had belongs to nobody: what the card says is of an engine that is gone.
    if flock(&lock, FlockOperation::NonBlockingLockShared).is_ok() {
        return Ok(None);
    }
    match std::fs::read(data_dir.join(CARD)) {
        Ok(text) => {
            let card: Card = serde_json::from_slice(&text)?;
            Ok(Some(Discovery {
                url: card.url,
                token: SecretString::from(card.token),
                pid: card.pid,
                level: card.level,
            }))
        }
        // It is just starting or ending.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The hold on a data directory; let go of when dropped, and by the system when the program dies.
pub(super) struct Hold {
    _lock: File,
    card: PathBuf,
}

/// Makes the directory private and takes the hold; `None` when another engine has it.
pub(super) fn hold(data_dir: &Path) -> io::Result<Option<Hold>> {
    private_directory(data_dir)?;
    let lock = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .open(data_dir.join(LOCK))?;
    match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        Err(error) if error == rustix::io::Errno::WOULDBLOCK => return Ok(None),
        Err(error) => return Err(error.into()),
    }
    let card = data_dir.join(CARD);
    let hold = Hold { _lock: lock, card };
    hold.forget()?;
    Ok(Some(hold))
}

/// Makes a directory that only its owner may look into; one that is there stays as it is.
pub(super) fn private_directory(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

impl Hold {
    /// Tells clients where the engine is; the file appears whole or not at all.
    pub fn announce(&self, url: &str, token: &SecretString, level: Level) -> io::Result<()> {
        let card = Card {
            url: url.to_owned(),
            token: token.expose_secret().to_owned(),
            pid: std::process::id(),
            level,
        };
        put(&self.card, &serde_json::to_vec(&card)?)
    }

    fn forget(&self) -> io::Result<()> {
        remove(&self.card)
    }
}

/// Writes a private file, which appears whole or not at all.
pub(super) fn put(path: &Path, content: &[u8]) -> io::Result<()> {
    let draft = path.with_extension("draft");
    // Always a new file: one that lies there could be read by others.
    remove(&draft)?;
    let mut file = OpenOptions::new()
        .create_new(true)
        .write(true)
        .mode(0o600)
        .open(&draft)?;
    file.write_all(content)?;
    std::fs::rename(&draft, path)
}

/// Gone already is fine.
fn remove(file: &Path) -> io::Result<()> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        // A card that stays is harmless: without the lock nobody believes it.
        let _ = self.forget();
    }
}
