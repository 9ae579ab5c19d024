//! Lists over the wire: filters, orders, cursors and their rules.

use super::bench::{Api, Bench, START};
use serde_json::{Value, json};

fn names(answer: &Value) -> Vec<&str> {
    let sandboxes = answer["sandboxes"].as_array().unwrap();
    let names = sandboxes
        .iter()
        .map(|sandbox| sandbox["name"].as_str().unwrap());
    names.collect()
}

/// Four sandboxes: b (project p, tag), a, ab (a second later), c (project q, stopped, with a snapshot).
async fn shelf(bench: &Bench) {
    let api = &bench.api;
    api.create(&json!({"name": "b", "projectId": "p", "tags": {"env": "ci:1"}}))
        .await;
    api.create(&json!({"name": "a", "projectId": "p"})).await;
    bench.advance(1000);
    api.create(&json!({"name": "ab", "projectId": "p"})).await;
    let last = api.create(&json!({"name": "c", "projectId": "q"})).await;
    let session = super::bench::session_of(&last);
    bench.advance(1000);
    api.post(&format!("/sessions/{session}/stop"), &json!({}))
        .await
        .ok();
}

#[tokio::test]
async fn filters_and_orders() {
    let bench = Bench::start().await;
    shelf(&bench).await;
    let cases: &[(&str, &[&str])] = &[
        ("", &["c", "ab", "a", "b"]),
        ("?teamId=team_x&slug=y", &["c", "ab", "a", "b"]),
        ("?project=p", &["ab", "a", "b"]),
        ("?project=nobody", &[]),
        ("?sortOrder=asc", &["b", "a", "ab", "c"]),
        ("?sortBy=name&sortOrder=asc", &["a", "ab", "b", "c"]),
        ("?sortBy=name&namePrefix=a", &["ab", "a"]),
        ("?sortBy=statusUpdatedAt", &["c", "ab", "a", "b"]),
        ("?sortBy=currentSnapshotId&limit=1", &["c"]),
        ("?status=running", &["ab", "a", "b"]),
        ("?status=stopped&sortBy=createdAt", &["c"]),
        ("?status=stopping", &[]),
        ("?tags=env%3Aci%3A1", &["b"]),
        ("?tags=env%3Aci", &[]),
    ];
    for (query, wanted) in cases {
        let answer = bench.api.get(query).await.ok();
        assert_eq!(names(&answer), *wanted, "{query}");
        assert_eq!(answer["pagination"]["count"], wanted.len(), "{query}");
    }
}

#[tokio::test]
async fn queries_that_break_a_rule_name_it() {
    let bench = Bench::start().await;
    let cases = [
        ("?limit=0", "limit"),
        ("?limit=51", "limit"),
        ("?limit=many", "limit"),
        ("?sortBy=age", "sortBy"),
        ("?sortOrder=up", "sortOrder"),
        ("?namePrefix=a", "namePrefix"),
        ("?namePrefix=a&sortBy=createdAt", "namePrefix"),
        ("?status=pending", "status"),
        ("?status=running&sortBy=name", "status"),
        ("?tags=a", "tags"),
        ("?tags=a%3Ab&tags=c%3Ad", "tags"),
        ("?cursor=nonsense", "cursor"),
        ("/sessions?limit=0", "limit"),
        ("/snapshots?cursor=%2F", "cursor"),
        ("/box?resume=maybe", "resume"),
    ];
    for (query, field) in cases {
        let answer = bench.api.get(query).await;
        assert_eq!(answer.error(), (400, "bad_request"), "{query}");
        let message = answer.body["error"]["message"].as_str().unwrap();
        assert!(
            message.contains(&format!("`{field}`")),
            "{query}: {message}"
        );
    }
}

/// All pages of a list of sandboxes, and what happened between the first and the second.
async fn pages(api: &Api, query: &str, between: impl AsyncFn()) -> Vec<Vec<String>> {
    let mut pages = Vec::new();
    let mut cursor = String::new();
    loop {
        let answer = api.get(&format!("?limit=2{query}{cursor}")).await.ok();
        pages.push(names(&answer).into_iter().map(str::to_owned).collect());
        let next = &answer["pagination"]["next"];
        let Some(next) = next.as_str() else {
            assert!(next.is_null());
            return pages;
        };
        cursor = format!("&cursor={next}");
        if pages.len() == 1 {
            between().await;
        }
    }
}

#[tokio::test]
async fn pages_hold_still_while_sandboxes_come_and_go() {
    let bench = Bench::start().await;
    let api = &bench.api;
    // All at the same moment: ties are broken by the order of creation.
    for name in ["a", "b", "c", "d", "e"] {
        api.boot(name).await;
    }
    let found = pages(api, "", async || {
        api.boot("f").await;
        api.delete("/d").await.ok();
    });
    // `d` was on the first page; what came later than the first page was asked for is not seen.
    let wanted: &[&[&str]] = &[&["e", "d"], &["c", "b"], &["a"]];
    assert_eq!(found.await, wanted);
}

#[tokio::test]
async fn a_cursor_belongs_to_its_order() {
    let bench = Bench::start().await;
    bench.api.boot("a").await;
    bench.api.boot("b").await;
    let first = bench.api.get("?limit=1").await.ok();
    let cursor = first["pagination"]["next"].as_str().unwrap();
    for query in ["&sortOrder=asc", "&sortBy=name"] {
        let answer = bench.api.get(&format!("?cursor={cursor}{query}")).await;
        assert_eq!(answer.error(), (400, "bad_request"), "{query}");
    }
}

#[tokio::test]
async fn sessions_are_listed_newest_first_and_by_sandbox() {
    let bench = Bench::start().await;
    let api = &bench.api;
    let first = api.boot("box").await;
    api.boot("other").await;
    bench.advance(1);
    api.post(&format!("/sessions/{first}/stop"), &json!({}))
        .await
        .ok();
    let second = super::bench::session_of(&api.get("/box?resume=true").await.ok());
    let ids = async |query: &str| -> Vec<String> {
        let answer = api.get(&format!("/sessions{query}")).await.ok();
        let sessions = answer["sessions"].as_array().unwrap().clone();
        let id = |session: &Value| session["id"].as_str().unwrap().to_owned();
        sessions.iter().map(id).collect()
    };
    assert_eq!(ids("?name=box").await, [second.clone(), first.clone()]);
    assert_eq!(ids("?name=box&sortOrder=asc&limit=1").await, [first]);
    assert_eq!(ids("?limit=1").await, [second]);
    assert_eq!(ids("?project=local").await.len(), 3);
    assert_eq!(ids("?project=nobody").await.len(), 0);
    let created = api.get("/sessions").await.ok()["sessions"][0]["createdAt"].clone();
    assert_eq!(created, START + 1);
}
