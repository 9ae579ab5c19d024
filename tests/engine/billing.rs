//! What the service would charge: by the day, at list prices, and not forgotten with the sandbox.

use super::bench::{Bench, DAY, START, lines};
use reqwest::Method;
use serde_json::{Value, json};

const HOUR: i64 = 3_600_000;
/// Of the day in which the bench's clock starts.
const MIDNIGHT: i64 = START - START % DAY;

async fn charges(bench: &Bench, from: &str, to: &str) -> Vec<Value> {
    let path = format!("//v1/billing/charges?from={from}&to={to}&teamId=team_local");
    let answer = bench.api.request(Method::GET, &path).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-type"], "application/jsonl");
    lines(&answer.text().await.unwrap())
}

/// Quantity and cost of a service in a list of charges.
fn of<'a>(charges: &'a [Value], service: &str) -> Vec<(&'a str, f64, f64)> {
    let number = |charge: &Value, field: &str| charge[field].as_f64().unwrap();
    let ours = charges
        .iter()
        .filter(|charge| charge["ServiceName"] == service);
    ours.map(|charge| {
        let day = charge["ChargePeriodStart"].as_str().unwrap();
        let quantity = number(charge, "ConsumedQuantity");
        (day, quantity, number(charge, "EffectiveCost"))
    })
    .collect()
}

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * other.abs()
}

#[tokio::test]
async fn memory_is_charged_by_the_day_while_it_runs() {
    let bench = Bench::start().await;
    let body = json!({"name": "box", "projectId": "shop", "timeout": DAY});
    bench.api.create(&body).await;
    bench.advance(MIDNIGHT + DAY + HOUR - START);
    let charges = charges(&bench, "2026-09-21", "2026-09-23T00:00:00Z").await;
    let memory = of(&charges, "Sandbox Provisioned Memory");
    // 4 GB until midnight, and an hour of the next day.
    let first = 4.0 * (MIDNIGHT + DAY - START) as f64 / HOUR as f64;
    let wanted = [
        ("2026-09-21T00:00:00Z", first),
        ("2026-09-22T00:00:00Z", 4.0),
    ];
    assert_eq!(memory.len(), 2, "{charges:?}");
    for ((day, quantity, cost), (on, amount)) in memory.iter().zip(wanted) {
        assert_eq!(*day, on);
        assert!(is_near(*quantity, amount), "{quantity} {amount}");
        assert!(is_near(*cost, amount * 0.0212), "{cost}");
    }
    let creations = of(&charges, "Sandbox Creations");
    assert_eq!(creations, [("2026-09-21T00:00:00Z", 1.0, 6e-7)]);
    // Neither is known while it runs.
    assert!(of(&charges, "Sandbox Active CPU").is_empty());
    for charge in &charges {
        assert_eq!(charge["BilledCost"], 0);
        assert_eq!(charge["BillingCurrency"], "USD");
        assert_eq!(charge["RegionId"], "iad1");
        let tags = json!({"ProjectId": "shop", "ProjectName": "shop"});
        assert_eq!(charge["Tags"], tags);
    }
}

#[tokio::test]
async fn a_deleted_sandbox_stays_on_the_bill_with_a_minute_at_least() {
    let bench = Bench::start().await;
    let body = json!({"name": "box", "persistent": false});
    let session = super::bench::session_of(&bench.api.create(&body).await);
    bench
        .api
        .sh(
            &session,
            "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done",
        )
        .await;
    bench.advance(5000);
    let stop = format!("/sessions/{session}/stop");
    let stopped = bench.api.post(&stop, &json!({})).await.ok();
    let before = charges(&bench, "2026-09-21", "2026-09-22").await;
    bench.api.delete("/box").await.ok();
    let after = charges(&bench, "2026-09-21", "2026-09-22").await;
    assert_eq!(before, after);
    let memory = of(&after, "Sandbox Provisioned Memory");
    assert!(is_near(memory[0].1, 4.0 / 60.0), "{memory:?}");
    let cpu = of(&after, "Sandbox Active CPU");
    let used = stopped["session"]["activeCpuDurationMs"].as_f64().unwrap() / HOUR as f64;
    assert!(used > 0.0 && is_near(cpu[0].1, used), "{cpu:?} {used}");
    assert!(is_near(cpu[0].2, used * 0.128), "{cpu:?}");
}

#[tokio::test]
async fn snapshots_are_charged_as_long_as_they_are_kept() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let session = api.boot("box").await;
    api.sh(&session, "head -c 100000 /dev/zero > file").await;
    let stop = format!("/sessions/{session}/stop");
    let stopped = api.post(&stop, &json!({})).await.ok();
    let snapshot = &stopped["snapshot"];
    bench.advance(HOUR);
    let path = format!("/snapshots/{}", snapshot["id"].as_str().unwrap());
    api.delete(&path).await.ok();
    bench.advance(HOUR);
    let charges = charges(&bench, "2026-09-21", "2026-09-22").await;
    let storage = of(&charges, "Snapshot Storage");
    let size = snapshot["sizeBytes"].as_f64().unwrap();
    let months = size / 1e9 * HOUR as f64 / (30 * DAY) as f64;
    assert!(
        size >= 100_000.0 && is_near(storage[0].1, months),
        "{storage:?}"
    );
    assert!(is_near(storage[0].2, months * 0.08), "{storage:?}");
}

#[tokio::test]
async fn a_time_that_is_none_is_refused() {
    let bench = Bench::start().await;
    let cases = [
        "",
        "from=2026-09-21",
        "from=2026-09-21&to=soon",
        "from=2026-09-21&to=2026-09-21",
        "from=2025-09-01&to=2026-09-21",
        "from=1&to=2",
    ];
    for query in cases {
        let answer = bench
            .api
            .get(&format!("//v1/billing/charges?{query}"))
            .await;
        assert_eq!(answer.error(), (400, "bad_request"), "{query}");
    }
    // Nothing ran then.
    assert!(charges(&bench, "2025-01-01", "2026-01-01").await.is_empty());
}
