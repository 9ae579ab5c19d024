//! The content blocks of what the model says and of what it is told: the same in streams and in session files.

use super::super::ledger::{Ledger, text_body};
use super::super::value::{Object, flag, list, object, short, text};
use super::super::{Body, Kind, Outcome, Step, tool};
use super::partial::Partial;
use crate::model::{Foreign, Timestamp};
use serde_json::Value;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Texts that are remembered, so that a result does not repeat them.
const REMEMBERED: usize = 10_000;

#[derive(Debug, Default)]
pub struct Messages {
    /// The answer of the main thread whose lines are read.
    current: String,
    /// Hashes of what the main thread said.
    said: HashSet<u64>,
    /// The last text of the main thread.
    pub last_text: Option<usize>,
}

impl Messages {
    /// A line of the answer with that id: a new answer is a new turn.
    pub fn begin(&mut self, ledger: &mut Ledger, id: &str, is_main: bool) {
        if is_main && (id.is_empty() || id != self.current) {
            self.current = id.to_owned();
            ledger.turn += 1;
        }
    }

    pub fn has_said(&self, told: &str) -> bool {
        self.said.contains(&hash(told))
    }

    /// What the model says, a block at a time. `with`: what all steps of the line share.
    pub fn assistant(
        &mut self,
        ledger: &mut Ledger,
        line: &Object,
        message: &Object,
        partial: &mut Partial,
        with: &mut impl FnMut(Step) -> Step,
    ) {
        let is_error = is_error(line, message);
        let id = text(message, "id").unwrap_or_default();
        let is_main = super::parent(line).is_none();
        let whole = message.get("content").and_then(Value::as_str);
        for block in blocks(message, whole.is_some()) {
            let Some(step) = said(ledger, &block, is_error) else {
                result_block(ledger, &block);
                continue;
            };
            let step = with(step);
            let is_text = matches!(step.kind, Kind::Text | Kind::Error);
            let index = match partial.take(id, &step) {
                Some(index) => {
                    ledger.change(index, |begun| replace(begun, step));
                    index
                }
                None => ledger.push(step),
            };
            if is_text && is_main {
                self.remember(text(&block, "text").unwrap_or_default());
                self.last_text = Some(index);
            }
            self.mark(ledger, line, index);
        }
        if let Some(whole) = whole {
            self.remember(whole);
        }
    }

    /// What the model is told: words of a person, and results of tools. The ids of the tools that ended.
    pub fn user(
        &mut self,
        ledger: &mut Ledger,
        line: &Object,
        message: &Object,
        now: Option<Timestamp>,
        with: &mut impl FnMut(Step) -> Step,
    ) -> Vec<String> {
        let is_notice = ["isSynthetic", "isMeta"]
            .iter()
            .any(|key| flag(line, key) == Some(true));
        let kind = if is_notice { Kind::Notice } else { Kind::User };
        let mut finished = Vec::new();
        let is_whole = message.get("content").is_some_and(Value::is_string);
        for block in blocks(message, is_whole) {
            if is_result(&block) {
                finished.extend(text(&block, "tool_use_id").map(str::to_owned));
                finish(ledger, &block, now);
                continue;
            }
            let words = tool::content(Some(&Value::Object(block)));
            if !words.trim().is_empty() {
                let step = with(ledger.text(kind, &words));
                ledger.push(step);
            }
        }
        finished
    }

    pub fn remember(&mut self, told: &str) {
        if self.said.len() >= REMEMBERED {
            self.said.clear();
        }
        self.said.insert(hash(told));
    }

