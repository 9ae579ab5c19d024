//! Any log of JSON objects, a line each: its level and message are looked for, the whole is in the step's body.

#[cfg(test)]
mod tests;

use super::dialect::Dialect;
use super::ledger::{Ledger, text_body};
use super::value::{Object, compact, text};
use super::{Kind, Step};
use serde_json::Value;

const LEVELS: [&str; 5] = ["level", "severity", "lvl", "levelname", "log.level"];
const TIMES: [&str; 4] = ["timestamp", "time", "ts", "@timestamp"];
const MESSAGES: [&str; 7] = ["msg", "message", "text", "event", "body", "error", "err"];

#[derive(Debug)]
pub struct JsonLines;

impl Dialect for JsonLines {
    fn object(&mut self, ledger: &mut Ledger, found: &Object) {
        if let Some(key) = TIMES.iter().find(|key| is_time(found.get(**key))) {
            ledger.clock(found, key);
        }
        let kind = match level(found).to_lowercase().as_str() {
            "error" | "err" | "fatal" | "critical" | "panic" | "50" | "60" => Kind::Error,
            "warn" | "warning" | "40" => Kind::Notice,
            _ => Kind::Raw,
        };
        if ledger.has_room() {
            let step = step(ledger, kind, found);
            ledger.push(step);
        }
    }
}

/// A date, or milliseconds; some logs tell seconds.
fn is_time(value: Option<&Value>) -> bool {
    value.is_some_and(|value| {
        value.is_string() || value.as_i64().is_some_and(|n| n > 100_000_000_000)
    })
}

fn level(found: &Object) -> String {
    let level = LEVELS.iter().find_map(|key| found.get(*key));
    level.map(compact).unwrap_or_default()
}

/// `error: no such file`, or the object as it is.
fn step(ledger: &Ledger, kind: Kind, found: &Object) -> Step {
    let whole = serde_json::to_string(found).unwrap_or_default();
    let message = MESSAGES.iter().find_map(|key| match found.get(*key)? {
        Value::Object(inner) => text(inner, "message"),
        value => value.as_str(),
    });
    let level = level(found);
    let line = match message {
        Some(message) if level.is_empty() => message.to_owned(),
        Some(message) => format!("{level}: {message}"),
        None => whole.clone(),
    };
    Step {
        body: text_body(&whole),
        ..ledger.step(kind, &line)
    }
}
