//! `opencode run --format json`: a line when a part of an answer is whole. A step is one answer of the model.
//!
//! Old versions have no word for the end: an answer's reason tells whether more comes. A permission that is asked for
//! is refused, and the run stops there with exit code 0; that is told on standard error only.

use super::dialect::Dialect;
use super::ledger::Ledger;
use super::patch;
use super::tally::Tally;
use super::tool;
use super::value::{Object, compact, count, list, number, object, short, text, time, word};
use super::{Body, Figure, Kind, Outcome, Phase, Step, Totals};
use crate::model::{Foreign, Span};
use crate::text::stripped;
use serde_json::Value;

#[derive(Debug, Default)]
pub struct OpenCode {
    /// By answer; only the newest is open.
    tally: Tally,
    /// The message whose parts come now.
    message: Option<Foreign>,
    /// What was refused in this answer.
    refused: Option<String>,
}

impl Dialect for OpenCode {
    fn object(&mut self, ledger: &mut Ledger, found: &Object) {
        ledger.clock(found, "timestamp");
        ledger.section(text(found, "sessionID"));
        let empty = Object::new();
        let part = object(found, "part").unwrap_or(&empty);
        let said = text(part, "text").unwrap_or_default();
        match text(found, "type").unwrap_or_default() {
            "step_start" => self.begin(ledger, part),
            "text" => say(ledger, Kind::Text, said, part),
            "reasoning" => say(ledger, Kind::Thinking, said, part),
            "tool_use" => self.call(ledger, part),
            "step_finish" => self.finish(ledger, part),
            "error" => failed(ledger, found),
            "done" => self.done(ledger, found),
            other => ledger.unknown(other, found),
        }
    }

    fn line(&mut self, ledger: &mut Ledger, line: &str) {
        ledger.raw(line);
        self.refusal(ledger, line);
    }

    fn complaint(&mut self, ledger: &mut Ledger, line: &str) {
        self.refusal(ledger, line);
    }
}

impl OpenCode {
    fn begin(&mut self, ledger: &mut Ledger, part: &Object) {
        let message = word(part, "messageID");
        // An answer that breaks off begins again under its id.
        if message.is_none() || message != self.message {
            ledger.turn += 1;
        }
        self.message = message;
        self.refused = None;
        ledger.phase(Phase::Working);
    }

    fn call(&mut self, ledger: &mut Ledger, part: &Object) {
        let empty = Object::new();
        let state = object(part, "state").unwrap_or(&empty);
        let name = text(part, "tool").unwrap_or("tool");
        let failure = text(state, "error");
        if failure.is_some_and(|failure| failure.contains("rejected permission")) {
            self.refused = Some(name.to_owned());
        }
        put(ledger, call(ledger, name, state), part);
        ledger.phase(Phase::Working);
    }

    fn finish(&mut self, ledger: &mut Ledger, part: &Object) {
        let id = text(part, "id").unwrap_or_default();
        if id.is_empty() || !self.tally.has(id) {
            self.tally.close();
        }
        self.tally.set(ledger, id, totals(part));
        match text(part, "reason").unwrap_or_default() {
            "tool-calls" | "unknown" => self.stopped(ledger),
            reason @ ("content-filter" | "error") => {
                ledger.phase(Phase::Failed(format!("the answer ended: {reason}").into()));
            }
            reason => {
                if reason == "length" {
                    ledger.push(ledger.step(Kind::Notice, "the answer is cut: too many tokens"));
                }
                ledger.phase(Phase::Done);
            }
        }
    }

    /// More should come; after a refusal nothing does.
    fn stopped(&mut self, ledger: &mut Ledger) {
        ledger.phase(match &self.refused {
            Some(what) => Phase::Broken(format!("permission rejected: {what}").into()),
            None => Phase::Working,
        });
    }

    fn done(&mut self, ledger: &mut Ledger, found: &Object) {
        if let Some(first) = list(found, "rejected").first() {
            let named = first.as_object().and_then(|first| {
                let keys = ["permission", "tool", "type", "title"];
                keys.iter().find_map(|key| text(first, key))
            });
            let named = named.map_or_else(|| compact(first), str::to_owned);
            self.refused.get_or_insert(named);
        }
        if ledger.is_over() {
            return;
        }
        let reason = text(found, "reason").unwrap_or("idle");
        self.refused.get_or_insert_default();
        ledger.phase(Phase::Broken(match self.refused.take() {
            Some(what) if !what.is_empty() => format!("permission rejected: {what}").into(),
            _ => format!("no answer: {reason}").into(),
        }));
    }

