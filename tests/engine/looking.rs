//! Looking is free: nothing that only reads boots, extends, uses or changes anything.

use super::bench::{Bench, DAY, session_of, until};
use reqwest::Method;
use serde_json::{Value, json};

/// All that an engine tells of everything it has.
async fn everything(bench: &Bench) -> [Value; 3] {
    let get = async |path| bench.api.get(path).await.ok();
    [
        get("").await,
        get("/sessions").await,
        get("/snapshots").await,
    ]
}

/// Every read there is of one sandbox, each of its sessions and each of their commands.
async fn look_at_all(bench: &Bench, sessions: &[&str], command: &str, snapshot: &str) {
    let mut paths = vec![
        "".to_owned(),
        "?status=stopped".to_owned(),
        "/box".to_owned(),
        "/box?resume=false&__includeSystemRoutes=true".to_owned(),
        "/sessions?name=box".to_owned(),
        "/snapshots?name=box".to_owned(),
        format!("/snapshots/{snapshot}"),
        format!("/snapshots/tree?snapshotId={snapshot}"),
        "/drives".to_owned(),
    ];
    for session in sessions {
        for rest in ["", "/cmd", command, &format!("{command}/logs")] {
            paths.push(format!("/sessions/{session}{rest}"));
        }
    }
    for path in paths {
        for method in [Method::GET, Method::HEAD] {
            let request = bench.api.request(method, &path);
            // A log that is still written to has no end.
            drop(request.send().await.unwrap());
        }
    }
}

#[tokio::test]
async fn no_read_boots_or_uses_what_is_stopped() {
    let bench = Bench::start().await;
    let session = bench.api.boot("box").await;
    let command = bench.api.start(&session, "true").await;
    let command = command
        .strip_prefix(&format!("/sessions/{session}"))
        .unwrap();
    let stop = format!("/sessions/{session}/stop");
    let stopped = bench.api.post(&stop, &json!({})).await.ok();
    let snapshot = stopped["snapshot"]["id"].as_str().unwrap();
    bench.advance(DAY);
    let before = everything(&bench).await;
    bench.advance(DAY);
    look_at_all(&bench, &[&session], command, snapshot).await;
    assert_eq!(everything(&bench).await, before);
}

#[tokio::test]
async fn no_read_puts_the_end_of_a_session_off() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let first = session_of(&api.create(&json!({"name": "box", "timeout": 60_000})).await);
    let stop = format!("/sessions/{first}/stop");
    let stopped = api.post(&stop, &json!({})).await.ok();
    let snapshot = stopped["snapshot"]["id"].as_str().unwrap();
    let session = session_of(&api.get("/box?resume=true").await.ok());
    let command = api.start(&session, "echo up; exec sleep 1000").await;
    let logs = api.request(Method::GET, &format!("{command}/logs"));
    let mut logs = logs.send().await.unwrap();
    logs.chunk().await.unwrap().expect("its first line");
    let command = command
        .strip_prefix(&format!("/sessions/{session}"))
        .unwrap();
    let before = everything(&bench).await;
    bench.advance(59_999);
    look_at_all(&bench, &[&first, &session], command, snapshot).await;
    assert_eq!(everything(&bench).await, before);
    bench.advance(1);
    let path = format!("/sessions/{session}");
    until(
        "the end of the session",
        async || api.get(&path).await.ok()["session"]["status"].clone(),
        |status| status == "stopped",
    )
    .await;
}
