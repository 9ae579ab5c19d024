//! The file of an OpenClaw session: a head, then messages, one an entry. Each answer tells its own tokens and money.

use super::totals;
use crate::agents::dialect::Dialect;
use crate::agents::ledger::Ledger;
use crate::agents::tally::Tally;
use crate::agents::tool;
use crate::agents::value::{Object, flag, number, object, short, text, word};
use crate::agents::{Body, Kind, Outcome, Phase, Step, Totals};
use serde_json::Value;

#[derive(Debug, Default)]
pub struct Session {
    tally: Tally,
}

impl Dialect for Session {
    fn object(&mut self, ledger: &mut Ledger, found: &Object) {
        ledger.clock(found, "timestamp");
        match text(found, "type").unwrap_or_default() {
            "session" => {
                ledger.section(text(found, "id"));
                ledger.run.cwd = word(found, "cwd");
                ledger.phase(Phase::Started);
            }
            "message" => match object(found, "message") {
                Some(message) => self.message(ledger, text(message, "role"), message),
                None => ledger.unknown("message", found),
            },
            "model_change" => {
                ledger.run.model = word(found, "modelId").or_else(|| word(found, "model"));
            }
            "compaction" | "branch_summary" => {
                let told = text(found, "summary").unwrap_or_default();
                let step = ledger.text(
                    Kind::Notice,
                    &format!("the context was compacted\n\n{told}"),
                );
                ledger.push(step);
            }
            "custom_message" => {
                let told = tool::content(found.get("content"));
                ledger.push(ledger.text(Kind::Notice, &told));
            }
            "thinking_level_change" | "custom" | "label" | "session_info" => {}
            // Another shape, without the envelope.
            "human" | "user" => self.message(ledger, Some("user"), found),
            "assistant" => self.message(ledger, Some("assistant"), found),
            "tool_result" => self.message(ledger, Some("toolResult"), found),
            other => ledger.unknown(other, found),
        }
    }
}

impl Session {
    fn message(&mut self, ledger: &mut Ledger, role: Option<&str>, message: &Object) {
        match role {
            Some("user") => {
                let told = tool::content(message.get("content"));
                ledger.push(ledger.text(Kind::User, &told));
                ledger.phase(Phase::Working);
            }
            Some("assistant") => self.answer(ledger, message),
            Some("toolResult" | "tool") => {
                result(ledger, message);
                ledger.phase(Phase::Working);
            }
            Some("bashExecution") => {
                let input = message.clone();
                let at = ledger.push(called(ledger, "bash", &input, None));
                end(ledger, at, message, message);
            }
            role => ledger.unknown(role.unwrap_or("message"), message),
        }
    }

    fn answer(&mut self, ledger: &mut Ledger, message: &Object) {
        ledger.turn += 1;
        ledger.run.model = word(message, "model").or_else(|| ledger.run.model.clone());
        if let Some(usage) = object(message, "usage") {
            let cost = object(usage, "cost").and_then(|cost| number(cost, "total"));
            self.tally.close();
            self.tally.set(
                ledger,
                "",
                Totals {
                    cost,
                    turns: Some(1),
                    ..totals(usage)
                },
            );
        }
        match message.get("content") {
            Some(Value::Array(blocks)) => {
                for block in blocks.iter().filter_map(Value::as_object) {
                    piece(ledger, block);
                }
            }
            Some(Value::String(said)) if !said.is_empty() => {
                ledger.push(ledger.text(Kind::Text, said));
            }
            _ => {}
        }
        stop(ledger, message);
    }
}

fn piece(ledger: &mut Ledger, block: &Object) {
    let step = match text(block, "type").unwrap_or_default() {
        "text" => ledger.text(Kind::Text, text(block, "text").unwrap_or_default()),
        "thinking" => ledger.text(Kind::Thinking, text(block, "thinking").unwrap_or_default()),
        "toolCall" | "tool_use" | "toolUse" => {
            let empty = Object::new();
            let inputs = ["arguments", "input"];
            let input = inputs
                .iter()
                .find_map(|key| object(block, key))
                .unwrap_or(&empty);
            let name = text(block, "name").unwrap_or("tool");
            called(ledger, name, input, text(block, "id"))
        }
        other => return ledger.unknown(other, block),
    };
    if !step.short.is_empty() || step.kind == Kind::Tool {
        ledger.push(step);
    }
}

fn called(ledger: &Ledger, name: &str, input: &Object, id: Option<&str>) -> Step {
    Step {
        tool: Some(name.into()),
        id: id.map(Into::into),
        status: Some(Outcome::Running),
        body: tool::body(name, input),
        ..ledger.step(Kind::Tool, tool::line(input).as_raw())
    }
}

/// Why the model stopped: for a tool, or for good.
fn stop(ledger: &mut Ledger, message: &Object) {
    let told = text(message, "errorMessage");
    match text(message, "stopReason") {
        Some("stop" | "end_turn" | "endTurn") => ledger.phase(Phase::Done),
        Some("length") => {
            ledger.push(ledger.step(Kind::Notice, "the answer is cut: too many tokens"));
            ledger.phase(Phase::Done);
        }
        Some("error") => {
            let step = ledger.text(Kind::Error, told.unwrap_or("it stopped with an error"));
            ledger.phase(Phase::Failed(step.short.clone()));
            ledger.push(step);
        }
        Some("aborted") => {
            ledger.abandon();
            ledger.phase(Phase::Broken(short(told.unwrap_or("it was aborted"))));
        }
        Some(_) => ledger.phase(Phase::Working),
        None => ledger.phase(Phase::Answered),
    }
}

fn result(ledger: &mut Ledger, message: &Object) {
    let ids = ["toolCallId", "tool_use_id", "toolUseId", "id"];
    let id = ids.iter().find_map(|key| text(message, key));
    let known = id.and_then(|id| ledger.find(id));
    let name = text(message, "toolName").unwrap_or("tool");
    let at = known.unwrap_or_else(|| ledger.push(called(ledger, name, &Object::new(), id)));
    let empty = Object::new();
    end(
        ledger,
        at,
        message,
        object(message, "details").unwrap_or(&empty),
    );
}

fn end(ledger: &mut Ledger, at: usize, message: &Object, details: &Object) {
    let told = message.get("content").or_else(|| message.get("output"));
    let output = tool::content(told);
    let exit_code = details.get("exitCode").and_then(Value::as_i64);
    ledger.change(at, |step| {
        tool::put_output(&mut step.body, &output);
        if let Body::Tool(tool) = &mut step.body {
            tool.exit_code = exit_code;
        }
    });
    let keys = ["isError", "is_error"];
    let has_failed = keys.iter().any(|key| flag(message, key) == Some(true));
    let outcome = match has_failed || exit_code.unwrap_or(0) != 0 {
        true => Outcome::Error,
        false => Outcome::Ok,
    };
    ledger.finish(at, outcome, None);
}
