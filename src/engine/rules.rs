//! The rules for single values of requests (api.md §2.2). Each takes the field's name for its refusal.

use super::refusal::Refusal;
use crate::model::request::{Env, Resources};
use crate::model::{Count, Foreign, KeepLastSnapshots, SandboxName, Span, Tags};
use serde_json::{Map, Value};
use std::ops::RangeInclusive;

pub(super) const DAY: i64 = 86_400_000;
const TEN_YEARS: i64 = 3650 * DAY;
const MOST_PORTS: usize = 15;
const MOST_TAGS: usize = 5;
const MOST_MOUNTS: usize = 4;
const MOST_VCPUS: i64 = 32;
const MEMORY_PER_VCPU: i64 = 2048;
/// First path segments that are not sandboxes.
const RESERVED: &[&str] = &["sessions", "snapshots", "drives"];

pub(super) fn flag(field: &str, value: &Value) -> Result<bool, Refusal> {
    value
        .as_bool()
        .ok_or_else(|| Refusal::field(field, "must be true or false"))
}

pub(super) fn text(field: &str, value: &Value) -> Result<String, Refusal> {
    match value.as_str() {
        Some(text) if !text.contains('\0') => Ok(text.to_owned()),
        Some(_) => Err(Refusal::field(field, "must not hold a NUL character")),
        None => Err(Refusal::field(field, "must be a string")),
    }
}

/// At least one character, and no more than the kernel takes.
pub(super) fn path(field: &str, value: &Value) -> Result<String, Refusal> {
    let path = text(field, value)?;
    if (1..4096).contains(&path.len()) {
        return Ok(path);
    }
    Err(Refusal::field(field, "must have 1 to 4095 bytes"))
}

/// At least one character, at most 255.
pub(super) fn short_text(field: &str, value: &Value) -> Result<String, Refusal> {
    let text = text(field, value)?;
    if text.is_empty() || text.chars().count() > 255 {
        return Err(Refusal::field(field, "must have 1 to 255 characters"));
    }
    Ok(text)
}

pub(super) fn short(field: &str, value: &Value) -> Result<Foreign, Refusal> {
    short_text(field, value).map(Foreign::from)
}

pub(super) fn texts(field: &str, value: &Value) -> Result<Vec<String>, Refusal> {
    list(field, value)?
        .iter()
        .map(|entry| text(field, entry))
        .collect()
}

pub(super) fn regions(field: &str, value: &Value) -> Result<Vec<Foreign>, Refusal> {
    list(field, value)?
        .iter()
        .map(|entry| short(field, entry))
        .collect()
}

pub(super) fn sandbox_name(field: &str, value: &Value) -> Result<SandboxName, Refusal> {
    let name = text(field, value)?;
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
    if !(1..=128).contains(&name.len()) || !name.chars().all(fits) {
        let rule = "must have 1 to 128 letters, digits, `_` or `-`";
        return Err(Refusal::field(field, rule));
    }
    if RESERVED.contains(&name.as_str()) {
        return Err(Refusal::field(field, "is a word that paths of the API use"));
    }
    Ok(SandboxName::new(name))
}

/// The rule of the service for new projects.
pub(super) fn project_name(field: &str, value: &Value) -> Result<String, Refusal> {
    let name = text(field, value)?;
    let fits =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(&byte);
    if !(1..=100).contains(&name.len()) || !name.bytes().all(fits) {
        let rule = "must have 1 to 100 lower-case letters, digits, `.`, `_` or `-`";
        return Err(Refusal::field(field, rule));
    }
    Ok(name)
}

pub(super) fn ports(field: &str, value: &Value) -> Result<Vec<u16>, Refusal> {
    let mut ports = Vec::new();
    for entry in list(field, value)? {
        let port = number(field, entry, 1024..=65_535)?;
        if !ports.contains(&port) {
            ports.push(port);
        }
    }
    if ports.len() > MOST_PORTS {
        let rule = format!("must not hold more than {MOST_PORTS} ports");
        return Err(Refusal::field(field, rule));
    }
    Ok(ports)
}

/// A session's time limit, or what is added to it. How long it may be is the plan's.
pub(super) fn session_timeout(field: &str, value: &Value) -> Result<Span, Refusal> {
    number(field, value, 1000..=i64::MAX).map(Span)
}

pub(super) fn command_timeout(field: &str, value: &Value) -> Result<Span, Refusal> {
    number(field, value, 100..=i64::MAX).map(Span)
}

/// A POSIX signal's number.
pub(super) fn signal(field: &str, value: &Value) -> Result<i32, Refusal> {
    number(field, value, 1..=64)
}

/// How long a snapshot is kept; 0 = for ever.
pub(super) fn snapshot_expiration(field: &str, value: &Value) -> Result<Span, Refusal> {
    match value.as_i64() {
        Some(span @ (0 | DAY..=TEN_YEARS)) => Ok(Span(span)),
        _ => Err(Refusal::field(
            field,
            "must be 0 (for ever) or from one day to ten years, in ms",
        )),
    }
}

