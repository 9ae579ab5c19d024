//! `sandtop shell`: a real terminal, a real engine, real shells; and the terminal is as it was afterwards.

use super::program::Program;
use super::server::{Server, TOKEN};
use super::terminal::{Terminal, shell_status};
use rustix::process::Signal;
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// Generous: only a test that fails waits so long.
const PATIENCE: Duration = Duration::from_secs(60);

fn shell(program: &Program, server: &Server, arguments: &[&str]) -> Command {
    let mut command = program.command(&["shell", "--api-url", &server.url, "--token", TOKEN]);
    command.args(arguments);
    command
}

/// With that typed in, and no terminal anywhere.
fn piped(command: &mut Command, input: &str) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that ends before it reads is the test's own affair.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let (over, waits) = mpsc::channel::<()>();
    let pid = rustix::process::Pid::from_child(&child);
    std::thread::spawn(move || {
        if waits.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            let _ = rustix::process::kill_process(pid, Signal::KILL);
        }
    });
    let output = child.wait_with_output().unwrap();
    drop(over);
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace("\r\n", "\n")
}

fn asked(server: &Server, what: &str) -> usize {
    let requests = server.requests();
    requests.iter().filter(|line| line.contains(what)).count()
}

#[test]
fn a_shell_has_the_terminal_its_size_and_gives_its_exit_code() {
    let program = Program::new();
    let server = Server::start(&program);
    server.create("web");
    let mut terminal = Terminal::start(&shell(&program, &server, &["web", "--", "sh"]), 90, 20);
    terminal.wait_for_text("$");
    terminal.send("stty size\r");
    terminal.wait_for_text("20 90");
    terminal.resize(71, 31);
    terminal.send("while test \"$(stty size)\" != '31 71'; do :; done; echo re''sized\r");
    terminal.wait_for_text("resized");
    // Ctrl-C is for what runs there, not for us.
    // What is typed shows as well, so each is waited for in other letters.
    // The loop ends however early it comes: before a sleep, or in one.
    terminal.send("trap 'echo caught$((6*7)); end=1' INT; echo re''ady; ");
    terminal.send("until test \"$end\"; do sleep 0.1; done\r");
    terminal.wait_for_text("ready");
    terminal.send("\x03");
    terminal.wait_for_text("caught42");
    terminal.send("printf '\\033[?1049h\\033[?25l\\033[?1000h'; exit 7\r");
    assert_eq!(shell_status(terminal.wait_for_end()), 7);
    terminal.assert_restored();
}

#[test]
fn without_a_terminal_it_is_typed_in_and_ends_with_the_input() {
    let program = Program::new();
    let server = Server::start(&program);
    server.create("web");
    let more = ["web", "--env", "A=1 2", "--cwd", "/tmp", "--", "sh"];
    let script = "echo \"<$A $PWD $((6*7))>\"; exit 5\n";
    let output = piped(&mut shell(&program, &server, &more), script);
    assert_eq!(output.status.code(), Some(5), "{output:?}");
    assert!(
        text(&output.stdout).contains("<1 2 /tmp 42>\n"),
        "{output:?}"
    );
    for input in ["true\n", "true", ""] {
        let output = piped(&mut shell(&program, &server, &["web", "--", "sh"]), input);
        assert_eq!(output.status.code(), Some(0), "{input:?}: {output:?}");
    }
    let output = piped(
        &mut shell(&program, &server, &["web"]),
        "echo \"<$((6*7))>\"\n",
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(text(&output.stdout).contains("<42>"), "{output:?}");
}

#[test]
fn a_sandbox_that_stopped_is_booted_only_when_asked_for_and_once() {
    let program = Program::new();
    let server = Server::start(&program);
    let session = server.create("web");
    server.post(
        &format!("/v2/sandboxes/sessions/{session}/stop"),
        &Value::Null,
    );
    let output = piped(&mut shell(&program, &server, &["web", "--", "true"]), "");
    assert_eq!(output.status.code(), Some(125), "{output:?}");
    let said = text(&output.stderr);
    assert!(
        said.contains("--resume") && said.contains("billed"),
        "{said}"
    );
    assert_eq!(asked(&server, "resume=true"), 0);
    assert_eq!(asked(&server, "/interactive"), 0);

    let line = ["web", "--resume", "--", "sh", "-c", "exit 3"];
    let output = piped(&mut shell(&program, &server, &line), "");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    server.wait_for_request("the shell", |line| line.contains("/ws/interactive"));
    assert_eq!(asked(&server, "resume=true"), 1);
}

#[test]
fn with_read_only_set_there_is_none() {
    let program = Program::new();
    let server = Server::start(&program);
    server.create("web");
    let config = program.home.path().join("settings");
    std::fs::create_dir(&config).unwrap();
    std::fs::write(config.join("config.toml"), "read_only = true\n").unwrap();
    let given = config.to_str().unwrap();
    let mut command = shell(&program, &server, &["web", "--config-dir", given]);
    let output = piped(&mut command, "");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).contains("read_only"), "{output:?}");
    assert_eq!(asked(&server, "/interactive"), 0);
}

