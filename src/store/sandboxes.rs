//! Records of sandboxes.

use super::page::{Select, json};
use super::projects::{ProjectRecord, of_project};
use super::{Records, Row, StoreError, Window};
use crate::model::request::{Env, ListStatus, SortBy};
use crate::model::{ProjectId, Sandbox};
use rusqlite::params;
use rusqlite::types::Value;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq)]
pub struct SandboxRecord {
    pub project: ProjectId,
    pub fact: Sandbox,
    pub kept: Kept,
}

/// What belongs to a sandbox but is not part of the service's object.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// Default environment of every command; never told to anybody.
    pub env: Env,
    /// Published ports with the names of their routes.
    pub ports: Vec<(u16, String)>,
    /// The name of the route to the terminals, when they were asked for.
    pub terminal: Option<String>,
}

/// Which sandboxes a list is about; the rules of api.md §2.1 are the caller's.
#[derive(Clone, Debug, Default)]
pub struct SandboxFilter {
    /// `None` = of all projects.
    pub project: Option<ProjectId>,
    pub name_prefix: Option<String>,
    pub status: Option<ListStatus>,
    pub tag: Option<(String, String)>,
}

const COLUMNS: &str = "row, project, fact, kept FROM sandbox";

impl Records<'_> {
    /// The new record's place. Its project is known from now on.
    pub fn add_sandbox(&self, record: &SandboxRecord) -> Result<i64, StoreError> {
        self.add_project(&ProjectRecord {
            id: record.project.clone(),
            name: record.project.as_raw().to_owned(),
            created_at: record.fact.created_at.unwrap_or_default(),
        })?;
        self.0
            .prepare_cached("INSERT INTO sandbox (project, fact, kept) VALUES (?, ?, ?)")?
            .execute(params![
                record.project.as_raw(),
                serde_json::to_string(&record.fact)?,
                serde_json::to_string(&record.kept)?
            ])?;
        Ok(self.0.last_insert_rowid())
    }

    pub fn set_sandbox(&self, sandbox: &Row<SandboxRecord>) -> Result<(), StoreError> {
        self.0
            .prepare_cached("UPDATE sandbox SET fact = ?, kept = ? WHERE row = ?")?
            .execute(params![
                serde_json::to_string(&sandbox.record.fact)?,
                serde_json::to_string(&sandbox.record.kept)?,
                sandbox.row
            ])?;
        Ok(())
    }

    /// Removes the sandbox and its sessions; its snapshots stay.
    pub fn remove_sandbox(&self, row: i64) -> Result<(), StoreError> {
        self.0
            .prepare_cached("DELETE FROM sandbox WHERE row = ?")?
            .execute([row])?;
        Ok(())
    }

    pub fn sandbox(&self, row: i64) -> Result<Option<Row<SandboxRecord>>, StoreError> {
        let found = Select::new(COLUMNS)
            .and("row = ?", [Value::Integer(row)])
            .fetch(self, read)?;
        Ok(found.into_iter().next())
    }

    /// At most one when the project is given; without, one for each project that has the name.
    pub fn sandboxes_named(
        &self,
        project: Option<&ProjectId>,
        name: &str,
    ) -> Result<Vec<Row<SandboxRecord>>, StoreError> {
        of_project(Select::new(COLUMNS), project)
            .and("name = ?", [Value::Text(name.to_owned())])
            .fetch(self, read)
    }

    pub fn sandboxes(
        &self,
        filter: &SandboxFilter,
        by: SortBy,
        window: &Window,
    ) -> Result<Vec<Row<SandboxRecord>>, StoreError> {
        let mut select = of_project(Select::new(COLUMNS), filter.project.as_ref());
        if let Some(prefix) = &filter.name_prefix {
            let prefix = Value::Text(prefix.clone());
            select = select.and("substr(name, 1, length(?)) = ?", [prefix.clone(), prefix]);
        }
        if let Some(status) = filter.status {
            select = select.and(statuses(status), []);
        }
        if let Some((key, value)) = &filter.tag {
            select = select.and(
                "EXISTS (SELECT 1 FROM json_each(fact, '$.tags') AS tag WHERE tag.key = ? AND tag.value = ?)",
                [Value::Text(key.clone()), Value::Text(value.clone())],
            );
        }
        let column = match by {
            SortBy::CreatedAt => "created_at",
            SortBy::Name => "name",
            SortBy::StatusUpdatedAt => "status_updated_at",
            SortBy::CurrentSnapshotId => "current_snapshot",
        };
        select.page(column, window).fetch(self, read)
    }
}

/// The list knows three statuses, a session seven (api.md §2.1, §3.1).
fn statuses(status: ListStatus) -> &'static str {
    match status {
        ListStatus::Running => "status IN ('pending', 'running')",
        ListStatus::Stopping => "status IN ('stopping', 'snapshotting')",
        ListStatus::Stopped => "status IN ('stopped', 'failed', 'aborted')",
    }
}

fn read(row: &rusqlite::Row<'_>) -> Result<Row<SandboxRecord>, StoreError> {
    Ok(Row {
        row: row.get("row")?,
        record: SandboxRecord {
            project: ProjectId::new(row.get::<_, String>("project")?),
            fact: json(row, "fact")?,
            kept: json(row, "kept")?,
        },
    })
}
