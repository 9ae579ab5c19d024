//! `gemini -o stream-json`; Antigravity's CLI begins alike and goes on with `step_update`. The one object of
//! `-o json` is beside.
//!
//! An `error` is not the end; retries are told on standard error only; a run that is stopped ends with exit code 0
//! and no result.

mod document;
mod update;

pub use document::{Document, is_failure};

use super::dialect::Dialect;
use super::growing::Growing;
use super::ledger::Ledger;
use super::tally::Tally;
use super::tool;
use super::value::{Object, count, flag, object, text, word};
use super::{Figure, Kind, Outcome, Phase, Step, Totals};

/// The tally's name of the process that runs now.
const PROCESS: &str = "process";

#[derive(Debug, Default)]
pub struct Gemini {
    tally: Tally,
    saying: Growing,
    /// The model answers: what it says and calls is one turn.
    is_answering: bool,
    /// What was the last error.
    error: Option<String>,
}

impl Dialect for Gemini {
    fn object(&mut self, ledger: &mut Ledger, found: &Object) {
        ledger.clock(found, "timestamp");
        let kind = text(found, "type").unwrap_or_default();
        if kind != "message" {
            self.saying.close(ledger);
        }
        match kind {
            "init" => self.process(ledger, found),
            "message" => self.message(ledger, found),
            "tool_use" => {
                self.answer(ledger);
                call(ledger, found);
                ledger.phase(Phase::Working);
            }
            "tool_result" => {
                self.is_answering = false;
                result_of_call(ledger, found);
                ledger.phase(Phase::Working);
            }
            "step_update" => {
                update::put(ledger, found);
                ledger.phase(Phase::Working);
            }
            "error" => {
                let message = text(found, "message").unwrap_or_default();
                let kind = match text(found, "severity") {
                    Some("warning" | "info") => Kind::Notice,
                    _ => Kind::Error,
                };
                self.error = Some(message.to_owned());
                ledger.push(ledger.text(kind, message));
            }
            "result" => self.result(ledger, found),
            other => ledger.unknown(other, found),
        }
    }

    /// `Attempt 1 failed with status 429. Retrying with backoff...`
    fn complaint(&mut self, ledger: &mut Ledger, line: &str) {
        let is_limited = line.starts_with("Attempt ") && line.contains("status 429");
        if is_limited && matches!(ledger.run.phase, Phase::Started | Phase::Working) {
            ledger.phase(Phase::RateLimited(None));
        }
    }

    fn pause(&mut self, ledger: &mut Ledger) {
        self.saying.write(ledger);
    }
}

impl Gemini {
    fn process(&mut self, ledger: &mut Ledger, found: &Object) {
        self.tally.close();
        self.is_answering = false;
        self.error = None;
        ledger.abandon();
        ledger.section(text(found, "session_id"));
        ledger.run.model = word(found, "model");
        ledger.run.cwd = word(found, "cwd").or_else(|| ledger.run.cwd.clone());
        ledger.run.version = word(found, "version").or_else(|| ledger.run.version.clone());
        ledger.phase(Phase::Started);
    }

    fn answer(&mut self, ledger: &mut Ledger) {
        if !self.is_answering {
            ledger.turn += 1;
        }
        self.is_answering = true;
    }

    fn message(&mut self, ledger: &mut Ledger, found: &Object) {
        let said = tool::content(found.get("content"));
        if text(found, "role") == Some("user") {
            self.is_answering = false;
            self.saying.close(ledger);
            ledger.push(ledger.text(Kind::User, &said));
            return ledger.phase(Phase::Working);
        }
        self.answer(ledger);
        if flag(found, "delta") == Some(true) {
            self.saying.add(ledger, Kind::Text, &said);
        } else {
            self.saying.close(ledger);
            ledger.push(ledger.text(Kind::Text, &said));
        }
        ledger.phase(Phase::Working);
    }

    fn result(&mut self, ledger: &mut Ledger, found: &Object) {
        if let Some(stats) = object(found, "stats") {
            self.tally.set(ledger, PROCESS, totals(stats));
        }
        ledger.abandon();
        if text(found, "status").is_none_or(|status| status == "success") {
            return ledger.phase(Phase::Done);
        }
        let message = object(found, "error").and_then(|error| text(error, "message"));
        if let Some(message) = message.filter(|_| self.error.as_deref() != message) {
            self.error = Some(message.to_owned());
            ledger.push(ledger.text(Kind::Error, message));
        }
        let why = self
            .error
            .as_deref()
            .unwrap_or("its result is an error, without a word why");
        ledger.phase(Phase::Failed(super::value::short(why)));
    }
}

fn call(ledger: &mut Ledger, found: &Object) {
    let empty = Object::new();
    let input = object(found, "parameters").unwrap_or(&empty);
    let name = text(found, "tool_name").unwrap_or("tool");
    let step = Step {
        tool: Some(name.into()),
        body: tool::body(name, input),
        id: word(found, "tool_id"),
        status: Some(Outcome::Running),
        ..ledger.step(Kind::Tool, tool::line(input).as_raw())
    };
    ledger.push(step);
}

fn result_of_call(ledger: &mut Ledger, found: &Object) {
    let known = text(found, "tool_id").and_then(|id| ledger.find(id));
    let at = known.unwrap_or_else(|| ledger.push(ledger.step(Kind::Tool, "")));
    let failure = object(found, "error").and_then(|error| text(error, "message"));
    let output = match tool::content(found.get("output")) {
        output if output.is_empty() => failure.unwrap_or_default().to_owned(),
        output => output,
    };
    ledger.change(at, |step| tool::put_output(&mut step.body, &output));
    let outcome = match text(found, "status") {
        Some("success") => Outcome::Ok,
        Some("error") => Outcome::Error,
        None if failure.is_some() => Outcome::Error,
        _ => Outcome::Unknown,
    };
    ledger.finish(at, outcome, None);
}

/// Input holds what came from the cache; the total holds thoughts too.
fn totals(stats: &Object) -> Totals {
    Totals {
        input: count(stats, "input_tokens"),
        output: count(stats, "output_tokens").map_or(Figure::Unknown, Figure::Exactly),
        cache_read: count(stats, "cached"),
        total: count(stats, "total_tokens"),
        ..Totals::default()
    }
}
