//! Claude Code: `-p --output-format stream-json`, the `json` modes, and session files.
//!
//! Its lines are additive and moving: what is not known is shown by name. One line a content block; the lines of
//! one answer share `message.id`. The order of fields means nothing, `init` is not always first, and there may be
//! several `init` and `result` lines in one session.

mod asks;
mod message;
mod partial;
mod result;
mod system;
mod transcript;
mod usage;

#[cfg(test)]
mod tests;

pub use transcript::Transcript;

use super::dialect::Dialect;
use super::ledger::Ledger;
use super::value::{self, Object, object, text, time};
use super::{Kind, Phase, Step};
use crate::model::{Foreign, Timestamp};
use asks::Asks;
use message::Messages;
use partial::Partial;
use std::collections::HashSet;
use usage::Usage;

#[derive(Debug, Default)]
pub struct Claude {
    messages: Messages,
    partial: Partial,
    usage: Usage,
    asks: Asks,
    /// Background tasks that have begun and not ended.
    tasks: HashSet<String>,
    /// The last warning about a limit, so that it is told once.
    limit: Option<String>,
}

/// Top-level types that tell nothing a person would read; their lines are in the log.
const QUIET: [&str; 7] = [
    "keep_alive",
    "tool_progress",
    "prompt_suggestion",
    "transcript_mirror",
    "control_response",
    "control_cancel_request",
    "auth_status",
];

impl Dialect for Claude {
    fn object(&mut self, ledger: &mut Ledger, line: &Object) {
        let kind = text(line, "type").unwrap_or_default();
        let at = time(line, "timestamp");
        ledger.seen_at(at.or(ledger.arrived));
        if ledger.run.session.is_none() && ledger.run.sections.is_empty() {
            ledger.section(text(line, "session_id"));
        }
        match kind {
            "system" => self.system(ledger, line),
            "assistant" => self.assistant(ledger, line, at),
            "user" => self.user(ledger, line, at),
            "result" => self.result(ledger, line),
            "stream_event" => self.stream_event(ledger, line),
            "rate_limit_event" => self.rate_limit(ledger, line),
            "control_request" => self.asks.request(ledger, line),
            "tool_use_summary" | "conversation_reset" => {
                let said = text(line, "summary").unwrap_or_default();
                let notice = ledger.text(Kind::Notice, &format!("{kind}: {said}"));
                ledger.push(notice);
            }
            "" => ledger.unknown("line", line),
            kind if QUIET.contains(&kind) => {}
            kind => ledger.unknown(kind, line),
        }
        if matches!(kind, "control_response" | "control_cancel_request") {
            self.asks.answered(ledger, line);
        }
        ledger.run.totals = self.usage.totals();
    }

    fn pause(&mut self, ledger: &mut Ledger) {
        self.partial.show(ledger);
    }
}

impl Claude {
    fn assistant(&mut self, ledger: &mut Ledger, line: &Object, at: Option<Timestamp>) {
        let Some(message) = object(line, "message") else {
            return ledger.unknown("assistant", line);
        };
        let id = text(message, "id").unwrap_or_default();
        if let Some(usage) = object(message, "usage") {
            self.usage.message(id, usage, false);
        }
        let is_main = parent(line).is_none();
        self.messages.begin(ledger, id, is_main);
        let mut step = move |step: Step| Step {
            at: at.or(step.at),
            parent: parent(line),
            ..step
        };
        self.messages
            .assistant(ledger, line, message, &mut self.partial, &mut step);
        if is_main {
            self.asks.all_over(ledger);
            ledger.phase(Phase::Working);
        }
    }

    fn user(&mut self, ledger: &mut Ledger, line: &Object, at: Option<Timestamp>) {
        let Some(message) = object(line, "message") else {
            return ledger.unknown("user", line);
        };
        let mut step = move |step: Step| Step {
            at: at.or(step.at),
            parent: parent(line),
            ..step
        };
        let finished = self.messages.user(ledger, line, message, at, &mut step);
        for tool in &finished {
            self.asks.tool_over(ledger, tool);
        }
        if parent(line).is_none() && !self.asks.is_open() {
            ledger.phase(Phase::Working);
        }
    }

    fn stream_event(&mut self, ledger: &mut Ledger, line: &Object) {
        let Some(event) = object(line, "event").filter(|_| parent(line).is_none()) else {
            return;
        };
        match text(event, "type").unwrap_or_default() {
            "message_start" => {
                if let Some(message) = object(event, "message") {
                    let id = text(message, "id").unwrap_or_default();
                    self.partial.begin(id);
                    self.messages.begin(ledger, id, true);
                    if let Some(usage) = object(message, "usage") {
                        self.usage.message(id, usage, false);
                    }
                }
            }
            "content_block_start" => self.partial.block(ledger, event),
            "content_block_delta" => self.partial.delta(ledger, event),
            "message_delta" => {
                let output =
                    object(event, "usage").and_then(|usage| value::count(usage, "output_tokens"));
                if let (Some(id), Some(output)) = (self.partial.message(), output) {
                    self.usage.output_is(id, output);
                }
            }
            _ => return,
        }
        self.asks.all_over(ledger);
        ledger.phase(Phase::Working);
    }

    /// `resetsAt` is in seconds; a rejected one has no utilization.
    fn rate_limit(&mut self, ledger: &mut Ledger, line: &Object) {
        let Some(info) = object(line, "rate_limit_info") else {
            return ledger.unknown("rate_limit_event", line);
        };
        let status = text(info, "status").unwrap_or_default();
        let which = text(info, "rateLimitType").unwrap_or("limit");
        let resets = value::count(info, "resetsAt").and_then(|seconds| i64::try_from(seconds).ok());
        let resets = resets.map(|seconds| Timestamp(seconds.saturating_mul(1000)));
        let until = resets.and_then(|at| jiff::Timestamp::from_millisecond(at.0).ok());
        let until = until.map_or(String::new(), |at| format!(", resets {at}"));
        let told = format!("{which} {status}");
        let is_news = self.limit.as_ref() != Some(&told);
        match status {
            "rejected" => {
                if is_news {
                    let step = ledger.step(Kind::Retry, &format!("rate limit {which}{until}"));
                    ledger.push(step);
                }
                ledger.phase(Phase::RateLimited(resets));
            }
            "allowed" => {
                if matches!(ledger.run.phase, Phase::RateLimited(_)) {
                    ledger.phase(Phase::Working);
                }
            }
            _ if is_news => {
                let used = value::number(info, "utilization");
                let used = used.map_or(String::new(), |used| {
                    format!(", {:.0} % used", used * 100.0)
                });
                let line = format!("rate limit {which}: {status}{used}{until}");
                let step = ledger.step(Kind::Notice, &line);
                ledger.push(step);
            }
            _ => {}
        }
        self.limit = Some(told);
    }
}

/// The call that started the sub-agent whose line it is.
fn parent(line: &Object) -> Option<Foreign> {
    value::word(line, "parent_tool_use_id")
}
