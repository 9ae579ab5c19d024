//! Files written from archives, read, directories made, and what is refused of that.

use super::archive::{Tar, gz, tar};
use super::bench::{Bench, Reply, reply, until};
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use tar::EntryType;

const LARGE: usize = 8 << 20;

struct Box {
    bench: Bench,
    session: String,
    home: PathBuf,
}

async fn sandbox() -> Box {
    let bench = Bench::start().await;
    let session = bench.api.boot("box").await;
    let home = bench.api.sh(&session, "pwd").await.trim_end().into();
    Box {
        bench,
        session,
        home,
    }
}

impl Box {
    fn path(&self, call: &str) -> String {
        format!("/sessions/{}/fs/{call}", self.session)
    }

    async fn write(&self, cwd: Option<&str>, body: Vec<u8>) -> Reply {
        let request = self.bench.api.request(Method::POST, &self.path("write"));
        let request = request.header("content-type", "application/gzip");
        let request = match cwd {
            Some(cwd) => request.header("x-cwd", cwd),
            None => request,
        };
        reply(request.body(body)).await
    }

    async fn wrote(&self, archive: Tar) {
        assert_eq!(self.write(None, archive.gz()).await.ok(), json!({}));
    }

    async fn open(&self, body: &Value) -> Response {
        let request = self.bench.api.request(Method::POST, &self.path("read"));
        request.json(body).send().await.unwrap()
    }

    async fn read(&self, path: &str) -> Vec<u8> {
        let answer = self.open(&json!({"path": path})).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        answer.bytes().await.unwrap().to_vec()
    }

    async fn unread(&self, path: &str) -> Reply {
        let path = json!({"path": path});
        self.bench.api.post(&self.path("read"), &path).await
    }

    async fn mkdir(&self, body: Value) -> Reply {
        self.bench.api.post(&self.path("mkdir"), &body).await
    }

    async fn sh(&self, script: &str) -> String {
        self.bench.api.sh(&self.session, script).await
    }

    fn mode(&self, name: &str) -> u32 {
        let meta = std::fs::metadata(self.home.join(name)).unwrap();
        meta.permissions().mode() & 0o7777
    }

    /// Names of all that is there.
    fn all(&self) -> Vec<String> {
        fn walk(dir: &Path, below: &Path, names: &mut Vec<String>) {
            for entry in std::fs::read_dir(dir).unwrap() {
                let entry = entry.unwrap();
                let name = below.join(entry.file_name());
                names.push(name.to_str().unwrap().to_owned());
                if entry.file_type().unwrap().is_dir() {
                    walk(&entry.path(), &name, names);
                }
            }
        }
        let mut names = Vec::new();
        walk(&self.home, Path::new(""), &mut names);
        names.sort();
        names
    }
}

/// Whether this process, which the engine is in, holds a file open whose path has `part` in it.
fn is_open(part: &str) -> bool {
    let files = std::fs::read_dir("/proc/self/fd").unwrap();
    files
        .filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok())
        .any(|path| path.to_string_lossy().contains(part))
}

#[tokio::test]
async fn files_arrive_with_parents_and_modes_and_are_read_back() {
    let sandbox = sandbox().await;
    let long = format!("{}/{}", "long-name".repeat(12), "n".repeat(180));
    let archive = tar()
        .file("a/b/run.sh", 0o755, b"#!/bin/sh\necho ran\n")
        .file("secret", 0o600, b"s")
        .file("unset", 0, b"")
        .file("żółw 日本", 0o644, b"name")
        .file(&long, 0o644, b"long")
        .directory("low/deep", 0o711)
        .directory("low", 0o500)
        .directory("shut", 0o555)
        .file("shut/in", 0o444, b"in");
    sandbox.wrote(archive).await;
    assert_eq!(sandbox.sh("a/b/run.sh").await, "ran\n");
    for (name, mode) in [
        ("a", 0o755),
        ("a/b/run.sh", 0o755),
        ("secret", 0o600),
        ("unset", 0o644),
        ("low", 0o500),
        ("low/deep", 0o711),
        ("shut", 0o555),
        ("shut/in", 0o444),
    ] {
        assert_eq!(sandbox.mode(name), mode, "{name}");
    }
    assert_eq!(sandbox.read("żółw 日本").await, b"name");
    assert_eq!(sandbox.read(&long).await, b"long");
    assert_eq!(sandbox.read("unset").await, b"");
    assert_eq!(sandbox.read("/vercel/sandbox/secret").await, b"s");
    let answer = sandbox.open(&json!({"path": "run.sh", "cwd": "a/b"})).await;
    let header = |name: &str| answer.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "application/octet-stream");
    assert_eq!(
        header("content-disposition"),
        "attachment; filename=\"run.sh\""
    );
    assert_eq!(header("content-length"), "19");
    // The same again, shorter, over what runs and what forbids writing.
    let archive = tar()
        .file("a/b/run.sh", 0o700, b"x")
        .file("shut/in", 0o644, b"y");
    sandbox.wrote(archive).await;
    assert_eq!(sandbox.read("a/b/run.sh").await, b"x");
    assert_eq!(sandbox.mode("a/b/run.sh"), 0o700);
    assert_eq!(sandbox.read("shut/in").await, b"y");
}

