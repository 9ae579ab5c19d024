//! One page of a list, and the cursor to the next (api.md §2.14).

use super::{Foreign, lenient};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Page<T> {
    pub entries: Vec<T>,
    /// Entries of the answer that could not be read and are missing from `entries`.
    pub skipped: usize,
    /// Opaque; `None` is the only end of a list. An empty page may have a next one.
    pub next: Option<Foreign>,
}

impl<T: DeserializeOwned> Page<T> {
    /// Reads `{"<field>": […], "pagination": {"next": …}}`; a bare `{}` is an empty last page.
    pub fn read(mut answer: Value, field: &str) -> Self {
        let (entries, skipped) = lenient::entries(answer[field].take());
        let next = match &answer["pagination"]["next"] {
            Value::String(cursor) => Some(Foreign::from(cursor.as_str())),
            Value::Number(number) => Some(Foreign::from(number.to_string())),
            _ => None,
        };
        Self {
            entries,
            skipped,
            next,
        }
    }
}

/// As the service writes it: `next` is an explicit null at the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pagination {
    pub count: usize,
    pub next: Option<String>,
}
