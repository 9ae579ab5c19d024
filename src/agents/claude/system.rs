//! `system` lines: the start of a turn, failed calls that are tried again, background tasks, notices.

use super::super::ledger::Ledger;
use super::super::value::{Object, count, list, object, text, word};
use super::super::{Kind, Phase};
use super::Claude;
use crate::model::{Span, Timestamp};
use serde_json::Value;

/// They tell nothing a person would read; their lines are in the log.
const QUIET: [&str; 9] = [
    "status",
    "thinking_tokens",
    "task_progress",
    "hook_started",
    "hook_progress",
    "files_persisted",
    "commands_changed",
    "elicitation_complete",
    "turn_duration",
];
/// Shown with what they say.
const NOTICES: [&str; 13] = [
    "task_started",
    "task_notification",
    "compact_boundary",
    "microcompact_boundary",
    "permission_denied",
    "informational",
    "notification",
    "local_command",
    "local_command_output",
    "model_refusal_fallback",
    "worker_shutting_down",
    "session_writes_lost",
    "memory_recall",
];
/// Where they say it.
const SAYING: [&str; 8] = [
    "summary",
    "message",
    "content",
    "text",
    "description",
    "reason",
    "error",
    "tool_name",
];

impl Claude {
    pub(super) fn system(&mut self, ledger: &mut Ledger, line: &Object) {
        let subtype = text(line, "subtype").unwrap_or_default();
        match subtype {
            "init" => self.init(ledger, line),
            "api_retry" => retry(ledger, line),
            "session_state_changed" => self.session_state(ledger, line),
            "hook_response" => hook(ledger, line),
            "task_updated" => self.task_updated(line),
            "background_tasks_changed" => {
                let tasks = list(line, "tasks").iter().filter_map(Value::as_object);
                let ids = tasks.filter_map(|task| text(task, "task_id"));
                self.tasks = ids.map(str::to_owned).collect();
            }
            kind if QUIET.contains(&kind) => {}
            kind if NOTICES.contains(&kind) => {
                self.task(kind, line);
                notice(ledger, kind, line);
            }
            kind => ledger.unknown(&format!("system/{kind}"), line),
        }
    }

    /// A turn begins. Further ones come in the same session: after a background task, after a compaction.
    fn init(&mut self, ledger: &mut Ledger, line: &Object) {
        let had_session = !ledger.run.sections.is_empty();
        if ledger.section(text(line, "session_id")) && had_session {
            ledger.phase(Phase::Silent);
            self.usage.new_session();
            self.asks = super::Asks::default();
            self.tasks.clear();
            self.messages = super::Messages::default();
        }
        let run = &mut ledger.run;
        run.version = word(line, "claude_code_version").or(run.version.take());
        run.model = word(line, "model").or(run.model.take());
        run.cwd = word(line, "cwd").or(run.cwd.take());
        ledger.phase(match ledger.run.phase {
            Phase::Silent | Phase::Started => Phase::Started,
            _ => Phase::Working,
        });
    }

    /// It may be the first line of all, and the last one after the result.
    fn session_state(&mut self, ledger: &mut Ledger, line: &Object) {
        match text(line, "state").unwrap_or_default() {
            "requires_action" => self.asks.required(ledger),
            "running" | "idle" => self.asks.all_over(ledger),
            _ => {}
        }
    }

    fn task(&mut self, kind: &str, line: &Object) {
        let Some(id) = text(line, "task_id") else {
            return;
        };
        if kind == "task_started" {
            self.tasks.insert(id.to_owned());
        } else {
            self.tasks.remove(id);
        }
    }

    fn task_updated(&mut self, line: &Object) {
        let status = object(line, "patch").and_then(|patch| text(patch, "status"));
        let status = status.or_else(|| text(line, "status")).unwrap_or_default();
        let goes_on = matches!(status, "" | "pending" | "running" | "paused");
        if let Some(id) = text(line, "task_id").filter(|_| !goes_on) {
            self.tasks.remove(id);
        }
    }
}

/// `attempt 1/10: 529 overloaded`. The status may be unknown: no connection.
fn retry(ledger: &mut Ledger, line: &Object) {
    let status = count(line, "error_status");
    let error = text(line, "error").unwrap_or_default();
    let attempt = count(line, "attempt").map_or("?".to_owned(), |n| n.to_string());
    let most = count(line, "max_retries").map_or(String::new(), |n| format!("/{n}"));
    let told = status.map_or(String::new(), |status| format!(" {status}"));
    let step = ledger.step(
        Kind::Retry,
        &format!("attempt {attempt}{most}:{told} {error}"),
    );
    ledger.push(step);
    let is_limit = status == Some(429) || error.starts_with("rate_limit");
    let delay = count(line, "retry_delay_ms").and_then(|ms| i64::try_from(ms).ok());
    let until = delay
        .zip(ledger.arrived)
        .map(|(ms, now): (i64, Timestamp)| now + Span(ms));
    ledger.phase(match is_limit {
        true => Phase::RateLimited(until),
        false => Phase::Working,
    });
}

/// Only a hook that failed is worth a word.
fn hook(ledger: &mut Ledger, line: &Object) {
    let failed = text(line, "outcome").is_some_and(|outcome| outcome == "error")
        || count(line, "exit_code").is_some_and(|code| code != 0);
    if failed {
        let name = text(line, "hook_name").unwrap_or("a hook");
        let said = ["stderr", "output", "stdout"];
        let said = said
            .iter()
            .find_map(|key| text(line, key).filter(|t| !t.is_empty()));
        let told = format!("hook_response: {name} failed: {}", said.unwrap_or_default());
        let step = ledger.text(Kind::Notice, &told);
        ledger.push(step);
    }
}

fn notice(ledger: &mut Ledger, kind: &str, line: &Object) {
    let said = SAYING
        .iter()
        .find_map(|key| text(line, key).filter(|said| !said.is_empty()));
    let compacted = object(line, "compact_metadata").and_then(|meta| count(meta, "pre_tokens"));
    let told = match (said, compacted) {
        (_, Some(tokens)) => format!("{kind}: {tokens} tokens before"),
        (Some(said), None) => format!("{kind}: {said}"),
        (None, None) => kind.to_owned(),
    };
    let step = ledger.text(Kind::Notice, &told);
    ledger.push(step);
}
