//! What it costs to read a command's log: `sandtop tail` and, where it is there, the official SDK, one after the other
//! on the same log of the same engine.
//!
//! `SANDTOP_TEST_SDK=FOLDER cargo bench --bench tail`; the folder holds `sdk-tail.mjs`, `redirect.mjs` and the installed
//! SDK. The SDK's CPU time is without the start of node, ours with all that the program does.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::print_stdout)] // it tells figures

#[path = "../tests/engine/bench.rs"]
#[allow(dead_code)]
mod bench;
#[path = "../tests/engine/program.rs"]
#[allow(dead_code)]
mod program;

use bench::{Api, TOKEN, session_of};
use program::Program;
use reqwest::Method;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, waitid};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// Of 120 bytes each.
const LINES: usize = 1_000_000;
/// In a second, as Linux tells times of processes.
const TICKS: f64 = 100.0;
const SCOPE: [&str; 2] = ["team_conformance", "prj_conformance"];

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
    let made = api
        .create(&json!({"name": "box", "projectId": SCOPE[1]}))
        .await;
    let line = "x".repeat(119);
    let script = format!("yes {line} | head -n {LINES}");
    let command = api.start(&session_of(&made), &script).await;
    api.get(&format!("{command}?wait=true")).await.ok();
    let (bytes, objects) = size(&api, &command).await;
    tell("lines, bytes on the wire", format!("{LINES}, {bytes}"));
    tell(
        "output in one object, mean",
        format!("{} bytes", LINES * 120 / objects),
    );
    let ours = ours(&api);
    if let Some(sdk) = std::env::var_os("SANDTOP_TEST_SDK") {
        let theirs = theirs(&api, &sdk, command.rsplit('/').next().unwrap());
        tell(
            "the SDK's CPU time by ours",
            format!("{:.1}", theirs / ours),
        );
    }
    program.signal(Signal::TERM);
}

fn tell(what: &str, figure: String) {
    println!("{what:<42} {figure}");
}

/// Bytes and objects of the log as it is sent.
async fn size(api: &Api, command: &str) -> (usize, usize) {
    let request = api.request(Method::GET, &format!("{command}/logs"));
    let mut answer = request.send().await.unwrap();
    let (mut bytes, mut objects) = (0, 0);
    while let Some(chunk) = answer.chunk().await.unwrap() {
        bytes += chunk.len();
        objects += chunk.iter().filter(|byte| **byte == b'\n').count();
    }
    (bytes, objects)
}

/// CPU seconds of our program, from its start to its end.
fn ours(api: &Api) -> f64 {
    let mut tail = Command::new(env!("CARGO_BIN_EXE_sandtop"));
    tail.args(["tail", "box", "--api-url", &api.url, "--token", TOKEN]);
    tail.args(["--team", SCOPE[0], "--project", SCOPE[1]]);
    let began = Instant::now();
    let cpu = cpu_seconds(tail.stdout(Stdio::null()).spawn().unwrap());
    let wall = began.elapsed().as_secs_f64();
    let speed = (LINES * 120) as f64 / 1e6;
    tell(
        "sandtop tail: CPU, wall",
        format!("{cpu:.2} s, {wall:.2} s"),
    );
    tell(
        "sandtop tail: text a second of CPU",
        format!("{:.0} MB", speed / cpu),
    );
    cpu
}

/// Of a process that ends by itself; the system keeps the figure until it is waited for.
fn cpu_seconds(mut child: Child) -> f64 {
    let pid = Pid::from_child(&child);
    let seen = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    waitid(WaitId::Pid(pid), seen).unwrap();
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    let fields: Vec<&str> = stat
        .rsplit_once(')')
        .unwrap()
        .1
        .split_whitespace()
        .collect();
    let ticks: u64 = fields[11..13]
        .iter()
        .map(|field| field.parse::<u64>().unwrap())
        .sum();
    assert!(child.wait().unwrap().success());
    ticks as f64 / TICKS
}

fn theirs(api: &Api, sdk: &OsString, command: &str) -> f64 {
    let mut node = Command::new("node");
    node.args(["--import", "./redirect.mjs", "sdk-tail.mjs", "box", command]);
    node.current_dir(sdk)
        .env("SANDTOP_TEST_BASE", &api.url)
        .env("SANDTOP_TEST_TOKEN", TOKEN);
    let output = node.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["lines"], LINES);
    let (cpu, wall) = (&told["cpuSeconds"], &told["wallSeconds"]);
    let (cpu, wall) = (cpu.as_f64().unwrap(), wall.as_f64().unwrap());
    tell("the SDK: CPU, wall", format!("{cpu:.2} s, {wall:.2} s"));
    cpu
}
