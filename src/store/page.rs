//! Pages of a list by keyset: a page starts after a mark, so that rows added or removed meanwhile shift nothing.

use super::{Records, StoreError};
use rusqlite::types::Value;
use rusqlite::{Row as SqlRow, params_from_iter};

/// A record and its place in its table; later records have greater places.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<T> {
    pub row: i64,
    pub record: T,
}

/// A value of the column a list is sorted by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    Number(i64),
    Text(String),
}

/// The last row of a page: the next one starts after it. The place breaks ties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    pub key: Key,
    pub row: i64,
}

/// Which page, in which direction.
#[derive(Clone, Debug)]
pub struct Window {
    pub ascending: bool,
    pub after: Option<Mark>,
    /// Rows at most.
    pub limit: usize,
}

/// A `SELECT` being put together; its texts are ours, its values are bound.
pub(super) struct Select {
    sql: String,
    values: Vec<Value>,
}

impl Select {
    pub(super) fn new(columns_and_table: &str) -> Self {
        Self {
            sql: format!("SELECT {columns_and_table} WHERE true"),
            values: Vec::new(),
        }
    }

    /// Adds a condition; `?` stands for `values` in their order.
    pub(super) fn and<const N: usize>(mut self, condition: &str, values: [Value; N]) -> Self {
        self.sql.push_str(" AND ");
        self.sql.push_str(condition);
        self.values.extend(values);
        self
    }

    pub(super) fn oldest_first(mut self) -> Self {
        self.sql.push_str(" ORDER BY row");
        self
    }

    /// Sorts by `column` and cuts the page out.
    pub(super) fn page(mut self, column: &str, window: &Window) -> Self {
        let (beyond, direction) = if window.ascending {
            (">", "ASC")
        } else {
            ("<", "DESC")
        };
        if let Some(mark) = &window.after {
            let key = match &mark.key {
                Key::Number(number) => Value::Integer(*number),
                Key::Text(text) => Value::Text(text.clone()),
            };
            self = self.and(
                &format!("({column}, row) {beyond} (?, ?)"),
                [key, Value::Integer(mark.row)],
            );
        }
        self.sql.push_str(&format!(
            " ORDER BY {column} {direction}, row {direction} LIMIT {}",
            window.limit
        ));
        self
    }

    pub(super) fn fetch<T>(
        self,
        records: &Records<'_>,
        read: impl Fn(&SqlRow<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut statement = records.0.prepare_cached(&self.sql)?;
        let mut rows = statement.query(params_from_iter(self.values))?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push(read(row)?);
        }
        Ok(found)
    }
}

/// Reads a JSON column.
pub(super) fn json<T: serde::de::DeserializeOwned>(
    row: &SqlRow<'_>,
    column: &str,
) -> Result<T, StoreError> {
    let text = row
        .get_ref(column)?
        .as_str()
        .map_err(rusqlite::Error::from)?;
    Ok(serde_json::from_str(text)?)
}
