//! Records from a file: completed, told as any other, ended by the clock; all of them or none.

use super::bench::{Bench, DAY, START, options, until};
use sandtop::engine::{Clock, ManualClock, serve};
use sandtop::model::Timestamp;
use serde_json::{Value, json};

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;

/// An engine that began with these lines.
async fn with(lines: &str) -> Bench {
    Bench::with(|options| options.import = Some(file(&options.data_dir, lines))).await
}

fn file(dir: &std::path::Path, lines: &str) -> std::path::PathBuf {
    let path = dir.join("records.jsonl");
    std::fs::write(&path, lines).unwrap();
    path
}

/// What an engine says that does not start for these lines.
async fn refused(lines: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let mut options = options(dir.path());
    options.import = Some(file(dir.path(), lines));
    let clock = Clock::Manual(ManualClock::at(Timestamp(START)));
    let told = serve(options, clock.clone())
        .await
        .err()
        .unwrap()
        .to_string();
    // Nothing stays of it.
    let mut options = super::bench::options(dir.path());
    options.import = None;
    let engine = serve(options, clock).await.unwrap();
    let api = super::bench::Api::new(&engine.url);
    for list in ["", "/sessions", "/snapshots"] {
        let page = api.get(list).await.ok();
        assert_eq!(page["pagination"]["count"], 0, "{list}: {lines}");
    }
    engine.shutdown().await;
    told
}

fn status(answer: &Value) -> &str {
    answer["sandbox"]["status"].as_str().unwrap()
}

#[tokio::test]
async fn the_sample_is_what_it_says() {
    let bench = with(include_str!("../../assets/records.jsonl")).await;
    let api = &bench.api;
    let page = api.get("?sortBy=name&sortOrder=asc").await.ok();
    let told: Vec<(&str, &str)> = page["sandboxes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|sandbox| {
            (
                sandbox["name"].as_str().unwrap(),
                sandbox["status"].as_str().unwrap(),
            )
        })
        .collect();
    let wanted = [
        ("agent-refactor", "running"),
        ("cut-off", "aborted"),
        ("ends-soon", "running"),
        ("nightly-build", "failed"),
        ("old-experiment", "stopped"),
        ("preview-web", "running"),
    ];
    assert_eq!(told, wanted);
    let web = api.get("/preview-web").await.ok();
    let sandbox = &web["sandbox"];
    assert_eq!(sandbox["createdAt"], START - 3 * HOUR);
    assert_eq!(sandbox["statusUpdatedAt"], START - 25 * MINUTE);
    assert_eq!(sandbox["expiresAt"], START + 20 * MINUTE);
    assert_eq!(web["session"]["startedAt"], START - 25 * MINUTE);
    assert_eq!(web["session"]["vcpus"], 4);
    assert_eq!(web["routes"][0]["port"], 3000);
    let agent = api.get("/agent-refactor").await.ok();
    assert_eq!(agent["session"]["id"], "sbx_refactor3");
    assert_eq!(agent["sandbox"]["totalDurationMs"], 93 * MINUTE);
    assert_eq!(agent["sandbox"]["totalEgressBytes"], 1_294_336);
    let build = api.get("/nightly-build").await.ok();
    assert_eq!(build["session"]["stoppedAt"], START - 7 * HOUR);
    assert_eq!(build["session"]["startedAt"], START - 7 * HOUR - 5 * MINUTE);
    let sessions = api.get("/sessions?name=agent-refactor").await.ok();
    assert_eq!(sessions["pagination"]["count"], 3);
    let snapshots = api.get("/snapshots").await.ok();
    assert_eq!(snapshots["pagination"]["count"], 4);
    let tree = "/snapshots/tree?snapshotId=snap_refactor2&sortOrder=desc";
    let tree = api.get(tree).await.ok();
    assert_eq!(tree["snapshots"][0]["snapshot"]["id"], "snap_refactor1");
}

