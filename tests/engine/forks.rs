//! Forks: a new sandbox by the example of another.

use super::bench::{Bench, DAY, session_of};
use serde_json::{Value, json};

fn source() -> Value {
    json!({
        "name": "source",
        "env": {"WHO": "source", "B": "1"},
        "tags": {"kind": "source"},
        "ports": [3000],
        "timeout": 600_000,
        "resources": {"vcpus": 4},
        "persistent": false,
        "image": "some/image",
        "snapshotExpiration": 2 * DAY,
        "keepLastSnapshots": {"count": 3},
        "region": "sfo1",
        "failoverRegions": ["cle1"],
    })
}

const SETTINGS: [&str; 11] = [
    "persistent",
    "timeout",
    "vcpus",
    "memory",
    "image",
    "tags",
    "networkPolicy",
    "snapshotExpiration",
    "keepLastSnapshots",
    "region",
    "failoverRegions",
];

#[tokio::test]
async fn a_fork_has_the_settings_and_the_saved_files_and_goes_its_own_way() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let made = api.create(&source()).await;
    let session = session_of(&made);
    api.sh(&session, "echo base > file").await;
    let path = format!("/sessions/{session}/snapshot");
    let taken = api.post(&path, &json!({})).await.body;
    // What runs now is not part of it.
    let session = session_of(&api.get("/source?resume=true").await.ok());
    api.sh(&session, "echo later > file").await;

    let fork = api
        .post("/source/fork", &json!({"name": "fork"}))
        .await
        .ok();
    for field in SETTINGS {
        assert_eq!(fork["sandbox"][field], made["sandbox"][field], "{field}");
    }
    assert_eq!(fork["session"]["sourceSnapshotId"], taken["snapshot"]["id"]);
    for field in ["totalDurationMs", "totalActiveCpuDurationMs"] {
        assert!(fork["sandbox"].get(field).is_none(), "{field}");
    }
    let (old, new) = (&made["routes"][0], &fork["routes"][0]);
    assert_eq!(old["port"], new["port"]);
    assert_ne!(old["subdomain"], new["subdomain"]);
    let forked = session_of(&fork);
    let script = "cat file; echo $WHO; echo changed > file";
    assert_eq!(api.sh(&forked, script).await, "base\nsource\n");
    assert_eq!(api.sh(&session, "cat file").await, "later\n");

    let unnamed = api
        .post("//v3/sandboxes/source/fork", &json!({}))
        .await
        .ok();
    assert_ne!(unnamed["sandbox"]["name"], "source");
    assert_eq!(api.sh(&session_of(&unnamed), "cat file").await, "base\n");
}

#[tokio::test]
async fn what_is_given_replaces_what_the_source_has() {
    let bench = Bench::start().await;
    let api = &bench.api;
    api.create(&source()).await;
    let given = json!({
        "name": "fork",
        "env": {"A": "2"},
        "tags": {"kind": "fork"},
        "ports": [4000],
        "timeout": 240_000,
        "resources": {"vcpus": 2},
        "persistent": true,
        "keepLastSnapshots": {"count": 5},
        "__interactive": true,
    });
    let fork = api.post("/source/fork", &given).await.ok();
    let sandbox = &fork["sandbox"];
    assert_eq!(sandbox["tags"], given["tags"]);
    assert_eq!(sandbox["timeout"], 240_000);
    assert_eq!(
        (&sandbox["vcpus"], &sandbox["memory"]),
        (&json!(2), &json!(4096))
    );
    assert_eq!(sandbox["persistent"], true);
    assert_eq!(sandbox["keepLastSnapshots"]["count"], 5);
    assert_eq!(sandbox["snapshotExpiration"], 2 * DAY);
    assert_eq!(fork["routes"][0]["port"], 4000);
    assert!(fork["session"]["interactivePort"].as_i64().unwrap() > 0);
    let script = "echo $A ${B-unset} ${WHO-unset}";
    assert_eq!(api.sh(&session_of(&fork), script).await, "2 unset unset\n");
}

#[tokio::test]
async fn a_fork_without_a_snapshot_starts_afresh_and_some_are_refused() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = api.boot("source").await;
    api.sh(&session, "echo not saved > file").await;
    let fork = api
        .post("/source/fork", &json!({"name": "fork"}))
        .await
        .ok();
    assert!(fork["session"].get("sourceSnapshotId").is_none());
    let look = "cat file 2>/dev/null || echo none";
    assert_eq!(api.sh(&session_of(&fork), look).await, "none\n");

    let unknown = api.post("/nowhere/fork", &json!({})).await;
    assert_eq!(unknown.error(), (404, "not_found"));
    let taken = api.post("/source/fork", &json!({"name": "fork"})).await;
    assert_eq!(taken.error(), (400, "bad_request"));
    let runtime = api
        .post("/source/fork", &json!({"runtime": "node24"}))
        .await;
    assert_eq!(runtime.error(), (400, "bad_request"));

    let stop = format!("/sessions/{session}/stop");
    let stopped = api.post(&stop, &json!({})).await.ok();
    let id = stopped["snapshot"]["id"].as_str().unwrap();
    api.delete(&format!("/snapshots/{id}")).await.ok();
    let gone = api.post("/source/fork", &json!({"name": "late"})).await;
    assert_eq!(gone.error(), (410, "snapshot_not_found"));
    assert_eq!(api.get("/late").await.status, 404);
}

/// Deleting a sandbox with its snapshots spares those that a fork of it starts from.
#[tokio::test]
async fn what_a_fork_starts_from_outlives_the_source() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = api.boot("source").await;
    api.sh(&session, "echo base > file").await;
    let stop = format!("/sessions/{session}/stop");
    let stopped = api.post(&stop, &json!({})).await.ok();
    let body = json!({"name": "fork", "persistent": false});
    let fork = session_of(&api.post("/source/fork", &body).await.ok());
    api.delete("/source?deleteOrphanSnapshots=true").await.ok();
    let id = stopped["snapshot"]["id"].as_str().unwrap();
    let kept = api.get(&format!("/snapshots/{id}")).await.ok();
    assert_eq!(kept["snapshot"]["status"], "created");
    api.post(&format!("/sessions/{fork}/stop"), &json!({}))
        .await
        .ok();
    let resumed = api.get("/fork?resume=true").await.ok();
    assert_eq!(api.sh(&session_of(&resumed), "cat file").await, "base\n");
}
