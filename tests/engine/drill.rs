//! Faults on request, seen by a client, and the access log that tells of them.

use super::bench::{Bench, TOKEN, lines, reply, text, until};
use reqwest::{Method, Response};
use sandtop::engine::{FaultRule, access_log};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::Duration;

async fn bench(rules: &[&str]) -> Bench {
    let rules = rules.iter().map(|rule| rule.parse().unwrap()).collect();
    Bench::with(|options| options.faults = rules).await
}

/// What came of a body, and whether it came to its end.
async fn body(mut answer: Response) -> (Vec<u8>, bool) {
    let mut bytes = Vec::new();
    loop {
        match answer.chunk().await {
            Ok(Some(chunk)) => bytes.extend(chunk),
            Ok(None) => return (bytes, true),
            Err(_) => return (bytes, false),
        }
    }
}

async fn list(bench: &Bench) -> Response {
    let request = bench.api.request(Method::GET, "?limit=1");
    request.send().await.unwrap()
}

#[tokio::test]
async fn a_status_is_told_and_nothing_is_done() {
    let rules = [
        r#"POST /v3/sandboxes status=503 code=busy message="come back" retry-after=9 count=1"#,
        "DELETE /** status=500",
    ];
    let bench = bench(&rules).await;
    let create = bench.api.request(Method::POST, "//v3/sandboxes");
    let refused = create.json(&json!({"name": "box"})).send().await.unwrap();
    assert_eq!(refused.headers()["retry-after"], "9");
    let status = refused.status().as_u16();
    let error: Value = refused.json().await.unwrap();
    assert_eq!(
        (status, error),
        (
            503,
            json!({"error": {"code": "busy", "message": "come back"}})
        )
    );
    assert_eq!(bench.api.get("/box").await.error().0, 404);
    bench.api.boot("box").await;
    let error = bench.api.delete("/box").await;
    assert_eq!(error.error(), (500, "fault_on_request"));
    bench.api.get("/box").await.ok();
    // Who may not come in meets no fault either.
    let stranger = bench.api.bare(Method::DELETE, "/box");
    assert_eq!(reply(stranger).await.error().0, 401);
}

#[tokio::test]
async fn an_answer_is_cut_after_so_many_bytes_and_what_was_asked_is_done() {
    let bench = bench(&["PATCH /** cut=9", "GET /v2/sandboxes cut skip=1 count=1"]).await;
    bench.api.boot("box").await;
    let whole = list(&bench).await;
    let length = whole.content_length().unwrap();
    assert_eq!(body(whole).await.0.len() as u64, length);
    let cut = list(&bench).await;
    assert_eq!(cut.content_length(), Some(length));
    assert_eq!(body(cut).await, (Vec::new(), false));
    let change = bench.api.request(Method::PATCH, "/box");
    let answer = change
        .json(&json!({"tags": {"a": "b"}}))
        .send()
        .await
        .unwrap();
    let (bytes, whole) = body(answer).await;
    assert_eq!((bytes.len(), whole), (9, false));
    let now = bench.api.get("/box").await.ok();
    assert_eq!(now["sandbox"]["tags"], json!({"a": "b"}));
}

#[tokio::test]
async fn a_stream_of_output_is_cut_and_comes_whole_the_next_time() {
    let bench = bench(&["GET /**/logs cut=100000 count=1"]).await;
    let session = bench.api.boot("box").await;
    let script = "head -c 300000 /dev/zero | tr '\\0' x";
    let command = bench.api.start(&session, script).await;
    let logs = || {
        bench
            .api
            .request(Method::GET, &format!("{command}/logs"))
            .send()
    };
    let (bytes, whole) = body(logs().await.unwrap()).await;
    assert_eq!((bytes.len(), whole), (100_000, false));
    let (bytes, whole) = body(logs().await.unwrap()).await;
    let all = String::from_utf8(bytes).unwrap();
    assert!(whole && text(&all, "stdout").len() == 300_000);
}

#[tokio::test]
async fn a_stalled_stream_goes_silent_and_stays_open() {
    let bench = bench(&["GET /**/logs stall=20"]).await;
    let session = bench.api.boot("box").await;
    let command = bench.api.start(&session, "echo a line of output").await;
    let request = bench.api.request(Method::GET, &format!("{command}/logs"));
    let mut answer = request.send().await.unwrap();
    let mut bytes = Vec::new();
    while bytes.len() < 20 {
        bytes.extend(answer.chunk().await.unwrap().unwrap());
    }
    assert_eq!(bytes.len(), 20);
    // The command has ended, and its log with it: a whole answer would end here.
    bench.api.get(&format!("{command}?wait=true")).await.ok();
    let more = tokio::time::timeout(Duration::from_millis(200), answer.chunk()).await;
    assert!(more.is_err(), "{more:?}");
    drop(answer);
    // Its client has left: the connection and the entry end.
    until(
        "the entry",
        async || entries(&bench),
        |entries| {
            let told = |entry: &Value| entry["cut"] == true && entry["bytes"] == 20;
            entries.iter().any(told)
        },
    )
    .await;
}

#[tokio::test]
async fn garbage_is_as_long_as_the_answer_and_the_same_for_the_same_seed() {
    let mut seen = Vec::new();
    for _ in 0..2 {
        let bench = bench(&["GET /v2/sandboxes garbage=5 skip=1"]).await;
        let right = body(list(&bench).await).await.0;
        let (wrong, whole) = body(list(&bench).await).await;
        assert!(whole && wrong.len() == right.len());
        assert_eq!(wrong[..5], right[..5]);
        assert_ne!(wrong[5..], right[5..]);
        seen.push(wrong);
    }
    assert_eq!(seen[0], seen[1]);
}

