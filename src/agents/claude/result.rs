//! The result of a turn: how it ended, and why. There may be several in one session.

use super::super::ledger::Ledger;
use super::super::value::{Object, count, flag, list, short, text};
use super::super::{Kind, Phase};
use super::Claude;
use crate::model::Foreign;
use serde_json::Value;

impl Claude {
    pub(super) fn result(&mut self, ledger: &mut Ledger, line: &Object) {
        self.usage.result(line);
        self.asks.all_over(ledger);
        let why = failure(line);
        let waits = count(line, "queued_turn_count").is_some_and(|turns| turns > 0);
        let said = text(line, "result").unwrap_or_default();
        self.show_result(ledger, said, why.is_some());
        ledger.phase(match why {
            Some(why) => Phase::Failed(why),
            // A task in the background wakes it up again, or is ended with it.
            None if !self.tasks.is_empty() || waits => Phase::Answered,
            None => Phase::Done,
        });
    }

    /// Mostly its text is what the agent said last; alone, or after a slash command, it is the only text.
    fn show_result(&mut self, ledger: &mut Ledger, said: &str, failed: bool) {
        let last = self
            .messages
            .last_text
            .and_then(|at| ledger.run.steps.get(at));
        let is_last = last.is_some_and(|step| step.short == short(said));
        match self.messages.last_text {
            Some(at) if failed && is_last => {
                if ledger.run.steps[at].kind != Kind::Error {
                    ledger.change(at, |step| step.kind = Kind::Error);
                }
            }
            _ if said.trim().is_empty() || self.messages.has_said(said) => {}
            _ => {
                let kind = if failed { Kind::Error } else { Kind::Text };
                let step = ledger.text(kind, said);
                self.messages.last_text = Some(ledger.push(step));
                self.messages.remember(said);
            }
        }
    }
}

/// Why it failed; `None` if it did not. Failed calls of the API have the subtype `success` too.
fn failure(line: &Object) -> Option<Foreign> {
    let subtype = text(line, "subtype").unwrap_or_default();
    if !subtype.starts_with("error") && flag(line, "is_error") != Some(true) {
        return None;
    }
    let ended = text(line, "terminal_reason").filter(|reason| *reason != "completed");
    let errors = list(line, "errors").iter().filter_map(Value::as_str);
    let first = errors.map(str::trim).find(|error| !error.is_empty());
    let said = text(line, "result").filter(|said| !said.trim().is_empty());
    let said = said.or(first).or_else(|| text(line, "error"));
    let mut why = match (said, ended) {
        (Some(said), _) => short(said).as_raw().to_owned(),
        (None, Some(ended)) => format!("{subtype}: {ended}"),
        (None, None) => subtype.to_owned(),
    };
    if let Some(ended) = ended.filter(|ended| ended.starts_with("aborted"))
        && !why.contains(ended)
    {
        why = format!("{why} ({ended})");
    }
    if let Some(status) = count(line, "api_error_status").map(|status| status.to_string())
        && !why.contains(&status)
    {
        why = format!("{status}: {why}");
    }
    Some(why.into())
}
