//! Whole paths with real sandboxes: the dashboard in a terminal, the engine beside it, another program at the engine.

use super::program::Program;
use super::server::{Server, TOKEN};
use super::terminal::Terminal;

pub const TICKS: &str = "i=0; while :; do i=$((i+1)); echo tick-$i; sleep 0.05; done";

#[test]
fn what_another_program_makes_is_seen_tailed_and_stopped() {
    let program = Program::new();
    let server = Server::start(&program);
    let mut terminal = program.dashboard(&server.dashboard(&program));

    let session = server.create("made-elsewhere");
    server.run(&session, TICKS);
    watch_and_stop(&mut terminal, "made-elsewhere");
    let seen = server.get(&format!("/v2/sandboxes/sessions/{session}"));
    assert_eq!(seen["session"]["status"], "stopped");
    // Nothing seen is lost.
    assert!(last_tick(&terminal) > 3, "{}", terminal.screen());
    terminal.send("q");
    assert_eq!(terminal.wait_for_end().code(), Some(0));
    terminal.assert_restored();
}

/// A sandbox with a command that ticks: seen at a poll, its output live, stopped on a confirmed key.
pub fn watch_and_stop(terminal: &mut Terminal, name: &str) {
    terminal.wait_for_text(name);
    terminal.wait_for_text("tick-3");
    // Live: what is printed only after the first lines were seen.
    let seen = last_tick(terminal);
    terminal.wait("later lines", |terminal| last_tick(terminal) > seen);
    terminal.send("x");
    terminal.wait("the question", |terminal| {
        let screen = terminal.screen();
        screen.contains("Cancel") && screen.matches(name).count() > 1
    });
    terminal.send("y");
    terminal.wait("the row to say so", |terminal| {
        terminal
            .row_with(name)
            .is_some_and(|row| row.contains("stopped"))
    });
}

/// Looking is free: a tour over everything only reads, and resumes nothing.
#[test]
fn looking_only_reads() {
    let program = Program::new();
    let server = Server::start(&program);
    let session = server.create("looked-at");
    server.run(&session, TICKS);
    let stopped = server.create("asleep");
    server.post(
        &format!("/v2/sandboxes/sessions/{stopped}/stop"),
        &serde_json::json!({}),
    );
    // A request is written down when its answer is out.
    server.wait_for_request("the stop", |line| line.contains("/stop "));
    let before = server.requests().len();

    let mut terminal = program.dashboard(&server.dashboard(&program));
    terminal.wait_for_text("looked-at");
    terminal.wait_for_text("asleep");
    for keys in [
        "j", "k", "G", "g", "\r", "]", "]", "[", "[", "z", "z", "o", "O", "6", "1", "\t", "f", "\t",
    ] {
        terminal.send(keys);
    }
    terminal.send("?");
    terminal.wait_for_text("In the list");
    terminal.send("?");
    terminal.wait_without_text("In the list");
    terminal.wait_for_text("▸Sandboxes");
    terminal.send("/looked\r");
    terminal.wait_without_text("asleep");
    terminal.wait_for_text("tick-3");
    // Idle: until it has polled some more.
    let polls = |server: &Server| {
        server.requests()[before..]
            .iter()
            .filter(|line| is_poll(line))
            .count()
    };
    let polled = polls(&server);
    terminal.wait("two more polls", |_| polls(&server) >= polled + 2);
    terminal.send("q");
    terminal.wait_for_end();

    let requests = server.requests();
    assert!(requests.len() > before + 5, "{requests:?}");
    for line in &requests[before..] {
        assert!(line.starts_with("GET "), "{line}");
        assert!(!line.contains("resume=true"), "{line}");
    }
    assert!(
        !requests.iter().any(|line| line.contains(TOKEN)),
        "the log tells the token"
    );
}

