//! Reading answers tolerantly: a field of the wrong type is unknown, an entry that cannot be read is counted
//! and left out, and neither costs the rest of the answer.

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer};
use serde_json::Value;

/// For `#[serde(deserialize_with)]`: null, absent and unreadable all become `None`.
pub fn field<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let value = Value::deserialize(from)?;
    Ok(serde_json::from_value(value).ok())
}

/// For lists inside an object: unreadable entries are dropped, anything but a list is empty.
pub fn list<'de, D, T>(from: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    Ok(entries(Value::deserialize(from)?).0)
}

/// The readable entries of a list and how many could not be read.
pub fn entries<T: DeserializeOwned>(value: Value) -> (Vec<T>, usize) {
    let Value::Array(values) = value else {
        return (Vec::new(), 0);
    };
    let all = values.len();
    let read: Vec<T> = values
        .into_iter()
        .filter_map(|value| serde_json::from_value(value).ok())
        .collect();
    let skipped = all - read.len();
    (read, skipped)
}
