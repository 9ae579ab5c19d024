//! What a plan grants and what a request quota refuses.

use super::bench::{Api, Bench, session_of};
use reqwest::Method;
use sandtop::engine::Plan;
use serde_json::json;

async fn on(plan: Plan) -> Bench {
    Bench::with(|options| options.plan = plan).await
}

const MINUTE: i64 = 60_000;

#[tokio::test]
async fn each_plan_has_its_greatest_time_limit_and_size() {
    let cases = [
        (Plan::Hobby, 45 * MINUTE, 4),
        (Plan::Pro, 24 * 60 * MINUTE, 8),
        (Plan::Enterprise, 24 * 60 * MINUTE, 32),
    ];
    for (plan, longest, vcpus) in cases {
        let bench = on(plan).await;
        let api = &bench.api;
        let most = json!({"name": "box", "timeout": longest, "resources": {"vcpus": vcpus}});
        let session = session_of(&api.create(&most).await);
        let longer = json!({"timeout": longest + 1});
        let created = api.post("//v3/sandboxes", &longer).await;
        assert_eq!(created.error(), (400, "sandbox_timeout_invalid"));
        let longer = api.patch("/box", &longer).await;
        assert_eq!(longer.error(), (400, "sandbox_timeout_invalid"));
        let path = format!("/sessions/{session}/extend-timeout");
        let more = api.post(&path, &json!({"duration": 1000})).await;
        assert_eq!(more.error(), (400, "sandbox_timeout_invalid"));
        let larger = json!({"resources": {"vcpus": vcpus + 2}});
        let larger = api.post("//v3/sandboxes", &larger).await;
        assert_eq!(larger.error(), (400, "bad_request"), "{plan:?}");
        let team = api.get("//v2/teams/team_local").await.ok();
        assert_eq!(team["billing"]["plan"], plan.word());
    }
}

#[tokio::test]
async fn other_regions_are_not_part_of_hobby() {
    let bench = on(Plan::Hobby).await;
    let body = json!({"failoverRegions": ["cle1"]});
    let answer = bench.api.post("//v3/sandboxes", &body).await;
    assert_eq!(answer.error(), (402, "payment_required"));
    bench.api.create(&json!({"failoverRegions": []})).await;
}

#[tokio::test]
async fn on_hobby_ten_run_at_once() {
    let bench = on(Plan::Hobby).await;
    let api = &bench.api;
    let mut sessions = Vec::new();
    for number in 0..10 {
        sessions.push(api.boot(&format!("box-{number}")).await);
    }
    let body = json!({"name": "one-more"});
    let answer = api.post("//v3/sandboxes", &body).await;
    assert_eq!(answer.error(), (429, "rate_limited"));
    // Nothing of it stays, and a place that is free can be taken.
    assert_eq!(api.get("/one-more").await.error(), (404, "not_found"));
    let stop = format!("/sessions/{}/stop", sessions[0]);
    api.post(&stop, &json!({})).await.ok();
    api.create(&body).await;
    let resumed = api.get("/box-0?resume=true").await;
    assert_eq!(resumed.error(), (429, "rate_limited"));
    let left = api.get("/box-0").await.ok();
    assert_eq!(left["sandbox"]["status"], "stopped");
}

#[tokio::test]
async fn a_minute_that_is_used_up_says_how_long_to_wait() {
    let bench = Bench::with(|options| options.rate_limit = Some(3)).await;
    let ask = async || {
        let answer = bench.api.request(Method::GET, "").send().await.unwrap();
        let wait = answer.headers().get("retry-after");
        let wait = wait.map(|wait| wait.to_str().unwrap().to_owned());
        (answer.status().as_u16(), wait)
    };
    // A stranger uses nothing up, nor does a look whether terminals are served.
    let stranger = bench.api.bare(Method::GET, "").send().await.unwrap();
    assert_eq!(stranger.status(), 401);
    let origin = Api::new(bench.engine.url.strip_suffix("/api").unwrap());
    for _ in 0..4 {
        let health = origin.bare(Method::GET, "//health").send().await.unwrap();
        assert_eq!(health.status(), 200);
    }
    for _ in 0..3 {
        assert_eq!(ask().await, (200, None));
    }
    assert_eq!(ask().await, (429, Some("60".into())));
    assert_eq!(bench.api.get("").await.error(), (429, "rate_limited"));
    bench.advance(MINUTE - 1500);
    assert_eq!(ask().await, (429, Some("2".into())));
    bench.advance(1500);
    assert_eq!(ask().await, (200, None));
}

#[tokio::test]
async fn mounts_are_read_and_their_drives_are_not_there() {
    let bench = Bench::start().await;
    let five: serde_json::Map<_, _> = (0..5)
        .map(|number| (format!("/m{number}"), json!({"drive": "d"})))
        .collect();
    let cases = [
        (json!(five), 400),
        (json!({"cache": {"drive": "d"}}), 400),
        (json!({"/": {"drive": "d"}}), 400),
        (json!({"/a": {"drive": "d"}, "/a/b": {"drive": "e"}}), 400),
        (json!({"/a": {}}), 400),
        (json!({"/a": {"drive": "d", "mode": "append"}}), 400),
        (json!(["/a"]), 400),
        (json!({"/a": {"drive": "d"}, "/ab": {"drive": "e"}}), 404),
        (json!({"/a": {"drive": "d", "mode": "snapshot"}}), 404),
    ];
    for (mounts, status) in cases {
        let body = json!({"mounts": mounts});
        let answer = bench.api.post("//v3/sandboxes", &body).await;
        assert_eq!(answer.error().0, status, "{mounts}");
    }
    let gone = bench.api.delete("/drives/d?projectId=p").await;
    assert_eq!(gone.error(), (404, "not_found"));
    for path in ["/drives?projectId=p", "/drives/d"] {
        let answer = bench.api.get(path).await;
        assert_eq!(answer.error(), (501, "not_implemented"), "{path}");
    }
}
