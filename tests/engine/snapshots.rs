//! Snapshots: listed, expiring, evicted, kept or deleted with their sandbox, and their files with them.

use super::bench::{Bench, DAY, session_of};
use serde_json::{Value, json};

/// Boots the sandbox if it is stopped, stops it, and gives the snapshot of that.
async fn snapshot(bench: &Bench, name: &str) -> String {
    let resumed = bench.api.get(&format!("/{name}?resume=true")).await.ok();
    let stop = format!("/sessions/{}/stop", session_of(&resumed));
    let stopped = bench.api.post(&stop, &json!({})).await.ok();
    stopped["snapshot"]["id"].as_str().unwrap().to_owned()
}

async fn status(bench: &Bench, id: &str) -> String {
    let answer = bench.api.get(&format!("/snapshots/{id}")).await.ok();
    answer["snapshot"]["status"].as_str().unwrap().to_owned()
}

fn has_files(bench: &Bench, id: &str) -> bool {
    bench.dir.path().join("layers/plain").join(id).exists()
}

#[tokio::test]
async fn snapshots_are_listed_newest_first_with_their_line() {
    let bench = Bench::start().await;
    bench.api.boot("box").await;
    bench.api.boot("other").await;
    let first = snapshot(&bench, "box").await;
    let second = snapshot(&bench, "box").await;
    snapshot(&bench, "other").await;
    let answer = bench.api.get("/snapshots?name=box").await.ok();
    let snapshots = answer["snapshots"].as_array().unwrap();
    let ids: Vec<&Value> = snapshots.iter().map(|snapshot| &snapshot["id"]).collect();
    assert_eq!(ids, [&second, &first]);
    assert_eq!(snapshots[0]["parentId"], first);
    assert!(snapshots[1].get("parentId").is_none());
    let page = bench.api.get("/snapshots?limit=2").await.ok();
    let next = page["pagination"]["next"].as_str().unwrap();
    let last = bench
        .api
        .get(&format!("/snapshots?limit=2&cursor={next}"))
        .await
        .ok();
    assert_eq!(last["snapshots"][0]["id"], first);
    assert_eq!(last["pagination"]["next"], Value::Null);
}

#[tokio::test]
async fn a_snapshot_expires_after_its_last_use() {
    let bench = Bench::start().await;
    bench
        .api
        .create(&json!({"name": "box", "snapshotExpiration": 2 * DAY}))
        .await;
    let id = snapshot(&bench, "box").await;
    bench.advance(DAY);
    // A use puts the end off; this session makes a snapshot of its own.
    let next = snapshot(&bench, "box").await;
    bench.advance(2 * DAY - 1);
    assert_eq!(status(&bench, &id).await, "created");
    bench.advance(1);
    assert_eq!(status(&bench, &id).await, "deleted");
    assert_eq!(status(&bench, &next).await, "deleted");
    assert!(!has_files(&bench, &id) && !has_files(&bench, &next));
    let gone = bench.api.get("/box?resume=true").await;
    assert_eq!(gone.error(), (410, "snapshot_not_found"));
}

#[tokio::test]
async fn zero_means_for_ever() {
    let bench = Bench::start().await;
    bench
        .api
        .create(&json!({"name": "box", "snapshotExpiration": 0}))
        .await;
    let id = snapshot(&bench, "box").await;
    bench.advance(4000 * DAY);
    let answer = bench.api.get(&format!("/snapshots/{id}")).await.ok();
    assert_eq!(answer["snapshot"]["status"], "created");
    assert!(answer["snapshot"].get("expiresAt").is_none());
}

#[tokio::test]
async fn only_the_newest_survive_where_the_sandbox_says_so() {
    let bench = Bench::start().await;
    bench
        .api
        .create(&json!({"name": "box", "keepLastSnapshots": {"count": 1}}))
        .await;
    let first = snapshot(&bench, "box").await;
    let second = snapshot(&bench, "box").await;
    assert_eq!(status(&bench, &first).await, "deleted");
    assert_eq!(status(&bench, &second).await, "created");
    // The second is built upon the files of the first.
    assert!(has_files(&bench, &first));
}

#[tokio::test]
async fn snapshots_stay_when_their_sandbox_is_deleted_unless_told() {
    let bench = Bench::start().await;
    bench.api.boot("keeping").await;
    bench.api.boot("dropping").await;
    let kept = snapshot(&bench, "keeping").await;
    let shared = snapshot(&bench, "dropping").await;
    let orphan = snapshot(&bench, "dropping").await;
    let back = json!({"currentSnapshotId": shared});
    bench.api.patch("/keeping", &back).await.ok();
    bench
        .api
        .delete("/dropping?deleteOrphanSnapshots=true")
        .await
        .ok();
    assert_eq!(status(&bench, &orphan).await, "deleted");
    assert!(!has_files(&bench, &orphan));
    assert_eq!(status(&bench, &shared).await, "created");
    bench.api.delete("/keeping").await.ok();
    assert_eq!(status(&bench, &kept).await, "created");
    assert!(has_files(&bench, &kept));
    assert_eq!(bench.api.get("/sessions").await.ok()["sessions"], json!([]));
    assert_eq!(
        bench.api.delete("/keeping").await.error(),
        (404, "not_found")
    );
}

/// A name may be used again; what an earlier bearer left is not the later one's to lose.
#[tokio::test]
async fn a_namesake_does_not_touch_what_an_earlier_sandbox_left() {
    let bench = Bench::start().await;
    bench.api.boot("box").await;
    let left = snapshot(&bench, "box").await;
    bench.api.delete("/box").await.ok();
    bench.advance(1);
    let keep_one = json!({"name": "box", "keepLastSnapshots": {"count": 1}});
    bench.api.create(&keep_one).await;
    let own = snapshot(&bench, "box").await;
    assert_eq!(status(&bench, &left).await, "created");
    bench
        .api
        .delete("/box?deleteOrphanSnapshots=true")
        .await
        .ok();
    assert_eq!(status(&bench, &own).await, "deleted");
    assert_eq!(status(&bench, &left).await, "created");
    assert!(has_files(&bench, &left));
}

#[tokio::test]
async fn a_sandbox_goes_back_to_a_snapshot() {
    let bench = Bench::start().await;
    let session = bench.api.boot("box").await;
    bench.api.sh(&session, "echo 1 > file").await;
    let first = snapshot(&bench, "box").await;
    let session = session_of(&bench.api.get("/box?resume=true").await.ok());
    bench.api.sh(&session, "echo 2 > file").await;
    snapshot(&bench, "box").await;
    let back = bench
        .api
        .patch("/box", &json!({"currentSnapshotId": first}))
        .await
        .ok();
    assert_eq!(back["sandbox"]["currentSnapshotId"], first);
    let session = session_of(&bench.api.get("/box?resume=true").await.ok());
    assert_eq!(bench.api.sh(&session, "cat file").await, "1\n");
}