    /// `permission requested: bash (rm -f x); auto-rejecting`
    fn refusal(&mut self, ledger: &mut Ledger, line: &str) {
        let plain = stripped(line);
        let Some((_, rest)) = plain.split_once("permission requested: ") else {
            return;
        };
        let what = rest.split([' ', ';']).next().unwrap_or_default();
        self.refused = Some(what.to_owned());
        if matches!(ledger.run.phase, Phase::Working | Phase::Broken(_)) {
            self.stopped(ledger);
        }
    }
}

/// A part that is told again stands for what it was.
fn put(ledger: &mut Ledger, mut step: Step, part: &Object) {
    if let Some(part_time) = object(part, "time") {
        begun(&mut step, part_time);
    }
    step.id = word(part, "id");
    let known = step.id.as_ref().and_then(|id| ledger.find(id.as_raw()));
    match known {
        Some(known) => ledger.change(known, |old| {
            *old = Step {
                turn: old.turn,
                lines: old.lines.clone(),
                ..step
            };
        }),
        None => {
            ledger.push(step);
        }
    }
}

fn begun(step: &mut Step, of: &Object) {
    let (start, end) = (time(of, "start"), time(of, "end"));
    step.at = start.or(step.at);
    if let (Some(start), Some(end)) = (start, end) {
        step.took = Some(end.since(start)).filter(|took| *took >= Span(0));
    }
}

fn say(ledger: &mut Ledger, kind: Kind, said: &str, part: &Object) {
    put(ledger, ledger.text(kind, said), part);
    ledger.phase(Phase::Working);
}

fn call(ledger: &Ledger, name: &str, state: &Object) -> Step {
    let empty = Object::new();
    let input = object(state, "input").unwrap_or(&empty);
    let metadata = object(state, "metadata").unwrap_or(&empty);
    let line = match tool::line(input) {
        line if line.is_empty() => short(text(state, "title").unwrap_or_default()),
        line => line,
    };
    let output = tool::content(state.get("output").or_else(|| state.get("error")));
    let exit_code = metadata.get("exit").and_then(Value::as_i64);
    let mut step = Step {
        tool: Some(name.into()),
        body: tool::body(name, input),
        status: Some(match text(state, "status") {
            Some("error") => Outcome::Error,
            Some("running" | "pending") => Outcome::Running,
            // The maker calls these completed: a call of no tool, and a command that failed.
            _ if name == "invalid" || exit_code.is_some_and(|code| code != 0) => Outcome::Error,
            Some("completed") => Outcome::Ok,
            _ => Outcome::Unknown,
        }),
        ..ledger.step(Kind::Tool, line.as_raw())
    };
    tool::put_output(&mut step.body, &output);
    if let Body::Tool(tool) = &mut step.body {
        tool.exit_code = exit_code;
        if let Some(patch) = text(input, "patchText") {
            tool.changes = patch::patched(patch);
            step.short = short(&patch::line(&tool.changes));
        }
    }
    if let Some(state_time) = object(state, "time") {
        begun(&mut step, state_time);
    }
    step
}

fn totals(part: &Object) -> Totals {
    let empty = Object::new();
    let tokens = object(part, "tokens").unwrap_or(&empty);
    let cache = object(tokens, "cache").unwrap_or(&empty);
    Totals {
        input: count(tokens, "input"),
        output: count(tokens, "output").map_or(Figure::Unknown, Figure::Exactly),
        reasoning: count(tokens, "reasoning"),
        cache_read: count(cache, "read"),
        cache_write: count(cache, "write"),
        total: count(tokens, "total"),
        cost: number(part, "cost"),
        turns: Some(1),
    }
}

fn failed(ledger: &mut Ledger, found: &Object) {
    let error = object(found, "error");
    let data = error.and_then(|error| object(error, "data"));
    let message = [data, error].into_iter().flatten();
    let message = message.filter_map(|of| text(of, "message")).next();
    let name = error.and_then(|error| text(error, "name"));
    let told = message.or(name).or_else(|| text(found, "error"));
    let step = ledger.text(Kind::Error, told.unwrap_or("an error without a word"));
    ledger.phase(Phase::Failed(step.short.clone()));
    ledger.push(step);
}
