//! What create and update accept, store and tell, and what they refuse by which field.

use super::bench::{Bench, DAY, START, reply};
use reqwest::Method;
use serde_json::{Value, json};

/// Optional means absent: the official client refuses a null.
fn has_no_null(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Array(values) => values.iter().all(has_no_null),
        Value::Object(fields) => fields.values().all(has_no_null),
        _ => true,
    }
}

#[tokio::test]
async fn a_sandbox_has_the_defaults_of_the_service() {
    let bench = Bench::start().await;
    let answer = bench.api.create(&json!({})).await;
    assert!(has_no_null(&answer), "{answer}");
    let (sandbox, session) = (&answer["sandbox"], &answer["session"]);
    let name = sandbox["name"].as_str().unwrap();
    assert_eq!(name.split('-').count(), 3, "{name}");
    let told = [
        (sandbox, "persistent", json!(true)),
        (sandbox, "status", json!("running")),
        (sandbox, "timeout", json!(300_000)),
        (sandbox, "vcpus", json!(2)),
        (sandbox, "memory", json!(4096)),
        (sandbox, "networkPolicy", json!({"mode": "allow-all"})),
        (sandbox, "createdAt", json!(START)),
        (sandbox, "updatedAt", json!(START)),
        (sandbox, "statusUpdatedAt", json!(START)),
        (sandbox, "expiresAt", json!(START + 300_000)),
        (sandbox, "currentSessionId", session["id"].clone()),
        (sandbox, "cwd", session["cwd"].clone()),
        (session, "status", json!("running")),
        (session, "sourceSandboxName", json!(name)),
        (session, "projectId", json!("local")),
        (session, "region", json!("iad1")),
        (session, "timeout", json!(300_000)),
        (session, "requestedAt", json!(START)),
        (session, "startedAt", json!(START)),
    ];
    for (object, field, wanted) in told {
        assert_eq!(object[field], wanted, "{field}");
    }
    let image = sandbox["image"].as_str().unwrap();
    let digest = image
        .strip_prefix("vercel/sandbox/universal@sha256:")
        .unwrap();
    assert_eq!(digest.len(), 64);
    assert_eq!(answer["routes"], json!([]));
    let absent = [
        "currentSnapshotId",
        "totalDurationMs",
        "tags",
        "region",
        "runtime",
        "failoverRegions",
    ];
    for field in absent {
        assert!(sandbox.get(field).is_none(), "{field}");
    }
    for field in [
        "interactivePort",
        "activeCpuDurationMs",
        "networkTransfer",
        "duration",
        "stoppedAt",
    ] {
        assert!(session.get(field).is_none(), "{field}");
    }
}

#[tokio::test]
async fn what_is_asked_for_is_stored_and_told() {
    let bench = Bench::start().await;
    let asked = json!({
        "name": "box", "projectId": "prj_1", "ports": [3000, 8080], "timeout": 600_000, "persistent": false,
        "resources": {"vcpus": 4, "memory": 8192}, "networkPolicy": {"mode": "allow-all"}, "mounts": {},
        "env": {"SECRET": "s3cret"}, "tags": {"env": "staging"}, "snapshotExpiration": 7 * DAY,
        "keepLastSnapshots": {"count": 3, "expiration": 2 * DAY}, "region": "cle1",
        "failoverRegions": ["sfo1"], "__interactive": true, "runtime": "python3.13", "unknown": null,
    });
    let created = bench.api.post("", &asked).await.ok();
    let again = bench.api.get("/box?projectId=prj_1").await.ok();
    for answer in [&created, &again] {
        assert!(!answer.to_string().contains("s3cret"));
        let sandbox = &answer["sandbox"];
        let as_sent = [
            "persistent",
            "timeout",
            "tags",
            "snapshotExpiration",
            "region",
            "failoverRegions",
            "runtime",
        ];
        for field in as_sent {
            assert_eq!(sandbox[field], asked[field], "{field}");
        }
        assert_eq!([&sandbox["vcpus"], &sandbox["memory"]], [4, 8192]);
        let keep = json!({"count": 3, "expiration": 2 * DAY, "deleteEvicted": true});
        assert_eq!(sandbox["keepLastSnapshots"], keep);
        assert!(sandbox.get("image").is_none());
        assert_eq!(answer["session"]["runtime"], "python3.13");
        assert_eq!(answer["session"]["region"], "cle1");
    }
    let ports = |answer: &Value| -> Vec<i64> {
        let routes = answer["routes"].as_array().unwrap();
        routes
            .iter()
            .map(|route| route["port"].as_i64().unwrap())
            .collect()
    };
    assert_eq!(ports(&created), [3000, 8080]);
    let route = &again["routes"][0];
    assert_eq!(route["url"], "http://127.0.0.1:3000");
    assert_eq!(route["subdomain"], created["routes"][0]["subdomain"]);
    let terminal = created["session"]["interactivePort"].as_i64().unwrap();
    let whole = bench
        .api
        .get("/box?projectId=prj_1&__includeSystemRoutes=true")
        .await
        .ok();
    assert_eq!(ports(&whole), [3000, 8080, terminal]);
    assert_eq!(whole["routes"][2]["system"], true);
    let env = bench
        .api
        .sh(created["session"]["id"].as_str().unwrap(), "echo $SECRET")
        .await;
    assert_eq!(env, "s3cret\n");
}

