//! What Codex asks a person, in any of its formats.

use super::script::script;
use crate::agents::ledger::Ledger;
use crate::agents::patch;
use crate::agents::value::{Object, list, text};
use crate::agents::{Kind, Outcome, Phase};
use serde_json::Value;

/// The question that waits for its answer.
#[derive(Debug, Default)]
pub struct Question(Option<usize>);

impl Question {
    pub fn ask(&mut self, ledger: &mut Ledger, found: &Object) {
        self.answered(ledger);
        let asked = words(found);
        let mut step = ledger.text(Kind::Waiting, &asked);
        step.status = Some(Outcome::Running);
        let short = step.short.clone();
        self.0 = Some(ledger.push(step));
        ledger.phase(Phase::Waiting(short));
    }

    /// The run goes on: somebody has answered.
    pub fn answered(&mut self, ledger: &mut Ledger) {
        if let Some(step) = self.0.take() {
            ledger.finish(step, Outcome::Ok, None);
            ledger.phase(Phase::Working);
        }
    }
}

fn words(found: &Object) -> String {
    let questions = list(found, "questions").iter().filter_map(|question| {
        let question = question.as_object()?;
        text(question, "question").or_else(|| text(question, "header"))
    });
    let questions = questions.collect::<Vec<_>>().join(" / ");
    if !questions.is_empty() {
        return questions;
    }
    let command = found.get("command").map(script).unwrap_or_default();
    if !command.is_empty() {
        return format!("run {command}?");
    }
    let changes = patch::line(&patch::of_changes(found));
    if !changes.is_empty() {
        return format!("{changes}?");
    }
    let told = ["question", "message", "reason", "prompt"];
    let told = told.iter().find_map(|key| text(found, key));
    told.map_or_else(|| Value::Object(found.clone()).to_string(), str::to_owned)
}
