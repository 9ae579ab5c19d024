//! Items of the model's answers in the file of a Codex session: calls and their outputs.

use super::script::script;
use crate::agents::ledger::Ledger;
use crate::agents::patch;
use crate::agents::tool;
use crate::agents::value::{self, Object, flag, list, object, text, word};
use crate::agents::{Body, Kind, Outcome, Step, ToolBody};
use serde_json::Value;

/// Lines of an output that are looked at for the exit code.
const HEAD: usize = 8;

/// What the program tells the model by the mouth of the user.
pub fn is_context(told: &str) -> bool {
    told.starts_with('<') || told.starts_with("# AGENTS.md instructions")
}

/// What of the model's thinking can be read.
pub fn reasoning(found: &Object) -> String {
    let parts = ["summary", "summary_text", "content", "raw_content"];
    let told = parts.iter().map(|key| list(found, key));
    let mut told = told.map(|part| tool::content(Some(&Value::Array(part.to_vec()))));
    told.find(|part| !part.is_empty()).unwrap_or_default()
}

/// Whether it was a call or the output of one.
pub fn call(ledger: &mut Ledger, kind: &str, found: &Object) -> bool {
    match kind {
        "function_call" => {
            let name = text(found, "name").unwrap_or_default();
            let arguments = text(found, "arguments").unwrap_or_default();
            let parsed = match serde_json::from_str(arguments) {
                Ok(Value::Object(parsed)) => parsed,
                _ => Object::from_iter([("input".to_owned(), arguments.into())]),
            };
            begin(ledger, name, &parsed, found);
        }
        "custom_tool_call" => {
            let name = text(found, "name").unwrap_or_default();
            let input = text(found, "input").unwrap_or_default();
            let parsed = Object::from_iter([("input".to_owned(), input.into())]);
            begin(ledger, name, &parsed, found);
        }
        "local_shell_call" => {
            let empty = Object::new();
            begin(
                ledger,
                "local_shell",
                object(found, "action").unwrap_or(&empty),
                found,
            );
        }
        "web_search_call" => {
            let empty = Object::new();
            let action = object(found, "action").unwrap_or(&empty);
            let at = begin(ledger, "web_search", action, found);
            ledger.finish(at, Outcome::Ok, None);
        }
        "function_call_output" | "custom_tool_call_output" | "local_shell_call_output" => {
            output(ledger, found);
        }
        _ => return false,
    }
    true
}

fn begin(ledger: &mut Ledger, name: &str, input: &Object, found: &Object) -> usize {
    let mut input = input.clone();
    if let Some(command @ Value::Array(_)) = input.get("command") {
        input.insert("command".to_owned(), script(command).into());
    }
    let told = ["input", "command"]
        .iter()
        .find_map(|key| text(&input, key));
    let changes = told.map(patch::patched).unwrap_or_default();
    let entries = tool::plan_of(list(&input, "plan"));
    let mut step = if name == "update_plan" {
        Step {
            body: Body::Plan(entries.clone()),
            ..ledger.step(Kind::Plan, &tool::progress(&entries))
        }
    } else if changes.is_empty() {
        Step {
            body: tool::body(name, &input),
            ..ledger.step(Kind::Tool, tool::line(&input).as_raw())
        }
    } else {
        Step {
            body: Body::Tool(Box::new(ToolBody {
                input: value::body(told.unwrap_or_default()),
                changes: changes.clone(),
                ..ToolBody::default()
            })),
            ..ledger.step(Kind::Tool, &patch::line(&changes))
        }
    };
    step.tool = Some(name.into());
    step.id = word(found, "call_id");
    step.status = Some(Outcome::Running);
    ledger.push(step)
}

fn output(ledger: &mut Ledger, found: &Object) {
    let told = Output::of(found.get("output"));
    let known = text(found, "call_id").and_then(|id| ledger.find(id));
    let at = known.unwrap_or_else(|| ledger.push(ledger.step(Kind::Tool, "")));
    ledger.change(at, |step| match &mut step.body {
        Body::Plan(_) => {}
        body => {
            tool::put_output(body, &told.text);
            if let Body::Tool(tool) = body {
                tool.exit_code = tool.exit_code.or(told.exit_code);
            }
        }
    });
    let went_well = told.success.unwrap_or(true) && told.exit_code.unwrap_or(0) == 0;
    let outcome = if went_well {
        Outcome::Ok
    } else {
        Outcome::Error
    };
    ledger.finish(at, outcome, None);
}

/// An output comes as a text, as JSON in a text, as an object, or as blocks.
#[derive(Default)]
struct Output {
    text: String,
    exit_code: Option<i64>,
    success: Option<bool>,
}

impl Output {
    fn of(value: Option<&Value>) -> Self {
        match value {
            Some(Value::String(text)) => match serde_json::from_str(text) {
                Ok(Value::Object(inner)) if inner.contains_key("output") => Self::of_object(&inner),
                _ => Self {
                    exit_code: exit_code(text),
                    text: text.clone(),
                    success: None,
                },
            },
            Some(Value::Object(object)) => Self::of_object(object),
            other => Self {
                text: tool::content(other),
                ..Self::default()
            },
        }
    }

    fn of_object(object: &Object) -> Self {
        let told = object.get("output").or_else(|| object.get("content"));
        let metadata = value::object(object, "metadata").unwrap_or(object);
        Self {
            text: told
                .map(|told| tool::content(Some(told)))
                .unwrap_or_default(),
            exit_code: metadata.get("exit_code").and_then(Value::as_i64),
            success: flag(object, "success"),
        }
    }
}

/// `Exit code: 3` or `Process exited with code 3` in the head of an output.
fn exit_code(output: &str) -> Option<i64> {
    let heads = ["Exit code: ", "Process exited with code "];
    let told = |line: &str| {
        heads
            .iter()
            .find_map(|head| line.strip_prefix(head)?.trim().parse().ok())
    };
    output
        .lines()
        .take(HEAD)
        .take_while(|line| !line.starts_with("Output:"))
        .find_map(told)
}
