//! The life of a session on a clock moved by hand: limits, extensions, stops, resumes.

use super::bench::{Api, Bench, DAY, START, options, session_of, until};
use sandtop::engine::{Clock, serve};
use serde_json::{Value, json};

#[tokio::test]
async fn a_session_ends_at_its_limit_and_not_before() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let created = api.create(&json!({"name": "box", "timeout": 60_000})).await;
    bench.advance(59_999);
    let session = session_of(&created);
    assert_eq!(api.sh(&session, "echo alive").await, "alive\n");
    bench.advance(1);
    let path = format!("/sessions/{session}");
    let ended = until(
        "the end of the session",
        async || api.get(&path).await.ok()["session"].clone(),
        |session| session["status"] == "stopped",
    );
    let ended = ended.await;
    let at_the_limit = START + 60_000;
    for field in ["requestedStopAt", "snapshottedAt", "stoppedAt", "updatedAt"] {
        assert_eq!(ended[field], at_the_limit, "{field}");
    }
    assert_eq!(ended["duration"], 60_000);
    assert!(ended["activeCpuDurationMs"].is_number());
    let sandbox = &api.get("/box").await.ok()["sandbox"];
    assert_eq!(sandbox["status"], "stopped");
    assert_eq!(sandbox["statusUpdatedAt"], at_the_limit);
    assert_eq!(sandbox["totalDurationMs"], 60_000);
    assert!(sandbox.get("expiresAt").is_none());
    assert!(sandbox["currentSnapshotId"].is_string());
}

#[tokio::test]
async fn limits_hold_by_the_real_clock() {
    let dir = tempfile::tempdir().unwrap();
    let engine = serve(options(dir.path()), Clock::System).await.unwrap();
    let api = Api::new(&engine.url);
    let session = session_of(&api.create(&json!({"name": "box", "timeout": 1500})).await);
    let run = json!({"command": "sleep", "args": ["1000"], "timeout": 100});
    let path = format!("/sessions/{session}/cmd");
    let started = api.post(&path, &run).await.ok();
    let command = format!("{path}/{}", started["command"]["id"].as_str().unwrap());
    let ended = api.get(&format!("{command}?wait=true")).await.ok();
    assert_eq!(ended["command"]["exitCode"], 137);
    let path = format!("/sessions/{session}");
    let ended = until(
        "the end of the session",
        async || api.get(&path).await.ok()["session"].clone(),
        |session| session["status"] == "stopped",
    );
    assert!(ended.await["duration"].as_i64().unwrap() >= 1500);
    engine.shutdown().await;
}

#[tokio::test]
async fn an_extension_moves_the_limit_up_to_the_longest() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = session_of(&api.create(&json!({"name": "box", "timeout": 4000})).await);
    let extend = format!("/sessions/{session}/extend-timeout");
    let answer = api.post(&extend, &json!({"duration": 60_000})).await.ok();
    assert_eq!(answer["session"]["timeout"], 64_000);
    let sandbox = api.get("/box").await.ok()["sandbox"].clone();
    assert_eq!(sandbox["expiresAt"], START + 64_000);
    assert_eq!(sandbox["timeout"], 4000);
    bench.advance(10_000);
    assert_eq!(api.sh(&session, "echo alive").await, "alive\n");
    let refused = [
        (json!({"duration": 999}), "bad_request"),
        (json!({"duration": -5000}), "bad_request"),
        (json!({"duration": "soon"}), "bad_request"),
        (json!({}), "bad_request"),
        (json!({"duration": DAY}), "sandbox_timeout_invalid"),
    ];
    for (body, code) in refused {
        let answer = api.post(&extend, &body).await;
        assert_eq!(answer.error(), (400, code), "{body}");
    }
    let longest = json!({"duration": DAY - 64_000});
    assert_eq!(
        api.post(&extend, &longest).await.ok()["session"]["timeout"],
        DAY
    );
}

#[tokio::test]
async fn a_stop_keeps_the_files_of_a_persistent_sandbox() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = api.boot("box").await;
    api.sh(&session, "printf 12345 > kept").await;
    bench.advance(7000);
    let stop = format!("/sessions/{session}/stop");
    let answer = api.post(&stop, &json!({})).await.ok();
    let snapshot = &answer["snapshot"];
    assert_eq!(answer["session"]["status"], "stopped");
    assert_eq!(answer["session"]["duration"], 7000);
    assert_eq!(answer["sandbox"]["currentSnapshotId"], snapshot["id"]);
    assert_eq!(snapshot["sizeBytes"], 5);
    assert_eq!(snapshot["sourceSessionId"], session);
    assert_eq!(snapshot["creationMethod"], "automatic");
    assert_eq!(snapshot["region"], "iad1");
    assert_eq!(snapshot["expiresAt"], START + 7000 + 30 * DAY);
    assert_eq!(
        api.post(&stop, &json!({})).await.error(),
        (410, "sandbox_stopped")
    );

    bench.advance(1000);
    let looked = api.get("/box?resume=false").await.ok();
    assert_eq!(looked["session"]["id"], session);
    assert_eq!(looked["resumed"], false);
    let resumed = api.get("/box?resume=true").await.ok();
    assert_eq!(resumed["resumed"], true);
    assert_eq!(resumed["session"]["sourceSnapshotId"], snapshot["id"]);
    assert_eq!(resumed["sandbox"]["expiresAt"], START + 8000 + 300_000);
    let second = session_of(&resumed);
    assert_ne!(second, session);
    assert_eq!(api.sh(&second, "cat kept").await, "12345");
    let same = api.get("/box?resume=true").await.ok();
    assert_eq!(
        (session_of(&same), &same["resumed"]),
        (second, &json!(false))
    );
}

