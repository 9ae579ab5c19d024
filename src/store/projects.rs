//! Records of projects. A project is called by its id or by its name; what is unknown as either may still be used,
//! literally.

use super::page::Select;
use super::{Records, Row, StoreError, Window};
use crate::model::{ProjectId, Timestamp};
use rusqlite::types::Value;
use rusqlite::{OptionalExtension, params};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectRecord {
    pub id: ProjectId,
    pub name: String,
    pub created_at: Timestamp,
}

const COLUMNS: &str = "row, id, name, created_at FROM project";

impl Records<'_> {
    /// False, and nothing happens, when its id or its name is another project's id or name.
    pub fn add_project(&self, record: &ProjectRecord) -> Result<bool, StoreError> {
        let added = self
            .0
            .prepare_cached(
                "INSERT INTO project (id, name, created_at) SELECT ?1, ?2, ?3
                 WHERE NOT EXISTS (SELECT 1 FROM project WHERE id IN (?1, ?2) OR name IN (?1, ?2))",
            )?
            .execute(params![
                record.id.as_raw(),
                record.name,
                record.created_at.0
            ])?;
        Ok(added == 1)
    }

    pub fn project(&self, id_or_name: &str) -> Result<Option<ProjectRecord>, StoreError> {
        let called = Value::Text(id_or_name.to_owned());
        let found = Select::new(COLUMNS)
            .and("(id = ? OR name = ?)", [called.clone(), called])
            .fetch(self, read)?;
        Ok(found.into_iter().next().map(|row| row.record))
    }

    /// The id of the project that is called so; of an unknown one what it is called.
    pub fn project_id(&self, called: &ProjectId) -> Result<ProjectId, StoreError> {
        let id = self
            .0
            .prepare_cached("SELECT id FROM project WHERE name = ?")?
            .query_row([called.as_raw()], |row| row.get::<_, String>(0))
            .optional()?;
        Ok(id.map_or_else(|| called.clone(), ProjectId::new))
    }

    /// By time of creation; `search` = a part of the name, whatever its case.
    pub fn projects(
        &self,
        search: Option<&str>,
        window: &Window,
    ) -> Result<Vec<Row<ProjectRecord>>, StoreError> {
        let mut select = Select::new(COLUMNS);
        if let Some(part) = search {
            let part = Value::Text(part.to_owned());
            select = select.and("instr(lower(name), lower(?)) > 0", [part]);
        }
        select.page("created_at", window).fetch(self, read)
    }
}

/// Holds for rows of the project that is called so; to be given twice.
pub(super) const CALLED: &str = "project = coalesce((SELECT id FROM project WHERE name = ?), ?)";

pub(super) fn of_project(select: Select, project: Option<&ProjectId>) -> Select {
    match project {
        Some(project) => select.and(CALLED, twice(project)),
        None => select,
    }
}

pub(super) fn twice(project: &ProjectId) -> [Value; 2] {
    let called = Value::Text(project.as_raw().to_owned());
    [called.clone(), called]
}

fn read(row: &rusqlite::Row<'_>) -> Result<Row<ProjectRecord>, StoreError> {
    Ok(Row {
        row: row.get("row")?,
        record: ProjectRecord {
            id: ProjectId::new(row.get::<_, String>("id")?),
            name: row.get("name")?,
            created_at: Timestamp(row.get("created_at")?),
        },
    })
}
