//! Events of tools as the legacy format and the session's file tell them: `exec_command_begin` and so on.

use super::script::script;
use crate::agents::ledger::Ledger;
use crate::agents::patch;
use crate::agents::tool;
use crate::agents::value::{self, BODY, Object, count, flag, object, short, text, word};
use crate::agents::{Body, Kind, Outcome, Step, ToolBody};
use crate::model::Span;
use base64::Engine as _;
use serde_json::Value;

/// Whether it was one of a tool.
pub fn tool(ledger: &mut Ledger, kind: &str, event: &Object) -> bool {
    match kind {
        "exec_command_begin" => begin(ledger, command(ledger, event), event),
        "exec_command_output_delta" => piece(ledger, event),
        "exec_command_end" => command_end(ledger, event),
        "patch_apply_begin" => begin(ledger, change(ledger, event), event),
        "patch_apply_end" => {
            let at = known(ledger, event, change);
            let went_well = flag(event, "success").unwrap_or(true);
            end(ledger, at, outcome(went_well), event);
        }
        "mcp_tool_call_begin" => begin(ledger, call(ledger, event), event),
        "mcp_tool_call_end" => call_end(ledger, event),
        "web_search_begin" => begin(ledger, search(ledger, event), event),
        "web_search_end" => {
            let at = known(ledger, event, search);
            let query = short(text(event, "query").unwrap_or_default());
            ledger.change(at, |step| step.short = query);
            end(ledger, at, Outcome::Ok, event);
        }
        "view_image_tool_call" => {
            let at = known(ledger, event, image);
            end(ledger, at, Outcome::Ok, event);
        }
        _ => return false,
    }
    true
}

fn outcome(went_well: bool) -> Outcome {
    match went_well {
        true => Outcome::Ok,
        false => Outcome::Error,
    }
}

/// A call that another line has told already stays as it is.
fn begin(ledger: &mut Ledger, step: Step, event: &Object) {
    if find(ledger, event).is_none() {
        ledger.push(step);
    }
}

fn find(ledger: &Ledger, event: &Object) -> Option<usize> {
    ledger.find(text(event, "call_id")?)
}

/// The step of an event's call; its beginning may be missing.
fn known(ledger: &mut Ledger, event: &Object, new: fn(&Ledger, &Object) -> Step) -> usize {
    match find(ledger, event) {
        Some(known) => known,
        None => ledger.push(new(ledger, event)),
    }
}

fn end(ledger: &mut Ledger, at: usize, outcome: Outcome, event: &Object) {
    if let Some(duration) = object(event, "duration") {
        let seconds = count(duration, "secs").unwrap_or_default();
        let nanos = count(duration, "nanos").unwrap_or_default();
        let millis = seconds
            .saturating_mul(1000)
            .saturating_add(nanos / 1_000_000);
        let took = Span(i64::try_from(millis).unwrap_or(i64::MAX));
        ledger.change(at, |step| step.took = Some(took));
    }
    ledger.finish(at, outcome, None);
}

fn running(ledger: &Ledger, kind: Kind, name: Option<&str>, line: &str, event: &Object) -> Step {
    Step {
        tool: name.map(Into::into),
        id: word(event, "call_id"),
        status: Some(Outcome::Running),
        ..ledger.step(kind, line)
    }
}

fn command(ledger: &Ledger, event: &Object) -> Step {
    let script = event.get("command").map(script).unwrap_or_default();
    Step {
        body: Body::Tool(Box::new(ToolBody {
            input: value::body(&script),
            ..ToolBody::default()
        })),
        ..running(ledger, Kind::Tool, Some("command"), &script, event)
    }
}

fn command_end(ledger: &mut Ledger, event: &Object) {
    let at = known(ledger, event, command);
    let both = || {
        let streams = ["stdout", "stderr"].map(|key| text(event, key).unwrap_or_default());
        streams.concat()
    };
    let whole = text(event, "aggregated_output").filter(|output| !output.is_empty());
    let output = whole.map_or_else(both, str::to_owned);
    let exit_code = event.get("exit_code").and_then(Value::as_i64);
    ledger.change(at, |step| {
        if !output.is_empty() {
            tool::put_output(&mut step.body, &output);
        }
        if let Body::Tool(tool) = &mut step.body {
            tool.exit_code = exit_code;
        }
    });
    let outcome = exit_code.map_or(Outcome::Unknown, |code| outcome(code == 0));
    end(ledger, at, outcome, event);
}

/// Output while the command runs; its end tells the whole.
fn piece(ledger: &mut Ledger, event: &Object) {
    let chunk = text(event, "chunk").unwrap_or_default();
    let decoded = base64::engine::general_purpose::STANDARD.decode(chunk);
    let (Some(at), Ok(bytes)) = (find(ledger, event), decoded) else {
        return;
    };
    ledger.change(at, |step| {
        let Body::Tool(tool) = &mut step.body else {
            return;
        };
        if tool.output.as_raw().len() < BODY {
            let more = String::from_utf8_lossy(&bytes);
            tool.output = value::body(&format!("{}{more}", tool.output.as_raw()));
        }
        tool.output_size += bytes.len() as u64;
    });
}

fn change(ledger: &Ledger, event: &Object) -> Step {
    let changes = patch::of_changes(event);
    Step {
        body: Body::Changes(changes.clone()),
        ..running(
            ledger,
            Kind::FileChange,
            None,
            &patch::line(&changes),
            event,
        )
    }
}

fn call(ledger: &Ledger, event: &Object) -> Step {
    let empty = Object::new();
    let called = object(event, "invocation").unwrap_or(event);
    let names = ["server", "tool"].map(|key| text(called, key).unwrap_or_default());
    let name = names.join(".");
    let input = object(called, "arguments").unwrap_or(&empty);
    Step {
        body: tool::body(&name, input),
        ..running(
            ledger,
            Kind::Tool,
            Some(&name),
            tool::line(input).as_raw(),
            event,
        )
    }
}

/// Its result is `{"Ok": {content}}` or `{"Err": "…"}`.
fn call_end(ledger: &mut Ledger, event: &Object) {
    let at = known(ledger, event, call);
    let result = object(event, "result");
    let good = result.and_then(|result| object(result, "Ok"));
    let bad = result.and_then(|result| result.get("Err"));
    let told = good.map(|good| tool::content(good.get("content")));
    let output = told.unwrap_or_else(|| tool::content(bad));
    ledger.change(at, |step| tool::put_output(&mut step.body, &output));
    let keys = ["is_error", "isError"];
    let refused = good.is_some_and(|good| keys.iter().any(|key| flag(good, key) == Some(true)));
    end(ledger, at, outcome(bad.is_none() && !refused), event);
}

fn search(ledger: &Ledger, event: &Object) -> Step {
    let query = text(event, "query").unwrap_or_default();
    running(ledger, Kind::Tool, Some("web_search"), query, event)
}

fn image(ledger: &Ledger, event: &Object) -> Step {
    let path = text(event, "path").unwrap_or_default();
    running(ledger, Kind::Tool, Some("view_image"), path, event)
}
