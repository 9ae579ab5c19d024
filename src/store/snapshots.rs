//! Records of snapshots.

use super::page::{Select, json};
use super::projects::of_project;
use super::{Records, Row, StoreError, Window};
use crate::model::{ProjectId, SandboxName, Snapshot, SnapshotId, Span, Timestamp};
use rusqlite::types::Value;
use rusqlite::{Params, Statement, params};

#[derive(Clone, Debug, PartialEq)]
pub struct SnapshotRecord {
    pub project: ProjectId,
    /// The sandbox it was taken of, which may be gone.
    pub sandbox: SandboxName,
    /// How long it lives after each use; `None` = for ever.
    pub expiration: Option<Span>,
    /// The snapshot whose files lie under its own; `None` = it has all of them itself.
    pub base: Option<SnapshotId>,
    pub fact: Snapshot,
}

const COLUMNS: &str = "row, project, sandbox, expiration, base, fact FROM snapshot";

impl Records<'_> {
    pub fn add_snapshot(&self, record: &SnapshotRecord) -> Result<(), StoreError> {
        self.0
            .prepare_cached(
                "INSERT INTO snapshot (project, sandbox, expiration, base, fact)
                 VALUES (?, ?, ?, ?, ?)",
            )?
            .execute(params![
                record.project.as_raw(),
                record.sandbox.as_raw(),
                record.expiration.map(|span| span.0),
                record.base.as_ref().map(SnapshotId::as_raw),
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

    /// What can still be started from of all that was taken of sandboxes of this name, oldest first.
    pub fn kept_snapshots(
        &self,
        project: &ProjectId,
        sandbox: &SandboxName,
    ) -> Result<Vec<SnapshotRecord>, StoreError> {
        let of_sandbox = [project.as_raw(), sandbox.as_raw()];
        let found = Select::new(COLUMNS)
            .and(
                "status = 'created' AND project = ? AND sandbox = ?",
                of_sandbox.map(|name| Value::Text(name.to_owned())),
            )
            .oldest_first()
            .fetch(self, read)?;
        Ok(found.into_iter().map(|row| row.record).collect())
    }

    /// Those that are deleted, too.
    pub fn snapshots_taken_before(
        &self,
        time: Timestamp,
    ) -> Result<Vec<SnapshotRecord>, StoreError> {
        let found = Select::new(COLUMNS)
            .and("created_at < ?", [Value::Integer(time.0)])
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
                 SELECT base FROM snapshot JOIN needed USING (id) WHERE base IS NOT NULL
             ) SELECT id FROM snapshot WHERE layer AND id NOT IN needed",
        )?;
        ids(&mut statement, [])
    }

    /// The snapshot's files are gone.
    pub fn forget_layer(&self, id: &SnapshotId) -> Result<(), StoreError> {
        self.0
            .prepare_cached("UPDATE snapshot SET layer = 0 WHERE id = ?")?
            .execute([id.as_raw()])?;
        Ok(())
    }

    /// Whether the snapshot's files are there.
    pub fn has_layer(&self, id: &SnapshotId) -> Result<bool, StoreError> {
        Ok(self
            .0
            .prepare_cached("SELECT 1 FROM snapshot WHERE id = ? AND layer")?
            .exists([id.as_raw()])?)
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

    /// All snapshots that still have files, deleted ones included.
    pub fn layers(&self) -> Result<Vec<SnapshotId>, StoreError> {
        let mut statement = self
            .0
            .prepare_cached("SELECT id FROM snapshot WHERE layer")?;
        ids(&mut statement, [])
    }

    /// The newest of the snapshots that are built upon `parent`, newest first; deleted ones are told as well.
    pub fn children(
        &self,
        parent: &SnapshotId,
        limit: usize,
    ) -> Result<Vec<SnapshotRecord>, StoreError> {
        let window = Window {
            ascending: false,
            after: None,
            limit,
        };
        let found = Select::new(COLUMNS)
            .and("parent = ?", [Value::Text(parent.as_raw().to_owned())])
            .page("created_at", &window)
            .fetch(self, read)?;
        Ok(found.into_iter().map(|row| row.record).collect())
    }

    pub fn count_children(&self, parent: &SnapshotId) -> Result<u32, StoreError> {
        Ok(self
            .0
            .prepare_cached("SELECT count(*) FROM snapshot WHERE parent = ?")?
            .query_row([parent.as_raw()], |row| row.get(0))?)
    }

    /// The snapshot and those whose layers lie under its own, itself first; deleted ones are part of the line.
    pub fn lineage(&self, id: &SnapshotId) -> Result<Vec<SnapshotId>, StoreError> {
        let mut statement = self.0.prepare_cached(
            "WITH RECURSIVE line (depth, id, base) AS (
                 SELECT 0, id, base FROM snapshot WHERE id = ?
                 UNION ALL
                 SELECT depth + 1, snapshot.id, snapshot.base FROM snapshot JOIN line ON snapshot.id = line.base
             ) SELECT id FROM line ORDER BY depth",
        )?;
        ids(&mut statement, [id.as_raw()])
    }
}

fn ids(statement: &mut Statement<'_>, values: impl Params) -> Result<Vec<SnapshotId>, StoreError> {
    let rows = statement.query_map(values, |row| row.get::<_, String>(0))?;
    let ids: Result<_, _> = rows.map(|id| id.map(SnapshotId::new)).collect();
    Ok(ids?)
}

fn read(row: &rusqlite::Row<'_>) -> Result<Row<SnapshotRecord>, StoreError> {
    Ok(Row {
        row: row.get("row")?,
        record: SnapshotRecord {
            project: ProjectId::new(row.get::<_, String>("project")?),
            sandbox: SandboxName::new(row.get::<_, String>("sandbox")?),
            expiration: row.get::<_, Option<i64>>("expiration")?.map(Span),
            base: row.get::<_, Option<String>>("base")?.map(SnapshotId::new),
            fact: json(row, "fact")?,
        },
    })
}
