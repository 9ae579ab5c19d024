//! Who gets in, what is not there, and one engine a data directory.

use super::bench::{Api, Bench, TOKEN, options, reply};
use reqwest::Method;
use sandtop::engine::{Clock, discover, serve};
use secrecy::ExposeSecret;
use std::os::unix::fs::PermissionsExt;

#[tokio::test]
async fn only_programs_of_this_machine_that_know_the_token_get_in() {
    let bench = Bench::start().await;
    let list = |method| bench.api.bare(method, "");
    let refused = [
        (list(Method::GET), 401),
        (list(Method::GET).bearer_auth("wrong"), 401),
        (list(Method::GET).bearer_auth(""), 401),
        (list(Method::GET).bearer_auth(format!("{TOKEN}x")), 401),
        (list(Method::GET).header("authorization", TOKEN), 401),
        (list(Method::POST).bearer_auth("wrong"), 401),
        (bench.api.bare(Method::GET, "//nowhere"), 401),
        (
            list(Method::GET)
                .bearer_auth(TOKEN)
                .header("host", "example.com"),
            403,
        ),
        (
            list(Method::GET)
                .bearer_auth(TOKEN)
                .header("origin", "http://127.0.0.1"),
            403,
        ),
    ];
    for (request, status) in refused {
        let shown = format!("{request:?}");
        assert_eq!(reply(request).await.error().0, status, "{shown}");
    }
    let lower = list(Method::GET).header("authorization", format!("bearer {TOKEN}"));
    reply(lower).await.ok();
}

#[tokio::test]
async fn paths_work_with_and_without_api_in_front() {
    let bench = Bench::start().await;
    let plain = Api::new(bench.engine.url.strip_suffix("/api").unwrap());
    assert_eq!(plain.get("").await.ok(), bench.api.get("").await.ok());
}

#[tokio::test]
async fn what_is_not_there_yet_says_so_and_what_never_was_is_unknown() {
    let bench = Bench::start().await;
    let not_yet = [
        (Method::GET, "/drives"),
        (Method::GET, "/drives/d"),
        (Method::POST, "/drives/d"),
        (Method::POST, "/drives/d/fork"),
        (Method::GET, "//v1/drives"),
    ];
    for (method, path) in not_yet {
        let answer = reply(bench.api.request(method, path)).await;
        assert_eq!(answer.error(), (501, "not_implemented"), "{path}");
    }
    let long = format!("/{}", "x".repeat(60_000));
    let unknown = [
        (Method::GET, "//v2/nowhere", 404),
        (Method::GET, "//v9/sandboxes", 404),
        (Method::GET, "//", 404),
        (Method::GET, "/nobody", 404),
        (Method::GET, "/a%2Fb", 404),
        (Method::GET, "/%2e%2e%2fsessions", 404),
        (Method::GET, "/%E2%98%83", 404),
        (Method::GET, "/%FF", 400),
        (Method::DELETE, "/nobody", 404),
        (Method::PATCH, "/nobody", 404),
        (Method::GET, "/sessions/sbx_x", 404),
        (Method::GET, "/sessions/sbx_x/cmd", 404),
        (Method::GET, "/sessions/sbx_x/cmd/cmd_x/logs", 404),
        (Method::POST, "/sessions/sbx_x/stop", 404),
        (Method::POST, "/sessions/sbx_x/cmd", 404),
        (Method::GET, "/snapshots/snap_x", 404),
        (Method::DELETE, "/drives/d", 404),
        (Method::GET, "/%00", 404),
        (Method::GET, "/sessions/..%2F..%2Fengine.json", 404),
        (Method::GET, long.as_str(), 404),
        (Method::PUT, "/box", 405),
        (Method::OPTIONS, "/box", 405),
    ];
    for (method, path, status) in unknown {
        let answer = reply(bench.api.request(method.clone(), path)).await;
        assert_eq!(answer.error().0, status, "{method} {path}");
    }
}

