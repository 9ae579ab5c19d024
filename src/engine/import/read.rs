//! Lines of a file to import: `{"sandbox": {…}}`, `{"session": {…}}`, `{"snapshot": {…}}`.

use super::shape::{self, Fields};
use crate::model::{Sandbox, Session, Snapshot, Timestamp};
use crate::text::nearest;
use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Sandbox,
    Session,
    Snapshot,
}

/// A record whose fields are known ones, with all times as numbers.
pub(super) struct Entry {
    pub line: usize,
    pub kind: Kind,
    pub given: Fields,
}

const KINDS: [&str; 3] = ["sandbox", "session", "snapshot"];
const STATUSES: &[&str] = &[
    "pending",
    "running",
    "snapshotting",
    "stopping",
    "stopped",
    "failed",
    "aborted",
];
const SNAPSHOT_STATUSES: &[&str] = &["created", "deleted", "failed"];
const CREATION_METHODS: &[&str] = &["automatic", "manual"];

/// What can be read, and what is wrong with the other lines. Empty lines are fine.
pub(super) fn entries(text: &str, now: Timestamp) -> (Vec<Entry>, Vec<(usize, String)>) {
    let mut entries = Vec::new();
    let mut complaints = Vec::new();
    for (index, text) in text.lines().enumerate() {
        let line = index + 1;
        if text.trim().is_empty() {
            continue;
        }
        match entry(text, now) {
            Ok((kind, given)) => entries.push(Entry { line, kind, given }),
            Err(why) => complaints.push((line, why)),
        }
    }
    (entries, complaints)
}

fn entry(text: &str, now: Timestamp) -> Result<(Kind, Fields), String> {
    let whole: Value = serde_json::from_str(text)
        .map_err(|error| format!("no JSON, at column {} at the latest", error.column()))?;
    let form =
        || "a line is {\"sandbox\": {…}}, {\"session\": {…}} or {\"snapshot\": {…}}".to_owned();
    let Value::Object(whole) = whole else {
        return Err(form());
    };
    let mut pairs = whole.into_iter();
    let (Some((word, value)), None) = (pairs.next(), pairs.next()) else {
        return Err(form());
    };
    let kind = match word.as_str() {
        "sandbox" => Kind::Sandbox,
        "session" => Kind::Session,
        "snapshot" => Kind::Snapshot,
        other => {
            let meant = nearest(other, KINDS.into_iter());
            return Err(match meant {
                Some(meant) => format!("{other:?} is no kind of record; did you mean `{meant}`?"),
                None => form(),
            });
        }
    };
    let Value::Object(mut given) = value else {
        return Err(format!("`{word}` must be an object"));
    };
    check(kind, &mut given, now)?;
    Ok((kind, given))
}

fn check(kind: Kind, given: &mut Fields, now: Timestamp) -> Result<(), String> {
    match kind {
        Kind::Sandbox => {
            shape::check::<Sandbox>(given, "sandbox", &["projectId", "ports"], now)?;
            shape::word(given, "status", STATUSES)?;
            shape::id(given, "currentSessionId", "sbx_")?;
            shape::id(given, "currentSnapshotId", "snap_")
        }
        Kind::Session => {
            shape::check::<Session>(given, "session", &[], now)?;
            shape::word(given, "status", STATUSES)?;
            shape::id(given, "id", "sbx_")?;
            shape::id(given, "sourceSnapshotId", "snap_")
        }
        Kind::Snapshot => {
            let more = &["projectId", "sourceSandboxName"];
            shape::check::<Snapshot>(given, "snapshot", more, now)?;
            shape::word(given, "status", SNAPSHOT_STATUSES)?;
            shape::word(given, "creationMethod", CREATION_METHODS)?;
            shape::id(given, "id", "snap_")?;
            shape::id(given, "parentId", "snap_")
        }
    }
}
