//! Records of snapshots.

use super::page::{Select, json};
use super::sandboxes::of_project;
use super::{Records, Row, StoreError, Window};
use crate::model::{ProjectId, SandboxName, Snapshot, SnapshotId, Span, Timestamp};
use rusqlite::params;
use rusqlite::types::Value;

#[derive(Clone, Debug, PartialEq)]
pub struct SnapshotRecord {
    pub project: ProjectId,
    /// The sandbox it was taken of, which may be gone.
    pub sandbox: SandboxName,
    /// How long it lives after each use; `None` = for ever.
    pub expiration: Option<Span>,
    pub fact: Snapshot,
}

const COLUMNS: &str = "row, project, sandbox, expiration, fact FROM snapshot";

impl Records<'_> {
    pub fn add_snapshot(&self, record: &SnapshotRecord) -> Result<(), StoreError> {
        self.0
            .prepare_cached(
                "INSERT INTO snapshot (project, sandbox, expiration, fact) VALUES (?, ?, ?, ?)",
            )?
            .execute(params![
                record.project.as_raw(),
                record.sandbox.as_raw(),
                record.expiration.map(|span| span.0),
                serde_json::to_string(&record.fact)?
            ])?;
        Ok(())
    }

    pub fn set_snapshot(&self, snapshot: &SnapshotRecord) -> Result<(), StoreError> {
        self.0
            .prepare_cached("UPDATE snapshot SET fact = ?, expiration = ? WHERE id = ?")?
            .execute(params![
                serde_json::to_string(&snapshot.fact)?,
                snapshot.expiration.map(|span| span.0),
                snapshot.fact.id.as_raw()
            ])?;
        Ok(())
    }

    pub fn snapshot(&self, id: &SnapshotId) -> Result<Option<SnapshotRecord>, StoreError> {
        let found = Select::new(COLUMNS)
            .and("id = ?", [Value::Text(id.as_raw().to_owned())])
            .fetch(self, read)?;
        Ok(found.into_iter().next().map(|row| row.record))
    }

    /// Snapshots that still have files, in the order in which they were taken.
    pub fn kept_snapshots(&self) -> Result<Vec<SnapshotRecord>, StoreError> {
        let found = Select::new(COLUMNS)
            .and("status = 'created'", [])
            .oldest_first()
            .fetch(self, read)?;
        Ok(found.into_iter().map(|row| row.record).collect())
    }

    /// Snapshots whose time has come by `now`.
    pub fn expired_snapshots(&self, now: Timestamp) -> Result<Vec<SnapshotRecord>, StoreError> {
        let found = Select::new(COLUMNS)
            .and(
                "status = 'created' AND expires_at <= ?",
                [Value::Integer(now.0)],
            )
            .fetch(self, read)?;
        Ok(found.into_iter().map(|row| row.record).collect())
    }

    /// Snapshots whose files are still there although they are deleted and nothing is built upon them.
    pub fn idle_layers(&self) -> Result<Vec<SnapshotId>, StoreError> {
        let mut statement = self.0.prepare_cached(
            "WITH RECURSIVE needed (id) AS (
                 SELECT id FROM snapshot WHERE status = 'created'
                 UNION
                 SELECT source_snapshot FROM session
                 WHERE status NOT IN ('stopped', 'failed', 'aborted') AND source_snapshot IS NOT NULL
                 UNION
                 SELECT parent FROM snapshot JOIN needed USING (id) WHERE parent IS NOT NULL
             ) SELECT id FROM snapshot WHERE layer AND id NOT IN needed",
        )?;
        let ids = statement.query_map([], |row| row.get::<_, String>(0))?;
        Ok(ids
            .map(|id| id.map(SnapshotId::new))
            .collect::<Result<_, _>>()?)
    }

    /// The snapshot's files are gone.
    pub fn forget_layer(&self, id: &SnapshotId) -> Result<(), StoreError> {
        self.0
            .prepare_cached("UPDATE snapshot SET layer = 0 WHERE id = ?")?
            .execute([id.as_raw()])?;
        Ok(())
    }

    /// Whether the next session of some sandbox would start from it.
    pub fn starts_a_sandbox(&self, id: &SnapshotId) -> Result<bool, StoreError> {
        Ok(self
            .0
            .prepare_cached("SELECT 1 FROM sandbox WHERE current_snapshot = ?")?
            .exists([id.as_raw()])?)
    }

    /// By time of creation; `name` = taken of a sandbox of that name.
    pub fn snapshots(
        &self,
        project: Option<&ProjectId>,
        name: Option<&str>,
        window: &Window,
    ) -> Result<Vec<Row<SnapshotRecord>>, StoreError> {
        let mut select = of_project(Select::new(COLUMNS), project);
        if let Some(name) = name {
            select = select.and("sandbox = ?", [Value::Text(name.to_owned())]);
        }
        select.page("created_at", window).fetch(self, read)
    }

    /// The snapshot and those it was built upon, itself first; deleted ones are part of the line.
    pub fn lineage(&self, id: &SnapshotId) -> Result<Vec<SnapshotId>, StoreError> {
        let mut statement = self.0.prepare_cached(
            "WITH RECURSIVE line (depth, id, parent) AS (
                 SELECT 0, id, parent FROM snapshot WHERE id = ?
                 UNION ALL
                 SELECT depth + 1, snapshot.id, snapshot.parent FROM snapshot JOIN line ON snapshot.id = line.parent
             ) SELECT id FROM line ORDER BY depth",
        )?;
        let ids = statement.query_map([id.as_raw()], |row| row.get::<_, String>(0))?;
        Ok(ids
            .map(|id| id.map(SnapshotId::new))
            .collect::<Result<_, _>>()?)
    }
}

fn read(row: &rusqlite::Row<'_>) -> Result<Row<SnapshotRecord>, StoreError> {
    Ok(Row {
        row: row.get("row")?,
        record: SnapshotRecord {
            project: ProjectId::new(row.get::<_, String>("project")?),
            sandbox: SandboxName::new(row.get::<_, String>("sandbox")?),
            expiration: row.get::<_, Option<i64>>("expiration")?.map(Span),
            fact: json(row, "fact")?,
        },
    })
}
