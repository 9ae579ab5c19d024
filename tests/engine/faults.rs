//! What goes wrong around the engine: a full disk, records that cannot be written, clients that hang up or do not
//! read. Nothing hangs, nothing leaks, and nothing is told that is not so.

use super::bench::{Bench, TOKEN, lines, session_of, text, until};
use super::program::Program;
use reqwest::Method;
use rusqlite::Connection;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::io::Write;
use std::net::TcpStream;

/// From now on no session's record can be written, as on a full disk.
fn refuse_records(bench: &Bench) -> Connection {
    let records = Connection::open(bench.dir.path().join("engine.db")).unwrap();
    let refuse =
        "CREATE TRIGGER refuse BEFORE UPDATE ON session BEGIN SELECT RAISE(ABORT, 'no room'); END";
    records.execute_batch(refuse).unwrap();
    records
}

fn accept_records(records: &Connection) {
    records.execute_batch("DROP TRIGGER refuse").unwrap();
}

/// A client's bytes, beyond which it takes no part.
fn send(bench: &Bench, method: &str, path: &str, body: &str) -> TcpStream {
    let (_, address) = bench.engine.url.split_once("//").unwrap();
    let address = address.split('/').next().unwrap();
    let mut client = TcpStream::connect(address).unwrap();
    let length = body.len();
    let head = format!("{method} /v2/sandboxes{path} HTTP/1.1\r\nhost: localhost\r\n");
    let rest = format!("authorization: Bearer {TOKEN}\r\ncontent-length: {length}\r\n\r\n{body}");
    client.write_all((head + &rest).as_bytes()).unwrap();
    client
}

#[tokio::test]
async fn output_without_room_is_missed_and_holds_up_nobody() {
    let dir = tempfile::tempdir().unwrap();
    // A file of this program ends at a megabyte at the most.
    let mut program = Program::start_after("trap '' XFSZ; ulimit -f 1024;", dir.path());
    let api = &program.api;
    let session = api.boot("box").await;
    let script = "head -c 3000000 /dev/zero | tr '\\0' x; echo end >&2";
    let waited = lines(&api.stream(&session, script).await);
    let (last, output) = waited.split_last().unwrap();
    assert_eq!(last["stream"], "error");
    assert_eq!(last["data"]["code"], "output_incomplete");
    let whole = |line: &Value| line.get("command").is_some() || line["data"].is_string();
    assert!(output.iter().all(whole));
    let listed = api.get(&format!("/sessions/{session}/cmd")).await.ok();
    assert_eq!(listed["commands"][0]["exitCode"], 0);
    let id = listed["commands"][0]["id"].as_str().unwrap();
    let command = format!("/sessions/{session}/cmd/{id}");
    let replayed = api.logs(&command).await;
    assert_eq!(lines(&replayed).last(), Some(last));
    // What was lost is told to the byte.
    let kept = text(&replayed, "stdout").len() + text(&replayed, "stderr").len();
    let told = last["data"]["message"].as_str().unwrap();
    let lost = format!("{} bytes", 3_000_004 - kept);
    assert!(kept > 100_000 && told.starts_with(&lost), "{kept}: {told}");
    assert_eq!(api.sh(&session, "echo still here").await, "still here\n");
    program.signal(Signal::TERM);
}

#[tokio::test]
async fn a_session_ends_though_its_end_cannot_be_written_down() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = api.boot("box").await;
    let command = api.start(&session, "exec sleep 1000").await;
    let records = refuse_records(&bench);
    let stop = format!("/sessions/{session}/stop");
    assert_eq!(api.post(&stop, &json!({})).await.error().0, 500);
    // Its processes are gone, whatever the record says.
    assert_eq!(api.get(&command).await.error().0, 410);
    accept_records(&records);
    bench.advance(30_000);
    let path = format!("/sessions/{session}");
    until(
        "what became of the session",
        async || api.get(&path).await.ok()["session"]["status"].clone(),
        |status| status == "aborted",
    )
    .await;
    assert_eq!(api.post(&stop, &json!({})).await.error().0, 410);
}

#[tokio::test]
async fn a_resume_does_not_take_a_session_for_running_that_is_not() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = api.boot("box").await;
    let records = refuse_records(&bench);
    let stop = format!("/sessions/{session}/stop");
    assert_eq!(api.post(&stop, &json!({})).await.error().0, 500);
    accept_records(&records);
    let resumed = api.get("/box?resume=true").await.ok();
    assert_eq!(resumed["resumed"], true);
    let second = session_of(&resumed);
    assert_eq!(api.sh(&second, "echo up").await, "up\n");
    let first = api.get(&format!("/sessions/{session}")).await.ok();
    assert_eq!(first["session"]["status"], "aborted");
}

