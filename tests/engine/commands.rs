//! Commands: how they run, what their logs hold, how they end.

use super::bench::{Api, Bench, START, lines, session_of, text, until};
use reqwest::{Method, Response};
use serde_json::{Value, json};

/// A script waits here until [`open`] lets it go on.
const GATE: &str = "read _ < gate;";

/// A session with such a gate.
async fn gated(api: &Api) -> String {
    let session = api.boot("box").await;
    api.sh(&session, "mkfifo gate").await;
    session
}

async fn open(api: &Api, session: &str) {
    api.sh(session, "echo > gate").await;
}

/// The next object of a stream.
async fn next(stream: &mut Response, rest: &mut String) -> Value {
    while !rest.contains('\n') {
        let chunk = stream.chunk().await.unwrap().expect("the stream ended");
        rest.push_str(str::from_utf8(&chunk).unwrap());
    }
    let (line, after) = rest.split_once('\n').unwrap();
    let value = serde_json::from_str(line).unwrap();
    *rest = after.to_owned();
    value
}

async fn follow(api: &Api, command: &str) -> Response {
    let request = api.request(Method::GET, &format!("{command}/logs"));
    request.send().await.unwrap()
}

#[tokio::test]
async fn a_run_tells_command_output_and_end() {
    let bench = Bench::start().await;
    let session = bench.api.boot("box").await;
    let body =
        json!({"command": "printf", "args": ["%s|", "a b", "ü☃"], "wait": true, "logs": true});
    let request = bench
        .api
        .request(Method::POST, &format!("/sessions/{session}/cmd"));
    let answer = request.json(&body).send().await.unwrap();
    assert_eq!(answer.headers()["content-type"], "application/x-ndjson");
    let body = answer.text().await.unwrap();
    assert!(body.is_ascii());
    let lines = lines(&body);
    let [first, output, last] = lines.as_slice() else {
        panic!("{lines:?}")
    };
    let command = &first["command"];
    assert_eq!(command["exitCode"], Value::Null);
    assert_eq!(
        (&command["name"], &command["args"][2]),
        (&json!("printf"), &json!("ü☃"))
    );
    assert_eq!(
        (&command["sessionId"], &command["startedAt"]),
        (&json!(session), &json!(START))
    );
    assert_eq!(*output, json!({"stream": "stdout", "data": "a b|ü☃|"}));
    assert!(body.contains(r#"{"stream":"stdout","data":"#));
    assert_eq!(
        (&last["command"]["exitCode"], &last["command"]["durationMs"]),
        (&json!(0), &json!(0))
    );
    let quiet = json!({"command": "echo", "args": ["x"], "wait": true});
    let request = bench
        .api
        .request(Method::POST, &format!("/sessions/{session}/cmd"));
    let body = request
        .json(&quiet)
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    assert_eq!(super::bench::lines(&body).len(), 2);
}

#[tokio::test]
async fn bodies_that_break_a_rule_are_refused() {
    let bench = Bench::start().await;
    let session = bench.api.boot("box").await;
    let cases = [
        (json!({}), "command"),
        (json!({"command": ""}), "command"),
        (json!({"command": "no-such-program-here"}), "command"),
        (json!({"command": "echo", "args": "one two"}), "args"),
        (json!({"command": "echo", "args": ["a\u{0}b"]}), "args"),
        (json!({"command": "echo", "cwd": "/no/such/place"}), "cwd"),
        (json!({"command": "echo", "env": {"A": null}}), "env"),
        (json!({"command": "echo", "timeout": 99}), "timeout"),
        (json!({"command": "echo", "wait": "yes"}), "wait"),
    ];
    for (body, field) in cases {
        let answer = bench
            .api
            .post(&format!("/sessions/{session}/cmd"), &body)
            .await;
        assert_eq!(answer.error(), (400, "bad_request"), "{body}");
        let message = answer.body["error"]["message"].as_str().unwrap();
        assert!(message.contains(&format!("`{field}`")), "{body}: {message}");
    }
}

#[tokio::test]
async fn environment_and_directory() {
    let bench = Bench::start().await;
    let created = bench
        .api
        .create(&json!({"env": {"A": "box", "B": "box"}}))
        .await;
    let session = session_of(&created);
    let cwd = created["session"]["cwd"].as_str().unwrap();
    bench.api.sh(&session, "mkdir sub").await;
    let script = "echo $A $B ${C-unset}; pwd";
    let body = json!({"command": "sh", "args": ["-c", script], "cwd": "sub", "env": {"B": "cmd"}});
    let started = bench
        .api
        .post(&format!("/sessions/{session}/cmd"), &body)
        .await
        .ok();
    let command = &started["command"];
    assert_eq!(command["cwd"], format!("{cwd}/sub"));
    let path = format!(
        "/sessions/{session}/cmd/{}",
        command["id"].as_str().unwrap()
    );
    let output = text(&bench.api.logs(&path).await, "stdout");
    assert_eq!(output, format!("box cmd unset\n{cwd}/sub\n"));
}

#[tokio::test]
async fn logs_replay_then_follow_for_any_number_of_readers() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = gated(api).await;
    let script = format!("echo one; echo err >&2; {GATE} echo two");
    let command = api.start(&session, &script).await;
    let mut early = follow(api, &command).await;
    let mut rest = String::new();
    let first = next(&mut early, &mut rest).await;
    let second = next(&mut early, &mut rest).await;
    let mut seen = [first["data"].clone(), second["data"].clone()];
    seen.sort_by_key(Value::to_string);
    assert_eq!(seen, ["err\n", "one\n"]);
    // A second reader replays what the first has seen already.
    let mut late = follow(api, &command).await;
    let mut late_rest = String::new();
    assert_eq!(next(&mut late, &mut late_rest).await, first);
    open(api, &session).await;
    rest.push_str(&early.text().await.unwrap());
    assert_eq!(lines(&rest), [json!({"stream": "stdout", "data": "two\n"})]);
    late_rest.push_str(&late.text().await.unwrap());
    assert_eq!(lines(&late_rest).len(), 2);
    let again = api.logs(&command).await;
    assert_eq!(
        [text(&again, "stdout"), text(&again, "stderr")],
        ["one\ntwo\n", "err\n"]
    );
}

#[tokio::test]
async fn a_reader_that_leaves_does_not_disturb_the_command() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = gated(api).await;
    let command = api
        .start(&session, &format!("echo one; {GATE} echo two; exit 4"))
        .await;
    let mut reader = follow(api, &command).await;
    next(&mut reader, &mut String::new()).await;
    drop(reader);
    open(api, &session).await;
    let ended = api.get(&format!("{command}?wait=true")).await.ok();
    assert_eq!(ended["command"]["exitCode"], 4);
    assert_eq!(text(&api.logs(&command).await, "stdout"), "one\ntwo\n");
}