#[tokio::test]
async fn a_stop_of_one_that_is_not_persistent_keeps_nothing() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = session_of(
        &api.create(&json!({"name": "box", "persistent": false}))
            .await,
    );
    api.sh(&session, "echo gone > file").await;
    let answer = api
        .post(&format!("/sessions/{session}/stop"), &json!({}))
        .await
        .ok();
    let fields: Vec<&String> = answer.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["session"]);
    let resumed = api.get("/box?resume=true").await.ok();
    let second = session_of(&resumed);
    assert_eq!(api.sh(&second, "ls").await, "");
}

#[tokio::test]
async fn a_stopped_session_answers_gone() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = api.boot("box").await;
    let command = api.start(&session, "true").await;
    api.post(&format!("/sessions/{session}/stop"), &json!({}))
        .await
        .ok();
    let run = json!({"command": "true"});
    let at = |rest: &str| format!("/sessions/{session}{rest}");
    let answers = [
        api.get(&at("/cmd")).await,
        api.post(&at("/cmd"), &run).await,
        api.get(&command).await,
        api.get(&format!("{command}/logs")).await,
        api.post(&format!("{command}/kill"), &json!({"signal": 9}))
            .await,
        api.post(&at("/extend-timeout"), &json!({"duration": 1000}))
            .await,
    ];
    for answer in answers {
        assert_eq!(answer.error(), (410, "sandbox_stopped"));
    }
    assert_eq!(api.get(&at("")).await.ok()["session"]["status"], "stopped");
}

#[tokio::test]
async fn stops_at_once_end_it_once_and_resumes_at_once_start_it_once() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = api.boot("box").await;
    let stop = format!("/sessions/{session}/stop");
    let empty = json!({});
    let (one, two) = tokio::join!(api.post(&stop, &empty), api.post(&stop, &empty));
    let stopped: Vec<Value> = [one, two]
        .into_iter()
        .filter(|answer| answer.status != 410)
        .map(|answer| answer.ok()["snapshot"]["id"].clone())
        .collect();
    assert!(!stopped.is_empty());
    let all = api.get("/snapshots").await.ok();
    assert_eq!(all["pagination"]["count"], 1);
    assert!(stopped.iter().all(|id| *id == all["snapshots"][0]["id"]));

    let resume = "/box?resume=true";
    let (one, two) = tokio::join!(api.get(resume), api.get(resume));
    let (one, two) = (one.ok(), two.ok());
    assert_eq!(session_of(&one), session_of(&two));
    assert_ne!(one["resumed"], two["resumed"]);
}

#[tokio::test]
async fn an_update_boots_only_when_it_is_asked_to() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = api.boot("box").await;
    let stop = format!("/sessions/{session}/stop");
    api.post(&stop, &json!({})).await.ok();
    let tags = json!({"tags": {"k": "v"}});
    let updated = api.patch("/box", &tags).await.ok();
    assert_eq!(updated["sandbox"]["status"], "stopped");
    for resumed in [true, false] {
        let updated = api.patch("/box?resume=true", &tags).await.ok();
        assert_eq!(updated["resumed"], resumed);
        assert_eq!(updated["sandbox"]["tags"], tags["tags"]);
        assert_eq!(updated["session"]["status"], "running");
        assert_ne!(session_of(&updated), session);
    }
}

#[tokio::test]
async fn a_session_whose_processes_die_is_aborted() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = api.boot("box").await;
    // The agent is the parent of every command; whether it still tells that it started this one is its affair.
    let murder = json!({"command": "sh", "args": ["-c", "kill -9 $PPID"]});
    api.post(&format!("/sessions/{session}/cmd"), &murder).await;
    let path = format!("/sessions/{session}");
    let ended = until(
        "the abort",
        async || api.get(&path).await.ok()["session"].clone(),
        |session| session["status"] != "running",
    );
    let ended = ended.await;
    assert_eq!(
        (&ended["status"], &ended["abortedAt"]),
        (&json!("aborted"), &json!(START))
    );
    assert!(ended.get("stoppedAt").is_none());
    assert_eq!(api.get("/box").await.ok()["sandbox"]["status"], "aborted");
}