#[tokio::test]
async fn a_delay_comes_before_the_work() {
    let bench = bench(&["POST /v3/sandboxes delay=3h", "GET /** delay=1ms"]).await;
    let create = bench.api.request(Method::POST, "//v3/sandboxes");
    let never = create
        .json(&json!({"name": "box"}))
        .timeout(Duration::from_millis(200));
    assert!(never.send().await.unwrap_err().is_timeout());
    assert_eq!(bench.api.get("/box").await.error().0, 404);
}

/// The lines of the access log so far.
fn entries(bench: &Bench) -> Vec<Value> {
    let log = std::fs::read_to_string(access_log(bench.dir.path())).unwrap();
    // The last line may be half written.
    let whole = log.rfind('\n').map_or("", |end| &log[..end]);
    lines(whole)
}

async fn entry(bench: &Bench, path: &str) -> Value {
    let entries = until(
        "the entry",
        async || entries(bench),
        |entries| entries.iter().any(|entry| entry["path"] == path),
    );
    let entries = entries.await;
    entries
        .into_iter()
        .find(|entry| entry["path"] == path)
        .unwrap()
}

#[tokio::test]
async fn the_access_log_tells_requests_and_no_secrets() {
    let bench = bench(&["GET /v2/sandboxes/faulty status=500"]).await;
    let session = bench.api.boot("box").await;
    let secret = json!({
        "command": "sh", "args": ["-c", "echo $HUSH hush-argument"], "env": {"HUSH": "hush-value"},
        "wait": true, "logs": true,
    });
    let run = format!("/sessions/{session}/cmd?token=hush-token&teamId=team_a");
    let request = bench.api.request(Method::POST, &run).json(&secret);
    let agent = "a client/1.0 \"quoted\" \u{e9}";
    let answer = request.header("user-agent", agent).send().await.unwrap();
    let id = answer.headers()["x-vercel-id"].to_str().unwrap().to_owned();
    let length = answer.bytes().await.unwrap().len();

    let path = format!("/api/v2/sandboxes/sessions/{session}/cmd?token=…&teamId=team_a");
    let told = entry(&bench, &path).await;
    assert_eq!(told["method"], "POST");
    assert_eq!(told["status"], 200);
    assert_eq!(told["bytes"], length);
    assert_eq!(told["id"], id.as_str());
    assert_eq!(told["agent"], agent);
    assert_eq!(told["time"], "2026-09-21T14:13:20.000Z");
    assert!(told["ms"].is_u64() && told.get("cut").is_none() && told.get("remark").is_none());

    reply(
        bench
            .api
            .bare(Method::GET, "/nobody")
            .bearer_auth("hush-wrong"),
    )
    .await
    .error();
    assert_eq!(
        entry(&bench, "/api/v2/sandboxes/nobody").await["status"],
        401
    );
    bench.api.get("/faulty").await.error();
    let faulty = entry(&bench, "/api/v2/sandboxes/faulty").await;
    assert_eq!(faulty["remark"], "a fault on request");

    let log = access_log(bench.dir.path());
    assert_eq!(log.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let all = std::fs::read_to_string(log).unwrap();
    assert!(!all.contains("hush") && !all.contains(TOKEN), "{all}");
}

#[tokio::test]
async fn a_client_that_leaves_early_is_told_as_cut() {
    let bench = bench(&["GET /v2/sandboxes/slow delay=3h"]).await;
    let session = bench.api.boot("box").await;
    let command = bench.api.start(&session, "echo up; exec sleep 1000").await;
    let mut logs = bench
        .api
        .request(Method::GET, &format!("{command}/logs"))
        .send()
        .await
        .unwrap();
    logs.chunk().await.unwrap().unwrap();
    drop(logs);
    let told = entry(&bench, &format!("/api/v2/sandboxes{command}/logs")).await;
    assert_eq!((&told["status"], &told["cut"]), (&json!(200), &json!(true)));
    let slow = bench
        .api
        .request(Method::GET, "/slow")
        .timeout(Duration::from_millis(100));
    slow.send().await.unwrap_err();
    let told = entry(&bench, "/api/v2/sandboxes/slow").await;
    assert!(
        told.get("status").is_none() && told["cut"] == true,
        "{told}"
    );
}

#[test]
fn a_wrong_rule_is_told_by_the_program() {
    let mut program = Command::new(env!("CARGO_BIN_EXE_sandtop"));
    let said = program
        .args(["serve", "--fault", "GET /x stauts=503"])
        .output()
        .unwrap();
    assert_eq!(said.status.code(), Some(2));
    let told = String::from_utf8(said.stderr).unwrap();
    assert!(
        told.contains("character 8") && told.contains("did you mean `status`?"),
        "{told}"
    );
    assert!("GET /x status=503".parse::<FaultRule>().is_ok());
}

#[test]
fn the_start_says_which_faults_are_active() {
    let said = |more: &[&str]| {
        let dir = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_sandtop"))
            .args(["serve", "--isolation", "plain", "--lifeline", "--data-dir"])
            .arg(dir.path())
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // It ends when its input does.
        drop(child.stdin.take());
        let output = child.wait_with_output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let rules = ["--fault", "* /** delay=1s", "--fault", "GET /x cut"];
    let drill = said(&[&rules[..], &["--fault-seed", "7"]].concat());
    assert!(
        drill.ends_with("fault * /** delay=1s\nfault GET /x cut\nfault-seed 7\n"),
        "{drill}"
    );
    assert!(said(&rules).contains("\nfault-seed "), "one to repeat it");
    assert!(!said(&[]).contains("fault"));
}
