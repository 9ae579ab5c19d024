//! `sandtop tail` on a real engine: what it prints, how it ends, and what it leaves alone.

use super::program::Program;
use super::server::Server;
use super::terminal::Terminal;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Output, Stdio};

fn command(program: &Program, arguments: &[&str]) -> Command {
    let mut command = program.command(&["tail", "--data-dir"]);
    command.arg(program.data_dir()).args(arguments);
    command.stdin(Stdio::null());
    command
}

fn tail(program: &Program, arguments: &[&str]) -> Output {
    command(program, arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// A tail under way, whose lines are read one by one.
fn follow(program: &Program, arguments: &[&str]) -> (Child, BufReader<ChildStdout>) {
    let mut command = command(program, arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    (child, out)
}

fn line(out: &mut BufReader<ChildStdout>) -> String {
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    line
}

/// Runs a line of shell and waits until it has ended.
fn ran(server: &Server, session: &str, line: &str) -> String {
    let id = server.run(session, line);
    server.get(&format!(
        "/v2/sandboxes/sessions/{session}/cmd/{id}?wait=true"
    ));
    id
}

#[test]
fn a_log_is_told_from_its_start_to_its_end_with_the_command_s_exit_code() {
    let program = Program::new();
    let server = Server::start(&program);
    let session = server.create("box");
    let line = "printf '\\033[31mred\\033[0m\\ttab\\r\\n'; sleep 0.1; echo err >&2; sleep 0.1; printf unfinished; exit 7";
    let first = ran(&server, &session, line);
    let output = tail(&program, &["box"]);
    assert_eq!(output.status.code(), Some(7), "{output:?}");
    // Into a pipe it goes without its control sequences, and else as it was written.
    assert_eq!(text(&output.stdout), "red\ttab\r\nerr\nunfinished");
    assert_eq!(text(&output.stderr), "");

    ran(&server, &session, "echo newer");
    assert_eq!(text(&tail(&program, &["box"]).stdout), "newer\n");
    let chosen = tail(&program, &["box", "--cmd", &first, "--include", "^ERR"]);
    assert_eq!((chosen.status.code(), text(&chosen.stdout)), (Some(7), ""));
    let chosen = tail(
        &program,
        &[
            "box",
            "--cmd",
            &first,
            "--include",
            "err|red",
            "--exclude",
            "tab",
        ],
    );
    assert_eq!(text(&chosen.stdout), "err\n");
    let broken = tail(&program, &["box", "--include", "("]);
    assert_eq!(broken.status.code(), Some(2), "{broken:?}");
    let missing = tail(&program, &["box", "--cmd", "cmd_none"]);
    assert_eq!(missing.status.code(), Some(125), "{missing:?}");
    assert!(text(&missing.stderr).contains("no command cmd_none"));
}

#[test]
fn json_lines_are_the_bytes_of_the_streams() {
    let program = Program::new();
    let server = Server::start(&program);
    let session = server.create("box");
    let line = "printf 'a\\r\\n\\033[1mb\\n\\000c'; printf 'warn\\n' >&2";
    let id = ran(&server, &session, line);
    let output = tail(&program, &["box", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(!output.stdout.contains(&0x1b));
    let objects: Vec<Value> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let of = |stream: &str| {
        let texts = objects.iter().filter(|object| object["stream"] == stream);
        texts
            .map(|object| object["text"].as_str().unwrap())
            .collect::<Vec<&str>>()
    };
    assert_eq!(of("stdout"), ["a\r\n", "\u{1b}[1mb\n", "\0c"]);
    assert_eq!(of("stderr"), ["warn\n"]);
    for object in &objects {
        assert_eq!(
            (&object["sandbox"], &object["command"]),
            (&"box".into(), &id.as_str().into())
        );
        assert_eq!(object.get("time"), None, "a replay has no times");
    }
}

#[test]
fn lines_that_come_while_it_looks_have_a_time() {
    let program = Program::new();
    let server = Server::start(&program);
    let session = server.create("box");
    server.run(
        &session,
        "echo early; while [ ! -e go ]; do sleep 0.5; echo tick; done; echo late",
    );
    let (mut child, mut out) = follow(&program, &["box", "--json"]);
    let early: Value = serde_json::from_str(&line(&mut out)).unwrap();
    assert_eq!(
        (&early["text"], early.get("time")),
        (&"early\n".into(), None)
    );
    // The replay ends with a silence: of the lines after it each has its time.
    let mut next = || -> Value { serde_json::from_str(&line(&mut out)).unwrap() };
    let mut ticks = std::iter::repeat_with(&mut next).take(100);
    assert!(ticks.any(|tick| tick.get("time").is_some()));
    server.run(&session, "touch go");
    let late = std::iter::repeat_with(next).find(|object| object["text"] == "late\n");
    let late = late.unwrap();
    let time: jiff::Timestamp = late["time"].as_str().unwrap().parse().unwrap();
    assert!(time.duration_until(jiff::Timestamp::now()).abs() < jiff::SignedDuration::from_mins(5));
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn all_commands_of_several_sandboxes_come_together_until_these_have_stopped() {
    let program = Program::new();
    let server = Server::start(&program);
    let (web, api) = (server.create("web"), server.create("api"));
    ran(&server, &web, "echo one");
    ran(&server, &api, "echo two; exit 3");
    let (child, mut out) = follow(&program, &["web", "api", "--all"]);
    let mut first = [line(&mut out), line(&mut out)];
    first.sort_unstable();
    assert_eq!(first, ["api/sh | two\n", "web/sh | one\n"]);
    ran(&server, &web, "echo three");
    assert_eq!(line(&mut out), "web/sh#2 | three\n");
    for session in [&web, &api] {
        server.post(
            &format!("/v2/sandboxes/sessions/{session}/stop"),
            &Value::Null,
        );
    }
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(1), "{ended:?}");
    assert!(
        text(&ended.stderr).contains("api/sh: ended, exit 3"),
        "{ended:?}"
    );
}

/// Looking is free.
#[test]
fn what_has_stopped_is_told_and_stays_so() {
    let program = Program::new();
    let server = Server::start(&program);
    let (stopped, running) = (server.create("stopped"), server.create("running"));
    ran(&server, &running, "echo here");
    server.post(
        &format!("/v2/sandboxes/sessions/{stopped}/stop"),
        &Value::Null,
    );
    let output = tail(&program, &["stopped", "running", "nobody"]);
    assert_eq!(output.status.code(), Some(125), "{output:?}");
    assert_eq!(text(&output.stdout), "running | here\n");
    let said = text(&output.stderr);
    assert!(
        said.contains("stopped: it is stopped: its logs went"),
        "{said}"
    );
    assert!(
        said.contains("nobody: read sandbox: 404") || said.contains("nobody: get sandbox: 404"),
        "{said}"
    );
    let seen = server.get("/v2/sandboxes/stopped?resume=false");
    assert_eq!(seen["sandbox"]["status"], "stopped");
}

/// Colours stay on a terminal, and nothing else that a command may do to it.
#[test]
fn a_terminal_gets_colours_and_no_other_sequence() {
    let program = Program::new();
    let server = Server::start(&program);
    let session = server.create("box");
    let line =
        "printf '\\033]0;owned\\007\\033[31mred\\033[2J\\033[0m and plain\\n'; printf 'half'";
    ran(&server, &session, line);
    let mut terminal = Terminal::start(&command(&program, &["box"]), 80, 24);
    assert_eq!(terminal.wait_for_end().code(), Some(0));
    let raw = String::from_utf8(terminal.raw.clone()).unwrap();
    assert_eq!(raw, "\u{1b}[38;5;1mred\u{1b}[0m and plain\r\nhalf\r\n");
    let mut plain = Terminal::start(&command(&program, &["box", "--no-color"]), 80, 24);
    assert_eq!(plain.wait_for_end().code(), Some(0));
    assert!(!plain.raw.contains(&0x1b));
    assert!(plain.screen().contains("red and plain"));
}

#[test]
fn a_ctrl_c_ends_the_looking_and_not_the_command() {
    let program = Program::new();
    let server = Server::start(&program);
    let session = server.create("box");
    let id = server.run(&session, "echo up; printf half; exec sleep 1000");
    let (mut child, mut out) = follow(&program, &["box"]);
    assert_eq!(line(&mut out), "up\n");
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert!(rest == "half" || rest.is_empty(), "{rest}");
    let seen = server.get(&format!("/v2/sandboxes/sessions/{session}/cmd/{id}"));
    assert_eq!(seen["command"]["exitCode"], Value::Null);
}

/// `| head`: also while the log is silent.
#[test]
fn who_reads_no_more_ends_it_quietly() {
    let program = Program::new();
    let server = Server::start(&program);
    let session = server.create("box");
    server.run(&session, "echo up; exec sleep 1000");
    let (child, mut out) = follow(&program, &["box"]);
    assert_eq!(line(&mut out), "up\n");
    drop(out);
    let ended = child.wait_with_output().unwrap();
    assert_eq!((ended.status.code(), text(&ended.stderr)), (Some(141), ""));
}

#[test]
fn beyond_the_most_open_logs_the_others_wait_and_that_is_said() {
    let program = Program::new();
    let server = Server::start(&program);
    let session = server.create("box");
    for n in 0..4 {
        ran(&server, &session, &format!("echo line-{n}"));
    }
    let config = program.home.path().join("config.toml");
    std::fs::write(config, "[logs]\nstreams = 1\n").unwrap();
    let mut tail = command(&program, &["box", "--all", "--config-dir"]);
    tail.arg(program.home.path());
    tail.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = tail.spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    for n in 0..4 {
        assert!(line(&mut out).ends_with(&format!("line-{n}\n")));
    }
    server.post(
        &format!("/v2/sandboxes/sessions/{session}/stop"),
        &Value::Null,
    );
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    let said = text(&ended.stderr);
    assert!(
        said.contains("only 1 logs are read at once") && said.contains("3 more wait"),
        "{said}"
    );
    let logs = |line: &&String| line.contains("/logs");
    assert_eq!(server.requests().iter().filter(logs).count(), 4);
}

#[test]
fn an_agents_run_is_told_as_steps_while_it_runs() {
    let program = Program::new();
    let server = Server::start(&program);
    let session = server.create("box");
    let init = r#"{"type":"system","subtype":"init","session_id":"s","tools":[],"claude_code_version":"9"}"#;
    let said = r#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"Up."}]},"session_id":"s"}"#;
    let end =
        r#"{"type":"result","subtype":"success","is_error":false,"result":"Up.","session_id":"s"}"#;
    let script = format!(
        "echo '{init}'; echo '{said}'; until test -e go; do sleep 0.05; done; echo '{end}'; exit 3"
    );
    server.run(&session, &script);
    let (mut child, mut out) = follow(&program, &["box", "--agent", "--json"]);
    let told =
        |out: &mut BufReader<ChildStdout>| -> Value { serde_json::from_str(&line(out)).unwrap() };
    assert_eq!(told(&mut out)["state"], "starting");
    assert_eq!(told(&mut out)["short"], "Up.");
    assert_eq!(told(&mut out)["state"], "running");
    ran(&server, &session, "touch go");
    assert_eq!(told(&mut out)["state"], "done");
    let last = told(&mut out);
    assert_eq!(
        (&last["state"], &last["reason"]),
        (&"failed".into(), &"exit 3 after a good result".into())
    );
    assert_eq!(child.wait().unwrap().code(), Some(3));

    // The command line says that an agent was meant.
    ran(
        &server,
        &session,
        "claude -p hm 2>/dev/null || { echo no login >&2; exit 1; }",
    );
    let output = tail(&program, &["box", "--agent"]);
    assert!(
        text(&output.stdout).contains("failed: exit 1: no login"),
        "{output:?}"
    );
}
