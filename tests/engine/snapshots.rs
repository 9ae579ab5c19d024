//! Snapshots: listed, expiring, evicted, kept or deleted with their sandbox, and their files with them.

use super::bench::{Bench, DAY, START, reply, session_of, until};
use reqwest::Method;
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

/// Files go after the answer.
async fn files_go(bench: &Bench, id: &str) {
    until(
        "the end of the files",
        async || has_files(bench, id),
        |has| !has,
    )
    .await;
}

/// Takes one by hand, of the running session.
async fn manual(bench: &Bench, path: &str, session: &str, body: &Value) -> Value {
    let path = format!("//{path}/sandboxes/sessions/{session}/snapshot");
    let taken = bench.api.post(&path, body).await;
    assert_eq!(taken.status, 201, "{}", taken.body);
    taken.body
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
    files_go(&bench, &id).await;
    files_go(&bench, &next).await;
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
    files_go(&bench, &first).await;
    assert!(has_files(&bench, &second));
}

#[tokio::test]
async fn those_that_give_way_may_live_on_for_the_usual_time() {
    let bench = Bench::start().await;
    let keep = json!({"count": 1, "expiration": DAY, "deleteEvicted": false});
    let body = json!({"name": "box", "keepLastSnapshots": keep, "snapshotExpiration": 3 * DAY});
    bench.api.create(&body).await;
    let first = snapshot(&bench, "box").await;
    let second = snapshot(&bench, "box").await;
    for (id, days) in [(&first, 3), (&second, 1)] {
        let answer = bench.api.get(&format!("/snapshots/{id}")).await.ok();
        assert_eq!(answer["snapshot"]["status"], "created");
        assert_eq!(answer["snapshot"]["expiresAt"], START + days * DAY);
    }
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
    files_go(&bench, &orphan).await;
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

#[tokio::test]
async fn a_snapshot_by_hand_ends_the_session_and_says_how_long_it_lives() {
    let bench = Bench::start().await;
    let session = bench.api.boot("box").await;
    bench.api.sh(&session, "echo kept > file").await;
    let taken = manual(&bench, "v2", &session, &json!({})).await;
    assert_eq!(taken["session"]["status"], "stopped");
    assert_eq!(taken["session"]["snapshottedAt"], START);
    let first = &taken["snapshot"];
    assert_eq!(first["creationMethod"], "manual");
    assert_eq!(first["status"], "created");
    assert_eq!(first["sourceSessionId"], session);
    assert_eq!(first["sizeBytes"], 5);
    assert_eq!(first["expiresAt"], START + 30 * DAY);
    let path = format!("/sessions/{session}/snapshot");
    let again = bench.api.post(&path, &json!({})).await;
    assert_eq!(again.error(), (410, "sandbox_stopped"));

    for (version, body, days) in [
        ("v3", json!({}), Some(7)),
        ("v3", json!({"expiration": 2 * DAY}), Some(2)),
        ("v2", json!({"expiration": 0}), None),
    ] {
        let resumed = bench.api.get("/box?resume=true").await.ok();
        let session = session_of(&resumed);
        assert_eq!(bench.api.sh(&session, "cat file").await, "kept\n");
        let taken = manual(&bench, version, &session, &body).await;
        let expires = taken["snapshot"]["expiresAt"].as_i64();
        assert_eq!(expires, days.map(|days| START + days * DAY), "{version}");
        let sandbox = bench.api.get("/box").await.ok();
        assert_eq!(
            sandbox["sandbox"]["currentSnapshotId"],
            taken["snapshot"]["id"]
        );
    }
    let nonsense = json!({"expiration": 5});
    let session = session_of(&bench.api.get("/box?resume=true").await.ok());
    let path = format!("/sessions/{session}/snapshot");
    let refused = bench.api.post(&path, &nonsense).await;
    assert_eq!(refused.error(), (400, "bad_request"));
    assert_eq!(bench.api.sh(&session, "echo up").await, "up\n");
    // Without any body, as the official client sends it.
    let request = bench.api.request(Method::POST, &path);
    assert_eq!(reply(request).await.status, 201);
}

/// The only way to keep the files of a sandbox that is not persistent.
#[tokio::test]
async fn a_snapshot_by_hand_is_taken_of_any_sandbox_and_resumed_from() {
    let bench = Bench::start().await;
    let body = json!({"name": "box", "persistent": false});
    let session = session_of(&bench.api.create(&body).await);
    bench.api.sh(&session, "echo kept > file").await;
    let taken = manual(&bench, "v2", &session, &json!({})).await;
    let resumed = bench.api.get("/box?resume=true").await.ok();
    assert_eq!(
        resumed["session"]["sourceSnapshotId"],
        taken["snapshot"]["id"]
    );
    let session = session_of(&resumed);
    assert_eq!(bench.api.sh(&session, "cat file").await, "kept\n");
}

#[tokio::test]
async fn a_sandbox_starts_from_a_snapshot_of_its_project_that_is_still_there() {
    let bench = Bench::start().await;
    let session = bench.api.boot("box").await;
    bench.api.sh(&session, "echo kept > file").await;
    let id = snapshot(&bench, "box").await;
    let from = |id: &str, project: &str| {
        let source = json!({"type": "snapshot", "snapshotId": id});
        json!({"source": source, "projectId": project})
    };
    bench.advance(DAY);
    let made = bench.api.create(&from(&id, "local")).await;
    assert_eq!(made["session"]["sourceSnapshotId"], id);
    // What it would start from once more.
    assert_eq!(made["sandbox"]["currentSnapshotId"], id);
    let session = session_of(&made);
    assert_eq!(bench.api.sh(&session, "cat file").await, "kept\n");
    let used = bench.api.get(&format!("/snapshots/{id}")).await.ok();
    assert_eq!(used["snapshot"]["lastUsedAt"], START + DAY);
    assert_eq!(used["snapshot"]["expiresAt"], START + 31 * DAY);

    let create = async |body| bench.api.post("//v3/sandboxes", &body).await;
    let nowhere = create(from("snap_nowhere", "local")).await;
    assert_eq!(nowhere.error(), (404, "not_found"));
    let foreign = create(from(&id, "other")).await;
    assert_eq!(foreign.error(), (404, "not_found"));
    bench.api.delete(&format!("/snapshots/{id}")).await.ok();
    let gone = create(from(&id, "local")).await;
    assert_eq!(gone.error(), (410, "snapshot_not_found"));
    let named = json!({"name": "new", "source": {"type": "snapshot", "snapshotId": id}});
    assert_eq!(create(named).await.status, 410);
    assert_eq!(bench.api.get("/new").await.status, 404);
    let bare = json!({"source": {"type": "snapshot"}});
    assert_eq!(create(bare).await.error(), (400, "bad_request"));
}

#[tokio::test]
async fn a_deleted_snapshot_is_told_as_such_and_nothing_starts_from_it() {
    let bench = Bench::start().await;
    bench.api.boot("box").await;
    let id = snapshot(&bench, "box").await;
    let path = format!("/snapshots/{id}");
    for _ in 0..2 {
        let deleted = bench.api.delete(&path).await.ok();
        assert_eq!(deleted["snapshot"]["status"], "deleted");
        assert!(deleted["snapshot"].get("expiresAt").is_none());
    }
    files_go(&bench, &id).await;
    let listed = bench.api.get("/snapshots?name=box").await.ok();
    assert_eq!(listed["snapshots"][0]["status"], "deleted");
    let resumed = bench.api.get("/box?resume=true").await;
    assert_eq!(resumed.error(), (410, "snapshot_not_found"));
    let back = json!({"currentSnapshotId": id});
    let back = bench.api.patch("/box", &back).await;
    assert_eq!(back.error(), (404, "not_found"));
    let unknown = bench.api.delete("/snapshots/snap_nowhere").await;
    assert_eq!(unknown.error(), (404, "not_found"));
}

/// Expiry needs nobody who asks.
#[tokio::test]
async fn files_of_expired_snapshots_go_by_themselves() {
    let bench = Bench::start().await;
    let body = json!({"name": "box", "snapshotExpiration": DAY});
    bench.api.create(&body).await;
    let id = snapshot(&bench, "box").await;
    assert!(has_files(&bench, &id));
    bench.advance(DAY);
    files_go(&bench, &id).await;
}

#[tokio::test]
async fn the_tree_is_walked_up_and_down_in_pages() {
    let bench = Bench::start().await;
    let api = &bench.api;
    api.boot("box").await;
    let mut line = Vec::new();
    for _ in 0..4 {
        bench.advance(1);
        line.push(snapshot(&bench, "box").await);
    }
    // Two more branches of the second.
    let back = json!({"currentSnapshotId": line[1]});
    api.patch("/box", &back).await.ok();
    bench.advance(1);
    let branch = snapshot(&bench, "box").await;
    let forked = api.post("/box/fork", &json!({"name": "twin"})).await.ok();
    assert_eq!(forked["session"]["sourceSnapshotId"], branch);
    let walk = async |anchor: &str, rest: &str| {
        let path = format!("/snapshots/tree?snapshotId={anchor}{rest}");
        let answer = api.get(&path).await.ok();
        let nodes = answer["snapshots"].as_array().unwrap().iter();
        let ids: Vec<String> = nodes
            .map(|node| node["snapshot"]["id"].as_str().unwrap().to_owned())
            .collect();
        (ids, answer)
    };
    let (up, answer) = walk(&line[3], "&project=local").await;
    assert_eq!(up, [&line[2], &line[1], &line[0]].map(Clone::clone));
    assert_eq!(answer["pagination"], json!({"count": 3, "next": null}));
    assert_eq!(answer["anchor"]["snapshot"]["id"], line[3]);
    let third = &answer["snapshots"][0];
    assert_eq!(third["siblings"][0]["id"], branch);
    assert_eq!(third["count"], "2");
    let root = &answer["snapshots"][2];
    assert_eq!(
        (&root["siblings"], &root["count"]),
        (&json!([]), &json!("1"))
    );

    let (first, answer) = walk(&line[3], "&limit=2&sortOrder=desc").await;
    assert_eq!(first, [line[2].clone(), line[1].clone()]);
    let next = answer["pagination"]["next"].as_str().unwrap().to_owned();
    let (rest, answer) = walk(&next, "&limit=2&sortOrder=desc").await;
    assert_eq!(rest, [line[0].clone()]);
    assert_eq!(answer["pagination"]["next"], Value::Null);

    // Downwards the newest branch is the way.
    let (down, _) = walk(&line[0], "&sortOrder=asc").await;
    assert_eq!(down, [line[1].clone(), branch.clone()]);
    let (down, _) = walk(&line[2], "&sortOrder=asc").await;
    assert_eq!(down, [line[3].clone()]);

    for (path, error) in [
        ("snapshotId=snap_nowhere", (404, "not_found")),
        ("limit=2", (400, "bad_request")),
    ] {
        let refused = api.get(&format!("/snapshots/tree?{path}")).await;
        assert_eq!(refused.error(), error, "{path}");
    }
    let foreign = format!("/snapshots/tree?snapshotId={branch}&project=other");
    assert_eq!(api.get(&foreign).await.error(), (404, "not_found"));
}

/// A project is called by its id or by its name.
#[tokio::test]
async fn the_tree_is_of_the_project_however_that_is_called() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let project = api.post("//v11/projects", &json!({"name": "mine"})).await;
    let project = project.body["id"].as_str().unwrap().to_owned();
    let body = json!({"name": "box", "projectId": "mine"});
    let session = session_of(&api.create(&body).await);
    let taken = manual(&bench, "v2", &session, &json!({})).await;
    let id = taken["snapshot"]["id"].as_str().unwrap();
    for (called, status) in [("mine", 200), (&project, 200), ("other", 404)] {
        let path = format!("/snapshots/tree?snapshotId={id}&project={called}");
        assert_eq!(api.get(&path).await.status, status, "{called}");
    }
}
