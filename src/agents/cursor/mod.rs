//! `cursor-agent -p`, as a stream, as its one result, or as a session's file.
//!
//! With partial output each text comes in pieces (`timestamp_ms`) and then once more as a whole: shown once. A run
//! that fails may just stop; why is on standard error.

mod call;
mod saying;

use super::dialect::Dialect;
use super::growing::Growing;
use super::ledger::Ledger;
use super::tally::Tally;
use super::tool;
use super::value::{Object, count, flag, object, short, text, word};
use super::{Figure, Kind, Outcome, Phase, Totals};
use saying::Saying;

/// The tally's name of the process that runs now.
const PROCESS: &str = "process";

#[derive(Debug, Default)]
pub struct Cursor {
    tally: Tally,
    saying: Saying,
    thinking: Growing,
    /// The model answers: what it says and calls is one turn.
    is_answering: bool,
    /// Something was said since the run began.
    has_spoken: bool,
}

impl Dialect for Cursor {
    fn object(&mut self, ledger: &mut Ledger, found: &Object) {
        ledger.clock(found, "timestamp_ms");
        let kind = text(found, "type").or_else(|| text(found, "role"));
        let kind = kind.unwrap_or_default();
        if kind != "assistant" {
            self.saying.close(ledger);
        }
        if kind != "thinking" {
            self.thinking.close(ledger);
        }
        match kind {
            "system" => self.system(ledger, found),
            "user" => {
                self.is_answering = false;
                self.saying.forget();
                ledger.push(ledger.text(Kind::User, &said(found)));
                ledger.phase(Phase::Working);
            }
            "assistant" => {
                self.answer(ledger);
                self.has_spoken = true;
                let is_piece =
                    found.contains_key("timestamp_ms") && !found.contains_key("model_call_id");
                self.saying.hear(ledger, &said(found), is_piece);
            }
            "thinking" => {
                self.answer(ledger);
                let told = text(found, "text").map_or_else(|| said(found), str::to_owned);
                match text(found, "subtype") {
                    Some("completed") => self.thinking.close(ledger),
                    Some("delta") => self.thinking.add(ledger, Kind::Thinking, &told),
                    _ => self.thinking.whole(ledger, Kind::Thinking, &told),
                }
                ledger.phase(Phase::Working);
            }
            "tool_call" => {
                self.is_answering &= text(found, "subtype") != Some("completed");
                call::put(ledger, found);
                ledger.phase(Phase::Working);
            }
            "result" => self.result(ledger, found),
            "turn_ended" => ended(ledger, found),
            "retry" | "connection" => {
                let told = text(found, "message").or_else(|| text(found, "subtype"));
                ledger.push(ledger.step(Kind::Retry, told.unwrap_or(kind)));
            }
            "error" => {
                let told = text(found, "message").unwrap_or("error");
                ledger.push(ledger.text(Kind::Error, told));
                ledger.phase(Phase::Broken(short(told)));
            }
            other => ledger.unknown(other, found),
        }
    }

    fn pause(&mut self, ledger: &mut Ledger) {
        self.saying.write(ledger);
        self.thinking.write(ledger);
    }
}

impl Cursor {
    fn system(&mut self, ledger: &mut Ledger, found: &Object) {
        if text(found, "subtype") != Some("init") {
            let told = text(found, "message").or_else(|| text(found, "subtype"));
            ledger.push(ledger.step(Kind::Notice, told.unwrap_or("system")));
            return;
        }
        self.tally.close();
        self.saying.forget();
        self.is_answering = false;
        self.has_spoken = false;
        ledger.abandon();
        ledger.section(text(found, "session_id"));
        ledger.run.model = word(found, "model");
        ledger.run.cwd = word(found, "cwd");
        ledger.phase(Phase::Started);
    }

    fn answer(&mut self, ledger: &mut Ledger) {
        if !self.is_answering {
            ledger.turn += 1;
        }
        self.is_answering = true;
        ledger.phase(Phase::Working);
    }

    /// It repeats all that was said, or is the only line.
    fn result(&mut self, ledger: &mut Ledger, found: &Object) {
        ledger.section(text(found, "session_id"));
        if let Some(usage) = object(found, "usage") {
            self.tally.set(ledger, PROCESS, totals(usage));
        }
        ledger.abandon();
        let told = text(found, "result").unwrap_or_default();
        let is_good = text(found, "subtype").is_none_or(|subtype| subtype == "success");
        if is_good && flag(found, "is_error") != Some(true) {
            if !self.has_spoken && !told.is_empty() {
                ledger.push(ledger.text(Kind::Text, told));
            }
            return ledger.phase(Phase::Done);
        }
        let why = [
            Some(told),
            text(found, "error"),
            text(found, "message"),
            text(found, "subtype"),
        ];
        let why = why.into_iter().flatten().find(|why| !why.is_empty());
        let step = ledger.text(Kind::Error, why.unwrap_or("its result is an error"));
        ledger.phase(Phase::Failed(step.short.clone()));
        ledger.push(step);
    }
}

fn said(found: &Object) -> String {
    let message = object(found, "message").unwrap_or(found);
    tool::content(message.get("content"))
}

/// Of a session's file.
fn ended(ledger: &mut Ledger, found: &Object) {
    ledger.abandon();
    ledger.phase(match text(found, "status") {
        None | Some("success" | "completed" | "finished" | "ok") => Phase::Done,
        Some("aborted" | "cancelled") => Phase::Broken("the turn was aborted".into()),
        Some(status) => Phase::Failed(short(text(found, "error").unwrap_or(status))),
    });
}

fn totals(usage: &Object) -> Totals {
    Totals {
        input: count(usage, "inputTokens"),
        output: count(usage, "outputTokens").map_or(Figure::Unknown, Figure::Exactly),
        cache_read: count(usage, "cacheReadTokens"),
        cache_write: count(usage, "cacheWriteTokens"),
        ..Totals::default()
    }
}

/// How a call ended, by what it says of itself.
fn outcome(went_well: bool) -> Outcome {
    match went_well {
        true => Outcome::Ok,
        false => Outcome::Error,
    }
}
