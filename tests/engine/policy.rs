//! Network policies: what is told of them, where they are kept, and what is enforced.

use super::bench::{Api, Bench, TOKEN, options, session_of};
use super::caller::script;
use sandtop::engine::cell::{Level, probe};
use sandtop::engine::{Clock, Options, serve};
use serde_json::{Value, json};

fn secret() -> Value {
    json!({
        "allow": {
            "api.example.com": [{"match": {"method": ["GET"]}, "transform": [{"headers": {"authorization": "s3cret"}}]}],
            "example.org": [{"forwardURL": "https://proxy.example"}, {"response": {"statusCode": 403}}],
        },
        "subnets": {"allow": ["192.0.2.0/24"], "deny": ["198.51.100.0/24"]},
    })
}

fn told() -> Value {
    json!({
        "mode": "custom", "allowedDomains": ["api.example.com", "example.org"], "allowedCIDRs": ["192.0.2.0/24"],
        "deniedCIDRs": ["198.51.100.0/24"],
        "injectionRules": [{"domain": "api.example.com", "headerNames": ["authorization"], "match": {"method": ["GET"]}}],
        "forwardRules": [{"domain": "example.org", "forwardURL": "https://proxy.example"}],
    })
}

#[tokio::test]
async fn a_policy_is_kept_and_told_without_its_secrets() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let created = api
        .create(&json!({"name": "box", "networkPolicy": secret()}))
        .await;
    let list = api.get("").await.ok();
    for answer in [&created, &api.get("/box").await.ok()] {
        assert_eq!(answer["sandbox"]["networkPolicy"], told());
        assert_eq!(answer["session"]["networkPolicy"], told());
    }
    let session = session_of(&created);
    let stopped = api
        .post(&format!("/sessions/{session}/stop"), &json!({}))
        .await
        .ok();
    let resumed = api.get("/box?resume=true").await.ok();
    assert_eq!(resumed["session"]["networkPolicy"], told());
    for answer in [&created, &list, &stopped, &resumed] {
        assert!(!answer.to_string().contains("s3cret"), "{answer}");
    }
    for file in std::fs::read_dir(bench.dir.path()).unwrap() {
        let path = file.unwrap().path();
        let content = std::fs::read(&path).unwrap_or_default();
        let found = content.windows(6).any(|window| window == b"s3cret");
        assert!(!found, "{}", path.display());
    }
}

#[tokio::test]
async fn an_update_is_for_the_next_session_and_a_session_has_its_own() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = api.boot("box").await;
    let policies = async || {
        let answer = api.get("/box").await.ok();
        let mode = |object: &str| answer[object]["networkPolicy"]["mode"].clone();
        (mode("sandbox"), mode("session"))
    };
    let patch = json!({"networkPolicy": {"mode": "deny-all"}});
    let patched = api.patch("/box", &patch).await.ok();
    assert_eq!(
        patched["sandbox"]["networkPolicy"],
        json!({"mode": "deny-all"})
    );
    assert_eq!(policies().await, (json!("deny-all"), json!("allow-all")));

    let path = format!("/sessions/{session}/network-policy");
    bench.advance(5);
    let set = api.post(&path, &secret()).await.ok();
    assert_eq!(set["session"]["networkPolicy"], told());
    assert_eq!(set["session"]["updatedAt"], super::bench::START + 5);
    assert_eq!(policies().await, (json!("deny-all"), json!("custom")));

    for (body, named) in [
        (json!({"mode": "sometimes"}), "`mode`"),
        (json!({"allow": [7]}), "`allow[0]`"),
        (json!({"subnet": {}}), "`subnet`"),
    ] {
        let refused = api.post(&path, &body).await;
        assert_eq!(refused.error(), (400, "bad_request"));
        assert!(refused.body.to_string().contains(named), "{refused:?}");
    }
    assert_eq!(policies().await, (json!("deny-all"), json!("custom")));

    let refused = api
        .patch("/box", &json!({"networkPolicy": {"mode": "x"}}))
        .await;
    assert!(refused.body.to_string().contains("`networkPolicy.mode`"));
    let stopped = api
        .post(&format!("/sessions/{session}/stop"), &json!({}))
        .await;
    stopped.ok();
    let gone = api.post(&path, &json!({"mode": "deny-all"})).await;
    assert_eq!(gone.error(), (410, "sandbox_stopped"));
    let resumed = api.get("/box?resume=true").await.ok();
    assert_eq!(
        resumed["session"]["networkPolicy"],
        json!({"mode": "deny-all"})
    );
}

