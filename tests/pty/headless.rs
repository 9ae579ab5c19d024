//! The commands without a screen, on a real engine: stop, rm, extend and run.

use super::program::Program;
use super::server::{Server, TOKEN};
use super::terminal::Terminal;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Output, Stdio};

fn command(program: &Program, arguments: &[&str]) -> Command {
    let (first, rest) = arguments.split_at(1);
    let mut command = program.command(first);
    command.arg("--data-dir").arg(program.data_dir());
    command.args(rest).stdin(Stdio::null());
    command
}

fn sandtop(program: &Program, arguments: &[&str]) -> Output {
    command(program, arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn status(server: &Server, name: &str) -> Value {
    let all = server.get("/v2/sandboxes?project=elsewhere");
    let all = all["sandboxes"].as_array().unwrap();
    let found = all.iter().find(|sandbox| sandbox["name"] == name);
    found.map_or(Value::Null, |sandbox| sandbox["status"].clone())
}

#[test]
fn stop_tells_a_line_for_each_name() {
    let program = Program::new();
    let server = Server::start(&program);
    server.create("one");
    server.create("two");
    let output = sandtop(&program, &["stop", "one", "nobody", "two", "one", "--yes"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let mut lines: Vec<&str> = text(&output.stdout).lines().collect();
    lines.sort_unstable();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(
        lines[0].starts_with("nobody: not stopped: ") && lines[0].contains("404"),
        "{lines:?}"
    );
    assert_eq!(&lines[1..], ["one: stopped", "two: stopped"]);
    assert_eq!(status(&server, "one"), "stopped");
    assert_eq!(status(&server, "two"), "stopped");

    let output = sandtop(&program, &["stop", "one", "--yes", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let line: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&line["name"], &line["deed"], &line["result"]),
        (&"one".into(), &"stop".into(), &"refused".into())
    );
    assert!(
        line["why"].as_str().unwrap().contains("does not run"),
        "{line}"
    );
}

#[test]
fn without_a_terminal_nothing_is_done_unasked() {
    let program = Program::new();
    let server = Server::start(&program);
    let session = server.create("kept");
    for arguments in [
        &["stop", "kept"][..],
        &["rm", "kept"],
        &["extend", "kept", "--by", "5m"],
    ] {
        let output = sandtop(&program, arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(text(&output.stderr).contains("--yes"), "{output:?}");
        assert_eq!(output.stdout, b"");
    }
    assert_eq!(status(&server, "kept"), "running");
    let seen = server.get(&format!("/v2/sandboxes/sessions/{session}"));
    assert_eq!(seen["session"]["timeout"], 600_000);
}

#[test]
fn rm_deletes_and_extend_gives_time() {
    let program = Program::new();
    let server = Server::start(&program);
    let session = server.create("box");
    let extended = sandtop(
        &program,
        &["extend", "box", "--by", "5m", "--yes", "--json"],
    );
    assert_eq!(extended.status.code(), Some(0), "{extended:?}");
    let told: Value = serde_json::from_slice(&extended.stdout).unwrap();
    assert_eq!(told["result"], "done");
    let seen = server.get(&format!("/v2/sandboxes/sessions/{session}"));
    assert_eq!(seen["session"]["timeout"], 900_000);

    let removed = sandtop(
        &program,
        &["rm", "box", "--yes", "--delete-orphan-snapshots"],
    );
    assert_eq!(
        (removed.status.code(), text(&removed.stdout)),
        (Some(0), "box: deleted\n")
    );
    assert_eq!(status(&server, "box"), Value::Null);
    let orphans =
        |line: &String| line.starts_with("DELETE") && line.contains("deleteOrphanSnapshots=true");
    server.wait_for_request("the deletion with its orphans", orphans);
}

#[test]
fn rm_deletes_snapshots_only_when_it_was_told_to() {
    let program = Program::new();
    let server = Server::start(&program);
    for name in ["left", "taken"] {
        server.create(name);
    }
    let stopped = sandtop(&program, &["stop", "left", "taken", "--yes"]);
    assert_eq!(stopped.status.code(), Some(0));
    let snapshots = || {
        let all = server.get("/v2/sandboxes/snapshots?project=elsewhere");
        let all = all["snapshots"].as_array().unwrap().clone();
        let all = all.into_iter().filter(|one| one["status"] != "deleted");
        all.map(|one| one["id"].clone()).collect::<Vec<Value>>()
    };
    let of = |name: &str| {
        let seen = server.get(&format!("/v2/sandboxes/{name}?resume=false"));
        seen["sandbox"]["currentSnapshotId"].clone()
    };
    let (left, taken) = (of("left"), of("taken"));
    assert!(snapshots().contains(&left) && snapshots().contains(&taken));
    let told = sandtop(&program, &["rm", "left", "--yes"]);
    assert_eq!(told.status.code(), Some(0), "{told:?}");
    let told = sandtop(
        &program,
        &["rm", "taken", "--yes", "--delete-orphan-snapshots"],
    );
    assert_eq!(told.status.code(), Some(0), "{told:?}");
    assert_eq!(snapshots(), [left]);
}

#[test]
fn the_question_tells_what_is_lost_and_takes_no_other_answer() {
    let program = Program::new();
    let server = Server::start(&program);
    let session = server.create("asked");
    server.run(&session, "exec sleep 1000");
    let mut ask = command(&program, &["rm", "asked"]);
    let mut terminal = Terminal::start(&ask, 120, 40);
    terminal.wait_for_text("Type `asked` to go on:");
    for fact in [
        "running",
        "sleep 1000",
        "lost, with its sessions",
        "snapshots",
    ] {
        assert!(
            terminal.screen().contains(fact),
            "{fact}: {}",
            terminal.screen()
        );
    }
    terminal.send("y\n");
    assert_eq!(terminal.wait_for_end().code(), Some(1));
    assert_eq!(status(&server, "asked"), "running", "a y deleted");

    let mut terminal = Terminal::start(&ask, 120, 40);
    terminal.wait_for_text("Type `asked` to go on:");
    terminal.send("asked\n");
    assert_eq!(
        terminal.wait_for_end().code(),
        Some(0),
        "{}",
        terminal.screen()
    );
    assert_eq!(status(&server, "asked"), Value::Null);

    server.create("first");
    server.create("second");
    ask = command(&program, &["stop", "first", "second"]);
    let mut terminal = Terminal::start(&ask, 120, 40);
    terminal.wait_for_text("Go on? [y/N]");
    terminal.send("y\n");
    assert_eq!(terminal.wait_for_end().code(), Some(0));
    assert_eq!(status(&server, "second"), "stopped");

    ask = command(&program, &["rm", "first", "second"]);
    let mut terminal = Terminal::start(&ask, 120, 40);
    terminal.wait_for_text("Type `2 delete` to go on:");
    terminal.send("2 delete\n");
    assert_eq!(terminal.wait_for_end().code(), Some(0));
    assert_eq!(status(&server, "first"), Value::Null);
}

#[test]
fn run_passes_streams_and_exit_code_on() {
    let program = Program::new();
    let server = Server::start(&program);
    server.create("box");
    let line = "printf '\\033[31mred\\033[0m\\n'; echo \"$A $PWD\" >&2; exit 7";
    let output = sandtop(
        &program,
        &[
            "run", "box", "--env", "A=b c", "--cwd", "/", "--", "sh", "-c", line,
        ],
    );
    assert_eq!(output.status.code(), Some(7), "{output:?}");
    // Into a pipe it goes as it was written.
    assert_eq!(output.stdout, b"\x1b[31mred\x1b[0m\n");
    assert_eq!(text(&output.stderr), "b c /\n");

    let output = sandtop(&program, &["run", "box", "--json", "--", "sh", "-c", line]);
    assert_eq!(output.status.code(), Some(7));
    assert!(!output.stdout.contains(&0x1b), "{output:?}");
    let lines: Vec<Value> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(
        lines
            .contains(&serde_json::json!({"stream": "stdout", "data": "\u{1b}[31mred\u{1b}[0m\n"}))
    );
    assert_eq!(lines.last().unwrap()["exitCode"], 7);

    let missing = sandtop(&program, &["run", "nobody", "--", "true"]);
    assert_eq!(missing.status.code(), Some(125), "{missing:?}");
    assert!(text(&missing.stderr).contains("404"));
}

/// However often the connection breaks: each line once and in order, and the command's own exit code.
#[test]
fn run_goes_on_where_its_connection_broke() {
    let program = Program::new();
    let faults = [
        "--fault",
        "POST /v2/sandboxes/sessions/*/cmd cut=700 count=1",
        "--fault",
        "GET /**/logs cut=1500 count=1",
        "--fault",
        "GET /**/logs cut=0 count=1",
        "--fault",
        "GET /**/logs cut=2345 count=1",
    ];
    let server = Server::start_with(&program, &faults);
    server.create("box");
    // The same line again and again among them: what was seen is not told by its text.
    let line = "i=0; while [ $i -lt 60 ]; do i=$((i+1)); echo line-$i; echo tick; echo err-$i >&2; sleep 0.02; done; \
                exit 9";
    let output = sandtop(&program, &["run", "box", "--", "sh", "-c", line]);
    assert_eq!(output.status.code(), Some(9), "{output:?}");
    let out = (1..=60).map(|n| format!("line-{n}\ntick\n"));
    assert_eq!(text(&output.stdout), out.collect::<String>());
    let err = (1..=60).map(|n| format!("err-{n}\n"));
    assert_eq!(text(&output.stderr), err.collect::<String>());
    let logs = |line: &&String| line.contains("/logs");
    assert!(server.requests().iter().filter(logs).count() >= 3);
}

/// On a terminal no sequence of a command gets through.
#[test]
fn run_does_nothing_to_a_terminal() {
    let program = Program::new();
    let server = Server::start(&program);
    server.create("box");
    let line = "printf '\\033]0;owned\\007\\033[31mred\\033[0m and plain\\n'";
    let run = command(&program, &["run", "box", "--", "sh", "-c", line]);
    let mut terminal = Terminal::start(&run, 80, 24);
    assert_eq!(terminal.wait_for_end().code(), Some(0));
    assert!(
        terminal.screen().contains("red and plain"),
        "{}",
        terminal.screen()
    );
    assert!(
        !terminal.raw.contains(&0x1b),
        "an escape sequence got through"
    );
}

#[test]
fn a_command_outlives_who_looked_at_it() {
    let program = Program::new();
    let server = Server::start(&program);
    let session = server.create("box");
    let mut run = command(
        &program,
        &["run", "box", "--", "sh", "-c", "echo up; exec sleep 1000"],
    );
    let mut child = run
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    out.read_line(&mut first).unwrap();
    assert_eq!(first, "up\n");
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut said = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    let commands = server.get(&format!("/v2/sandboxes/sessions/{session}/cmd"));
    assert_eq!(commands["commands"][0]["exitCode"], Value::Null);
    let id = commands["commands"][0]["id"].as_str().unwrap();
    assert!(said.contains("runs on") && said.contains(id), "{said}");

    let detached = sandtop(&program, &["run", "box", "--detach", "--", "sleep", "1000"]);
    let id = text(&detached.stdout).trim();
    assert_eq!(detached.status.code(), Some(0), "{detached:?}");
    let seen = server.get(&format!("/v2/sandboxes/sessions/{session}/cmd/{id}"));
    assert_eq!(seen["command"]["exitCode"], Value::Null);
}

/// A reader that has seen enough ends it quietly (`| head`).
#[test]
fn who_reads_no_more_is_no_failure() {
    let program = Program::new();
    let server = Server::start(&program);
    server.create("box");
    let mut run = command(
        &program,
        &[
            "run",
            "box",
            "--",
            "sh",
            "-c",
            "while :; do echo x; sleep 0.01; done",
        ],
    );
    let mut child = run
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut String::new()).unwrap();
    drop(out);
    let ended = child.wait_with_output().unwrap();
    assert_eq!((ended.status.code(), text(&ended.stderr)), (Some(141), ""));
}

/// What is stopped is resumed only when that was said.
#[test]
fn run_resumes_nothing_unasked() {
    let program = Program::new();
    let server = Server::start(&program);
    server.create("box");
    assert_eq!(
        sandtop(&program, &["stop", "box", "--yes"]).status.code(),
        Some(0)
    );
    let output = sandtop(&program, &["run", "box", "--", "true"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(status(&server, "box"), "stopped");
    let output = sandtop(&program, &["run", "box", "--yes", "--", "echo", "awake"]);
    assert_eq!(
        (output.status.code(), text(&output.stdout)),
        (Some(0), "awake\n"),
        "{output:?}"
    );
    assert!(!server.requests().iter().any(|line| line.contains(TOKEN)));
}

/// A terminal to type at and a file to print to: the file gets no byte for a screen.
#[test]
fn a_dashboard_does_not_go_into_a_file() {
    let program = Program::new();
    let mut shell = Command::new("sh");
    program.surround(&mut shell);
    shell.env("SANDTOP", env!("CARGO_BIN_EXE_sandtop"));
    let line =
        "\"$SANDTOP\" --local > file; echo code-$?; \"$SANDTOP\" --local | head -c 9 | wc -c";
    shell.args(["-c", line]);
    let mut terminal = Terminal::start(&shell, 80, 24);
    terminal.wait_for_text("code-2");
    terminal.wait_for_end();
    let words = "The dashboard needs a terminal";
    assert_eq!(terminal.screen().matches(words).count(), 2);
    assert_eq!(terminal.screen().lines().last(), Some("0"));
    assert!(!terminal.raw.contains(&0x1b));
    assert_eq!(
        std::fs::read(program.home.path().join("file")).unwrap(),
        b""
    );
}

/// `sandtop ls | head`: who has seen enough is no failure.
#[test]
fn a_list_that_nobody_reads_on_ends_quietly() {
    let program = Program::new();
    let server = Server::start(&program);
    server.create("box");
    let mut list = command(&program, &["ls", "--all"]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = list.stdout(writer).stderr(Stdio::piped()).output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
}