/// A service that takes requests and answers none must not stop anything else.
#[test]
fn keys_work_while_nothing_answers() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/api", silent.local_addr().unwrap());
    let program = Program::new();
    let command = program.command(&["--api-url", &url, "--token", TOKEN]);
    let mut terminal = program.dashboard(&command);
    let (_request, _) = silent.accept().unwrap();
    terminal.send("?");
    terminal.wait_for_text("In the list");
    terminal.send("?");
    terminal.wait_without_text("In the list");
    terminal.send("q");
    assert_eq!(terminal.wait_for_end().code(), Some(0));
    terminal.assert_restored();
}

/// What sandtop logs about itself names no token, however much it is asked to say.
/// Neither of the two may hide the other.
#[test]
fn a_change_of_size_that_comes_with_keys_is_drawn() {
    let program = Program::new();
    let mut terminal = program.dashboard(&program.unanswered());
    terminal.wait_for_text("Sandboxes");
    for nth in 0..60 {
        let columns = 60 + nth % 2 * 20;
        terminal.send("j");
        terminal.resize(columns, 20);
        terminal.send("k");
        terminal.wait("the border at the new width", |terminal| {
            let row = terminal.row_with("Sandboxes");
            row.is_some_and(|row| row.trim_end().chars().count() == usize::from(columns))
        });
    }
    terminal.send("q");
    assert_eq!(terminal.wait_for_end().code(), Some(0));
}

#[test]
fn the_log_of_sandtop_tells_no_token() {
    let program = Program::new();
    let server = Server::start(&program);
    let mut command = program.command(&["ls", "--api-url", &server.url]);
    command.arg("--data-dir").arg(program.home.path());
    let output = command
        .env("SANDTOP_LOG", "trace")
        .env("SANDTOP_TOKEN", TOKEN)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let log = std::fs::read_to_string(program.home.path().join("sandtop.log")).unwrap();
    assert!(log.contains("TRACE"), "there is a log at all: {log:?}");
    assert!(!log.contains(TOKEN), "{log}");
}

/// The first command of README: no account, one key to live output of a real command.
#[test]
fn without_an_account_one_key_shows_real_output() {
    let program = Program::new();
    let mut command = program.command(&["--data-dir"]);
    command.arg(program.data_dir());
    let mut terminal = program.dashboard(&command);
    terminal.wait_for_text("local engine");
    terminal.send("+");
    terminal.wait_for_text("sample-web");
    terminal.send("/sample-web\r");
    terminal.wait("lines of a real command, or what it lacks", |terminal| {
        let screen = terminal.screen();
        let lacks = ["no web server here", "nothing here can ask for a page"];
        screen.contains("GET /") || lacks.iter().any(|lack| screen.contains(lack))
    });
    // The third one replays a coding agent's run.
    terminal.send("\x1b");
    terminal.wait_for_text("sample-build");
    terminal.send("/sample-agent\r");
    terminal.wait("lines of the recording, however far it is", |terminal| {
        let screen = terminal.screen();
        let words = ["claude_code_version", "toolu_sample", "parent_tool_use_id"];
        words.iter().any(|word| screen.contains(word))
    });
    // What would end with the engine is told, and ends when that was chosen.
    terminal.send("q");
    terminal.wait("the question", |terminal| {
        let screen = terminal.screen();
        screen.contains("End it") && screen.contains("sample-web")
    });
    terminal.send("\t\t\r");
    assert_eq!(terminal.wait_for_end().code(), Some(0));
    terminal.assert_restored();
    // The engine went with it.
    assert!(
        sandtop::engine::discover(&program.data_dir())
            .unwrap()
            .is_none()
    );
}