    /// A text that was broken off, and one that takes the place of an earlier one.
    fn mark(&self, ledger: &mut Ledger, line: &Object, index: usize) {
        if flag(line, "aborted") == Some(true) {
            ledger.change(index, |step| step.status = Some(Outcome::Unknown));
        }
        let superseded = match line.get("supersedes") {
            Some(Value::String(one)) => vec![one.as_str()],
            Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        for uuid in superseded {
            if let Some(earlier) = ledger.find(uuid).filter(|earlier| *earlier != index) {
                ledger.change(earlier, |step| step.status = Some(Outcome::Unknown));
            }
        }
        if ledger.run.steps[index].kind == Kind::Text
            && let Some(uuid) = text(line, "uuid")
        {
            ledger.name(uuid, index);
        }
    }
}

/// A block of the model's that is no step by itself: the result of a tool that ran at the maker's.
fn result_block(ledger: &mut Ledger, block: &Object) {
    let kind = text(block, "type").unwrap_or_default();
    if is_result(block) {
        finish(ledger, block, None);
    } else if !matches!(kind, "text" | "thinking") {
        ledger.unknown(&format!("block {kind}"), block);
    }
}

fn finish(ledger: &mut Ledger, block: &Object, now: Option<Timestamp>) {
    let output = tool::content(block.get("content"));
    let failed = flag(block, "is_error") == Some(true) || is_error_result(block);
    let outcome = if failed { Outcome::Error } else { Outcome::Ok };
    let id = text(block, "tool_use_id").unwrap_or_default();
    let index = ledger.find(id).unwrap_or_else(|| {
        // The log begins after the call.
        let mut step = ledger.step(Kind::Tool, "");
        step.id = Some(id.into()).filter(|id: &Foreign| !id.is_empty());
        ledger.push(step)
    });
    let exit_code = output.strip_prefix("Exit code ").filter(|_| failed);
    let exit_code = exit_code.and_then(|rest| rest.lines().next()?.trim().parse().ok());
    ledger.finish(index, outcome, now);
    ledger.change(index, |step| {
        tool::put_output(&mut step.body, &output);
        if let Body::Tool(tool) = &mut step.body {
            tool.exit_code = exit_code;
        }
    });
}

/// The step takes the place of one whose text only came in parts.
fn replace(begun: &mut Step, whole: Step) {
    let (first, at) = (*begun.lines.start(), begun.at.or(whole.at));
    let lines = first..=*whole.lines.end();
    *begun = Step { lines, at, ..whole };
}

/// A failed call of the model is told as if the model had said it.
fn is_error(line: &Object, message: &Object) -> bool {
    let told = line.get("error").is_some_and(|error| !error.is_null());
    let marked = flag(line, "isApiErrorMessage") == Some(true);
    let is_synthetic = text(message, "model") == Some("<synthetic>");
    let first = list(message, "content").first().and_then(Value::as_object);
    let says = first
        .and_then(|block| text(block, "text"))
        .unwrap_or_default();
    told || marked || is_synthetic && says.starts_with("API Error")
}

/// The blocks of a content, which may be one string.
fn blocks(message: &Object, is_string: bool) -> Vec<Object> {
    if is_string {
        let mut block = Object::new();
        block.insert("type".to_owned(), "text".into());
        block.insert("text".to_owned(), message["content"].clone());
        return vec![block];
    }
    let blocks = list(message, "content").iter();
    blocks
        .filter_map(|block| block.as_object().cloned())
        .collect()
}

fn is_result(block: &Object) -> bool {
    let kind = text(block, "type").unwrap_or_default();
    kind.ends_with("tool_result") && block.contains_key("tool_use_id")
}

/// Tools at the maker's tell errors inside.
fn is_error_result(block: &Object) -> bool {
    let inner = object(block, "content").and_then(|inner| text(inner, "type"));
    inner.is_some_and(|kind| kind.ends_with("_error"))
}

/// The step of a block; `None` if it is none.
fn said(ledger: &Ledger, block: &Object, is_error: bool) -> Option<Step> {
    match text(block, "type").unwrap_or_default() {
        "text" => {
            let words = text(block, "text").filter(|words| !words.trim().is_empty())?;
            let kind = if is_error { Kind::Error } else { Kind::Text };
            Some(ledger.text(kind, words))
        }
        "thinking" => {
            let words = text(block, "thinking").filter(|words| !words.trim().is_empty())?;
            Some(ledger.text(Kind::Thinking, words))
        }
        "redacted_thinking" => Some(ledger.step(Kind::Thinking, "(not shown by the maker)")),
        "tool_use" | "server_tool_use" | "mcp_tool_use" => Some(call(ledger, block)),
        "image" | "document" => {
            let stub = tool::content(Some(&Value::Object(block.clone())));
            Some(ledger.step(Kind::Text, &stub))
        }
        _ => None,
    }
}

fn call(ledger: &Ledger, block: &Object) -> Step {
    let name = text(block, "name").unwrap_or_default();
    let empty = Object::new();
    let input = object(block, "input").unwrap_or(&empty);
    Step {
        tool: Some(name.into()),
        short: tool::line(input),
        body: tool::body(name, input),
        status: Some(Outcome::Running),
        id: text(block, "id").map(Foreign::from),
        ..ledger.step(Kind::Tool, "")
    }
}

/// A text that goes on growing.
pub fn grow(step: &mut Step, words: &str) {
    step.short = short(words);
    step.body = text_body(words);
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.trim().hash(&mut hasher);
    hasher.finish()
}