#[tokio::test]
async fn an_upload_lands_below_the_directory_it_names() {
    let sandbox = sandbox().await;
    let outer = tempfile::tempdir().unwrap();
    let new = outer.path().join("new/dir");
    let at = |path: &Path| path.to_str().unwrap().to_owned();
    let body = || tar().file("f", 0o644, b"there").gz();
    sandbox.write(Some(&at(&new)), body()).await.ok();
    assert_eq!(std::fs::read(new.join("f")).unwrap(), b"there");
    // As the official client does it: from the root on.
    let name = at(&sandbox.home.join("deep/g"));
    let body = tar().file(&name[1..], 0o644, b"root").gz();
    sandbox.write(Some("/"), body).await.ok();
    assert_eq!(sandbox.read("deep/g").await, b"root");
    let body = tar().file("vercel/sandbox/h", 0o644, b"usual").gz();
    sandbox.write(Some("/"), body).await.ok();
    assert_eq!(sandbox.read("h").await, b"usual");
    for cwd in ["relative", ""] {
        let refused = sandbox.write(Some(cwd), tar().gz()).await;
        assert_eq!(refused.error(), (400, "bad_request"), "{cwd}");
    }
}

#[tokio::test]
async fn links_that_stay_inside_are_followed_and_made() {
    let sandbox = sandbox().await;
    sandbox
        .sh("mkdir real; ln -s real near; ln -s \"$PWD/real\" far; echo old > real/f; ln -s real/f f")
        .await;
    let archive = tar()
        .file("near/one", 0o644, b"1")
        .file("far/two", 0o644, b"2")
        .file("f", 0o644, b"new")
        .raw(EntryType::Symlink, "made", "/etc/passwd", b"")
        .raw(EntryType::Link, "hard", "near/one", b"");
    sandbox.wrote(archive).await;
    let script =
        "cat real/one real/two real/f; readlink f made; test hard -ef real/one && echo same";
    assert_eq!(sandbox.sh(script).await, "12newreal/f\n/etc/passwd\nsame\n");
}

/// A good file, then what must refuse both.
fn after_good(name: &str) -> Tar {
    tar()
        .file("good", 0o644, b"good")
        .raw(EntryType::Regular, name, "", b"x")
}

fn misplaced() -> Vec<(&'static str, Tar)> {
    let through = |link: &str, name: &str| {
        tar()
            .raw(EntryType::Symlink, "new", link, b"")
            .raw(EntryType::Regular, name, "", b"x")
    };
    vec![
        ("absolute", after_good("/tmp/absolute")),
        ("up", after_good("../up")),
        ("up and down", after_good("dir/../../up")),
        ("through a link", after_good("out/f")),
        ("over a link", after_good("file")),
        ("to where a link leads", after_good("dangling")),
        ("through its own link", through("/", "new/f")),
        ("through its own near link", through("dir", "new/f")),
        ("over its own link", through("dir/x", "new")),
        ("over a directory", after_good("dir")),
        ("over a pipe", after_good("pipe")),
        ("below a file", after_good("kept/x")),
        ("below its own file", after_good("good/x")),
        (
            "over its own directory",
            tar().file("new/f", 0o644, b"").file("new", 0o644, b""),
        ),
        ("no name", after_good("")),
        (
            "too long a name",
            after_good("fine").file(&"n".repeat(300), 0o644, b""),
        ),
    ]
}

fn of_the_wrong_kind() -> Vec<(&'static str, Tar)> {
    let kind = |kind, link| {
        tar()
            .file("good", 0o644, b"g")
            .raw(kind, "entry", link, b"")
    };
    let onto_itself = tar()
        .file("entry", 0o644, b"")
        .raw(EntryType::Link, "entry", "entry", b"");
    vec![
        ("device", kind(EntryType::Char, "")),
        ("block device", kind(EntryType::Block, "")),
        ("pipe", kind(EntryType::Fifo, "")),
        ("unknown", kind(EntryType::new(b'Z'), "")),
        ("hard link up", kind(EntryType::Link, "../../../engine.db")),
        ("hard link by a link", kind(EntryType::Link, "out/precious")),
        ("hard link to nothing", kind(EntryType::Link, "none")),
        ("hard link to itself", onto_itself),
    ]
}