/// An explicit null clears the setting.
pub(super) fn keep_last_snapshots(
    field: &str,
    value: &Value,
) -> Result<Option<KeepLastSnapshots>, Refusal> {
    if value.is_null() {
        return Ok(None);
    }
    let fields = object(field, value)?;
    let inner = |name: &str| format!("{field}.{name}");
    let count = fields
        .get("count")
        .ok_or_else(|| Refusal::field(&inner("count"), "is missing"))?;
    let count: i64 = number(&inner("count"), count, 1..=10)?;
    let expiration = fields
        .get("expiration")
        .map(|value| snapshot_expiration(&inner("expiration"), value));
    let delete_evicted = fields
        .get("deleteEvicted")
        .map(|value| flag(&inner("deleteEvicted"), value));
    Ok(Some(KeepLastSnapshots {
        count: Count(count),
        expiration: expiration.transpose()?,
        delete_evicted: Some(delete_evicted.transpose()?.unwrap_or(true)),
    }))
}

/// vCPUs, and the memory that belongs to them.
pub(super) fn resources(field: &str, value: &Value) -> Result<Resources, Refusal> {
    let fields = object(field, value)?;
    let Some(vcpus) = fields.get("vcpus") else {
        return Err(Refusal::field(&format!("{field}.vcpus"), "is missing"));
    };
    let vcpus: i64 = number(&format!("{field}.vcpus"), vcpus, 1..=MOST_VCPUS)?;
    if vcpus != 1 && vcpus % 2 != 0 {
        let rule = "must be 1 or an even number";
        return Err(Refusal::field(&format!("{field}.vcpus"), rule));
    }
    let memory = vcpus * MEMORY_PER_VCPU;
    match fields.get("memory") {
        Some(given) if given.as_i64() != Some(memory) => {
            let rule = format!("must be {memory} (MB) for {vcpus} vCPUs");
            Err(Refusal::field(&format!("{field}.memory"), rule))
        }
        _ => Ok(Resources {
            vcpus,
            memory: Some(memory),
        }),
    }
}

pub(super) fn env(field: &str, value: &Value) -> Result<Env, Refusal> {
    let mut env = Env::default();
    for (key, value) in object(field, value)? {
        if key.is_empty() || key.contains(['=', '\0']) {
            let rule = "must have names without `=` and NUL characters";
            return Err(Refusal::field(field, rule));
        }
        env.0.insert(key.clone(), text(field, value)?);
    }
    Ok(env)
}

pub(super) fn tags(field: &str, value: &Value) -> Result<Tags, Refusal> {
    let mut tags = Tags::new();
    for (key, value) in object(field, value)? {
        let value = text(field, value)?;
        if value.chars().count() > 256 {
            let rule = "must have values of at most 256 characters";
            return Err(Refusal::field(field, rule));
        }
        tags.insert(Foreign::from(key.as_str()), Foreign::from(value));
    }
    if tags.len() > MOST_TAGS {
        let rule = format!("must not hold more than {MOST_TAGS} tags");
        return Err(Refusal::field(field, rule));
    }
    Ok(tags)
}

/// The engine has no drives yet, so one that is named cannot be found.
pub(super) fn mounts(field: &str, value: &Value) -> Result<(), Refusal> {
    let mounts = object(field, value)?;
    if mounts.len() > MOST_MOUNTS {
        let rule = format!("must not hold more than {MOST_MOUNTS} mounts");
        return Err(Refusal::field(field, rule));
    }
    let mut unknown = None;
    for (path, mount) in mounts {
        let inside = |other: &String| {
            path.strip_prefix(other.trim_end_matches('/'))
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let overlap = mounts.keys().any(|other| other != path && inside(other));
        if !path.starts_with('/') || path.trim_matches('/').is_empty() || overlap {
            let rule = "must have absolute paths that do not lie in each other";
            return Err(Refusal::field(field, rule));
        }
        let mount = object(field, mount)?;
        let drive = mount.get("drive").and_then(Value::as_str);
        let drive = drive.filter(|name| !name.is_empty());
        let mode = mount.get("mode").map_or(Some("read-write"), Value::as_str);
        match (drive, mode) {
            (Some(drive), Some("read-write" | "snapshot")) => unknown = Some(drive),
            _ => {
                let rule = "must name a `drive`, and `read-write` or `snapshot` as its `mode`";
                return Err(Refusal::field(field, rule));
            }
        }
    }
    unknown.map_or(Ok(()), |drive| Err(Refusal::unknown("drive", drive)))
}

/// For settings that are not there yet: saying "none" is fine, all else is 501.
pub(super) fn none_of(field: &str, value: &Value) -> Result<(), Refusal> {
    match value {
        Value::Null => Ok(()),
        Value::Object(fields) if fields.is_empty() => Ok(()),
        _ => Err(Refusal::not_yet(&format!("`{field}`"))),
    }
}

/// A whole number in a range. Without an upper end the rule names only the lower one.
fn number<T: TryFrom<i64>>(
    field: &str,
    value: &Value,
    range: RangeInclusive<i64>,
) -> Result<T, Refusal> {
    let number = value.as_i64().filter(|number| range.contains(number));
    number
        .and_then(|number| T::try_from(number).ok())
        .ok_or_else(|| {
            let (least, most) = range.into_inner();
            let rule = match most {
                i64::MAX => format!("must be a whole number of at least {least}"),
                _ => format!("must be a whole number from {least} to {most}"),
            };
            Refusal::field(field, rule)
        })
}

fn list<'a>(field: &str, value: &'a Value) -> Result<&'a Vec<Value>, Refusal> {
    value
        .as_array()
        .ok_or_else(|| Refusal::field(field, "must be a list"))
}

fn object<'a>(field: &str, value: &'a Value) -> Result<&'a Map<String, Value>, Refusal> {
    value
        .as_object()
        .ok_or_else(|| Refusal::field(field, "must be an object"))
}