async fn refused(bench: &Bench, cases: &[(Value, &str)]) {
    for (body, field) in cases {
        let answer = bench.api.post("//v3/sandboxes", body).await;
        assert_eq!(answer.error(), (400, "bad_request"), "{body}");
        let message = answer.body["error"]["message"].as_str().unwrap();
        assert!(message.contains(&format!("`{field}`")), "{body}: {message}");
    }
    let left = bench.api.get("").await.ok();
    assert_eq!(left["sandboxes"], json!([]));
}

#[tokio::test]
async fn names_and_numbers_that_break_a_rule_are_refused_by_their_field() {
    let bench = Bench::start().await;
    let long = "x".repeat(129);
    let cases = [
        (json!({"name": "a b"}), "name"),
        (json!({"name": ""}), "name"),
        (json!({"name": long}), "name"),
        (json!({"name": "sessions"}), "name"),
        (json!({"name": 7}), "name"),
        (json!({"projectId": ""}), "projectId"),
        (json!({"ports": [80]}), "ports"),
        (json!({"ports": [65_536]}), "ports"),
        (json!({"ports": [3000.5]}), "ports"),
        (json!({"ports": ["http"]}), "ports"),
        (json!({"ports": (3000..3016).collect::<Vec<_>>()}), "ports"),
        (json!({"timeout": 999}), "timeout"),
        (json!({"timeout": "soon"}), "timeout"),
        (json!({"timeout": null}), "timeout"),
        (json!({"resources": {}}), "resources.vcpus"),
        (json!({"resources": {"vcpus": 3}}), "resources.vcpus"),
        (json!({"resources": {"vcpus": 0}}), "resources.vcpus"),
        (
            json!({"resources": {"vcpus": 2, "memory": 2048}}),
            "resources.memory",
        ),
    ];
    refused(&bench, &cases).await;
}

#[tokio::test]
async fn words_and_maps_that_break_a_rule_are_refused_by_their_field() {
    let bench = Bench::start().await;
    let cases = [
        (json!({"image": "not an image"}), "image"),
        (json!({"image": "repo@sha256:12"}), "image"),
        (json!({"image": "x".repeat(256)}), "image"),
        (json!({"runtime": "node24"}), "runtime"),
        (json!({"runtime": "cobol"}), "runtime"),
        (json!({"persistent": "yes"}), "persistent"),
        (json!({"env": {"A": 1}}), "env"),
        (json!({"env": {"A=B": "1"}}), "env"),
        (
            json!({"tags": {"a": "1", "b": "2", "c": "3", "d": "4", "e": "5", "f": "6"}}),
            "tags",
        ),
        (json!({"tags": {"a": "x".repeat(257)}}), "tags"),
        (json!({"snapshotExpiration": DAY - 1}), "snapshotExpiration"),
        (
            json!({"snapshotExpiration": 3651 * DAY}),
            "snapshotExpiration",
        ),
        (json!({"keepLastSnapshots": {}}), "keepLastSnapshots.count"),
        (
            json!({"keepLastSnapshots": {"count": 11}}),
            "keepLastSnapshots.count",
        ),
        (
            json!({"region": "iad1", "failoverRegions": ["cle1", "iad1"]}),
            "failoverRegions",
        ),
        (
            json!({"networkPolicy": {"mode": "sometimes"}}),
            "networkPolicy.mode",
        ),
        (json!({"networkPolicy": "allow-all"}), "networkPolicy"),
        (json!({"__interactive": 1}), "__interactive"),
    ];
    refused(&bench, &cases).await;
}

