//! Cursor's calls of tools: `{"shellToolCall": {"args": …, "result": {"success": …}}}`.

use super::outcome;
use crate::agents::ledger::Ledger;
use crate::agents::patch;
use crate::agents::tool;
use crate::agents::value::{Object, object, text, word};
use crate::agents::{Body, Kind, Outcome, Step};
use serde_json::Value;

/// What of a result is worth reading, the first that is there.
const OUTPUTS: [&str; 7] = [
    "content",
    "output",
    "interleavedOutput",
    "stdout",
    "message",
    "error",
    "errorMessage",
];

pub fn put(ledger: &mut Ledger, found: &Object) {
    let empty = Object::new();
    let calls = object(found, "tool_call").unwrap_or(&empty);
    let named = calls
        .iter()
        .find(|(key, _)| key.ends_with("ToolCall") || *key == "function")
        .or_else(|| calls.iter().find(|(_, value)| value.is_object()));
    let (key, call) = match named {
        Some((key, call)) => (key.as_str(), call.as_object().unwrap_or(&empty)),
        None => ("tool", &empty),
    };
    let has_ended = text(found, "subtype") == Some("completed");
    let known = text(found, "call_id").and_then(|id| ledger.find(id));
    let at = known.unwrap_or_else(|| ledger.push(begun(ledger, key, call, found)));
    if has_ended {
        end(ledger, at, call);
    }
}

fn begun(ledger: &Ledger, key: &str, call: &Object, found: &Object) -> Step {
    let (name, input) = named(key, call);
    Step {
        tool: Some(name.as_str().into()),
        id: word(found, "call_id"),
        status: Some(Outcome::Running),
        body: tool::body(&name, &input),
        ..ledger.step(Kind::Tool, tool::line(&input).as_raw())
    }
}

/// The tool's name, and what it is called with.
fn named(key: &str, call: &Object) -> (String, Object) {
    let args = object(call, "args").cloned().unwrap_or_default();
    match key {
        "function" => {
            let name = text(call, "name").unwrap_or("function").to_owned();
            let told = call.get("arguments");
            let parsed = told.and_then(Value::as_str).map(serde_json::from_str);
            let input = match (told, parsed) {
                (_, Some(Ok(Value::Object(input)))) => input,
                (Some(Value::Object(input)), _) => input.clone(),
                _ => args,
            };
            (name, input)
        }
        "mcpToolCall" => {
            let named = ["providerIdentifier", "toolName"].map(|key| text(&args, key));
            let name = named.into_iter().flatten().collect::<Vec<_>>().join(".");
            let input = object(&args, "args").cloned().unwrap_or(args);
            (name, input)
        }
        key => (key.strip_suffix("ToolCall").unwrap_or(key).to_owned(), args),
    }
}

fn end(ledger: &mut Ledger, at: usize, call: &Object) {
    let Some(result) = object(call, "result") else {
        return ledger.finish(at, Outcome::Unknown, None);
    };
    let success = object(result, "success");
    let told = success.or_else(|| result.values().find_map(Value::as_object));
    let told = told.unwrap_or(result);
    let exit_code = told.get("exitCode").and_then(Value::as_i64);
    let diff = ["diffString", "diff"]
        .iter()
        .find_map(|key| text(told, key));
    let hunks = diff.map(patch::hunks).unwrap_or_default();
    let output = output(told);
    ledger.change(at, |step| {
        tool::put_output(&mut step.body, &output);
        if let Body::Tool(tool) = &mut step.body {
            tool.exit_code = exit_code;
            if let (false, Some(change)) = (hunks.is_empty(), tool.changes.first_mut()) {
                change.hunks = hunks;
            }
        }
    });
    let has_failed = [
        "error",
        "failure",
        "rejected",
        "timeout",
        "fileNotFound",
        "permissionDenied",
    ]
    .iter()
    .any(|key| result.contains_key(*key));
    let went_well = (success.is_some() || !has_failed) && exit_code.unwrap_or(0) == 0;
    ledger.finish(at, outcome(went_well), None);
}

fn output(told: &Object) -> String {
    let shown = OUTPUTS.iter().find_map(|key| match told.get(*key)? {
        Value::String(text) if text.is_empty() => None,
        value => Some(tool::content(Some(value))),
    });
    match (shown, text(told, "stderr").filter(|told| !told.is_empty())) {
        (Some(shown), Some(stderr)) if shown != stderr => format!("{shown}{stderr}"),
        (Some(shown), _) => shown,
        (None, Some(stderr)) => stderr.to_owned(),
        (None, None) => Value::Object(told.clone()).to_string(),
    }
}
