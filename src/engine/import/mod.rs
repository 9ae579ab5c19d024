//! Records from a file, for demos and for tests of views: sandboxes, sessions and snapshots of any status and age. No
//! process and no file belongs to them, so a session that is told to run answers commands like one that has ended, and
//! a snapshot starts nothing; time limits and expiries apply by the clock.

mod complete;
mod place;
mod read;
mod shape;

use super::start::settle;
use super::state::Engine;
use super::stop::ended;
use crate::model::{Session, Status};
use crate::store::StoreError;
use place::Placing;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

/// Complaints that are told.
const MOST_TOLD: usize = 10;

/// Why nothing was imported.
#[derive(Debug)]
pub enum ImportError {
    File {
        path: PathBuf,
        cause: io::Error,
    },
    /// What is wrong, by line.
    Lines {
        path: PathBuf,
        complaints: Vec<(usize, String)>,
    },
    Records(StoreError),
}

impl std::fmt::Display for ImportError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File { path, cause } => write!(f, "cannot import {}: {cause}", path.display()),
            Self::Lines { path, complaints } => {
                write!(f, "nothing was imported from {}:", path.display())?;
                for (line, why) in complaints.iter().take(MOST_TOLD) {
                    write!(f, "\n  line {line}: {why}")?;
                }
                match complaints.len().saturating_sub(MOST_TOLD) {
                    0 => Ok(()),
                    more => write!(f, "\n  and {more} more"),
                }
            }
            Self::Records(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ImportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File { cause, .. } => Some(cause),
            Self::Lines { .. } => None,
            Self::Records(error) => Some(error),
        }
    }
}

impl From<StoreError> for ImportError {
    fn from(error: StoreError) -> Self {
        Self::Records(error)
    }
}

impl Engine {
    /// Adds all records of a file, or none.
    pub(super) fn import(self: &Arc<Self>, path: &Path) -> Result<(), ImportError> {
        let text = std::fs::read_to_string(path).map_err(|cause| ImportError::File {
            path: path.to_owned(),
            cause,
        })?;
        let now = self.clock.now();
        let (entries, mut complaints) = read::entries(&text, now);
        let open = self.store.with(|records| {
            let mut placing = Placing::new(records, self.address, now);
            for entry in entries {
                placing.add(entry, &mut complaints)?;
            }
            let open = placing.finish(&mut complaints)?;
            if complaints.is_empty() {
                return Ok(open);
            }
            complaints.sort();
            Err(ImportError::Lines {
                path: path.to_owned(),
                complaints,
            })
        })?;
        for session in open {
            tokio::spawn(end_in_time(Arc::downgrade(self), session));
        }
        Ok(())
    }

    /// The time of a session is over that no process belongs to, unless somebody has ended it already.
    async fn let_end(&self, imported: &Session) {
        let ending = async {
            let owner = self.session(&imported.id)?.1.record;
            let _turn = self.turn(&owner.project, &owner.fact.name).await;
            let (session, mut sandbox) = self.session(&imported.id)?;
            let mut session = session.fact;
            if ended(&session) {
                return Ok(());
            }
            let end = session.deadline().unwrap_or(self.clock.now());
            session.status = Some(Status::Stopped);
            session.stopped_at = Some(end);
            session.updated_at = Some(end);
            session.duration = session.started_at.map(|start| end.since(start));
            self.store
                .with(|records| settle(records, &mut sandbox, &session, end))
        };
        if let Err(refusal) = ending.await {
            // It went with its sandbox, or there is no room for records.
            tracing::warn!("{:?}, which was imported: {}", imported.id, refusal.message);
        }
    }
}

/// Does not keep the engine alive.
async fn end_in_time(engine: Weak<Engine>, session: Session) {
    let Some(clock) = engine.upgrade().map(|engine| engine.clock.clone()) else {
        return;
    };
    clock
        .reaches(session.deadline().unwrap_or(clock.now()))
        .await;
    if let Some(engine) = engine.upgrade() {
        engine.let_end(&session).await;
    }
}