#[tokio::test]
async fn a_character_in_two_pieces_arrives_whole() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = gated(api).await;
    let script = format!(r"printf 'a\342\202'; {GATE} printf '\254\377\n'");
    let command = api.start(&session, &script).await;
    let mut reader = follow(api, &command).await;
    let mut rest = String::new();
    assert_eq!(next(&mut reader, &mut rest).await["data"], "a");
    open(api, &session).await;
    assert_eq!(next(&mut reader, &mut rest).await["data"], "€\u{fffd}\n");
}

#[tokio::test]
async fn a_hundred_thousand_lines_arrive_again_and_again() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = api.boot("box").await;
    let whole: String = (1..=100_000).map(|line| format!("{line}\n")).collect();
    let command = api.start(&session, "seq 1 100000").await;
    let (one, two) = tokio::join!(api.logs(&command), api.logs(&command));
    let three = api.logs(&command).await;
    for body in [one, two, three] {
        assert!(text(&body, "stdout") == whole);
        let pieces = lines(&body);
        let longest = pieces
            .iter()
            .map(|piece| piece["data"].as_str().unwrap().len())
            .max();
        assert!(longest.unwrap() <= 64 * 1024);
    }
}

#[tokio::test]
async fn what_a_command_leaves_running_does_not_hold_it() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = gated(api).await;
    let body = api
        .stream(&session, &format!("({GATE} echo late) & echo early"))
        .await;
    assert_eq!(text(&body, "stdout"), "early\n");
    let listed = api.get(&format!("/sessions/{session}/cmd")).await.ok();
    let id = listed["commands"][0]["id"].as_str().unwrap();
    let command = format!("/sessions/{session}/cmd/{id}");
    open(api, &session).await;
    let whole = until(
        "the late line",
        async || text(&api.logs(&command).await, "stdout"),
        |text| text.contains("late"),
    );
    assert_eq!(whole.await, "early\nlate\n");
    // One that never stops writing does not hold it either.
    let body = api.stream(&session, "yes & echo $! > pid").await;
    assert_eq!(lines(&body).last().unwrap()["command"]["exitCode"], 0);
    api.sh(&session, "kill -9 $(cat pid)").await;
}

