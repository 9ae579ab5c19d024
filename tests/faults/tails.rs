//! `sandtop tail` before a service that cuts, stalls and replays by chance.

use crate::logs::{chunked, command, ended, piece};
use crate::program::Program;
use crate::service::{Reply, Service, running};
use serde_json::json;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const LINES: usize = 10_000;
/// Openings that are cut; each costs a second of waiting.
const CUTS: usize = 6;

fn tail(program: &Program, service: &Service, arguments: &[&str]) -> Output {
    let url = service.url();
    let mut command: Command =
        program.command(&["tail", "alpha", "--api-url", &url, "--token", "t"]);
    command.args(arguments).stdin(Stdio::null());
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn line(n: usize) -> String {
    match n % 3 {
        0 => format!("line {n} 漢😀\n"),
        _ => "tick\n".to_owned(),
    }
}

/// The first lines in objects of any size, in chunks of any size.
fn told(lines: usize, random: &mut fastrand::Rng) -> Vec<u8> {
    let mut body = String::new();
    let mut n = 0;
    while n < lines {
        let until = (n + random.usize(1..200)).min(lines);
        body += &piece(&(n..until).map(line).collect::<String>());
        n = until;
    }
    chunked(&body, random.usize(1..10_000))
}

#[test]
fn however_its_stream_breaks_each_line_is_printed_once() {
    std::thread::scope(|scope| {
        for seed in 0..3 {
            scope.spawn(move || broken_by_chance(seed));
        }
    });
}

fn broken_by_chance(seed: u64) {
    let program = Program::new();
    let service = Service::start(vec![running("alpha")]);
    service.set_commands(vec![command(None)]);
    let mut random = fastrand::Rng::with_seed(seed);
    let (mut openings, mut written) = (0, 0);
    let served = service.clone();
    service.script(move |asked| {
        if !asked.contains("/logs") {
            return None;
        }
        openings += 1;
        if openings > CUTS {
            served.set_commands(vec![command(Some(5))]);
            return Some(Reply::Raw(ended(told(LINES, &mut random))));
        }
        written = (written + random.usize(0..LINES / CUTS)).min(LINES);
        let mut bytes = told(random.usize(0..=written), &mut random);
        Some(match random.u8(0..4) {
            0 => Reply::Json(503, json!({"error": {"code": "away"}})),
            1 => Reply::Raw(ended(bytes)),
            2 => {
                let rest = bytes.split_off(random.usize(0..bytes.len()));
                let served = served.clone();
                std::thread::spawn(move || {
                    std::thread::sleep(Duration::from_millis(500));
                    served.release();
                });
                Reply::Held(bytes, rest)
            }
            _ => {
                bytes.truncate(random.usize(0..=bytes.len()));
                Reply::Raw(bytes)
            }
        })
    });
    let output = tail(&program, &service, &[]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(5), "seed {seed}: {said}");
    let wanted: String = (0..LINES).map(line).collect();
    assert!(text(&output.stdout) == wanted, "seed {seed}: {said}");
    assert!(said.contains("trying again in"), "{said}");
    assert!(!said.contains("differently"), "{said}");
    assert_eq!(service.asked("/logs"), CUTS + 1, "seed {seed}");
    assert_eq!(service.asked("POST") + service.asked("resume=true"), 0);
}

/// What is gone is said, lines stay, and nothing is asked again and again.
#[test]
fn a_log_that_is_gone_in_the_middle_is_told() {
    for code in [404, 410] {
        let program = Program::new();
        let service = Service::start(vec![running("alpha")]);
        service.set_commands(vec![command(None)]);
        let mut openings = 0;
        service.script(move |asked| {
            asked.contains("/logs").then(|| {
                openings += 1;
                match openings {
                    1 => Reply::Raw(chunked(&piece("kept\nhalf"), 64)),
                    _ => crate::service::gone(code),
                }
            })
        });
        let output = tail(&program, &service, &[]);
        assert_eq!(output.status.code(), Some(125), "{output:?}");
        assert_eq!(text(&output.stdout), "kept\nhalf");
        let said = text(&output.stderr);
        assert!(said.contains(&format!("read logs: {code}")), "{said}");
        assert_eq!(service.asked("/logs"), 2);
    }
}

/// A log that is told differently: both are there, and it is said.
#[test]
fn another_telling_follows_the_first() {
    let program = Program::new();
    let service = Service::start(vec![running("alpha")]);
    service.set_commands(vec![command(None)]);
    let mut openings = 0;
    let served = service.clone();
    service.script(move |asked| {
        asked.contains("/logs").then(|| {
            openings += 1;
            match openings {
                1 => Reply::Raw(chunked(&piece("first telling\nhal"), 64)),
                _ => {
                    served.set_commands(vec![command(Some(0))]);
                    Reply::Raw(ended(chunked(&piece("other telling\nhal\n"), 64)))
                }
            }
        })
    });
    let output = tail(&program, &service, &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(
        text(&output.stdout),
        "first telling\nhal\nother telling\nhal\n"
    );
    assert!(text(&output.stderr).contains("both are kept"));
}
