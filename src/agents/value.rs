//! Taking what is needed out of JSON of others: whatever is missing or of another type is not known.

use crate::model::{Foreign, Timestamp};
use crate::text::stripped;
use serde_json::{Map, Value};

pub type Object = Map<String, Value>;

/// Characters of a step's one line.
const SHORT: usize = 200;
/// Bytes of a body's text; the rest is in the log.
pub const BODY: usize = 64 << 10;

pub fn text<'a>(object: &'a Object, key: &str) -> Option<&'a str> {
    object.get(key)?.as_str()
}

/// Not empty.
pub fn word(object: &Object, key: &str) -> Option<Foreign> {
    text(object, key)
        .filter(|text| !text.is_empty())
        .map(Foreign::from)
}

pub fn object<'a>(object: &'a Object, key: &str) -> Option<&'a Object> {
    object.get(key)?.as_object()
}

pub fn list<'a>(object: &'a Object, key: &str) -> &'a [Value] {
    let found = object.get(key).and_then(Value::as_array);
    found.map_or(&[], Vec::as_slice)
}

/// A whole number that is not negative; a fraction is rounded.
pub fn count(object: &Object, key: &str) -> Option<u64> {
    as_count(object.get(key)?)
}

pub fn as_count(value: &Value) -> Option<u64> {
    let rounded = || value.as_f64().filter(|n| *n >= 0.0).map(|n| n.round());
    // `as` saturates.
    value.as_u64().or_else(|| rounded().map(|n| n as u64))
}

pub fn number(object: &Object, key: &str) -> Option<f64> {
    object.get(key)?.as_f64()
}

pub fn flag(object: &Object, key: &str) -> Option<bool> {
    object.get(key)?.as_bool()
}

/// Milliseconds since 1970, or a date as ISO 8601.
pub fn time(object: &Object, key: &str) -> Option<Timestamp> {
    match object.get(key)? {
        Value::String(text) => {
            let parsed: jiff::Timestamp = text.parse().ok()?;
            Some(Timestamp(parsed.as_millisecond()))
        }
        value => value.as_i64().map(Timestamp),
    }
}

/// The beginning of a text as one line: no control sequences, blanks joined.
pub fn short(text: &str) -> Foreign {
    // Four bytes a character at most, and something for blanks and control sequences.
    let head = cut(text, SHORT * 16);
    let plain = stripped(head);
    let mut line = String::new();
    let mut room = SHORT;
    for part in plain.split(|c: char| c.is_whitespace() || c.is_control()) {
        if part.is_empty() {
            continue;
        }
        if !line.is_empty() {
            line.push(' ');
            room = room.saturating_sub(1);
        }
        let taken: String = part.chars().take(room).collect();
        room -= taken.chars().count();
        line.push_str(&taken);
        if taken.len() < part.len() {
            line.push('…');
            return line.into();
        }
    }
    if head.len() < text.len() {
        line.push('…');
    }
    line.into()
}

/// At most so many bytes, whole characters.
pub fn cut(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// As much of a text as a body may hold.
pub fn body(text: &str) -> Foreign {
    Foreign::from(cut(text, BODY))
}

/// JSON on one line.
pub fn compact(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

/// `[image/png 960 kB]` for data that is `base64` bytes long.
pub fn stub(media: &str, base64: usize) -> String {
    let bytes = base64 / 4 * 3;
    match bytes {
        0..1000 => format!("[{media} {bytes} B]"),
        _ => format!("[{media} {} kB]", bytes / 1000),
    }
}
