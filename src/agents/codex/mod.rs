//! Codex: `codex exec --json` and `--experimental-json`; the older format and the session's file are beside.
//!
//! Usage is of the whole thread so far, in a resumed one too. Only `turn.failed` is a failure: a plain `error` may be
//! followed by success. The experimental format has no turns, so an answer and exit code 0 must do.

mod event;
mod item;
mod legacy;
mod question;
mod response;
mod rollout;
mod script;
mod usage;

pub use legacy::Legacy;
pub use rollout::Rollout;

use super::dialect::Dialect;
use super::growing::Growing;
use super::ledger::Ledger;
use super::tally::Tally;
use super::value::{Object, object, short, text, word};
use super::{Kind, Phase};
use question::Question;

#[derive(Debug, Default)]
pub struct Codex {
    thread: String,
    /// By thread.
    tally: Tally,
    question: Question,
    /// A plan that comes in pieces.
    plan: Growing,
    /// No event tells the end of a turn.
    is_experimental: bool,
}

impl Dialect for Codex {
    fn object(&mut self, ledger: &mut Ledger, found: &Object) {
        ledger.clock(found, "timestamp");
        let kind = text(found, "type").unwrap_or_default();
        if kind != "token_count" {
            self.question.answered(ledger);
        }
        match kind {
            "thread.started" | "session.created" => self.thread(ledger, found),
            "turn.started" => {
                ledger.turn += 1;
                ledger.phase(Phase::Working);
            }
            "turn.completed" => {
                if let Some(usage) = object(found, "usage") {
                    self.tally.set(ledger, &self.thread, usage::totals(usage));
                }
                ledger.abandon();
                ledger.phase(Phase::Done);
            }
            "turn.failed" => failed(ledger, found),
            "item.started" | "item.updated" => self.item(ledger, found, false),
            "item.completed" => self.item(ledger, found, true),
            "item.plan.delta" => {
                let piece = text(found, "delta").unwrap_or_default();
                self.plan.add(ledger, Kind::Plan, piece);
            }
            "request_user_input" => self.question.ask(ledger, found),
            "token_count" => {
                if let Some(totals) = usage::so_far(found) {
                    self.tally.set(ledger, &self.thread, totals);
                }
            }
            "error" => self.error(ledger, text(found, "message").unwrap_or_default()),
            other => ledger.unknown(other, found),
        }
    }

    fn pause(&mut self, ledger: &mut Ledger) {
        self.plan.write(ledger);
    }
}

impl Codex {
    /// A process begins: the ids of its items begin again, in the same thread too.
    fn thread(&mut self, ledger: &mut Ledger, found: &Object) {
        let id = text(found, "thread_id").or_else(|| text(found, "session_id"));
        self.is_experimental = text(found, "type") == Some("session.created");
        self.thread = id.unwrap_or_default().to_owned();
        ledger.abandon();
        ledger.section(id);
        ledger.forget_ids();
        ledger.run.model = word(found, "model").or_else(|| ledger.run.model.clone());
        ledger.phase(Phase::Started);
    }

    fn item(&mut self, ledger: &mut Ledger, found: &Object, has_ended: bool) {
        let Some(item) = object(found, "item") else {
            return ledger.unknown(text(found, "type").unwrap_or_default(), found);
        };
        self.is_experimental |= item.contains_key("item_type");
        let kind = item::kind(item);
        if kind == "request_user_input" {
            if !has_ended {
                self.question.ask(ledger, item);
            }
            return;
        }
        if kind == "plan" && self.plan.is_open() {
            let whole = text(item, "text").unwrap_or_default();
            self.plan.whole(ledger, Kind::Plan, whole);
        } else {
            item::put(ledger, item, has_ended);
        }
        // What a turn has left running may end after it.
        if ledger.is_over() && !self.is_experimental {
            return;
        }
        let is_answer = has_ended && matches!(kind, "agent_message" | "assistant_message");
        match is_answer && self.is_experimental {
            true => ledger.phase(Phase::Answered),
            // Such an item can come before the turn, and means nothing for it.
            false if kind == "error" => {}
            false => ledger.phase(Phase::Working),
        }
    }

    /// Not the end by itself, but where no turn tells a failure.
    fn error(&mut self, ledger: &mut Ledger, message: &str) {
        let is_retry = is_retry(message);
        let kind = if is_retry { Kind::Retry } else { Kind::Error };
        let step = ledger.text(kind, message);
        let why = step.short.clone();
        ledger.push(step);
        if is_retry || ledger.is_over() {
            return;
        }
        ledger.phase(match self.is_experimental {
            true => Phase::Failed(why),
            false => Phase::Broken(why),
        });
    }
}

fn failed(ledger: &mut Ledger, found: &Object) {
    let message = object(found, "error").and_then(|error| text(error, "message"));
    let message = message.unwrap_or("the turn failed");
    let told = short(message);
    // It mostly repeats the error before it.
    let last = ledger.run.steps.last();
    if last.is_none_or(|last| last.kind != Kind::Error || last.short != told) {
        ledger.push(ledger.text(Kind::Error, message));
    }
    ledger.abandon();
    ledger.phase(Phase::Failed(told));
}

/// `Reconnecting... 1/5 (…)`, `stream error: …; retrying 1/5 in 200ms…`
fn is_retry(message: &str) -> bool {
    message.starts_with("Reconnecting") || message.contains("retrying ")
}
