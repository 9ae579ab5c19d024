//! What the files of a new sandbox come from (api.md §2.2).

use super::refusal::Refusal;
use super::rules;
use crate::model::SnapshotId;
use serde_json::Value;

/// Without one a sandbox starts empty.
#[derive(Debug)]
pub(super) enum Source {
    Snapshot(SnapshotId),
}

pub(super) fn rule(field: &str, value: &Value) -> Result<Source, Refusal> {
    let inner = |name: &str| format!("{field}.{name}");
    match value.get("type").and_then(Value::as_str) {
        Some("snapshot") => {
            let name = inner("snapshotId");
            let id = value
                .get("snapshotId")
                .ok_or_else(|| Refusal::field(&name, "is missing"))?;
            let id = rules::short_text(&name, id)?;
            Ok(Source::Snapshot(SnapshotId::new(id)))
        }
        Some(kind @ ("git" | "tarball")) => Err(Refusal::not_yet(&format!("starting from {kind}"))),
        _ => {
            let rule = "must be one of git, tarball, snapshot";
            Err(Refusal::field(&inner("type"), rule))
        }
    }
}
