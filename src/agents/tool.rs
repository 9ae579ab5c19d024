//! What a tool's call says by itself: its one line, what it changes, its plan. By its input, whoever calls it.

use super::value::{Object, compact, list, short, text};
use super::{Body, Change, FileChange, Hunk, Outcome, PlanEntry, ToolBody, value};
use crate::model::Foreign;
use serde_json::Value;

/// The fields that tell most, the first that is there.
const TELLING: [&str; 25] = [
    "command",
    "cmd",
    "file_path",
    "filePath",
    "absolute_path",
    "notebook_path",
    "pattern",
    "query",
    "url",
    "path",
    "dir_path",
    "subject",
    "description",
    "summary",
    "question",
    "questions",
    "todos",
    "plan",
    "prompt",
    "title",
    "skill",
    "name",
    "message",
    "text",
    "task_id",
];
const PATHS: [&str; 5] = [
    "file_path",
    "filePath",
    "absolute_path",
    "notebook_path",
    "path",
];
const BEFORE: [&str; 4] = ["old_string", "oldString", "old_str", "old_text"];
const AFTER: [&str; 5] = [
    "new_string",
    "newString",
    "new_str",
    "new_text",
    "new_source",
];
const WHOLE: [&str; 4] = ["content", "contents", "file_text", "fileText"];

/// The one line of a call.
pub fn line(input: &Object) -> Foreign {
    let told = TELLING.iter().find_map(|key| told(input.get(*key)?));
    let told = told.or_else(|| match input.len() {
        0 => Some(String::new()),
        1 => input.values().next()?.as_str().map(str::to_owned),
        _ => None,
    });
    match told {
        Some(told) => short(&told),
        None => short(&serde_json::to_string(input).unwrap_or_default()),
    }
}

/// A value as part of a line; `None` if it says nothing.
fn told(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
        Value::Array(entries) => match entries.first()? {
            Value::String(_) => {
                let words: Vec<&str> = entries.iter().filter_map(Value::as_str).collect();
                Some(words.join(" "))
            }
            Value::Object(first) => match text(first, "question") {
                Some(question) => Some(question.to_owned()),
                None => Some(progress(&plan_of(entries))),
            },
            _ => None,
        },
        _ => None,
    }
}

/// `2/3 done`
pub fn progress(plan: &[PlanEntry]) -> String {
    let done = plan
        .iter()
        .filter(|entry| entry.status == Some(Outcome::Ok));
    format!("{}/{} done", done.count(), plan.len())
}

/// The body of a call that has begun.
pub fn body(name: &str, input: &Object) -> Body {
    let command = ["command", "cmd"].iter().find_map(|key| input.get(*key));
    let shown = match command {
        Some(Value::String(command)) => command.clone(),
        Some(Value::Array(_)) => command.and_then(told).unwrap_or_default(),
        _ if input.is_empty() => String::new(),
        _ => serde_json::to_string_pretty(input).unwrap_or_default(),
    };
    Body::Tool(Box::new(ToolBody {
        input: value::body(&shown),
        changes: changes(name, input),
        plan: plan_of(list(input, "todos")),
        ..ToolBody::default()
    }))
}

/// What it will do to files.
fn changes(name: &str, input: &Object) -> Vec<FileChange> {
    let get = |keys: &[&str]| keys.iter().find_map(|key| text(input, key));
    let Some(path) = get(&PATHS) else {
        return Vec::new();
    };
    let mut hunks: Vec<Hunk> = hunk(input).into_iter().collect();
    let several = list(input, "edits").iter().filter_map(Value::as_object);
    hunks.extend(several.filter_map(hunk));
    let name = name.to_lowercase();
    let change = match get(&WHOLE) {
        Some(whole) if name.contains("write") || name.contains("create") => {
            hunks.push(Hunk {
                old: Foreign::default(),
                new: value::body(whole),
            });
            Change::Add
        }
        _ if name.contains("delete") => Change::Delete,
        _ => Change::Update,
    };
    if hunks.is_empty() && change != Change::Delete {
        return Vec::new();
    }
    vec![FileChange {
        path: path.into(),
        change,
        hunks,
    }]
}

fn hunk(edit: &Object) -> Option<Hunk> {
    let get = |keys: &[&str]| keys.iter().find_map(|key| text(edit, key));
    let new = get(&AFTER)?;
    Some(Hunk {
        old: value::body(get(&BEFORE).unwrap_or_default()),
        new: value::body(new),
    })
}

/// Entries with a text and a status, whatever they are called.
pub fn plan_of(entries: &[Value]) -> Vec<PlanEntry> {
    let entries = entries.iter().filter_map(Value::as_object);
    let read = entries.map(|entry| {
        let words = ["content", "text", "step", "title", "description", "subject"];
        let told = words.iter().find_map(|key| text(entry, key));
        let done = value::flag(entry, "completed");
        PlanEntry {
            text: short(told.unwrap_or_default()),
            status: match (text(entry, "status"), done) {
                (Some("completed" | "done"), _) | (None, Some(true)) => Some(Outcome::Ok),
                (Some("in_progress" | "running"), _) => Some(Outcome::Running),
                (Some("cancelled" | "failed"), _) => Some(Outcome::Unknown),
                _ => None,
            },
        }
    });
    read.take(200).collect()
}

/// Gives a call's body its output; a call without body gets one.
pub fn put_output(body: &mut Body, output: &str) {
    if !matches!(body, Body::Tool(_)) {
        *body = Body::Tool(Box::default());
    }
    if let Body::Tool(tool) = body {
        tool.output = value::body(output);
        tool.output_size = output.len() as u64;
    }
}

/// The text of a content: a string, blocks, or nothing. Data stand as stubs.
pub fn content(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(blocks)) => {
            let texts: Vec<String> = blocks.iter().map(|block| content(Some(block))).collect();
            texts.join("\n")
        }
        Some(Value::Object(block)) => block_text(block),
        Some(other) => compact(other),
    }
}

fn block_text(block: &Object) -> String {
    let data = |source: &Object| -> Option<String> {
        let data = text(source, "data").or_else(|| text(source, "base64"))?;
        let named = ["media_type", "mimeType", "mime_type", "type"];
        let media = named.iter().find_map(|key| text(source, key));
        Some(value::stub(media.unwrap_or("data"), data.len()))
    };
    let source = value::object(block, "source").unwrap_or(block);
    match (text(block, "text"), data(source)) {
        (Some(text), _) => text.to_owned(),
        (None, Some(stub)) => stub,
        (None, None) => match (text(block, "type"), text(block, "tool_name")) {
            (Some("tool_reference"), Some(tool)) => format!("[tool {tool}]"),
            _ => serde_json::to_string(block).unwrap_or_default(),
        },
    }
}