/// Left serving, the engine outlives its dashboard, the next one is its client, and it ends by itself.
#[test]
fn an_engine_that_was_left_serves_the_next_dashboard() {
    let program = Program::new();
    let mut command = program.command(&["--local", "--data-dir"]);
    command
        .arg(program.data_dir())
        .env("SANDTOP_ENGINE_IDLE_AFTER", "1s");
    let found = || sandtop::engine::discover(&program.data_dir()).unwrap();
    let mut terminal = program.dashboard(&command);
    terminal.send("+");
    terminal.wait_for_text("sample-web");
    let pid = found().unwrap().pid;
    terminal.send("q");
    terminal.wait_for_text("Leave it serving");
    terminal.send("\t\r");
    assert_eq!(terminal.wait_for_end().code(), Some(0));
    terminal.assert_restored();
    assert_eq!(found().unwrap().pid, pid);

    // Its client ends nothing, and is not asked.
    let mut second = program.dashboard(&command);
    second.wait_for_text("sample-web");
    second.send("q");
    assert_eq!(second.wait_for_end().code(), Some(0));
    assert_eq!(found().unwrap().pid, pid);

    let mut stop = program.command(&[
        "stop",
        "--yes",
        "sample-web",
        "sample-build",
        "sample-agent",
    ]);
    stop.arg("--data-dir");
    assert!(
        stop.arg(program.data_dir())
            .output()
            .unwrap()
            .status
            .success()
    );
    second.wait_idle("the end of an idle engine", || found().is_none());
}

/// Killed, the dashboard cannot end its engine; that notices and ends by itself, in order.
#[test]
fn an_engine_does_not_outlive_a_killed_dashboard() {
    let program = Program::new();
    let mut command = program.command(&["--local", "--data-dir"]);
    command.arg(program.data_dir());
    let mut terminal = program.dashboard(&command);
    let found = || sandtop::engine::discover(&program.data_dir()).unwrap();
    terminal.wait("the engine", |_| found().is_some());
    terminal.signal(rustix::process::Signal::KILL);
    terminal.wait_for_end();
    terminal.wait_idle("the engine's end", || found().is_none());
}

/// A second dashboard shares the engine of the first; when that ends it, the second starts one of its own.
#[test]
fn the_second_dashboard_goes_on_without_the_first() {
    let program = Program::new();
    let mut command = program.command(&["--local", "--data-dir"]);
    command.arg(program.data_dir());
    let found = || sandtop::engine::discover(&program.data_dir()).unwrap();
    let mut first = program.dashboard(&command);
    first.wait("the engine", |_| found().is_some());
    let engine = found().unwrap().pid;
    let mut second = program.dashboard(&command);
    second.wait_for_text("live");
    assert_eq!(found().unwrap().pid, engine, "one engine a data directory");
    first.send("q");
    assert_eq!(first.wait_for_end().code(), Some(0));
    second.wait("another engine", |_| {
        found().is_some_and(|found| found.pid != engine)
    });
    second.wait_for_text("live");
    second.send("q");
    assert_eq!(second.wait_for_end().code(), Some(0));
}

/// `sandtop ls` is a client of the engine that a dashboard has started.
#[test]
fn ls_tells_what_runs() {
    let program = Program::new();
    let server = Server::start(&program);
    let session = server.create("listed");
    let stopped = server.create("asleep");
    server.post(
        &format!("/v2/sandboxes/sessions/{stopped}/stop"),
        &serde_json::json!({}),
    );
    let ls = |arguments: &[&str]| {
        let mut command = program.command(&[&["ls"], arguments].concat());
        let output = command
            .arg("--data-dir")
            .arg(program.data_dir())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let table = ls(&[]);
    assert!(
        table.contains("listed") && !table.contains("asleep"),
        "{table}"
    );
    assert!(ls(&["--all"]).contains("asleep"));
    let json: serde_json::Value = serde_json::from_str(&ls(&["--json"])).unwrap();
    assert_eq!(json[0]["name"], "listed");
    assert_eq!(json[0]["currentSessionId"], session.as_str());
    assert_eq!(json.as_array().unwrap().len(), 1);
}

/// The number of the last tick on the screen.
pub fn last_tick(terminal: &Terminal) -> u32 {
    let screen = terminal.screen();
    let ticks = screen.split("tick-").skip(1);
    let number = |tick: &str| {
        tick.split(|c: char| !c.is_ascii_digit())
            .next()?
            .parse()
            .ok()
    };
    ticks.filter_map(number).max().unwrap_or(0)
}

fn is_poll(line: &str) -> bool {
    line.starts_with("GET /api/v2/sandboxes?")
}
