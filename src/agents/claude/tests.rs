//! Claude Code's traps one by one; whole runs are recordings in `tests/data/agents`.

use super::super::tests::{read, steps};
use super::super::{Body, Figure, Outcome, Phase, Reader, Totals};
use serde_json::{Value, json};

fn log(lines: &[Value]) -> Reader {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let init = init("s");
    read(&format!("{init}\n{text}"))
}

fn init(session: &str) -> Value {
    json!({"type": "system", "subtype": "init", "session_id": session, "tools": [], "claude_code_version": "9"})
}

fn answer(id: &str, block: Value, output: u64) -> Value {
    json!({"type": "assistant", "session_id": "s", "parent_tool_use_id": null, "message": {"id": id, "content": [block],
        "usage": {"input_tokens": 100, "cache_read_input_tokens": 7, "cache_creation_input_tokens": 3, "output_tokens": output}}})
}

fn text(words: &str) -> Value {
    json!({"type": "text", "text": words})
}

fn call(id: &str, name: &str, input: Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": name, "input": input})
}

fn tool_result(id: &str, content: Value) -> Value {
    json!({"type": "user", "session_id": "s", "message": {"content": [{"type": "tool_result", "tool_use_id": id, "content": content}]}})
}

/// As versions before 2.0 have it.
fn result(cost: f64, api_ms: u64, input: u64) -> Value {
    json!({"type": "result", "subtype": "success", "is_error": false, "num_turns": 2, "total_cost_usd": cost, "session_id": "s",
        "duration_api_ms": api_ms, "usage": {"input_tokens": input, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0, "output_tokens": 5}})
}

fn totals(reader: &Reader) -> Totals {
    reader.run().totals
}

#[test]
fn usage_is_counted_once_an_answer_and_output_is_a_bound() {
    let reader = log(&[
        answer("a", text("1"), 1),
        answer("a", text("2"), 40),
        answer("b", text("3"), 1),
    ]);
    let totals = totals(&reader);
    assert_eq!(
        (totals.input, totals.cache_read, totals.cache_write),
        (Some(200), Some(14), Some(6))
    );
    assert_eq!(totals.output, Figure::AtLeast(41));
    assert_eq!((totals.cost, totals.turns), (None, None));
}

#[test]
fn the_makers_totals_win_and_helper_models_count() {
    let mut end = result(0.25, 10, 100);
    end["modelUsage"] = json!({"big": {"inputTokens": 100, "outputTokens": 5, "cacheReadInputTokens": 1, "cacheCreationInputTokens": 2},
        "small": {"inputTokens": 11, "outputTokens": 2, "cacheReadInputTokens": 0, "cacheCreationInputTokens": 0}});
    let reader = log(&[answer("a", text("1"), 1), end]);
    let totals = totals(&reader);
    assert_eq!(
        (totals.input, totals.output),
        (Some(111), Figure::Exactly(7))
    );
    assert_eq!((totals.cache_read, totals.cache_write), (Some(1), Some(2)));
    assert_eq!((totals.cost, totals.turns), (Some(0.25), Some(2)));
}

#[test]
fn costs_of_one_session_grow_and_usage_is_of_each_result() {
    let reader = log(&[result(0.25, 10, 100), init("s"), result(0.75, 20, 50)]);
    let totals = totals(&reader);
    assert_eq!(
        (totals.cost, totals.input, totals.turns),
        (Some(0.75), Some(150), Some(4))
    );
    assert_eq!(reader.run().sections.len(), 1);
}

#[test]
fn an_old_process_that_continues_a_session_begins_at_0() {
    let reader = log(&[result(0.25, 20, 100), init("s"), result(0.5, 10, 50)]);
    assert_eq!(totals(&reader).cost, Some(0.75));
    let reader = log(&[result(0.25, 20, 100), init("s"), result(0.125, 30, 50)]);
    assert_eq!(totals(&reader).cost, Some(0.375));
}

