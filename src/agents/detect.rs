//! Which format it is, by the first object that one of them begins with.

use super::value::{Object, object, text};
use super::{Format, gemini};

/// Lines of Claude Code's session files that are no messages.
const TRANSCRIPT: [&str; 12] = [
    "queue-operation",
    "last-prompt",
    "cost-state",
    "tools-used",
    "atis-latch",
    "attachment",
    "custom-title",
    "ai-title",
    "mode",
    "permission-mode",
    "agent-name",
    "pr-link",
];

/// The format of a stream whose standard output has that object, or `None` if it may be anything.
pub fn detect(found: &Object) -> Option<Format> {
    let has = |key: &str| found.contains_key(key);
    let kind = text(found, "type").unwrap_or_default();
    if has("parentUuid") || has("isSidechain") || is_transcript_line(found, kind) {
        return Some(Format::ClaudeTranscript);
    }
    if has("payload")
        && has("timestamp")
        && matches!(
            kind,
            "session_meta" | "turn_context" | "response_item" | "event_msg" | "compacted"
        )
    {
        return Some(Format::CodexRollout);
    }
    if object(found, "msg").is_some_and(|msg| msg.contains_key("type")) && has("id")
        || is_codex_settings(found)
    {
        return Some(Format::CodexLegacy);
    }
    match kind {
        "system" => Some(of_system(found)),
        "stream_event" | "control_request" | "rate_limit_event" | "auth_status"
        | "control_response" => Some(Format::Claude),
        "assistant" | "user" if object(found, "message").is_some() && has("session_id") => {
            Some(Format::Claude)
        }
        "result" if has("subtype") => Some(of_result(found)),
        "tool_call" if has("call_id") && has("tool_call") => Some(Format::Cursor),
        "session.created" => Some(Format::CodexExperimental),
        "item.started" | "item.updated" | "item.completed" => {
            let item = object(found, "item")?;
            let old = item.contains_key("item_type");
            Some(if old {
                Format::CodexExperimental
            } else {
                Format::Codex
            })
        }
        "thread.started" | "turn.started" | "turn.completed" | "turn.failed" => Some(Format::Codex),
        "session" if has("version") && has("id") => Some(Format::OpenClawSession),
        "init" if has("session_id") || has("model") => Some(Format::Gemini),
        _ if is_gemini_line(found, kind) => Some(Format::Gemini),
        "message" if has("parentId") && has("message") => Some(Format::OpenClawSession),
        "" if has("role") && object(found, "message").is_some() => Some(Format::Cursor),
        _ if has("sessionID") && has("timestamp") => Some(Format::OpenCode),
        _ => of_final(found),
    }
}

/// Whether a run begins with it, and nothing else does.
pub fn is_beginning(found: &Object) -> bool {
    match text(found, "type").unwrap_or_default() {
        "system" => text(found, "subtype") == Some("init"),
        "thread.started" | "session.created" | "init" | "step_start" | "session" => true,
        _ => false,
    }
}

fn is_transcript_line(found: &Object, kind: &str) -> bool {
    let has = |key: &str| found.contains_key(key);
    match kind {
        "summary" => has("leafUuid"),
        "file-history-snapshot" => has("snapshot"),
        _ => has("sessionId") && (TRANSCRIPT.contains(&kind) || kind.starts_with("api-request")),
    }
}

/// A log may be cut before its first line, and a failure may come before it.
fn is_gemini_line(found: &Object, kind: &str) -> bool {
    let has = |keys: &[&str]| keys.iter().all(|key| found.contains_key(*key));
    match kind {
        "message" => has(&["timestamp", "role", "content"]),
        "tool_use" | "tool_result" => has(&["timestamp", "tool_id"]),
        "error" => has(&["timestamp", "severity"]),
        "result" => has(&["timestamp", "status"]),
        _ => false,
    }
}

/// The object before the first event: keys in any order, some with blanks.
fn is_codex_settings(found: &Object) -> bool {
    let has = |key: &str| found.contains_key(key);
    !has("type")
        && has("model")
        && has("workdir")
        && (has("provider") || has("approval") || has("sandbox"))
}

fn of_system(found: &Object) -> Format {
    let has = |key: &str| found.contains_key(key);
    let is_init = text(found, "subtype") == Some("init");
    let is_claude = has("claude_code_version") || has("tools") || has("mcp_servers");
    match is_init && !is_claude && has("apiKeySource") {
        true => Format::Cursor,
        false => Format::Claude,
    }
}

/// A result that comes first comes alone.
fn of_result(found: &Object) -> Format {
    let has = |key: &str| found.contains_key(key);
    match has("request_id") && !has("num_turns") && !has("total_cost_usd") {
        true => Format::Cursor,
        false => Format::ClaudeJson,
    }
}

/// Objects that come once, at the end.
fn of_final(found: &Object) -> Option<Format> {
    if is_openclaw_final(found) {
        return Some(Format::OpenClawFinal);
    }
    let has = |key: &str| found.contains_key(key);
    let is_gemini = !has("type") && has("stats") && (has("response") || has("error"));
    (is_gemini || gemini::is_failure(found)).then_some(Format::GeminiJson)
}

/// The one object that an agent may print on standard error.
pub fn of_complaint(found: &Object) -> Option<Format> {
    of_final(found).filter(|_| !found.contains_key("type"))
}

pub fn is_openclaw_final(found: &Object) -> bool {
    let has = |key: &str| found.contains_key(key);
    let is_of_gateway = has("runId") && has("status");
    has("payloads") && has("meta") || is_of_gateway && (has("result") || has("summary"))
}
