//! `step_update` of Antigravity's CLI: a step by its type, with a tool or a text. Its fields are little known, so
//! any of several will do.

use crate::agents::ledger::Ledger;
use crate::agents::tool;
use crate::agents::value::{Object, compact, object, text};
use crate::agents::{Kind, Outcome, Step};
use serde_json::Value;

const IDS: [&str; 4] = ["step_id", "id", "step_index", "index"];

pub fn put(ledger: &mut Ledger, found: &Object) {
    let update = object(found, "step").unwrap_or(found);
    let kind = text(update, "step_type").or_else(|| text(found, "step_type"));
    let kind = kind.unwrap_or("step_update");
    let id = IDS.iter().find_map(|key| update.get(*key)).map(compact);
    let said = ["text", "content", "message", "delta"];
    let said = said.iter().find_map(|key| text(update, key));
    let mut step = match (object(update, "tool_info"), said) {
        (Some(info), _) => call(ledger, info, update),
        (None, Some(said)) => ledger.text(of(kind), said),
        (None, None) => return ledger.unknown(kind, found),
    };
    let known = id.as_deref().and_then(|id| ledger.find(id));
    step.id = id.map(Into::into);
    match known {
        Some(known) => ledger.change(known, |old| {
            *old = Step {
                turn: old.turn,
                lines: old.lines.clone(),
                at: old.at,
                ..step
            };
        }),
        None => {
            ledger.push(step);
        }
    }
}

fn of(kind: &str) -> Kind {
    let kind = kind.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| kind.contains(word));
    match () {
        () if has(&["think", "thought", "reason"]) => Kind::Thinking,
        () if has(&["user"]) => Kind::User,
        () if has(&["error"]) => Kind::Error,
        () if has(&["plan", "task"]) => Kind::Plan,
        () => Kind::Text,
    }
}

fn call(ledger: &Ledger, info: &Object, update: &Object) -> Step {
    let empty = Object::new();
    let named = ["tool_name", "name", "tool"];
    let name = named
        .iter()
        .find_map(|key| text(info, key))
        .unwrap_or("tool");
    let inputs = ["parameters", "args", "arguments", "input"];
    let input = inputs
        .iter()
        .find_map(|key| object(info, key))
        .unwrap_or(&empty);
    let outputs = ["output", "result", "error"];
    let output = outputs
        .iter()
        .find_map(|key| info.get(*key))
        .filter(|output| !output.is_null());
    let status = ["status", "state"];
    let status = status
        .iter()
        .find_map(|key| text(info, key).or_else(|| text(update, key)));
    let status = status.unwrap_or_default().to_lowercase();
    let failed = info.get("error").is_some_and(|error| !error.is_null());
    let mut body = tool::body(name, input);
    if let Some(output) = output {
        tool::put_output(&mut body, &told(output));
    }
    Step {
        tool: Some(name.into()),
        status: Some(match status.as_str() {
            _ if failed => Outcome::Error,
            "error" | "failed" => Outcome::Error,
            "success" | "completed" | "done" | "ok" => Outcome::Ok,
            "" if output.is_some() => Outcome::Ok,
            "cancelled" | "canceled" => Outcome::Unknown,
            _ => Outcome::Running,
        }),
        body,
        ..ledger.step(Kind::Tool, tool::line(input).as_raw())
    }
}

fn told(output: &Value) -> String {
    let message = output
        .as_object()
        .and_then(|output| text(output, "message"));
    message.map_or_else(|| tool::content(Some(output)), str::to_owned)
}
