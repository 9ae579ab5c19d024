//! Session files of Claude Code (`~/.claude/projects/…/<session>.jsonl`): no result line, the real output figures.

use super::super::dialect::Dialect;
use super::super::ledger::Ledger;
use super::super::value::{Object, count, flag, number, object, text, time, word};
use super::super::{Kind, Phase, Step, Totals};
use super::message::Messages;
use super::partial::Partial;
use super::usage::Usage;

#[derive(Debug, Default)]
pub struct Transcript {
    messages: Messages,
    usage: Usage,
    /// Of the whole session, where the file tells it.
    cost: Option<f64>,
}

impl Dialect for Transcript {
    fn object(&mut self, ledger: &mut Ledger, line: &Object) {
        let at = time(line, "timestamp");
        ledger.seen_at(at);
        if ledger.section(text(line, "sessionId")) && ledger.run.sections.len() > 1 {
            self.usage.new_session();
        }
        let run = &mut ledger.run;
        run.version = word(line, "version").or(run.version.take());
        run.cwd = run.cwd.take().or_else(|| word(line, "cwd"));
        let with = move |step: Step| Step {
            at: at.or(step.at),
            ..step
        };
        let message = object(line, "message");
        match (text(line, "type").unwrap_or_default(), message) {
            ("assistant", Some(message)) => self.assistant(ledger, line, message, with),
            ("user", Some(message)) => {
                self.messages.user(ledger, line, message, at, &mut { with });
                ledger.phase(Phase::Working);
            }
            ("system", _) => system(ledger, line),
            ("summary", _) => {
                let said = text(line, "summary").unwrap_or_default();
                let step = ledger.text(Kind::Notice, &format!("summary: {said}"));
                ledger.push(step);
            }
            // The rest is the program's own bookkeeping.
            ("cost-state", _) => self.cost = cost(line).or(self.cost),
            _ => {}
        }
        let cost = self.cost;
        let counted = self.usage.totals();
        let turns = (ledger.turn > 0).then_some(u64::from(ledger.turn));
        ledger.run.totals = Totals {
            cost,
            turns,
            ..counted
        };
    }
}

impl Transcript {
    fn assistant(
        &mut self,
        ledger: &mut Ledger,
        line: &Object,
        message: &Object,
        mut with: impl FnMut(Step) -> Step,
    ) {
        let id = text(message, "id").unwrap_or_default();
        if let Some(usage) = object(message, "usage") {
            self.usage.message(id, usage, true);
        }
        let is_main = flag(line, "isSidechain") != Some(true);
        self.messages.begin(ledger, id, is_main);
        let model = word(message, "model").filter(|model| model.as_raw() != "<synthetic>");
        ledger.run.model = model.or(ledger.run.model.take());
        let (messages, mut none) = (&mut self.messages, Partial::default());
        messages.assistant(ledger, line, message, &mut none, &mut with);
        let last = ledger.run.steps.last();
        let failed = last.filter(|step| step.kind == Kind::Error);
        let phase = match (failed, text(message, "stop_reason")) {
            (Some(step), _) => Phase::Failed(step.short.clone()),
            (None, Some("end_turn" | "stop_sequence")) => Phase::Done,
            (None, _) => Phase::Working,
        };
        ledger.phase(phase);
    }
}

fn system(ledger: &mut Ledger, line: &Object) {
    let subtype = text(line, "subtype").unwrap_or("system");
    let said = ["content", "message", "error"]
        .iter()
        .find_map(|key| text(line, key));
    if subtype == "turn_duration" {
        return;
    }
    if subtype == "api_error" {
        let attempt = count(line, "retryAttempt").map_or("?".to_owned(), |n| n.to_string());
        let most = count(line, "maxRetries").map_or(String::new(), |n| format!("/{n}"));
        let status = object(line, "error").and_then(|error| count(error, "status"));
        let status = status.map_or(String::new(), |status| status.to_string());
        let step = ledger.step(Kind::Retry, &format!("attempt {attempt}{most}: {status}"));
        ledger.push(step);
        return;
    }
    let step = ledger.text(
        Kind::Notice,
        &format!("{subtype}: {}", said.unwrap_or_default()),
    );
    ledger.push(step);
}

/// Under whatever name the version has it.
fn cost(line: &Object) -> Option<f64> {
    let keys = [
        "totalCostUSD",
        "totalCostUsd",
        "total_cost_usd",
        "costUSD",
        "cost",
    ];
    let of = |object: &Object| keys.iter().find_map(|key| number(object, key));
    of(line).or_else(|| {
        line.values()
            .filter_map(|value| of(value.as_object()?))
            .next()
    })
}
