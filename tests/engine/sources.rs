//! Sandboxes that start with a repository or an archive, and what is left when they cannot.

use super::archive::{gz, tar};
use super::bench::{Api, Bench, Reply, session_of, until};
use super::origin::{Origin, PASSWORD, USER};
use super::program::Program;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tar::EntryType;

async fn create(api: &Api, source: &Value) -> Reply {
    let body = json!({"name": "box", "source": source});
    api.post("//v3/sandboxes", &body).await
}

/// Creates a sandbox, gives what a script in it says, and deletes it.
async fn says(api: &Api, source: &Value, script: &str) -> String {
    let created = create(api, source).await.ok();
    let said = api.sh(&session_of(&created), script).await;
    api.delete("/box").await.ok();
    said
}

/// Nothing is left of a sandbox that was not made, and its name is free.
async fn nothing_is_left(bench: &Bench, what: &str) {
    let listed = bench.api.get("").await.ok();
    assert_eq!(listed["sandboxes"], json!([]), "{what}");
    let listed = bench.api.get("/sessions").await.ok();
    assert_eq!(listed["sessions"], json!([]), "{what}");
    for dir in ["cells", "spool", "logs"] {
        let left = std::fs::read_dir(bench.dir.path().join(dir)).unwrap();
        assert_eq!(left.count(), 0, "{what}: {dir}");
    }
}

async fn refused(bench: &Bench, source: &Value) -> String {
    let answer = create(&bench.api, source).await;
    assert_eq!(answer.error(), (400, "bad_request"), "{source}");
    nothing_is_left(bench, &source.to_string()).await;
    answer.body["error"]["message"].as_str().unwrap().to_owned()
}

/// Files below `dir` that hold `text`.
fn holding(dir: &Path, text: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap());
    entries
        .flat_map(|entry| {
            let path = entry.path();
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                return holding(&path, text);
            }
            let content = if kind.is_file() {
                std::fs::read(&path).unwrap()
            } else {
                Vec::new()
            };
            let found = content
                .windows(text.len())
                .any(|part| part == text.as_bytes());
            if found { vec![path] } else { Vec::new() }
        })
        .collect()
}

#[tokio::test]
async fn a_repository_is_there_as_asked_for() {
    let bench = Bench::start().await;
    let origin = Origin::start([]).await;
    let script = "cat file; echo; git rev-list --count HEAD; git rev-parse --abbrev-ref HEAD; \
                  git config remote.origin.url";
    let url = format!("{}/repo.git", origin.url);
    let short = &origin.commits[0][..9];
    let cases = [
        (json!({}), "two\n2\nmain\n"),
        (json!({"depth": 1}), "two\n1\nmain\n"),
        (json!({"revision": "dev"}), "three\n3\ndev\n"),
        (json!({"revision": "dev", "depth": 2}), "three\n2\ndev\n"),
        (json!({"revision": "v2"}), "two\n2\nHEAD\n"),
        (json!({"revision": origin.commits[0]}), "one\n1\nHEAD\n"),
        (
            json!({"revision": origin.commits[2], "depth": 1}),
            "three\n1\nHEAD\n",
        ),
        (json!({"revision": short}), "one\n1\nHEAD\n"),
    ];
    for (mut source, wanted) in cases {
        source["type"] = json!("git");
        source["url"] = json!(url);
        let wanted = format!("{wanted}{url}\n");
        assert_eq!(says(&bench.api, &source, script).await, wanted, "{source}");
    }
}

