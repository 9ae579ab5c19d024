//! `codex exec --json` up to autumn 2025: `{"id": …, "msg": {"type": …}}` after an object of settings and the prompt.
//!
//! A good run just ends after its answer; a failed one ends with an `error`. The exit code is 0 either way.

use super::question::Question;
use super::{event, usage};
use crate::agents::dialect::Dialect;
use crate::agents::growing::Growing;
use crate::agents::ledger::Ledger;
use crate::agents::tally::Tally;
use crate::agents::tool;
use crate::agents::value::{Object, list, object, text, word};
use crate::agents::{Body, Kind, Phase, Step, Totals};

/// The tally's name of the process that runs now.
const PROCESS: &str = "process";

#[derive(Debug, Default)]
pub struct Legacy {
    tally: Tally,
    /// Tokens that an older version tells by answer.
    by_answer: Totals,
    question: Question,
    saying: Growing,
    /// The step of the plan, of this turn.
    plan: Option<usize>,
}

impl Dialect for Legacy {
    fn object(&mut self, ledger: &mut Ledger, found: &Object) {
        if let Some(event) = object(found, "msg") {
            let kind = text(event, "type").unwrap_or_default();
            return self.event(ledger, kind, event);
        }
        if let Some(prompt) = text(found, "prompt") {
            told(ledger, prompt);
        } else if found.contains_key("model") {
            self.process(ledger, found);
        } else {
            ledger.unknown(text(found, "type").unwrap_or("object"), found);
        }
    }

    fn pause(&mut self, ledger: &mut Ledger) {
        self.saying.write(ledger);
    }
}

impl Legacy {
    /// The settings, with which a process begins.
    fn process(&mut self, ledger: &mut Ledger, settings: &Object) {
        self.tally.close();
        self.by_answer = Totals::default();
        ledger.abandon();
        ledger.forget_ids();
        ledger.run.model = word(settings, "model");
        ledger.run.cwd = word(settings, "workdir").or_else(|| word(settings, "cwd"));
        ledger.phase(Phase::Started);
    }

    fn event(&mut self, ledger: &mut Ledger, kind: &str, event: &Object) {
        let said = |key: &str| text(event, key).unwrap_or_default();
        if kind == "token_count" {
            return self.tokens(ledger, event);
        }
        self.question.answered(ledger);
        match kind {
            "agent_message_delta" => {
                return self.saying.add(ledger, Kind::Text, said("delta"));
            }
            "agent_message" => {
                self.saying.whole(ledger, Kind::Text, said("message"));
                return ledger.phase(Phase::Answered);
            }
            "agent_reasoning_delta" | "agent_reasoning_raw_content_delta" => {
                return self.saying.add(ledger, Kind::Thinking, said("delta"));
            }
            "agent_reasoning" | "agent_reasoning_raw_content" => {
                self.saying.whole(ledger, Kind::Thinking, said("text"));
                return ledger.phase(Phase::Working);
            }
            _ => self.saying.close(ledger),
        }
        if event::tool(ledger, kind, event) {
            return ledger.phase(Phase::Working);
        }
        match kind {
            "session_configured" => {
                ledger.section(text(event, "session_id"));
                ledger.run.model = word(event, "model").or_else(|| ledger.run.model.clone());
                ledger.phase(Phase::Started);
            }
            "task_started" | "turn_started" => {
                ledger.turn += 1;
                self.plan = None;
                ledger.phase(Phase::Working);
            }
            "task_complete" | "turn_complete" => {
                ledger.abandon();
                if !ledger.is_over() {
                    ledger.phase(Phase::Done);
                }
            }
            "user_message" => told(ledger, said("message")),
            "plan_update" => self.plan(ledger, event),
            _ => outcome(ledger, &mut self.question, kind, event),
        }
    }

    fn tokens(&mut self, ledger: &mut Ledger, event: &Object) {
        let totals = usage::so_far(event).or_else(|| {
            self.by_answer = self.by_answer.plus(usage::of_answer(event)?);
            Some(self.by_answer)
        });
        if let Some(totals) = totals {
            self.tally.set(ledger, PROCESS, totals);
        }
    }

    fn plan(&mut self, ledger: &mut Ledger, event: &Object) {
        let entries = tool::plan_of(list(event, "plan"));
        let step = Step {
            body: Body::Plan(entries.clone()),
            ..ledger.step(Kind::Plan, &tool::progress(&entries))
        };
        match self.plan {
            Some(known) => ledger.change(known, |old| {
                old.short = step.short;
                old.body = step.body;
            }),
            None => self.plan = Some(ledger.push(step)),
        }
    }
}

/// What the agent is told; some versions say it twice.
fn told(ledger: &mut Ledger, prompt: &str) {
    let step = ledger.text(Kind::User, prompt);
    let told = ledger
        .run
        .steps
        .iter()
        .rfind(|step| step.kind == Kind::User);
    if told.is_none_or(|told| told.body != step.body) {
        ledger.push(step);
    }
}

/// Events that say how the run stands, in the session's file too.
pub fn outcome(ledger: &mut Ledger, question: &mut Question, kind: &str, event: &Object) {
    let message = text(event, "message").unwrap_or_default();
    match kind {
        "error" => {
            let step = ledger.text(Kind::Error, message);
            ledger.abandon();
            ledger.phase(Phase::Failed(step.short.clone()));
            ledger.push(step);
        }
        "stream_error" => {
            ledger.push(ledger.text(Kind::Retry, message));
            ledger.phase(Phase::Working);
        }
        "turn_aborted" => {
            let reason = text(event, "reason").unwrap_or("aborted");
            let step = ledger.step(Kind::Notice, &format!("turn aborted: {reason}"));
            ledger.abandon();
            ledger.phase(Phase::Broken(step.short.clone()));
            ledger.push(step);
        }
        "warning" | "background_event" | "deprecation_notice" | "guardian_warning" => {
            let told = text(event, "summary").unwrap_or(message);
            ledger.push(ledger.text(Kind::Notice, told));
        }
        "context_compacted" => {
            ledger.push(ledger.step(Kind::Notice, "the context was compacted"));
        }
        "exec_approval_request"
        | "apply_patch_approval_request"
        | "elicitation_request"
        | "request_user_input" => question.ask(ledger, event),
        // They tell nothing that another event does not.
        "agent_reasoning_section_break"
        | "shutdown_complete"
        | "turn_diff"
        | "mcp_startup_update"
        | "mcp_startup_complete" => {}
        other => ledger.unknown(other, event),
    }
}
