//! Reading one record strictly: the fields are those of the wire, their times may be relative, and what a record does
//! not say is taken from another one.

use crate::model::Timestamp;
use crate::text::nearest;
use serde::de::{DeserializeOwned, Deserializer, Visitor};
use serde::{Serialize, forward_to_deserialize_any};
use serde_json::{Map, Value, json};

pub(super) type Fields = Map<String, Value>;

/// Lengths of time, in ms on the wire.
const SPANS: &[&str] = &[
    "timeout",
    "duration",
    "snapshotExpiration",
    "activeCpuDurationMs",
    "totalActiveCpuDurationMs",
    "totalDurationMs",
];

/// Refuses what is no field of `T` nor one of `more`, and turns times and lengths of time into numbers.
pub(super) fn check<T: DeserializeOwned>(
    given: &mut Fields,
    what: &str,
    more: &[&'static str],
    now: Timestamp,
) -> Result<(), String> {
    let known = || fields_of::<T>().iter().chain(more).copied();
    for (name, value) in given {
        if !known().any(|field| field == name) {
            let meant = nearest(name, known());
            let meant =
                meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
            return Err(format!("{name:?} is no field of a {what}{meant}"));
        }
        let text = value.as_str();
        if let Some(text) = text.filter(|_| name.ends_with("At")) {
            *value = json!(time(text, now).ok_or_else(|| {
                format!(
                    "`{name}` is {text:?}: write -3h, +10m, 2026-01-31T12:00:00Z or ms since 1970"
                )
            })?);
        } else if let Some(text) = text.filter(|_| SPANS.contains(&name.as_str())) {
            *value = json!(span(text).ok_or_else(|| {
                format!("`{name}` is {text:?}: write 90s, 45m, 24h or a number of ms")
            })?);
        }
    }
    Ok(())
}

/// `base` with what was given in the place of its own.
pub(super) fn overlay<T: Serialize + DeserializeOwned>(
    base: &T,
    given: &Fields,
) -> Result<T, String> {
    let whole = |value: &T| match serde_json::to_value(value) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    let mut fields = whole(base);
    fields.extend(given.clone());
    let made: T =
        serde_json::from_value(Value::Object(fields)).map_err(|error| error.to_string())?;
    // Reading is tolerant: what it could not make sense of is gone.
    let kept = whole(&made);
    let lost = given
        .iter()
        .find(|(name, _)| fields_of::<T>().contains(&name.as_str()) && !kept.contains_key(*name));
    match lost {
        Some((name, value)) => Err(format!("`{name}` cannot be {value}")),
        None => Ok(made),
    }
}

/// One of these words, if there is one.
pub(super) fn word(given: &Fields, name: &str, words: &[&'static str]) -> Result<(), String> {
    let Some(word) = given.get(name).and_then(Value::as_str) else {
        return Ok(());
    };
    if words.contains(&word) {
        return Ok(());
    }
    let meant = nearest(word, words.iter().copied());
    let meant = meant.map_or_else(
        || words.join(", "),
        |meant| format!("did you mean `{meant}`?"),
    );
    Err(format!("`{name}` cannot be {word:?}: {meant}"))
}

/// An id of ours: it becomes the name of a directory.
pub(super) fn id(given: &Fields, name: &str, prefix: &str) -> Result<(), String> {
    let Some(id) = given.get(name) else {
        return Ok(());
    };
    let rest = id.as_str().and_then(|id| id.strip_prefix(prefix));
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    match rest {
        Some(rest) if (1..=64).contains(&rest.len()) && rest.bytes().all(fits) => Ok(()),
        _ => Err(format!(
            "`{name}` cannot be {id}: it is {prefix} and up to 64 letters, digits, `_` or `-`"
        )),
    }
}

/// A time from now, or one of the calendar.
fn time(text: &str, now: Timestamp) -> Option<i64> {
    let (sign, rest) = match text.as_bytes().first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => {
            let time: jiff::Timestamp = text.parse().ok()?;
            return Some(time.as_millisecond());
        }
    };
    now.0.checked_add(sign * span(rest)?)
}

/// `90s`, `45m`, `1h30m`, `30d`, in ms.
fn span(text: &str) -> Option<i64> {
    let mut total = 0_i64;
    let mut rest = text;
    while !rest.is_empty() {
        let unit_at = rest.find(|letter: char| !letter.is_ascii_digit())?;
        let (number, more) = rest.split_at(unit_at);
        let end = more.find(|letter: char| letter.is_ascii_digit());
        let (unit, more) = more.split_at(end.unwrap_or(more.len()));
        let ms = match unit {
            "ms" => 1,
            "s" => 1000,
            "m" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            _ => return None,
        };
        total = total.checked_add(number.parse::<i64>().ok()?.checked_mul(ms)?)?;
        rest = more;
    }
    (!text.is_empty()).then_some(total)
}

/// The names of a struct's fields on the wire, by its own definition.
fn fields_of<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut names: &[&str] = &[];
    // It only asks, so it fails.
    let _ = T::deserialize(Ask(&mut names));
    names
}

/// Is asked for a struct, and remembers its fields.
struct Ask<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Ask<'_> {
    type Error = serde::de::value::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        *self.0 = fields;
        self.deserialize_any(visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(serde::de::Error::custom("there is nothing to read"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