#[tokio::test]
async fn a_login_opens_the_repository_and_is_nowhere_to_be_seen() {
    let bench = Bench::start().await;
    let origin = Origin::start([]).await;
    let url = format!("{}/private.git", origin.url);
    let git = |username: &str, password: &str| json!({"type": "git", "url": url, "username": username, "password": password});
    refused(&bench, &json!({"type": "git", "url": url})).await;
    let why = refused(&bench, &git(USER, "a wrong one")).await;
    assert!(why.contains("Authentication failed"), "{why}");
    assert!(!why.contains("a wrong one"), "{why}");
    for revision in ["main", &origin.commits[0]] {
        let mut source = git(USER, PASSWORD);
        source["revision"] = json!(revision);
        let created = create(&bench.api, &source).await.ok();
        assert!(!created.to_string().contains(PASSWORD));
        let seen = bench
            .api
            .sh(&session_of(&created), "cat .git/config; env; git log")
            .await;
        assert!(!seen.contains(PASSWORD) && !seen.contains(USER), "{seen}");
        assert_eq!(holding(bench.dir.path(), PASSWORD), Vec::<PathBuf>::new());
        bench.api.delete("/box").await.ok();
    }
    assert_eq!(origin.leaks(), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_repository_that_cannot_be_had_leaves_nothing() {
    let bench = Bench::start().await;
    let origin = Origin::start([]).await;
    let url = format!("{}/repo.git", origin.url);
    let cases = [
        (json!({"url": url, "revision": "nowhere"}), "nowhere"),
        (json!({"url": url, "revision": "abcdef0123"}), "abcdef0123"),
        (
            json!({"url": format!("{}/none.git", origin.url)}),
            "not found",
        ),
        (json!({"url": "http://127.0.0.1:1/x.git"}), "127.0.0.1"),
    ];
    for (mut source, word) in cases {
        source["type"] = json!("git");
        let why = refused(&bench, &source).await;
        assert!(
            why.starts_with("`source` cannot be used: git says: "),
            "{why}"
        );
        assert!(why.contains(word), "{why}");
    }
}

#[tokio::test]
async fn a_source_that_breaks_a_rule_is_refused_by_its_field() {
    let bench = Bench::start().await;
    let url = "http://127.0.0.1:1/x.git";
    let git = json!({"type": "git", "url": url});
    let cases = [
        ("source", json!("git")),
        ("source.type", json!({})),
        ("source.type", json!({"type": "svn"})),
        ("source.url", json!({"type": "git"})),
        ("source.url", json!({"type": "tarball"})),
        ("source.url", json!({"url": "git@example.com:a/b.git"})),
        ("source.url", json!({"url": "ext::sh -c id"})),
        ("source.url", json!({"url": "file:///etc"})),
        ("source.url", json!({"url": "/etc"})),
        ("source.url", json!({"url": "--upload-pack=id"})),
        (
            "source.url",
            json!({"url": "http://me:secret@127.0.0.1:1/x.git"}),
        ),
        (
            "source.url",
            json!({"type": "tarball", "url": "ftp://example.com/x"}),
        ),
        ("source.depth", json!({"depth": 0})),
        ("source.depth", json!({"depth": 1.5})),
        ("source.depth", json!({"depth": "1"})),
        ("source.revision", json!({"revision": "--upload-pack=id"})),
        ("source.revision", json!({"revision": ""})),
        ("source.username", json!({"username": "a\nhost=b"})),
        ("source.password", json!({"password": 7})),
        ("source.snapshotId", json!({"type": "snapshot"})),
    ];
    for (field, mut source) in cases {
        if let Some(fields) = source.as_object_mut()
            && field != "source.type"
            && !fields.contains_key("type")
        {
            for (name, value) in git.as_object().unwrap() {
                fields.entry(name).or_insert(value.clone());
            }
        }
        let why = refused(&bench, &source).await;
        assert!(why.starts_with(&format!("`{field}` ")), "{source}: {why}");
        assert!(!why.contains("secret"), "{why}");
    }
}

#[tokio::test]
async fn an_archive_is_unpacked_into_the_home() {
    let archive = || {
        tar().file("app/run", 0o755, b"#!/bin/sh\necho ran\n").raw(
            EntryType::Symlink,
            "link",
            "app/run",
            b"",
        )
    };
    let bench = Bench::start().await;
    let served = [
        ("/archive.tar.gz", archive().gz()),
        ("/archive.tar", archive().plain()),
    ];
    let origin = Origin::start(served).await;
    for path in ["/archive.tar.gz", "/archive.tar", "/moved"] {
        let source = json!({"type": "tarball", "url": format!("{}{path}", origin.url)});
        assert_eq!(says(&bench.api, &source, "./link").await, "ran\n", "{path}");
    }
}

#[tokio::test]
async fn an_archive_that_cannot_be_had_leaves_nothing() {
    let bench = Bench::start().await;
    let hostile = tar()
        .file("good", 0o644, b"")
        .raw(EntryType::Regular, "../up", "", b"x");
    let whole = tar().file("f", 0o644, &[7; 100_000]).gz();
    let served = [
        ("/hostile", hostile.gz()),
        ("/cut", whole[..whole.len() / 2].to_vec()),
        ("/page", b"<html>".to_vec()),
        ("/packed-page", gz(&b"<html>".repeat(1000))),
    ];
    let origin = Origin::start(served).await;
    for path in [
        "/hostile",
        "/cut",
        "/page",
        "/packed-page",
        "/none?token=secret",
        "/round",
    ] {
        let url = format!("{}{path}", origin.url);
        let why = refused(&bench, &json!({"type": "tarball", "url": url})).await;
        assert!(why.starts_with("`source` cannot be "), "{why}");
        assert!(!why.contains("secret"), "{why}");
    }
    let url = "http://127.0.0.1:1/x";
    refused(&bench, &json!({"type": "tarball", "url": url})).await;
}

#[tokio::test]
async fn a_sandbox_whose_engine_died_while_it_was_made_never_was() {
    let dir = tempfile::tempdir().unwrap();
    let mut program = Program::start(dir.path());
    let origin = Origin::start([]).await;
    let api = program.api.clone();
    let source = json!({"type": "tarball", "url": format!("{}/hangs", origin.url)});
    let creating = tokio::spawn(async move {
        let body = json!({"name": "box", "source": source});
        let request = api.request(reqwest::Method::POST, "//v3/sandboxes");
        request.json(&body).send().await.map(drop)
    });
    let status = async || program.api.get("/box").await.body["sandbox"]["status"].clone();
    until("it is being made", status, |status| status == "pending").await;
    program.signal(Signal::KILL);
    assert!(creating.await.unwrap().is_err());
    let mut program = Program::start(dir.path());
    let answer = program.api.get("/box").await;
    assert_eq!(answer.error(), (404, "not_found"));
    assert_eq!(
        std::fs::read_dir(dir.path().join("cells")).unwrap().count(),
        0
    );
    program.api.boot("box").await;
    program.signal(Signal::TERM);
}
