//! The real program: what an engine keeps when it ends in order, and what is left of one that was killed.

use super::bench::{session_of, until};
use super::program::Program;
use rustix::process::Signal;
use sandtop::engine::discover;
use serde_json::{Value, json};

/// Whether a process of this machine has `word` among its arguments.
fn runs(word: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap();
    processes
        .filter_map(|entry| std::fs::read(entry.unwrap().path().join("cmdline")).ok())
        .any(|line| {
            line.split(|byte| *byte == 0)
                .any(|argument| argument == word.as_bytes())
        })
}

#[tokio::test]
async fn an_engine_that_ends_in_order_keeps_everything() {
    let dir = tempfile::tempdir().unwrap();
    let mut program = Program::start(dir.path());
    let created = json!({"name": "box", "env": {"A": "kept"}, "tags": {"k": "v"}, "ports": [3000]});
    let session = session_of(&program.api.create(&created).await);
    program.api.sh(&session, "echo file > file").await;
    let before = program.api.get("/box").await.ok();
    let word = format!("{}", 7_000_000_000 + u64::from(std::process::id()));
    program
        .api
        .start(&session, &format!("exec sleep {word}"))
        .await;
    until("the sleep", async || runs(&word), |runs| *runs).await;
    program.signal(Signal::TERM);
    assert!(!runs(&word));
    assert!(discover(dir.path()).unwrap().is_none());

    let mut program = Program::start(dir.path());
    let after = program.api.get("/box").await.ok();
    assert_eq!(after["session"]["status"], "stopped");
    assert!(after["sandbox"]["currentSnapshotId"].is_string());
    assert_eq!(after["routes"], before["routes"]);
    for field in ["createdAt", "tags", "image", "timeout"] {
        assert_eq!(after["sandbox"][field], before["sandbox"][field], "{field}");
    }
    let session = session_of(&program.api.get("/box?resume=true").await.ok());
    assert_eq!(
        program.api.sh(&session, "cat file; echo $A").await,
        "file\nkept\n"
    );
    program.signal(Signal::TERM);
}

#[tokio::test]
async fn a_killed_engine_leaves_no_process_and_its_sessions_show_aborted() {
    let dir = tempfile::tempdir().unwrap();
    let mut program = Program::start(dir.path());
    let api = program.api.clone();
    let first = api.boot("box").await;
    api.sh(&first, "echo old > file").await;
    let stopped = api
        .post(&format!("/sessions/{first}/stop"), &json!({}))
        .await
        .ok();
    let session = session_of(&api.get("/box?resume=true").await.ok());
    api.sh(&session, "echo new > file").await;
    let word = format!("{}", 8_000_000_000 + u64::from(std::process::id()));
    let script = format!("setsid sleep {word} & exec sleep {word}");
    api.start(&session, &script).await;
    until("the sleep", async || runs(&word), |runs| *runs).await;
    program.signal(Signal::KILL);
    until(
        "the end of its processes",
        async || runs(&word),
        |runs| !runs,
    )
    .await;

    let mut program = Program::start(dir.path());
    let after = program.api.get("/box").await.ok();
    assert_eq!(after["session"]["status"], "aborted");
    assert!(after["session"]["abortedAt"].is_number());
    assert!(after["session"].get("stoppedAt").is_none());
    assert_eq!(after["sandbox"]["status"], "aborted");
    assert!(after["sandbox"].get("expiresAt").is_none());
    assert_eq!(
        after["sandbox"]["currentSnapshotId"],
        stopped["snapshot"]["id"]
    );
    let cells: Vec<_> = std::fs::read_dir(dir.path().join("cells"))
        .unwrap()
        .collect();
    assert!(cells.is_empty(), "{cells:?}");
    let listed = program.api.get("?status=stopped").await.ok();
    assert_eq!(listed["sandboxes"][0]["name"], "box");
    let resumed = program.api.get("/box?resume=true").await.ok();
    assert_eq!(resumed["resumed"], Value::Bool(true));
    assert_eq!(
        program.api.sh(&session_of(&resumed), "cat file").await,
        "old\n"
    );
    program.signal(Signal::TERM);
}

/// As if it had died between a layer and its record, a deletion and its files, a boot and its end.
#[tokio::test]
async fn what_a_dead_engine_left_half_done_is_cleared_and_what_it_kept_is_not() {
    let dir = tempfile::tempdir().unwrap();
    let mut program = Program::start(dir.path());
    let session = program.api.boot("box").await;
    program.api.sh(&session, "echo kept > file").await;
    let stop = format!("/sessions/{session}/stop");
    let stopped = program.api.post(&stop, &json!({})).await.ok();
    let kept = stopped["snapshot"]["id"].as_str().unwrap().to_owned();
    program.signal(Signal::KILL);
    let stray = [
        "cells/sbx_stray/layer/within",
        "layers/plain/snap_stray/within",
        // Kept at another level.
        "layers/root/snap_stray/top",
    ];
    for path in stray {
        std::fs::create_dir_all(dir.path().join(path)).unwrap();
    }
    std::fs::write(dir.path().join("cells/stray"), "").unwrap();
    let mut program = Program::start(dir.path());
    let left = |rest: &str| {
        let entries = std::fs::read_dir(dir.path().join(rest)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect::<Vec<_>>()
    };
    assert_eq!(left("cells"), [""; 0]);
    assert_eq!(left("layers/root"), [""; 0]);
    assert_eq!(left("layers/plain"), [kept]);
    let session = session_of(&program.api.get("/box?resume=true").await.ok());
    assert_eq!(program.api.sh(&session, "cat file").await, "kept\n");
    program.signal(Signal::TERM);
}

#[tokio::test]
async fn an_engine_that_dies_while_it_takes_a_snapshot_has_it_or_has_it_not() {
    let dir = tempfile::tempdir().unwrap();
    let mut before = String::from("none\n");
    for round in 0..6 {
        let mut program = Program::start(dir.path());
        let api = program.api.clone();
        let session = match api.get("/box?resume=true").await {
            reply if reply.status == 404 => api.boot("box").await,
            reply => session_of(&reply.ok()),
        };
        assert_eq!(api.sh(&session, "cat file || echo none").await, before);
        let fill = format!("echo {round} > file; for i in $(seq 300); do echo $i > f$i; done");
        api.sh(&session, &fill).await;
        let path = format!("/sessions/{session}/snapshot");
        let taking = tokio::spawn(async move {
            let request = api.request(reqwest::Method::POST, &path);
            request
                .send()
                .await
                .is_ok_and(|reply| reply.status() == 201)
        });
        // At any moment of it.
        tokio::time::sleep(std::time::Duration::from_millis(round * 15)).await;
        program.signal(Signal::KILL);
        let answered = taking.await.unwrap();
        let mut program = Program::start(dir.path());
        let after = program.api.get("/box").await.ok();
        let status = after["session"]["status"].as_str().unwrap();
        assert!(status == "stopped" || !answered, "{status}");
        let layers = std::fs::read_dir(dir.path().join("layers/plain")).unwrap();
        let listed = program.api.get("/snapshots?name=box").await.ok();
        assert_eq!(
            layers.count(),
            listed["snapshots"].as_array().unwrap().len()
        );
        if status == "stopped" {
            before = format!("{round}\n");
        } else {
            assert_eq!(status, "aborted");
        }
        program.signal(Signal::TERM);
    }
}