#[tokio::test]
async fn what_would_land_outside_refuses_the_whole_upload() {
    let sandbox = sandbox().await;
    let outer = tempfile::tempdir().unwrap();
    let precious = outer.path().join("precious");
    std::fs::write(&precious, "old").unwrap();
    for (link, target) in [
        ("out", outer.path()),
        ("dangling", &outer.path().join("new")),
        ("file", &precious),
    ] {
        symlink(target, sandbox.home.join(link)).unwrap();
    }
    sandbox.sh("mkdir dir; echo kept > kept; mkfifo pipe").await;
    let before = sandbox.all();
    for (what, archive) in misplaced().into_iter().chain(of_the_wrong_kind()) {
        let refused = sandbox.write(None, archive.gz()).await;
        assert_eq!(refused.error(), (400, "bad_request"), "{what}");
        assert_eq!(sandbox.all(), before, "{what}");
        assert_eq!(std::fs::read_to_string(&precious).unwrap(), "old", "{what}");
        let others = std::fs::read_dir(outer.path()).unwrap().count();
        assert_eq!(others, 1, "{what}");
    }
}

#[tokio::test]
async fn what_is_no_whole_archive_writes_nothing() {
    let sandbox = sandbox().await;
    let noise: Vec<u8> = (0..100_000_u32)
        .flat_map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes())
        .collect();
    let whole = tar().file("f", 0o644, &noise).gz();
    let mut damaged = whole.clone();
    let end = damaged.len() - 6;
    damaged[end] ^= 1;
    let plain = tar().file("f", 0o644, &noise).plain();
    let mut padded = plain.clone();
    padded.resize(plain.len() + (2 << 20), 0);
    let broken = [
        ("nothing", Vec::new()),
        ("text", b"hello".to_vec()),
        ("packed text", gz(&b"hello ".repeat(1000))),
        ("cut", whole[..whole.len() / 2].to_vec()),
        ("cut at its last bytes", whole[..whole.len() - 1].to_vec()),
        ("with a wrong sum", damaged),
        ("of half a tar", gz(&plain[..plain.len() / 2])),
        ("with a long tail", gz(&padded)),
        (
            "with a name of megabytes",
            tar()
                .file("f", 0o644, b"")
                .raw(EntryType::GNULongName, "x", "", &vec![b'n'; 4 << 20])
                .gz(),
        ),
        ("with more than any disk has", {
            let mut archive = tar().file("f", 0o644, b"").plain();
            let mut entry = tar().raw(EntryType::Regular, "huge", "", b"").plain()[..512].to_vec();
            let mut header = tar::Header::from_byte_slice(&entry).clone();
            header.set_size(1 << 50);
            header.set_cksum();
            entry.copy_from_slice(header.as_bytes());
            archive.truncate(512);
            archive.extend(entry);
            gz(&archive)
        }),
    ];
    for (what, body) in broken {
        let refused = sandbox.write(None, body).await;
        assert_eq!(
            refused.error(),
            (400, "bad_request"),
            "{what}: {:?}",
            refused.body
        );
        assert_eq!(sandbox.all(), Vec::<String>::new(), "{what}");
    }
    // Not packed, and packed in two parts, is whole.
    let tar = tar().file("f", 0o644, b"parts").plain();
    let parts = [gz(&tar[..700]), gz(&tar[700..])].concat();
    sandbox.write(None, parts).await.ok();
    assert_eq!(sandbox.read("f").await, b"parts");
}

#[tokio::test]
async fn what_cannot_be_read_is_told_apart() {
    let sandbox = sandbox().await;
    sandbox
        .sh("mkdir dir; mkfifo pipe; echo x > file; ln -s round round")
        .await;
    let told = [
        ("none", (404, "path_not_found")),
        ("/no/such/file", (404, "path_not_found")),
        ("file/below", (404, "path_not_found")),
        ("dir", (400, "bad_request")),
        ("pipe", (400, "bad_request")),
        ("/dev/null", (400, "bad_request")),
        ("round", (400, "bad_request")),
        ("", (400, "bad_request")),
        ("a\0b", (400, "bad_request")),
    ];
    for (path, wanted) in told {
        assert_eq!(sandbox.unread(path).await.error(), wanted, "{path:?}");
    }
    let bodies = [
        json!({}),
        json!({"path": 1}),
        json!({"path": "file", "cwd": 2}),
    ];
    for body in &bodies {
        let refused = sandbox.bench.api.post(&sandbox.path("read"), body).await;
        assert_eq!(refused.error(), (400, "bad_request"), "{body}");
    }
    // The kernel's own files have no size to tell.
    let version = sandbox.read("/proc/version").await;
    assert!(version.starts_with(b"Linux"), "{version:?}");
}