#[tokio::test]
async fn the_access_log_tells_what_is_not_enforced() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = api.boot("box").await;
    let path = format!("/sessions/{session}/network-policy");
    api.post(&path, &secret()).await.ok();
    api.post(&path, &json!({"mode": "deny-all"})).await.ok();
    api.post(&path, &json!({"mode": "allow-all"})).await.ok();
    let policy = json!({"networkPolicy": secret()});
    api.patch("/box", &policy).await.ok();
    api.patch("/box", &json!({"timeout": 60_000})).await.ok();
    let dir = bench.dir;
    bench.engine.shutdown().await;
    let log = std::fs::read_to_string(sandtop::engine::access_log(dir.path())).unwrap();
    let remarks: Vec<String> = super::bench::lines(&log)
        .iter()
        .map(|line| line["remark"].as_str().unwrap_or("none").to_owned())
        .collect();
    let rules = "network policy: rules are kept, not enforced";
    let level = "network policy: not enforced at this isolation level";
    assert_eq!(remarks, ["none", rules, level, "none", rules, "none"]);
    assert!(!log.contains("s3cret"));
}

/// Whether a command of the session reaches this machine's own loopback.
async fn reaches(api: &Api, session: &str, address: &str) -> bool {
    let (host, port) = address.split_once(':').unwrap();
    let connect =
        format!("bash -c 'exec 3<>/dev/tcp/{host}/{port}' 2>/dev/null && echo yes || echo no");
    let said = api.sh(session, &connect).await;
    let (shown, _) = script(api, session, &connect).await.ends().await;
    assert_eq!(said, shown, "a shell is treated as a command");
    said == "yes\n"
}

#[tokio::test]
async fn deny_all_keeps_what_is_started_under_it_off_the_network_where_it_can() {
    let dir = tempfile::tempdir().unwrap();
    let asked = options(dir.path());
    let found = probe(&asked.agent, dir.path(), None).await;
    let mut levels = vec![Level::Plain];
    if found.offline.is_ok() {
        levels.push(found.level);
    }
    for level in levels {
        let enforced = level != Level::Plain;
        let dir = tempfile::tempdir().unwrap();
        let asked = Options {
            level: Some(level),
            token: Some(TOKEN.into()),
            ..options(dir.path())
        };
        let engine = serve(asked, Clock::System).await.unwrap();
        let api = Api::new(&engine.url);
        let address = engine.url.strip_prefix("http://").unwrap();
        let address = address.strip_suffix("/api").unwrap();
        let denied = json!({"name": "box", "networkPolicy": {"mode": "deny-all"}});
        let session = session_of(&api.create(&denied).await);
        assert_eq!(reaches(&api, &session, address).await, !enforced);
        let path = format!("/sessions/{session}/network-policy");
        for (policy, open) in [
            (json!({"mode": "allow-all"}), true),
            (json!({}), !enforced),
            (json!({"allow": ["example.com"]}), true),
            (json!({"subnets": {"deny": ["10.0.0.0/8"]}}), !enforced),
        ] {
            api.post(&path, &policy).await.ok();
            let word = level.word();
            assert_eq!(
                reaches(&api, &session, address).await,
                open,
                "{word}: {policy}"
            );
        }
        engine.shutdown().await;
    }
}
