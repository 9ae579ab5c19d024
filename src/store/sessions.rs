//! Records of sessions.

use super::page::{Select, json};
use super::projects::{CALLED, twice};
use super::{Records, Row, StoreError, Window};
use crate::model::{ProjectId, Session, SessionId, Timestamp};
use rusqlite::params;
use rusqlite::types::Value;

#[derive(Clone, Debug, PartialEq)]
pub struct SessionRecord {
    /// Place of its sandbox.
    pub sandbox: i64,
    pub fact: Session,
}

const COLUMNS: &str = "row, sandbox, fact FROM session";

impl Records<'_> {
    pub fn add_session(&self, record: &SessionRecord) -> Result<(), StoreError> {
        self.0
            .prepare_cached("INSERT INTO session (sandbox, fact) VALUES (?, ?)")?
            .execute(params![
                record.sandbox,
                serde_json::to_string(&record.fact)?
            ])?;
        Ok(())
    }

    /// Writes the session of this id; nothing happens when it is gone.
    pub fn set_session(&self, session: &Session) -> Result<(), StoreError> {
        self.0
            .prepare_cached("UPDATE session SET fact = ? WHERE id = ?")?
            .execute(params![
                serde_json::to_string(session)?,
                session.id.as_raw()
            ])?;
        Ok(())
    }

    pub fn session(&self, id: &SessionId) -> Result<Option<SessionRecord>, StoreError> {
        let found = Select::new(COLUMNS)
            .and("id = ?", [Value::Text(id.as_raw().to_owned())])
            .fetch(self, read)?;
        Ok(found.into_iter().next().map(|row| row.record))
    }

    /// How many sessions have not come to an end.
    pub fn count_unfinished(&self) -> Result<u32, StoreError> {
        let count = self
            .0
            .prepare_cached(
                "SELECT count(*) FROM session WHERE status NOT IN ('stopped', 'failed', 'aborted')",
            )?
            .query_row([], |row| row.get(0))?;
        Ok(count)
    }

    /// How many sessions a sandbox has had.
    pub fn count_sessions(&self, sandbox: i64) -> Result<u32, StoreError> {
        let count = self
            .0
            .prepare_cached("SELECT count(*) FROM session WHERE sandbox = ?")?
            .query_row([sandbox], |row| row.get(0))?;
        Ok(count)
    }

    /// Those of sandboxes that are gone, too.
    pub fn sessions_started_before(&self, time: Timestamp) -> Result<Vec<Session>, StoreError> {
        let mut statement = self.0.prepare_cached(
            "SELECT fact FROM (SELECT fact FROM session UNION ALL SELECT fact FROM past_session)
             WHERE json_extract(fact, '$.startedAt') < ?",
        )?;
        let mut rows = statement.query([time.0])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push(json(row, "fact")?);
        }
        Ok(found)
    }

    /// Sessions that have not come to an end.
    pub fn unfinished_sessions(&self) -> Result<Vec<SessionRecord>, StoreError> {
        let found = Select::new(COLUMNS)
            .and("status NOT IN ('stopped', 'failed', 'aborted')", [])
            .fetch(self, read)?;
        Ok(found.into_iter().map(|row| row.record).collect())
    }

    /// By time of creation; `name` = of the sandboxes with that name.
    pub fn sessions(
        &self,
        project: Option<&ProjectId>,
        name: Option<&str>,
        window: &Window,
    ) -> Result<Vec<Row<SessionRecord>>, StoreError> {
        let mut select = Select::new(COLUMNS);
        if let Some(project) = project {
            select = select.and(
                &format!("sandbox IN (SELECT row FROM sandbox WHERE {CALLED})"),
                twice(project),
            );
        }
        if let Some(name) = name {
            select = select.and(
                "sandbox IN (SELECT row FROM sandbox WHERE name = ?)",
                [Value::Text(name.to_owned())],
            );
        }
        select.page("created_at", window).fetch(self, read)
    }
}

fn read(row: &rusqlite::Row<'_>) -> Result<Row<SessionRecord>, StoreError> {
    Ok(Row {
        row: row.get("row")?,
        record: SessionRecord {
            sandbox: row.get("sandbox")?,
            fact: json(row, "fact")?,
        },
    })
}