#[tokio::test]
async fn directories_are_made_with_and_without_parents() {
    let sandbox = sandbox().await;
    sandbox.sh("echo > file").await;
    let fine = [
        json!({"path": "made"}),
        json!({"path": "below", "cwd": "made"}),
        json!({"path": "/vercel/sandbox/usual"}),
        json!({"path": "a/b/c", "recursive": true}),
        json!({"path": "a/b", "recursive": true}),
    ];
    for body in fine {
        assert_eq!(sandbox.mkdir(body.clone()).await.ok(), json!({}), "{body}");
    }
    let refused = [
        json!({"path": "made"}),
        json!({"path": "made", "recursive": false}),
        json!({"path": "file"}),
        json!({"path": "file", "recursive": true}),
        json!({"path": "file/x", "recursive": true}),
        json!({"path": "no/parent"}),
        json!({"path": "x", "cwd": "none"}),
        json!({"path": "x", "recursive": "yes"}),
        json!({}),
    ];
    for body in refused {
        let answer = sandbox.mkdir(body.clone()).await;
        assert_eq!(answer.error(), (400, "bad_request"), "{body}");
    }
    let names = ["a", "a/b", "a/b/c", "file", "made", "made/below", "usual"];
    assert_eq!(sandbox.all(), names);
}

#[tokio::test]
async fn a_session_that_is_over_or_unknown_says_so_also_to_a_large_upload() {
    let sandbox = sandbox().await;
    let api = &sandbox.bench.api;
    let large = vec![7; LARGE];
    api.post(&format!("/sessions/{}/stop", sandbox.session), &json!({}))
        .await
        .ok();
    let gone = (410, "sandbox_stopped");
    assert_eq!(sandbox.write(None, large.clone()).await.error(), gone);
    assert_eq!(sandbox.unread("f").await.error(), gone);
    assert_eq!(sandbox.mkdir(json!({"path": "d"})).await.error(), gone);
    let unknown = api
        .request(Method::POST, "/sessions/none/fs/write")
        .body(large);
    assert_eq!(reply(unknown).await.error(), (404, "not_found"));
}

#[tokio::test]
async fn a_client_that_leaves_leaves_nothing_open() {
    let sandbox = sandbox().await;
    sandbox.sh(&format!("truncate -s {} large", 64 << 20)).await;
    let mut answer = sandbox.open(&json!({"path": "large"})).await;
    assert!(answer.chunk().await.unwrap().is_some());
    let mark = sandbox.home.join("large");
    let mark = mark.to_str().unwrap();
    assert!(is_open(mark));
    drop(answer);
    until("the file is closed", async || is_open(mark), |open| !open).await;

    let spool = sandbox.bench.dir.path().join("spool");
    let spool = spool.to_str().unwrap();
    let (half, rest) = tokio::io::duplex(1024);
    let body = reqwest::Body::wrap_stream(tokio_util::io::ReaderStream::new(half));
    let request = sandbox
        .bench
        .api
        .request(Method::POST, &sandbox.path("write"));
    let sending = tokio::spawn(request.body(body).send());
    until(
        "the upload has begun",
        async || is_open(spool),
        |open| *open,
    )
    .await;
    sending.abort();
    until(
        "the upload is closed",
        async || is_open(spool),
        |open| !open,
    )
    .await;
    drop(rest);
    assert_eq!(std::fs::read_dir(spool).unwrap().count(), 0);
    assert_eq!(sandbox.all(), ["large"]);
}

#[tokio::test]
async fn a_read_breaks_off_when_the_session_ends_or_the_file_shrinks() {
    let sandbox = sandbox().await;
    sandbox
        .sh(&format!("truncate -s {} large shrinks", 64 << 20))
        .await;
    let shrinking = sandbox.open(&json!({"path": "shrinks"})).await;
    sandbox.sh("truncate -s 1 shrinks").await;
    assert!(shrinking.bytes().await.is_err());
    let large = sandbox.open(&json!({"path": "large"})).await;
    let stop = format!("/sessions/{}/stop", sandbox.session);
    sandbox.bench.api.post(&stop, &json!({})).await.ok();
    assert!(large.bytes().await.is_err());
}
