//! What the local engine costs and how fast it is, seen by a client of the real program.
//!
//! `cargo bench --bench engine`. Figures are for comparing two states of the code on one machine, in one sitting. The
//! sandboxes are kept apart as well as this machine allows, so figures as root are another thing than as a user.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::print_stdout)] // it tells figures

#[path = "../tests/engine/archive.rs"]
#[allow(dead_code)]
mod archive;
#[path = "../tests/engine/bench.rs"]
#[allow(dead_code)]
mod bench;
#[path = "../tests/engine/program.rs"]
#[allow(dead_code)]
mod program;

use bench::{Api, lines, text};
use futures_util::future::join_all;
use program::Program;
use reqwest::Method;
use rustix::process::Signal;
use serde_json::json;
use std::process::Command;
use std::time::{Duration, Instant};

const TRIES: usize = 20;
const SANDBOXES: usize = 20;
/// Of output, in bytes: lines of 120 bytes.
const LOG: usize = 240_000_000;
const FILES: usize = 10_000;

#[tokio::main]
async fn main() {
    // As a test it would only take time.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let mut serve = Command::new(env!("CARGO_BIN_EXE_sandtop"));
    serve.arg("serve");
    let mut program = Program::start_by(serve, dir.path());
    let api = program.api.clone();
    first_output(&api).await;
    idle(&api, program.id()).await;
    let session = api.boot("box").await;
    log(&api, &session).await;
    whole_output(&api, &session).await;
    upload(&api, &session).await;
    program.signal(Signal::TERM);
}

fn tell(what: &str, figure: String) {
    println!("{what:<42} {figure}");
}

/// From the request for a sandbox to the first byte that a command in it printed.
async fn first_output(api: &Api) {
    let mut times = Vec::new();
    for _ in 0..TRIES {
        let began = Instant::now();
        let session = api.boot("first").await;
        let body = json!({"command": "echo", "args": ["up"], "wait": true, "logs": true});
        let request = api.request(Method::POST, &format!("/sessions/{session}/cmd"));
        let mut answer = request.json(&body).send().await.unwrap();
        let mut seen = String::new();
        while !seen.contains("stdout") {
            seen += std::str::from_utf8(&answer.chunk().await.unwrap().unwrap()).unwrap();
        }
        times.push(began.elapsed());
        drop(answer);
        api.delete("/first").await.ok();
    }
    times.sort();
    let (median, least, most) = (times[TRIES / 2], times[0], times[TRIES - 1]);
    tell(
        "create to first output, median of 20",
        format!("{median:.1?} ({least:.1?} to {most:.1?})"),
    );
}

/// What sandboxes in which nothing runs take, in the engine and in what it started for them.
async fn idle(api: &Api, engine: u32) {
    let before = memory(engine);
    let names: Vec<String> = (0..SANDBOXES).map(|n| format!("idle-{n}")).collect();
    for name in &names {
        api.boot(name).await;
    }
    let family = family(engine);
    let (own, all) = (
        memory(engine),
        family.iter().map(|id| memory(*id)).sum::<u64>(),
    );
    tell("engine, nothing running", format!("{before} KiB"));
    tell(
        "an idle sandbox: in the engine",
        format!("{} KiB", own.saturating_sub(before) / SANDBOXES as u64),
    );
    tell(
        "an idle sandbox: its own processes",
        format!(
            "{} KiB in {} processes",
            all / SANDBOXES as u64,
            family.len() / SANDBOXES
        ),
    );
    for name in &names {
        api.delete(&format!("/{name}")).await.ok();
    }
}

/// In KiB; what several processes share counts by its share.
fn memory(process: u32) -> u64 {
    let smaps = std::fs::read_to_string(format!("/proc/{process}/smaps_rollup"));
    let field = |line: &str| {
        line.strip_prefix("Pss:")?
            .trim()
            .strip_suffix(" kB")?
            .parse()
            .ok()
    };
    smaps
        .unwrap_or_default()
        .lines()
        .find_map(field)
        .unwrap_or(0)
}

/// All that descends from a process, without itself.
fn family(process: u32) -> Vec<u32> {
    let mut found = children(process);
    let mut at = 0;
    while let Some(id) = found.get(at) {
        found.extend(children(*id));
        at += 1;
    }
    found
}

fn children(process: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task"));
    let mut ids = String::new();
    for task in tasks.into_iter().flatten().flatten() {
        ids += &std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
    }
    ids.split_whitespace()
        .map(|id| id.parse().unwrap())
        .collect()
}

async fn log(api: &Api, session: &str) {
    let line = "x".repeat(119);
    let script = format!("yes {line} | head -c {LOG}");
    let began = Instant::now();
    let command = api.start(session, &script).await;
    let live = drain(api, &command).await;
    tell(
        "a log while it is written, one reader",
        speed(LOG, began.elapsed()),
    );
    let began = Instant::now();
    assert_eq!(drain(api, &command).await, live);
    tell(
        "a log that is there, one reader",
        speed(LOG, began.elapsed()),
    );
    let began = Instant::now();
    let all = join_all((0..10).map(|_| drain(api, &command))).await;
    assert!(all.iter().all(|bytes| *bytes == live));
    tell(
        "a log that is there, ten readers, each",
        speed(LOG, began.elapsed()),
    );
}

fn speed(bytes: usize, took: Duration) -> String {
    format!("{:.0} MB/s", bytes as f64 / 1e6 / took.as_secs_f64())
}

/// Reads a log to its end; how many bytes came.
async fn drain(api: &Api, command: &str) -> usize {
    let request = api.request(Method::GET, &format!("{command}/logs"));
    let mut answer = request.send().await.unwrap();
    let mut bytes = 0;
    while let Some(chunk) = answer.chunk().await.unwrap() {
        bytes += chunk.len();
    }
    bytes
}

async fn whole_output(api: &Api, session: &str) {
    let began = Instant::now();
    let body = api.stream(session, "seq 100000").await;
    let took = began.elapsed();
    let wanted: String = (1..=100_000).map(|n| format!("{n}\n")).collect();
    assert!(text(&body, "stdout") == wanted, "not as it was printed");
    let pieces = lines(&body).len() - 2;
    tell(
        "100 000 lines, all of them, in order",
        format!("{took:.1?}, in {pieces} pieces"),
    );
}

async fn upload(api: &Api, session: &str) {
    let mut archive = archive::tar();
    for n in 0..FILES {
        let name = format!("many/{}/file-{n}", n % 100);
        archive = archive.file(&name, 0o644, name.as_bytes());
    }
    let archive = archive.gz();
    let began = Instant::now();
    let request = api.request(Method::POST, &format!("/sessions/{session}/fs/write"));
    let request = request
        .header("content-type", "application/gzip")
        .header("x-cwd", "/vercel/sandbox")
        .body(archive);
    bench::reply(request).await.ok();
    let took = began.elapsed();
    let count = api.sh(session, "find many -type f | wc -l").await;
    assert_eq!(count.trim(), FILES.to_string());
    tell("10 000 files up", format!("{took:.1?}"));
}