#[test]
fn a_new_process_that_continues_a_session_goes_on_counting() {
    let mut second = result(0.5, 10, 50);
    second["result_index"] = json!(0);
    let reader = log(&[result(0.25, 20, 100), init("s"), second]);
    assert_eq!(totals(&reader).cost, Some(0.5));
}

#[test]
fn another_session_is_another_section_and_adds() {
    let mut second = result(0.5, 10, 50);
    second["session_id"] = json!("t");
    let reader = log(&[
        answer("a", text("1"), 1),
        result(0.25, 20, 100),
        init("t"),
        second,
    ]);
    assert_eq!(totals(&reader).cost, Some(0.75));
    let first: Vec<usize> = reader
        .run()
        .sections
        .iter()
        .map(|section| section.first_step)
        .collect();
    assert_eq!(first, [0, 1]);
}

#[test]
fn every_way_to_fail_is_seen_and_has_its_reason() {
    let rows = [
        (
            json!({"subtype": "success", "is_error": true, "api_error_status": 529, "result": "Overloaded"}),
            "529: Overloaded",
        ),
        (
            json!({"subtype": "success", "is_error": true, "api_error_status": null, "result": "Refused"}),
            "Refused",
        ),
        (
            json!({"subtype": "success", "is_error": true, "api_error_status": 429, "result": "API Error: 429 slow"}),
            "API Error: 429 slow",
        ),
        (
            json!({"subtype": "error_max_turns", "is_error": true, "errors": ["Reached 2"], "terminal_reason": "max_turns"}),
            "Reached 2",
        ),
        (json!({"subtype": "error_new_thing"}), "error_new_thing"),
        (
            json!({"subtype": "error_during_execution", "errors": [""], "terminal_reason": "aborted_tools"}),
            "error_during_execution: aborted_tools",
        ),
    ];
    for (mut end, why) in rows {
        end["type"] = json!("result");
        let reader = log(std::slice::from_ref(&end));
        assert_eq!(reader.run().phase, Phase::Failed(why.into()), "{end}");
    }
}

#[test]
fn an_empty_answer_is_a_good_one() {
    let mut end = result(0.0, 1, 1);
    end["result"] = json!("");
    let reader = log(&[end]);
    assert_eq!(reader.run().phase, Phase::Done);
    assert_eq!(steps(&reader), []);
}

#[test]
fn a_failed_call_is_an_error_in_any_version() {
    let mut end =
        json!({"type": "result", "subtype": "success", "is_error": true, "result": "No key"});
    let reader = log(&[answer("a", text("No key"), 0), end.clone()]);
    assert_eq!(steps(&reader), [("error", "No key")]);
    end["result"] = json!("Another");
    let reader = log(&[answer("a", text("No key"), 0), end]);
    assert_eq!(steps(&reader), [("text", "No key"), ("error", "Another")]);
    let mut synthetic = answer("a", text("Bad"), 0);
    synthetic["error"] = json!("brand_new_error");
    assert_eq!(steps(&log(&[synthetic])), [("error", "Bad")]);
}

#[test]
fn the_answer_to_a_slash_command_is_only_in_the_result() {
    let mut end = result(0.0, 1, 1);
    end["result"] = json!("Total cost: none");
    assert_eq!(steps(&log(&[end])), [("text", "Total cost: none")]);
}