#[tokio::test]
async fn a_snapshot_that_cannot_be_kept_leaves_nothing_behind() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = api.boot("box").await;
    api.sh(&session, "echo old > file").await;
    let stop = format!("/sessions/{session}/stop");
    let first = api.post(&stop, &json!({})).await.ok();
    for call in ["stop", "snapshot"] {
        let session = session_of(&api.get("/box?resume=true").await.ok());
        api.sh(&session, "echo new > file").await;
        let layers = bench.dir.path().join("layers/plain");
        let aside = bench.dir.path().join("aside");
        std::fs::rename(&layers, &aside).unwrap();
        let failed = api
            .post(&format!("/sessions/{session}/{call}"), &json!({}))
            .await;
        assert_eq!(failed.error().0, 500);
        std::fs::rename(&aside, &layers).unwrap();
        let cells = std::fs::read_dir(bench.dir.path().join("cells")).unwrap();
        assert_eq!(cells.count(), 0);
        let after = api.get("/box").await.ok();
        assert_eq!(after["session"]["status"], "failed");
        assert_eq!(
            after["sandbox"]["currentSnapshotId"],
            first["snapshot"]["id"]
        );
    }
    let session = session_of(&api.get("/box?resume=true").await.ok());
    assert_eq!(api.sh(&session, "cat file").await, "old\n");
}

/// One that was kept but not written down would never be found again.
#[tokio::test]
async fn a_snapshot_that_cannot_be_written_down_leaves_nothing_behind() {
    let bench = Bench::start().await;
    let session = bench.api.boot("box").await;
    let records = refuse_records(&bench);
    let path = format!("/sessions/{session}/snapshot");
    assert_eq!(bench.api.post(&path, &json!({})).await.error().0, 500);
    accept_records(&records);
    for rest in ["cells", "layers/plain"] {
        let left = std::fs::read_dir(bench.dir.path().join(rest)).unwrap();
        assert_eq!(left.count(), 0, "{rest}");
    }
}

/// The official client refuses the whole list when one session lacks what every session has.
#[tokio::test]
async fn a_session_that_could_not_start_is_told_whole() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = api.boot("box").await;
    let stop = format!("/sessions/{session}/stop");
    let stopped = api.post(&stop, &json!({})).await.ok();
    let layer = stopped["snapshot"]["id"].as_str().unwrap();
    std::fs::remove_dir_all(bench.dir.path().join("layers/plain").join(layer)).unwrap();
    let resumed = api.get("/box?resume=true").await;
    assert_eq!(resumed.error(), (409, "conflict"));
    let listed = api.get("/sessions?limit=1").await.ok();
    let failed = &listed["sessions"][0];
    assert_eq!(failed["status"], "failed");
    for field in ["id", "cwd", "region", "projectId", "sourceSandboxName"] {
        assert!(failed[field].is_string(), "{field}: {failed}");
    }
    for field in [
        "memory",
        "vcpus",
        "timeout",
        "requestedAt",
        "createdAt",
        "updatedAt",
        "stoppedAt",
    ] {
        assert!(failed[field].is_number(), "{field}: {failed}");
    }
}

#[tokio::test]
async fn a_create_whose_client_hangs_up_is_finished() {
    let bench = Bench::start().await;
    drop(send(&bench, "POST", "", r#"{"name":"box"}"#));
    let session = until(
        "the sandbox",
        async || bench.api.get("/box").await.body["session"].clone(),
        |session| session["status"] == "running",
    );
    let session = session.await["id"].as_str().unwrap().to_owned();
    assert_eq!(bench.api.sh(&session, "echo up").await, "up\n");
}

#[tokio::test]
async fn readers_that_do_not_read_hold_up_nobody() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = api.boot("box").await;
    let script = "mkfifo gate; read _ < gate; head -c 20000000 /dev/zero | tr '\\0' x";
    let command = api.start(&session, script).await;
    let path = format!("{command}/logs");
    let stalled: Vec<TcpStream> = (0..50).map(|_| send(&bench, "GET", &path, "")).collect();
    api.sh(&session, "echo > gate").await;
    let ended = api.get(&format!("{command}?wait=true")).await.ok();
    assert_eq!(ended["command"]["exitCode"], 0);
    assert_eq!(text(&api.logs(&command).await, "stdout").len(), 20_000_000);
    let stop = format!("/sessions/{session}/stop");
    assert_eq!(
        api.post(&stop, &json!({})).await.ok()["session"]["status"],
        "stopped"
    );
    drop(stalled);
}

#[tokio::test]
async fn sandboxes_that_are_gone_leave_nothing_open() {
    let dir = tempfile::tempdir().unwrap();
    let mut program = Program::start(dir.path());
    let api = program.api.clone();
    let cycle = async || {
        let session = api.boot("box").await;
        api.sh(&session, "sleep 1000 & echo up").await;
        let command = api.start(&session, "exec sleep 1000").await;
        let logs = api.request(Method::GET, &format!("{command}/logs"));
        let logs = logs.send().await.unwrap();
        let nowhere = json!({"command": "no-such-program"});
        api.post(&format!("/sessions/{session}/cmd"), &nowhere)
            .await;
        api.delete("/box").await.ok();
        logs.text().await.unwrap();
    };
    cycle().await;
    let before = program.open_files();
    for _ in 0..10 {
        cycle().await;
    }
    // Connections are kept for the next call; a few more or less say nothing, one a sandbox would.
    until(
        "no more files than before",
        async || program.open_files(),
        |now| *now < before + 5,
    )
    .await;
    for rest in ["cells", "logs", "layers/plain"] {
        let left = std::fs::read_dir(dir.path().join(rest)).unwrap().count();
        assert_eq!(left, 0, "{rest}");
    }
    program.signal(Signal::TERM);
}
