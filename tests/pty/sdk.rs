//! The official SDK and CLI as the other program, led here by the engine's preload. Their folder (of `sdk-conformance`,
//! installed) is named by `SANDTOP_TEST_SDK`, as `.ci/run` does; without that, those tests have nothing to do.

use super::journeys::{TICKS, last_tick, watch_and_stop};
use super::program::Program;
use super::server::{Server, TOKEN};
use super::terminal::Terminal;
use serde_json::{Map, Value, json};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// Node with nothing of this machine around it, and the preload of that program's engine.
fn node(program: &Program) -> Command {
    let mut node = Command::new("node");
    program.surround(&mut node);
    let preload = program.data_dir().join("preload.mjs");
    node.env("NODE_OPTIONS", format!("--import={}", preload.display()));
    node
}

#[test]
fn what_the_sdk_makes_is_seen_tailed_and_stopped() {
    let Some(sdk) = std::env::var_os("SANDTOP_TEST_SDK") else {
        return;
    };
    let program = Program::new();
    let server = Server::start(&program);
    let mut terminal = program.dashboard(&server.dashboard(&program));
    let mut node = node(&program);
    node.args(["--input-type=module", "-e"])
        .arg(include_str!("sdk.mjs"))
        .current_dir(sdk)
        .env("NAME", "made-by-the-sdk")
        .env("LINE", TICKS);
    let mut node = node
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(node.stdout.take().unwrap()).lines();
    assert_eq!(said.next().expect("the SDK failed").unwrap(), "running");

    watch_and_stop(&mut terminal, "made-by-the-sdk");
    assert!(last_tick(&terminal) > 3, "nothing seen is lost");
    drop(node.stdin.take());
    assert_eq!(said.next().expect("the SDK failed").unwrap(), "stopped");
    assert!(node.wait().unwrap().success());
    drop(server);
}

/// Nobody needs node to build and to test; the preload is for those that are still maintained.
fn node_is_here() -> bool {
    let version = Command::new("node").arg("--version").output();
    let major = version.ok().and_then(|version| {
        let version = String::from_utf8(version.stdout).ok()?;
        let (major, _) = version.strip_prefix('v')?.split_once('.')?;
        major.parse::<u32>().ok()
    });
    major.is_some_and(|major| major >= 20)
}

/// What README shows.
#[test]
fn the_cli_makes_uses_and_removes_a_sandbox() {
    let Some(sdk) = std::env::var_os("SANDTOP_TEST_SDK") else {
        return;
    };
    let program = Program::new();
    let _server = Server::start(&program);
    let cli = PathBuf::from(sdk).join("node_modules/sandbox/bin/sandbox.mjs");
    let sandbox = |arguments: &[&str]| {
        let Output {
            status,
            stdout,
            stderr,
        } = node(&program).arg(&cli).args(arguments).output().unwrap();
        let told = String::from_utf8(stderr).unwrap();
        assert!(status.success(), "{arguments:?}: {told}");
        String::from_utf8(stdout).unwrap()
    };
    assert_eq!(sandbox(&["create", "--name", "web"]).trim(), "web");
    let said = sandbox(&["exec", "web", "--", "sh", "-c", "echo hello from $HOSTNAME"]);
    assert!(said.starts_with("hello from"), "{said}");
    assert!(sandbox(&["ls"]).contains("web"));
    let mut connect = node(&program);
    connect.arg(&cli).args(["connect", "web"]);
    let mut terminal = Terminal::start(&connect, 100, 30);
    terminal.wait_for_text("▲");
    terminal.send("echo typed in $(pwd); exit 5\r");
    terminal.wait_for_text("typed in /vercel/sandbox");
    assert_eq!(terminal.wait_for_end().code(), Some(5));
    sandbox(&["stop", "web"]);
    assert!(!sandbox(&["ls"]).contains("web"));
    assert!(sandbox(&["ls", "--all"]).contains("stopped"));
    sandbox(&["rm", "web"]);
    assert!(!sandbox(&["ls", "--all"]).contains("web"));
}

#[test]
fn the_preload_leads_requests_of_the_service_and_no_others() {
    if !node_is_here() {
        return;
    }
    let program = Program::new();
    let server = Server::start(&program);
    server.create("seen");
    let mut node = node(&program);
    node.args(["--input-type=module", "-e"])
        .arg(include_str!("preload.mjs"));
    let Output { stdout, stderr, .. } = node.output().unwrap();
    let told: Map<String, Value> = String::from_utf8(stdout)
        .unwrap()
        .lines()
        .flat_map(|line| serde_json::from_str::<Map<String, Value>>(line).unwrap())
        .collect();
    let other = |url: &str, token: Option<&str>| json!({"method": "GET", "url": url, "authorization": token});
    let wanted = json!({
        "list": 1, "create": 200, "byRequest": 200, "byUrl": 200,
        "elsewhere": other("/a?b", Some("Bearer mine")),
        "likeTheService": other("/api/v2/sandboxes", None),
        "relative": "TypeError",
    });
    let said = String::from_utf8_lossy(&stderr);
    assert_eq!(Value::Object(told), wanted, "{said}");
    assert!(!said.contains(TOKEN));

    drop(server);
    let mut late = self::node(&program);
    let ask = "await fetch('https://vercel.com/api/v2/sandboxes')";
    let late = late
        .args(["--input-type=module", "-e", ask])
        .output()
        .unwrap();
    let said = String::from_utf8(late.stderr).unwrap();
    assert!(said.contains("start it with `sandtop serve`"), "{said}");
}
