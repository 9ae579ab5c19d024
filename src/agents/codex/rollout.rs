//! The file of a Codex session: `{"timestamp": …, "type": …, "payload": {…}}`.
//!
//! What is said is there up to three times, as a `response_item`, as an event and as an item: it is shown once.

use super::question::Question;
use super::response::{self, is_context};
use super::{event, legacy, usage};
use crate::agents::dialect::Dialect;
use crate::agents::ledger::{Ledger, text_body};
use crate::agents::tally::Tally;
use crate::agents::tool;
use crate::agents::value::{Object, object, text, word};
use crate::agents::{Kind, Phase, Totals};
use std::collections::VecDeque;

/// So many sayings are remembered: the other tellings of one come soon.
const REMEMBERED: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Response = 1,
    Event = 2,
    Item = 4,
}

/// A step, and by whom it was told, as a sum of sources.
#[derive(Debug)]
struct Said {
    step: usize,
    by: u8,
}

#[derive(Debug, Default)]
pub struct Rollout {
    tally: Tally,
    /// The sum of records: right as long as no `token_count` tells all of the thread.
    by_answer: Totals,
    is_counted: bool,
    question: Question,
    said: VecDeque<Said>,
}

impl Dialect for Rollout {
    fn object(&mut self, ledger: &mut Ledger, found: &Object) {
        ledger.clock(found, "timestamp");
        let kind = text(found, "type").unwrap_or_default();
        let Some(payload) = object(found, "payload") else {
            return ledger.unknown(kind, found);
        };
        match kind {
            "session_meta" => session(ledger, payload),
            "turn_context" => {
                ledger.run.model = word(payload, "model").or_else(|| ledger.run.model.clone());
                ledger.run.cwd = word(payload, "cwd").or_else(|| ledger.run.cwd.clone());
            }
            "response_item" => self.response(ledger, payload),
            "event_msg" => self.event(ledger, payload),
            "compacted" => {
                ledger.push(ledger.step(Kind::Notice, "the context was compacted"));
            }
            "token_usage_record" => self.record(ledger, payload),
            "world_state" => {}
            other => ledger.unknown(other, payload),
        }
    }
}

fn session(ledger: &mut Ledger, payload: &Object) {
    ledger.section(text(payload, "id").or_else(|| text(payload, "session_id")));
    ledger.run.cwd = word(payload, "cwd");
    ledger.run.version = word(payload, "cli_version");
    ledger.phase(Phase::Started);
}

impl Rollout {
    fn response(&mut self, ledger: &mut Ledger, payload: &Object) {
        let kind = text(payload, "type").unwrap_or_default();
        match kind {
            "message" => {
                let told = tool::content(payload.get("content"));
                let kind = match text(payload, "role") {
                    Some("assistant") => Kind::Text,
                    Some("user") if !is_context(&told) => Kind::User,
                    _ => Kind::Notice,
                };
                self.say(ledger, Source::Response, kind, &told);
            }
            "reasoning" => {
                let told = response::reasoning(payload);
                self.say(ledger, Source::Response, Kind::Thinking, &told);
            }
            _ => {
                self.question.answered(ledger);
                if response::call(ledger, kind, payload) {
                    ledger.phase(Phase::Working);
                } else {
                    ledger.unknown(kind, payload);
                }
            }
        }
    }

    fn event(&mut self, ledger: &mut Ledger, payload: &Object) {
        let kind = text(payload, "type").unwrap_or_default();
        let said = |key: &str| text(payload, key).unwrap_or_default();
        match kind {
            "user_message" => self.say(ledger, Source::Event, Kind::User, said("message")),
            "agent_message" => self.say(ledger, Source::Event, Kind::Text, said("message")),
            "agent_reasoning" | "agent_reasoning_raw_content" => {
                self.say(ledger, Source::Event, Kind::Thinking, said("text"));
            }
            "item_completed" => self.item(ledger, payload),
            "token_count" => {
                if let Some(totals) = usage::so_far(payload) {
                    self.is_counted = true;
                    self.tally.set(ledger, "", totals);
                }
            }
            "task_started" | "turn_started" => {
                self.question.answered(ledger);
                ledger.turn += 1;
                ledger.phase(Phase::Working);
            }
            "task_complete" | "turn_complete" => {
                ledger.abandon();
                if !ledger.is_over() {
                    ledger.phase(Phase::Done);
                }
            }
            _ if event::tool(ledger, kind, payload) => ledger.phase(Phase::Working),
            _ => legacy::outcome(ledger, &mut self.question, kind, payload),
        }
    }

    fn record(&mut self, ledger: &mut Ledger, payload: &Object) {
        if let (false, Some(answer)) = (self.is_counted, usage::of_answer(payload)) {
            self.by_answer = self.by_answer.plus(answer);
            self.tally.set(ledger, "", self.by_answer);
        }
    }

    /// An item of a turn; what has no text is told by other lines too.
    fn item(&mut self, ledger: &mut Ledger, payload: &Object) {
        let Some(item) = object(payload, "item") else {
            return ledger.unknown("item_completed", payload);
        };
        let content = || tool::content(item.get("content"));
        let (kind, told) = match text(item, "type").unwrap_or_default() {
            "AgentMessage" | "agent_message" => (Kind::Text, content()),
            "UserMessage" | "user_message" => (Kind::User, content()),
            "Reasoning" | "reasoning" => (Kind::Thinking, response::reasoning(item)),
            "Plan" | "plan" => (Kind::Plan, text(item, "text").unwrap_or_default().into()),
            _ => return,
        };
        self.say(ledger, Source::Item, kind, &told);
    }

    /// A step, unless another source has told it.
    fn say(&mut self, ledger: &mut Ledger, source: Source, kind: Kind, told: &str) {
        if told.trim().is_empty() {
            return;
        }
        self.question.answered(ledger);
        let (body, source) = (text_body(told), source as u8);
        let known = self.said.iter_mut().find(|said| {
            let step = ledger.run.steps.get(said.step);
            said.by & source == 0 && step.is_some_and(|step| step.kind == kind && step.body == body)
        });
        if let Some(known) = known {
            known.by |= source;
            return;
        }
        let step = ledger.push(ledger.text(kind, told));
        self.said.push_back(Said { step, by: source });
        if self.said.len() > REMEMBERED {
            self.said.pop_front();
        }
        match kind {
            Kind::Text => ledger.phase(Phase::Answered),
            Kind::Notice => {}
            _ => ledger.phase(Phase::Working),
        }
    }
}