#[tokio::test]
async fn a_time_limit_kills() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = api.boot("box").await;
    let body = json!({"command": "sh", "args": ["-c", "echo before; sleep 1000"], "timeout": 1500});
    let path = format!("/sessions/{session}/cmd");
    let started = api.post(&path, &body).await.ok();
    let command = format!("{path}/{}", started["command"]["id"].as_str().unwrap());
    let mut reader = follow(api, &command).await;
    next(&mut reader, &mut String::new()).await;
    bench.advance(1499);
    assert_eq!(
        api.get(&command).await.ok()["command"]["exitCode"],
        Value::Null
    );
    bench.advance(1);
    let ended = api.get(&format!("{command}?wait=true")).await.ok();
    assert_eq!(ended["command"]["exitCode"], 137);
    assert_eq!(ended["command"]["durationMs"], 1500);
}

#[tokio::test]
async fn a_signal_reaches_a_running_command_only() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = api.boot("box").await;
    let script = "trap 'echo caught; exit 9' USR1; echo ready; while :; do sleep 0.05; done";
    let command = api.start(&session, script).await;
    let mut reader = follow(api, &command).await;
    next(&mut reader, &mut String::new()).await;
    let kill = format!("{command}/kill");
    for signal in [json!(0), json!(65), json!("TERM")] {
        let answer = api.post(&kill, &json!({"signal": signal})).await;
        assert_eq!(answer.error(), (400, "bad_request"), "{signal}");
    }
    api.post(&kill, &json!({"signal": 10})).await.ok();
    let ended = api.get(&format!("{command}?wait=true")).await.ok();
    assert_eq!(ended["command"]["exitCode"], 9);
    assert_eq!(text(&api.logs(&command).await, "stdout"), "ready\ncaught\n");
    let late = api.post(&kill, &json!({"signal": 15})).await;
    assert_eq!(late.error(), (400, "bad_request"));
}

#[tokio::test]
async fn commands_are_listed_newest_first() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = api.boot("box").await;
    for script in ["echo one", "echo two"] {
        api.sh(&session, script).await;
    }
    let listed = api.get(&format!("/sessions/{session}/cmd")).await.ok();
    let scripts: Vec<&Value> = listed["commands"]
        .as_array()
        .unwrap()
        .iter()
        .map(|command| &command["args"][1])
        .collect();
    assert_eq!(scripts, ["echo two", "echo one"]);
    let unknown = api.get(&format!("/sessions/{session}/cmd/cmd_x")).await;
    assert_eq!(unknown.error(), (404, "not_found"));
}

#[tokio::test]
async fn a_stop_ends_every_wait_with_a_sign() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = api.boot("box").await;
    let waiting = {
        let (api, session) = (api.clone(), session.clone());
        tokio::spawn(async move { api.stream(&session, "echo up; sleep 1000").await })
    };
    let command = until(
        "the command",
        async || {
            api.get(&format!("/sessions/{session}/cmd")).await.ok()["commands"][0]["id"].clone()
        },
        Value::is_string,
    );
    let command = format!(
        "/sessions/{session}/cmd/{}",
        command.await.as_str().unwrap()
    );
    let mut reader = follow(api, &command).await;
    let mut rest = String::new();
    assert_eq!(next(&mut reader, &mut rest).await["data"], "up\n");
    // Its headers come at once, so it is being waited for when the stop comes.
    let request = api.request(Method::GET, &format!("{command}?wait=true"));
    let exit = request.send().await.unwrap();
    let stop = format!("/sessions/{session}/stop");
    api.post(&stop, &json!({})).await.ok();
    assert_eq!(next(&mut reader, &mut rest).await["stream"], "error");
    let waited = lines(&waiting.await.unwrap());
    let last = waited.last().unwrap();
    assert_eq!(last["data"]["code"], "sandbox_stream_closed");
    let exit: Value = exit.json().await.unwrap();
    assert_eq!(exit["command"]["exitCode"], 137);
}
