//! Sandboxes that vanish, stops of what is gone, and log streams that break.

use crate::program::Program;
use crate::service::{Reply, Service, gone, now, running};
use serde_json::{Value, json};

const HEAD: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n";

pub fn command(exit: Option<i64>) -> Value {
    json!({
        "id": "cmd_1", "name": "job", "args": [], "cwd": "/", "sessionId": "sbx_alpha", "exitCode": exit,
        "startedAt": now() - 5_000,
    })
}

pub fn piece(data: &str) -> String {
    json!({"stream": "stdout", "data": data}).to_string() + "\n"
}

/// In chunks of that many bytes, without the end of the last one.
pub fn chunked(body: &str, size: usize) -> Vec<u8> {
    let mut bytes = Vec::from(HEAD);
    for chunk in body.as_bytes().chunks(size) {
        bytes.extend(format!("{:x}\r\n", chunk.len()).bytes());
        bytes.extend(chunk);
        bytes.extend(b"\r\n");
    }
    bytes
}

pub fn ended(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(b"0\r\n\r\n");
    bytes
}

/// LT01, LT02: a cut is no end, and the replay after it repeats nothing, however alike the lines are.
#[test]
fn a_cut_log_is_opened_again_and_each_line_stands_once() {
    let program = Program::new();
    let service = Service::start(vec![running("alpha")]);
    service.set_commands(vec![command(None)]);
    let mut cut = String::from(&piece("first\n"));
    for _ in 0..50 {
        cut += &piece("same\n");
    }
    let mut openings = 0;
    service.script(move |line| {
        line.contains("/logs").then(|| {
            openings += 1;
            match openings {
                1 => Reply::Raw(chunked(&cut, 4096)),
                _ => Reply::Held(chunked(&(cut.clone() + &piece("last\n")), 100), Vec::new()),
            }
        })
    });
    let mut terminal = service.open(&program, 120, 150);
    terminal.wait_for_text("first");
    terminal.wait_for_text("dropped · retrying in");
    terminal.wait_for_text("last");
    let count = |part: &str| terminal.screen().matches(part).count();
    assert_eq!((count("first"), count("same"), count("last")), (1, 50, 1));
    assert_eq!(count("● running    job"), 1, "a cut is no end");
    assert_eq!(service.asked("/logs"), 2);
}

/// LT06, LT07, LT09: lines are kept, what the service says is shown, and nothing stops the reading.
#[test]
fn odd_objects_in_a_log_are_shown_and_end_nothing() {
    let program = Program::new();
    let service = Service::start(vec![running("alpha")]);
    service.set_commands(vec![command(Some(0))]);
    let body = [
        piece("wide 漢😀 ok\n").as_str(),
        "\r\n\n",
        r#"{"stream":"stdout","data":"half \ud83d"}"#,
        "\n",
        r#"{"stream":"stdout","data":"\ude00 joined\n"}"#,
        "\n",
        "{\"stream\":\"system\",\"data\":\"from-the-system\\n\"}\n",
        "no object at all\n",
        "{\"stream\":\"error\",\"data\":{\"code\":\"stream_failed\",\"message\":\"backend gone\"}}\n",
        "{\"stream\":\"stdout\",\"data\":\"without a newline\"}",
    ]
    .concat();
    service.script(move |line| {
        line.contains("/logs")
            .then(|| Reply::Raw(ended(chunked(&body, 1))))
    });
    let mut terminal = service.open(&program, 140, 40);
    terminal.wait_for_text("ended · exit 0");
    terminal.wait_for_text("without a newline");
    for told in [
        "wide 漢",
        "joined",
        "from-the-system",
        "no object at all",
        "backend gone (stream_failed)",
    ] {
        let screen = terminal.screen();
        assert_eq!(screen.matches(told).count(), 1, "{told}: {screen}");
    }
    assert_eq!(
        service.asked("/logs"),
        1,
        "a command that ended has said all"
    );
}

/// Ten times the memory that it may take: every line is there, from the first to the last.
#[test]
fn a_log_beyond_its_memory_is_read_from_its_first_line() {
    let program = Program::new();
    let settings = program.home.path().join(".config/sandtop");
    std::fs::create_dir_all(&settings).unwrap();
    std::fs::write(settings.join("config.toml"), "[logs]\nmemory = 1\n").unwrap();
    let service = Service::start(vec![running("alpha")]);
    service.set_commands(vec![command(Some(0))]);
    let line = |n: usize| format!("line {n:06} {}\n", "of a long log ".repeat(8));
    let lines: Vec<String> = (0..80_000).map(line).collect();
    let body: String = lines
        .chunks(500)
        .map(|lines| piece(&lines.concat()))
        .collect();
    service.script(move |line| {
        line.contains("/logs")
            .then(|| Reply::Raw(ended(chunked(&body, 64 << 10))))
    });
    let mut terminal = service.open(&program, 140, 40);
    terminal.wait_for_text("ended · exit 0");
    terminal.wait_for_text("line 079999");
    terminal.send("\r\rg");
    terminal.wait_for_text("line 000000");
    terminal.send("G");
    terminal.wait_for_text("line 079999");
    assert!(
        !terminal.screen().contains("dropped"),
        "{}",
        terminal.screen()
    );
}

#[test]
fn a_sandbox_that_vanishes_is_told_and_its_lines_stay() {
    let program = Program::new();
    let service = Service::start(vec![running("alpha"), running("beta")]);
    service.set_commands(vec![command(Some(3))]);
    service.script(|line| {
        line.contains("/logs")
            .then(|| Reply::Raw(ended(chunked(&piece("kept line\n"), 64))))
    });
    let mut terminal = service.open(&program, 120, 30);
    terminal.wait_for_text("kept line");
    terminal.send("\u{1b}gg");
    let selected = terminal.row_with("▸ ").unwrap();
    let name = if selected.contains("alpha") {
        "alpha"
    } else {
        "beta"
    };
    let other = if name == "alpha" { "beta" } else { "alpha" };
    service.set_rows(vec![running(other)]);
    service.script(|line| line.contains("/sessions/").then(|| gone(410)));
    terminal.send("r");
    terminal.wait("the row to say so", |terminal| {
        let row = terminal.row_with(name).unwrap_or_default();
        row.contains("deleted")
    });
    assert!(
        terminal.screen().contains("kept line"),
        "{}",
        terminal.screen()
    );
    assert!(service.asked("GET ") < 40);
}

/// AP12: a stop that comes too late ends its waiting, and says so.
#[test]
fn a_stop_of_what_is_gone_is_told_and_sent_once() {
    let program = Program::new();
    let service = Service::start(vec![running("alpha")]);
    let told = service.clone();
    service.script(move |line| {
        line.starts_with("POST").then(|| {
            let mut row = running("alpha");
            row["status"] = json!("stopped");
            row["statusUpdatedAt"] = json!(now());
            row["updatedAt"] = json!(now());
            told.set_rows(vec![row]);
            gone(410)
        })
    });
    let mut terminal = service.open(&program, 120, 30);
    terminal.wait_for_text("alpha");
    terminal.send("x");
    terminal.wait_for_text("Cancel");
    terminal.send("y");
    terminal.wait_for_text("ended already");
    terminal.wait("the row to say so", |terminal| {
        terminal
            .row_with("alpha")
            .is_some_and(|row| row.contains("stopped"))
    });
    assert_eq!(service.asked("POST"), 1);
    terminal.send("6");
    terminal.wait_for_text("410 gone");
}
