//! Items of `codex exec --json`: each is one step that changes until it is completed.

use crate::agents::ledger::{Ledger, text_body};
use crate::agents::patch::{self, file_change};
use crate::agents::tool;
use crate::agents::value::{self, Object, compact, list, object, short, text, word};
use crate::agents::{Body, FileChange, Kind, Outcome, Step, ToolBody};
use serde_json::Value;

/// The item's own type; its key was another one for a while.
pub fn kind(item: &Object) -> &str {
    let kind = text(item, "type").or_else(|| text(item, "item_type"));
    kind.unwrap_or("item")
}

/// Writes an item to its step, the one of its id or a new one. `has_ended`: no more will come of it.
pub fn put(ledger: &mut Ledger, item: &Object, has_ended: bool) {
    let mut step = step(ledger, item, has_ended);
    step.id = word(item, "id");
    let known = step.id.as_ref().and_then(|id| ledger.find(id.as_raw()));
    let Some(known) = known else {
        // Thoughts that are kept secret have no text.
        if step.kind != Kind::Thinking || !step.short.is_empty() {
            ledger.push(step);
        }
        return;
    };
    let ended = step.status.filter(|_| !step.is_running());
    ledger.change(known, |old| renew(old, step));
    if let Some(outcome) = ended {
        ledger.finish(known, outcome, None);
    }
}

/// What is told now stands for what was told before, unless it says less.
fn renew(old: &mut Step, new: Step) {
    old.kind = new.kind;
    old.tool = new.tool;
    old.status = new.status;
    if !new.short.is_empty() {
        old.short = new.short;
    }
    match (&mut old.body, new.body) {
        (_, Body::None) => {}
        (Body::Tool(old), Body::Tool(mut new)) => {
            if new.output.is_empty() {
                new.output = old.output.clone();
                new.output_size = old.output_size;
            }
            *old = new;
        }
        (old, new) => *old = new,
    }
}

fn step(ledger: &Ledger, item: &Object, has_ended: bool) -> Step {
    let said = |key: &str| text(item, key).unwrap_or_default();
    let status = status(item, has_ended);
    match kind(item) {
        "agent_message" | "assistant_message" => ledger.text(Kind::Text, said("text")),
        "reasoning" => ledger.text(Kind::Thinking, said("text")),
        "user_message" => ledger.text(Kind::User, said("text")),
        "plan" => ledger.text(Kind::Plan, said("text")),
        "error" => ledger.text(Kind::Error, said("message")),
        "todo_list" => {
            let entries = tool::plan_of(list(item, "items"));
            Step {
                body: Body::Plan(entries.clone()),
                ..ledger.step(Kind::Plan, &tool::progress(&entries))
            }
        }
        "file_change" => {
            let changes = changes(item);
            Step {
                status: Some(status),
                body: Body::Changes(changes.clone()),
                ..ledger.step(Kind::FileChange, &patch::line(&changes))
            }
        }
        "command_execution" => command(ledger, item, status),
        "mcp_tool_call" => called(ledger, item, status),
        "collab_tool_call" => with_agents(ledger, item, status),
        "web_search" => Step {
            status: Some(status),
            ..call(ledger, "web_search", said("query"), item.get("action"))
        },
        other => unknown(ledger, other, item, has_ended),
    }
}

fn status(item: &Object, has_ended: bool) -> Outcome {
    match text(item, "status") {
        Some("completed" | "success") => Outcome::Ok,
        Some("failed" | "declined" | "error" | "errored") => Outcome::Error,
        None if has_ended => Outcome::Ok,
        _ if has_ended => Outcome::Unknown,
        _ => Outcome::Running,
    }
}

fn call(ledger: &Ledger, name: &str, line: &str, input: Option<&Value>) -> Step {
    let input = match input {
        Some(Value::Object(input)) => tool::body(name, input),
        Some(Value::Null) | None => Body::Tool(Box::default()),
        Some(other) => Body::Tool(Box::new(ToolBody {
            input: value::body(&compact(other)),
            ..ToolBody::default()
        })),
    };
    Step {
        tool: Some(name.into()),
        body: input,
        ..ledger.step(Kind::Tool, line)
    }
}

/// One that is completed without an exit code was given up.
fn command(ledger: &Ledger, item: &Object, status: Outcome) -> Step {
    let command = text(item, "command").unwrap_or_default();
    let output = text(item, "aggregated_output").unwrap_or_default();
    let exit_code = item.get("exit_code").and_then(Value::as_i64);
    let status = match (status, exit_code) {
        (Outcome::Ok, None) => Outcome::Unknown,
        (Outcome::Ok, Some(code)) if code != 0 => Outcome::Error,
        (status, _) => status,
    };
    Step {
        status: Some(status),
        tool: Some("command".into()),
        body: Body::Tool(Box::new(ToolBody {
            input: value::body(command),
            output: value::body(output),
            output_size: output.len() as u64,
            exit_code,
            ..ToolBody::default()
        })),
        ..ledger.step(Kind::Tool, command)
    }
}

fn changes(item: &Object) -> Vec<FileChange> {
    let told = list(item, "changes").iter().filter_map(|change| {
        let change = change.as_object()?;
        let kind = text(change, "kind").unwrap_or_default();
        Some(FileChange {
            hunks: text(change, "diff").map(patch::hunks).unwrap_or_default(),
            ..file_change(text(change, "path")?, patch::change(kind))
        })
    });
    told.collect()
}

fn called(ledger: &Ledger, item: &Object, status: Outcome) -> Step {
    let names = ["server", "tool"].map(|key| text(item, key).unwrap_or_default());
    let arguments = item.get("arguments");
    let line = match arguments {
        Some(Value::Object(arguments)) => tool::line(arguments),
        Some(Value::Null) | None => short(""),
        Some(other) => short(&compact(other)),
    };
    let mut step = call(ledger, &names.join("."), line.as_raw(), arguments);
    let failure = object(item, "error").and_then(|error| text(error, "message"));
    let result = object(item, "result");
    let output = match (failure, result) {
        (Some(failure), _) => failure.to_owned(),
        (None, Some(result)) => match tool::content(result.get("content")) {
            told if told.is_empty() => result
                .get("structured_content")
                .filter(|content| !content.is_null())
                .map(compact)
                .unwrap_or_default(),
            told => told,
        },
        (None, None) => String::new(),
    };
    tool::put_output(&mut step.body, &output);
    let refused = result.and_then(|result| value::flag(result, "is_error")) == Some(true);
    step.status = Some(match failure.is_some() || refused {
        true => Outcome::Error,
        false => status,
    });
    step
}

/// A call to another agent of its own.
fn with_agents(ledger: &Ledger, item: &Object, status: Outcome) -> Step {
    let name = text(item, "tool").unwrap_or("collab_tool_call");
    let states = item.get("agents_states").filter(|states| !states.is_null());
    let told = states.map(compact).unwrap_or_default();
    let prompt = text(item, "prompt").filter(|prompt| !prompt.is_empty());
    let mut step = call(ledger, name, prompt.unwrap_or(&told), item.get("prompt"));
    tool::put_output(&mut step.body, &told);
    step.status = Some(status);
    step
}

/// Shown by its type; what is not known of it may still have a status.
fn unknown(ledger: &Ledger, name: &str, item: &Object, has_ended: bool) -> Step {
    let whole = serde_json::to_string(item).unwrap_or_default();
    let status = item.contains_key("status");
    Step {
        body: text_body(&whole),
        status: status.then(|| self::status(item, has_ended)),
        ..ledger.step(Kind::Unknown, &format!("{name} {whole}"))
    }
}