#[test]
fn contents_come_as_texts_blocks_or_nothing() {
    let reader = log(&[
        answer("a", call("1", "Bash", json!({})), 1),
        tool_result("1", Value::Null),
        answer("a", call("2", "mcp__x__y", json!({"a": 1, "b": [2]})), 1),
        tool_result(
            "2",
            json!([{"type": "text", "text": "one"}, {"type": "tool_reference", "tool_name": "T"}]),
        ),
        json!({"type": "user", "message": {"content": "just words"}, "session_id": "s"}),
    ]);
    assert_eq!(
        steps(&reader),
        [
            ("tool", ""),
            ("tool", r#"{"a":1,"b":[2]}"#),
            ("user", "just words")
        ]
    );
    let outcomes: Vec<_> = reader.run().steps.iter().map(|step| step.status).collect();
    assert_eq!(outcomes, [Some(Outcome::Ok), Some(Outcome::Ok), None]);
    let Body::Tool(tool) = &reader.run().steps[1].body else {
        panic!("no tool")
    };
    assert_eq!(tool.output.as_raw(), "one\n[tool T]");
}

#[test]
fn json_in_an_answer_is_text() {
    let inner = init("other").to_string();
    let reader = log(&[answer("a", text(&inner), 1)]);
    assert_eq!(steps(&reader)[0].0, "text");
    assert_eq!(reader.run().sections.len(), 1);
}

#[test]
fn it_waits_until_it_goes_on() {
    let ask = |id: &str, tool: &str| {
        json!({"type": "control_request", "request_id": id, "request": {"subtype": "can_use_tool", "tool_name": "Bash",
            "tool_use_id": tool, "input": {"command": "rm a"}}})
    };
    let waits = |reader: &Reader| matches!(reader.run().phase, Phase::Waiting(_));
    let mut lines = vec![
        answer("a", call("1", "Bash", json!({"command": "rm a"})), 1),
        answer("a", call("2", "Bash", json!({"command": "ls"})), 1),
        ask("r1", "1"),
        ask("r2", "2"),
        json!({"type": "keep_alive"}),
    ];
    assert!(waits(&log(&lines)));
    lines.push(tool_result("2", json!("a")));
    assert!(waits(&log(&lines)), "the other one is still asked for");
    lines.push(tool_result("1", json!("")));
    assert_eq!(log(&lines).run().phase, Phase::Working);

    let cancelled = [
        ask("r1", "1"),
        json!({"type": "control_cancel_request", "request_id": "r1"}),
    ];
    assert_eq!(log(&cancelled).run().phase, Phase::Working);
    let other = [
        json!({"type": "control_request", "request_id": "r", "request": {"subtype": "initialize"}}),
    ];
    assert!(!waits(&log(&other)));
    let denied = [json!({"type": "system", "subtype": "permission_denied", "tool_name": "Bash"})];
    assert!(!waits(&log(&denied)), "nobody is asked");
    let state =
        |state: &str| json!({"type": "system", "subtype": "session_state_changed", "state": state});
    assert!(waits(&log(&[state("requires_action")])));
    assert!(!waits(&log(&[state("requires_action"), state("running")])));
}

#[test]
fn words_that_come_after_the_result_do_not_undo_it() {
    let reader = log(&[
        result(0.1, 1, 1),
        json!({"type": "system", "subtype": "session_state_changed", "state": "idle"}),
        json!({"type": "prompt_suggestion", "suggestion": "go on"}),
        json!({"type": "system", "subtype": "task_updated", "task_id": "b", "patch": {"status": "completed"}}),
    ]);
    assert_eq!(reader.run().phase, Phase::Done);
}

#[test]
fn a_task_in_the_background_goes_on_after_the_result() {
    let started =
        json!({"type": "system", "subtype": "task_started", "task_id": "b", "description": "d"});
    let ended = |status: &str| json!({"type": "system", "subtype": "task_updated", "task_id": "b", "patch": {"status": status}});
    let phase = |lines: &[Value]| log(lines).run().phase.clone();
    assert_eq!(
        phase(&[started.clone(), result(0.1, 1, 1)]),
        Phase::Answered
    );
    assert_eq!(
        phase(&[started.clone(), ended("paused"), result(0.1, 1, 1)]),
        Phase::Answered
    );
    assert_eq!(
        phase(&[started.clone(), ended("killed"), result(0.1, 1, 1)]),
        Phase::Done
    );
    let tasks = |ids: &[&str]| {
        let tasks: Vec<Value> = ids.iter().map(|id| json!({"task_id": id})).collect();
        json!({"type": "system", "subtype": "background_tasks_changed", "tasks": tasks})
    };
    let with = |line: Value| phase(&[started.clone(), line, result(0.1, 1, 1)]);
    assert_eq!(with(tasks(&["b", "c"])), Phase::Answered);
    assert_eq!(with(tasks(&[])), Phase::Done);
    let mut queued = result(0.1, 1, 1);
    queued["queued_turn_count"] = json!(1);
    assert_eq!(phase(&[queued]), Phase::Answered);
}

#[test]
fn a_limit_holds_until_work_goes_on() {
    let limit = |status: &str| json!({"type": "rate_limit_event", "rate_limit_info": {"status": status, "resetsAt": 1_790_000_000, "rateLimitType": "overage"}});
    let until = Phase::RateLimited(Some(crate::model::Timestamp(1_790_000_000_000)));
    assert_eq!(log(&[limit("rejected")]).run().phase, until);
    assert_eq!(
        log(&[limit("rejected"), limit("rejected")])
            .run()
            .steps
            .len(),
        1
    );
    assert_eq!(
        log(&[limit("rejected"), limit("allowed")]).run().phase,
        Phase::Working
    );
    assert_eq!(
        log(&[limit("rejected"), answer("a", text("1"), 1)])
            .run()
            .phase,
        Phase::Working
    );
    assert_eq!(log(&[limit("allowed")]).run().steps.len(), 0);
    let retry = |status: Value| json!({"type": "system", "subtype": "api_retry", "attempt": 1, "error_status": status, "error": "x"});
    assert_eq!(
        log(&[retry(json!(429))]).run().phase,
        Phase::RateLimited(None)
    );
    assert_eq!(log(&[retry(Value::Null)]).run().phase, Phase::Working);
}

#[test]
fn words_taken_back_or_broken_off_are_marked() {
    let mut first = answer("a", text("wrong"), 1);
    first["uuid"] = json!("u1");
    let mut second = answer("b", text("right"), 1);
    second["supersedes"] = json!(["u1"]);
    let mut third = answer("c", text("brok"), 1);
    third["aborted"] = json!(true);
    let reader = log(&[first, second, third]);
    let outcomes: Vec<_> = reader.run().steps.iter().map(|step| step.status).collect();
    assert_eq!(
        outcomes,
        [Some(Outcome::Unknown), None, Some(Outcome::Unknown)]
    );
}

#[test]
fn files_and_plan_are_known_from_the_calls() {
    let todos = |status: &str| json!({"todos": [{"content": "one", "status": "completed"}, {"content": "two", "status": status}]});
    let edit = json!({"file_path": "/a.c", "old_string": "1", "new_string": "2"});
    let reader = log(&[
        answer("a", call("1", "TodoWrite", todos("pending")), 1),
        answer("a", call("2", "Edit", edit.clone()), 1),
        answer(
            "a",
            call("3", "Write", json!({"file_path": "/b.c", "content": "x"})),
            1,
        ),
        answer("a", call("4", "Edit", edit), 1),
        answer("a", call("5", "TodoWrite", todos("in_progress")), 1),
        answer("a", call("6", "Read", json!({"file_path": "/c.c"})), 1),
    ]);
    let run = reader.run();
    let files: Vec<_> = run
        .files
        .iter()
        .map(|file| (file.path.as_raw(), file.changes, file.step))
        .collect();
    assert_eq!(files, [("/a.c", 2, 3), ("/b.c", 1, 2)]);
    assert_eq!(run.plan, Some(4));
    assert_eq!(run.steps[4].plan()[1].status, Some(Outcome::Running));
    assert_eq!(run.steps[1].changes()[0].hunks[0].new.as_raw(), "2");
    assert_eq!(run.doing, Some(5));
}