#[tokio::test]
async fn bodies_that_are_wrong_as_a_whole_are_refused() {
    let bench = Bench::start().await;
    let too_long = bench.api.post("", &json!({"timeout": DAY + 1})).await;
    assert_eq!(too_long.error(), (400, "sandbox_timeout_invalid"));
    let image = bench
        .api
        .post("", &json!({"image": "vercel/sandbox/node:24"}))
        .await;
    assert_eq!(image.error(), (400, "bad_request"));
    for text in ["{", "\"text\"", "[]", "7"] {
        let request = bench.api.request(Method::POST, "//v4/sandboxes").body(text);
        assert_eq!(reply(request).await.error(), (400, "bad_request"), "{text}");
    }
}

#[tokio::test]
async fn what_cannot_be_done_yet_is_not_pretended() {
    let bench = Bench::start().await;
    let bodies = [json!({"networkId": "net_1"})];
    for body in bodies {
        let answer = bench.api.post("//v4/sandboxes", &body).await;
        assert_eq!(answer.error(), (501, "not_implemented"), "{body}");
    }
}

#[tokio::test]
async fn an_update_changes_what_was_sent_and_null_clears() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let keep = json!({"count": 2, "deleteEvicted": false});
    let created = api
        .create(
            &json!({"name": "box", "tags": {"a": "1"}, "ports": [3000], "keepLastSnapshots": keep}),
        )
        .await;
    bench.advance(5);
    let change = json!({
        "tags": {"c": "3"}, "resources": {"vcpus": 4}, "persistent": false, "timeout": 120_000, "ports": [3000, 4000],
        "snapshotExpiration": 2 * DAY, "region": "iad1", "failoverRegions": ["cle1"], "env": {"NEW": "yes"},
    });
    let answer = api.patch("/box", &change).await.ok();
    let sandbox = &answer["sandbox"];
    assert_eq!(sandbox["tags"], json!({"c": "3"}));
    assert_eq!(
        [&sandbox["vcpus"], &sandbox["memory"], &sandbox["timeout"]],
        [4, 8192, 120_000]
    );
    assert_eq!(sandbox["keepLastSnapshots"], keep);
    assert_eq!(sandbox["updatedAt"], START + 5);
    // The running session is as it was, but for its ports.
    let now = api.get("/box").await.ok();
    assert_eq!(now["session"], created["session"]);
    assert_eq!(now["sandbox"]["expiresAt"], START + 300_000);
    assert_eq!(now["routes"], answer["routes"]);
    assert_eq!(answer["routes"][0], created["routes"][0]);
    assert_eq!(answer["routes"][1]["port"], 4000);
    let session = created["session"]["id"].as_str().unwrap();
    assert_eq!(api.sh(session, "echo $NEW").await, "yes\n");

    let clear = json!({"tags": {}, "keepLastSnapshots": null, "networkId": null, "ports": [], "failoverRegions": [], "mounts": {}});
    let answer = api.patch("/box", &clear).await.ok();
    for field in ["tags", "keepLastSnapshots", "failoverRegions"] {
        assert!(answer["sandbox"].get(field).is_none(), "{field}");
    }
    assert_eq!(answer["routes"], json!([]));
    let refused = [
        (json!({"failoverRegions": ["iad1"]}), 400),
        (json!({"timeout": 1}), 400),
        (json!({"currentSnapshotId": "snap_x"}), 404),
        (json!({"networkId": "net_1"}), 501),
    ];
    for (body, status) in refused {
        assert_eq!(api.patch("/box", &body).await.error().0, status, "{body}");
    }
}

#[tokio::test]
async fn a_name_is_taken_in_its_project_only() {
    let bench = Bench::start().await;
    let body = |project: &str| json!({"name": "box", "projectId": project});
    bench.api.create(&body("p")).await;
    let again = bench.api.post("//v3/sandboxes", &body("p")).await;
    assert_eq!(again.error(), (400, "bad_request"));
    bench.api.create(&body("q")).await;
    assert_eq!(bench.api.get("/box").await.error(), (400, "bad_request"));
    let of_q = bench.api.get("/box?projectId=q").await.ok();
    assert_eq!(of_q["session"]["projectId"], "q");
}