#[tokio::test]
async fn an_imported_session_runs_nothing_and_ends_in_time() {
    let bench =
        with(r#"{"sandbox": {"name": "box", "status": "running", "expiresAt": "+5m"}}"#).await;
    let api = &bench.api;
    let box_now = async || api.get("/box").await.ok();
    let session = super::bench::session_of(&box_now().await);
    let run = json!({"command": "true"});
    let path = |rest: &str| format!("/sessions/{session}{rest}");
    assert_eq!(
        api.post(&path("/cmd"), &run).await.error(),
        (410, "sandbox_stopped")
    );
    let more = json!({"duration": 1000});
    let more = api.post(&path("/extend-timeout"), &more).await;
    assert_eq!(more.error(), (410, "sandbox_stopped"));
    bench.advance(5 * MINUTE - 1);
    assert_eq!(status(&box_now().await), "running");
    bench.advance(1);
    let over = until("it ends", box_now, |now| status(now) == "stopped").await;
    assert_eq!(over["session"]["stoppedAt"], START + 5 * MINUTE);
    assert_eq!(over["session"]["duration"], 5 * MINUTE);
    assert!(over["sandbox"].get("currentSnapshotId").is_none());
    // It can be resumed like any other, into a session that is real.
    let resumed = api.get("/box?resume=true").await.ok();
    let session = super::bench::session_of(&resumed);
    assert_eq!(api.sh(&session, "echo alive").await, "alive\n");
}

#[tokio::test]
async fn an_imported_session_can_be_stopped_and_resumed_before_its_time() {
    let lines = r#"{"sandbox": {"name": "one", "status": "running"}}
{"sandbox": {"name": "two", "status": "running"}}"#;
    let bench = with(lines).await;
    let api = &bench.api;
    let session = super::bench::session_of(&api.get("/one").await.ok());
    let stop = format!("/sessions/{session}/stop");
    let stopped = api.post(&stop, &json!({})).await.ok();
    assert_eq!(stopped["session"]["status"], "aborted");
    let resumed = api.get("/two?resume=true").await.ok();
    assert_eq!(resumed["resumed"], true);
    // The time of what it was imported with means nothing to the new session.
    let extend = super::bench::session_of(&resumed);
    let extend = format!("/sessions/{extend}/extend-timeout");
    api.post(&extend, &json!({"duration": HOUR})).await.ok();
    bench.advance(10 * MINUTE);
    let two = api.get("/two").await.ok();
    assert_eq!(status(&two), "running");
}

#[tokio::test]
async fn an_imported_snapshot_starts_nothing_and_expires() {
    let lines = r#"{"snapshot": {"sourceSandboxName": "box", "id": "snap_1", "expiresAt": "+1d"}}
{"sandbox": {"name": "box", "currentSnapshotId": "snap_1", "projectId": "shop"}}"#;
    let bench = with(lines).await;
    let api = &bench.api;
    let resumed = api.get("/box?resume=true").await;
    assert_eq!(resumed.error(), (409, "conflict"));
    assert_eq!(status(&api.get("/box").await.ok()), "stopped");
    let page = api.get("/snapshots?project=shop&name=box").await.ok();
    assert_eq!(page["snapshots"][0]["status"], "created");
    bench.advance(DAY);
    let gone = api.get("/snapshots/snap_1").await.ok();
    assert_eq!(gone["snapshot"]["status"], "deleted");
}

#[tokio::test]
async fn answers_of_the_service_can_be_imported() {
    // The samples of the service's objects, as they come.
    let lines = r#"{"sandbox":{"name":"build-agent-7","persistent":true,"status":"stopped","createdAt":1789900000000,"updatedAt":1789990000000,"currentSessionId":"sbx_7Qk2mVx0aBc","region":"iad1","vcpus":2,"memory":4096,"timeout":1800000,"cwd":"/vercel/sandbox","networkPolicy":{"mode":"allow-all"},"mounts":{"/cache":{"drive":"deps","mode":"read-write"}},"keepLastSnapshots":{"count":2,"deleteEvicted":true},"totalDurationMs":5402210}}

{"session":{"id":"sbx_7Qk2mVx0aBc","status":"stopped","sourceSandboxName":"build-agent-7","memory":4096,"vcpus":2,"region":"iad1","runtime":"node24","timeout":1800000,"cwd":"/vercel/sandbox","requestedAt":1789980000000,"createdAt":1789980000005,"startedAt":1789980001120,"updatedAt":1789980202400,"stoppedAt":1789980202380,"duration":201260,"activeCpuDurationMs":17342,"networkTransfer":{"ingress":20971520,"egress":40960}}}"#;
    let bench = with(lines).await;
    let told = bench.api.get("/build-agent-7").await.ok();
    for (line, kind) in lines.split("\n\n").zip(["sandbox", "session"]) {
        let given: Value = serde_json::from_str(line).unwrap();
        for (field, value) in given[kind].as_object().unwrap() {
            assert_eq!(&told[kind][field], value, "{field}");
        }
    }
}

async fn each_is_told(cases: &[(&str, &str)]) {
    for (line, why) in cases {
        let lines = format!("{{\"sandbox\": {{\"name\": \"a\"}}}}\n{line}\n");
        let told = refused(&lines).await;
        assert!(
            told.contains("line 2: ") && told.contains(why),
            "{line}: {told}"
        );
        assert!(told.contains("records.jsonl"), "{told}");
    }
}

#[tokio::test]
async fn a_broken_field_is_told_with_the_one_that_was_meant() {
    let cases = [
        (
            r#"{"sandbox": {"name": "b", "vcpu": 2}}"#,
            "line 2: \"vcpu\" is no field of a sandbox; did you mean `vcpus`?",
        ),
        (
            r#"{"sandbox": {"name": "b", "status": "runing"}}"#,
            "did you mean `running`?",
        ),
        (
            r#"{"sandbox": {"name": "b", "vcpus": "two"}}"#,
            "`vcpus` cannot be \"two\"",
        ),
        (
            r#"{"sandbox": {"name": "b", "tags": null}}"#,
            "`tags` cannot be null",
        ),
        (
            r#"{"sandbox": {"name": "b", "createdAt": "3 hours"}}"#,
            "`createdAt` is \"3 hours\": write -3h",
        ),
        (
            r#"{"sandbox": {"name": "b", "timeout": "1 week"}}"#,
            "`timeout` is \"1 week\"",
        ),
        (r#"{"sandbox": {"name": "b", "ports": [80]}}"#, "`ports`"),
        (
            r#"{"sandbox": {"name": "b", "currentSessionId": "../../x"}}"#,
            "`currentSessionId` cannot be",
        ),
        (
            r#"{"sandbox": {"name": "a"}}"#,
            "there is a sandbox \"a\" in project \"local\" already",
        ),
    ];
    each_is_told(&cases).await;
}

#[tokio::test]
async fn a_broken_record_is_told_by_its_line() {
    let cases = [
        (r#"{"sandbox": {}}"#, "`name` is missing"),
        (r#"{"sandbox": {"name": "b c"}}"#, "`name` must have"),
        (r#"{"sandboxes": {"name": "b"}}"#, "did you mean `sandbox`?"),
        (r#"{"sandbox": {"name": "b"}"#, "no JSON"),
        ("[1]", "a line is"),
        (
            r#"{"session": {"sourceSandboxName": "nobody"}}"#,
            "there is no sandbox \"nobody\" in this file",
        ),
        (
            r#"{"session": {"id": "sbx_1"}}"#,
            "`sourceSandboxName` is missing",
        ),
        (
            r#"{"session": {"sourceSandboxName": "a", "id": "cmd_1"}}"#,
            "`id` cannot be \"cmd_1\"",
        ),
        (
            r#"{"snapshot": {"id": "snap_1", "sizeByte": 1, "sourceSandboxName": "a"}}"#,
            "did you mean `sizeBytes`?",
        ),
        (
            r#"{"snapshot": {"id": "snap_1"}}"#,
            "`sourceSandboxName` is missing",
        ),
    ];
    each_is_told(&cases).await;
}

#[tokio::test]
async fn every_broken_line_is_told_and_what_follows_from_it_is_not() {
    let lines = r#"{"sandbox": {"name": "a", "nam": 1}}
{"session": {"sourceSandboxName": "a"}}
{"snapshot": {"statu": "created"}}"#;
    let told = refused(lines).await;
    let numbers: Vec<&str> = told.lines().skip(1).map(|line| &line[..8]).collect();
    assert_eq!(numbers, ["  line 1", "  line 3"], "{told}");
}

#[tokio::test]
async fn a_status_must_be_that_of_the_current_session() {
    let lines = r#"{"sandbox": {"name": "a", "status": "running"}}
{"session": {"sourceSandboxName": "a", "status": "failed"}}"#;
    let told = refused(lines).await;
    assert!(
        told.contains("line 1: `status` is that of the current session"),
        "{told}"
    );
}