#[tokio::test]
async fn a_body_beyond_the_limit_is_refused() {
    let bench = Bench::start().await;
    let request = bench.api.request(Method::POST, "");
    let answer = reply(request.body(vec![b' '; (4 << 20) + 1])).await;
    assert_eq!(answer.error(), (413, "payload_too_large"));
}

#[tokio::test]
async fn a_data_directory_has_one_engine_and_tells_where_it_is() {
    let bench = Bench::start().await;
    let found = discover(bench.dir.path()).unwrap().unwrap();
    assert_eq!(found.url, bench.engine.url);
    assert_eq!(found.token.expose_secret(), TOKEN);
    assert_eq!(found.pid, std::process::id());
    for (name, mode) in [
        ("engine.json", 0o600),
        ("engine.db", 0o600),
        ("logs", 0o700),
    ] {
        let metadata = bench.dir.path().join(name).metadata().unwrap();
        assert_eq!(metadata.permissions().mode() & 0o777, mode, "{name}");
    }

    let second = serve(options(bench.dir.path()), Clock::System).await;
    let error = second.err().unwrap().to_string();
    let pid = format!("process {}", std::process::id());
    assert!(
        error.contains(&pid) && error.contains(&found.url),
        "{error}"
    );

    let dir = bench.dir;
    bench.engine.shutdown().await;
    assert!(discover(dir.path()).unwrap().is_none());
    let third = serve(options(dir.path()), Clock::System).await.unwrap();
    third.shutdown().await;
}

#[tokio::test]
async fn a_card_without_an_engine_is_not_believed() {
    let dir = tempfile::tempdir().unwrap();
    assert!(discover(dir.path()).unwrap().is_none());
    std::fs::write(dir.path().join("engine.lock"), "").unwrap();
    let card = r#"{"url":"http://127.0.0.1:1/api","token":"t","pid":1}"#;
    std::fs::write(dir.path().join("engine.json"), card).unwrap();
    assert!(discover(dir.path()).unwrap().is_none());
}

#[tokio::test]
async fn a_token_of_blanks_is_none_and_blanks_around_one_do_not_count() {
    for (given, wanted) in [("", None), (" \n", None), (" secret\n", Some("secret"))] {
        let dir = tempfile::tempdir().unwrap();
        let mut asked = options(dir.path());
        asked.token = Some(given.into());
        let engine = serve(asked, Clock::System).await.unwrap();
        let token = engine.token.expose_secret();
        match wanted {
            Some(wanted) => assert_eq!(token, wanted),
            None => assert!(token.len() > 32, "{token:?}"),
        }
        engine.shutdown().await;
    }
}

#[tokio::test]
async fn a_card_is_a_new_file_whatever_lies_there() {
    let dir = tempfile::tempdir().unwrap();
    let bait = dir.path().join("bait");
    std::fs::write(&bait, "").unwrap();
    std::os::unix::fs::symlink(&bait, dir.path().join("engine.draft")).unwrap();
    let engine = serve(options(dir.path()), Clock::System).await.unwrap();
    assert_eq!(std::fs::read_to_string(&bait).unwrap(), "");
    assert!(discover(dir.path()).unwrap().is_some());
    engine.shutdown().await;
}

#[tokio::test]
async fn a_directory_that_cannot_be_used_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    let error = serve(options(&file), Clock::System).await.err().unwrap();
    let told = error.to_string();
    assert!(
        told.contains(file.to_str().unwrap()) && told.contains("--data-dir"),
        "{told}"
    );
}

#[tokio::test]
async fn it_listens_on_this_machine_only() {
    let dir = tempfile::tempdir().unwrap();
    let mut wide = options(dir.path());
    wide.listen = "0.0.0.0:0".parse().unwrap();
    let error = serve(wide, Clock::System).await.err().unwrap().to_string();
    assert!(error.contains("127.0.0.1"), "{error}");
}