#[test]
fn a_signal_ends_it_and_the_terminal_is_given_back() {
    let program = Program::new();
    let server = Server::start(&program);
    server.create("web");
    for signal in [Signal::TERM, Signal::HUP] {
        let mut terminal = Terminal::start(&shell(&program, &server, &["web", "--", "sh"]), 80, 24);
        terminal.wait_for_text("$");
        terminal.send("printf '\\033[?1049hfu''ll'; sleep 1000\r");
        terminal.wait_for_text("full");
        terminal.signal(signal);
        assert_eq!(shell_status(terminal.wait_for_end()), 128 + signal.as_raw());
        terminal.assert_restored();
    }
}

#[test]
fn a_server_that_dies_is_told_and_the_terminal_is_given_back() {
    let program = Program::new();
    let server = Server::start(&program);
    server.create("web");
    let mut terminal = Terminal::start(&shell(&program, &server, &["web", "--", "sh"]), 80, 24);
    terminal.wait_for_text("$");
    terminal.send("printf '\\033[?1049hfu''ll'; sleep 1000\r");
    terminal.wait_for_text("full");
    server.kill();
    assert_eq!(shell_status(terminal.wait_for_end()), 125);
    terminal.wait_for_text("The connection is lost");
    terminal.assert_restored();
}

#[test]
fn a_recorded_shell_is_played_and_only_its_cells_are_shown() {
    let program = Program::new();
    let server = Server::start(&program);
    server.create("web");
    let more = ["web", "--record", "a.cast", "--", "sh"];
    let script =
        "printf '\\033]52;c;c2VjcmV0\\007\\033]0;a title\\007'; echo \"<$((6*7))>\"; sleep 1\n";
    let output = piped(&mut shell(&program, &server, &more), script);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let again = piped(&mut shell(&program, &server, &more), "touch never\n");
    assert_eq!(again.status.code(), Some(125), "{again:?}");
    assert!(text(&again.stderr).contains("a.cast"), "{again:?}");

    let mut terminal = Terminal::start(
        &program.command(&["play", "a.cast", "--speed", "64"]),
        80,
        24,
    );
    terminal.wait_for_text("<42>");
    terminal.wait_for_text("end");
    // Slowly, once more from its beginning.
    terminal.send("------------0 ");
    terminal.wait_for_text("paused");
    terminal.resize(60, 10);
    terminal.send("9");
    terminal.wait_for_text("cut: it is 80x24");
    terminal.send("q");
    assert_eq!(shell_status(terminal.wait_for_end()), 0);
    terminal.assert_restored();
    let sent = text(&terminal.raw);
    assert!(!sent.contains("\x1b]"), "{sent:?}");
}

#[test]
fn what_cannot_be_played_is_told() {
    let program = Program::new();
    std::fs::write(program.home.path().join("no.cast"), "hello\n").unwrap();
    for (file, why) in [("no.cast", "header"), ("nowhere.cast", "No such file")] {
        let mut terminal = Terminal::start(&program.command(&["play", file]), 100, 24);
        assert_eq!(shell_status(terminal.wait_for_end()), 1);
        assert!(terminal.screen().contains(why), "{}", terminal.screen());
    }
    let output = piped(&mut program.command(&["play", "no.cast"]), "");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}
