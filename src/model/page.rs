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
        let (objects, others) = objects(answer[field].take());
        let (entries, unreadable) = lenient::entries(objects);
        let skipped = others + unreadable;
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

/// serde would read a list as an object's fields in order: only objects are taken for entries.
fn objects(value: Value) -> (Value, usize) {
    let Value::Array(mut values) = value else {
        return (Value::Null, 0);
    };
    let all = values.len();
    values.retain(Value::is_object);
    let others = all - values.len();
    (Value::Array(values), others)
}

/// As the service writes it: `next` is an explicit null at the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pagination {
    pub count: usize,
    pub next: Option<String>,
}
