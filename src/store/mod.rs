//! Level 3, edge: SQLite. For now the engine's records: projects, sandboxes, sessions and snapshots.
//!
//! A record is the service's own object as JSON, beside what the service never tells (environment, project,
//! ports). The columns that lists filter and sort by are computed by SQLite from that JSON, so nothing is
//! written twice.

mod page;
mod projects;
mod sandboxes;
mod sessions;
mod snapshots;

#[cfg(test)]
mod tests;

pub use page::{Key, Mark, Row, Window};
pub use projects::ProjectRecord;
pub use sandboxes::{Kept, SandboxFilter, SandboxRecord};
pub use sessions::SessionRecord;
pub use snapshots::SnapshotRecord;

use rusqlite::{Connection, TransactionBehavior};
use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Each step brings a database from its index to the next version (`user_version`).
const MIGRATIONS: &[&str] = &[
    include_str!("schema_1.sql"),
    include_str!("schema_2.sql"),
    include_str!("schema_3.sql"),
];

#[derive(Debug)]
pub enum StoreError {
    Sql(rusqlite::Error),
    /// The file cannot be made or opened.
    File(io::Error),
    /// A record that does not read back: the file was written by something else.
    Record(serde_json::Error),
    /// The file was written by a newer sandtop.
    Newer(u32),
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sql(error) => write!(f, "the database of the local engine: {error}"),
            Self::File(error) => write!(f, "the database of the local engine: {error}"),
            Self::Record(error) => write!(f, "a record of the local engine is damaged: {error}"),
            Self::Newer(version) => write!(
                f,
                "the data directory was written by a newer sandtop (format {version}, this one knows {}); \
                 use that one, or another --data-dir",
                MIGRATIONS.len()
            ),
        }
    }
}

/// Its sentence tells the cause as well: a chain of causes would say it twice.
impl std::error::Error for StoreError {}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        Self::Record(error)
    }
}

/// The database. Calls are short and block.
pub struct Store {
    connection: Mutex<Connection>,
}

impl Store {
    /// Opens the file, making it (readable for its owner only) or bringing it up to date where needed.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        OpenOptions::new()
            .create(true)
            .append(true)
            .mode(0o600)
            .open(path)
            .map_err(StoreError::File)?;
        let mut connection = Connection::open(path)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        migrate(&mut connection)?;
        Ok(Self {
            connection: Mutex::new(connection),
        })
    }

    /// Runs `work` as one transaction: all of its changes are kept, or on an error none.
    pub fn with<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&Records<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        // A panic of another caller rolled its transaction back: the connection itself is sound.
        let mut connection = self
            .connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(StoreError::from)?;
        let result = work(&Records(&transaction))?;
        transaction.commit().map_err(StoreError::from)?;
        Ok(result)
    }

    /// What was written so far survives a loss of power. Waits for the disk.
    pub fn sync(&self) -> Result<(), StoreError> {
        let connection = self
            .connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        Ok(connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?)
    }
}

/// The records, inside one transaction.
pub struct Records<'a>(&'a Connection);

fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let version: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let mut newest = 0;
    for step in MIGRATIONS {
        newest += 1;
        if version < newest {
            let transaction = connection.transaction()?;
            transaction.execute_batch(step)?;
            transaction.pragma_update(None, "user_version", newest)?;
            transaction.commit()?;
        }
    }
    if version > newest {
        return Err(StoreError::Newer(version));
    }
    Ok(())
}
