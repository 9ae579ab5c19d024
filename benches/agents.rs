//! What it costs to read a coding agent's stream: 100 MB of made-up Claude Code output, and the memory it stays in.
//!
//! `cargo bench --bench agents`. Time is the processor's; figures compare two states of the code on one machine.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::print_stdout)] // it tells figures

use sandtop::agents::{Piece, Reader, Stream};
use serde_json::json;
use std::fmt::Write;
use std::time::Duration;

const MEGABYTE: usize = 1_000_000;
const PIECE: usize = 64 << 10;

fn main() {
    // As a test it would only take time.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    measure("whole lines", |n| turn(n, false));
    measure("with partial answers", |n| turn(n, true));
    measure("with screenshots", |n| match n % 20 {
        0 => screenshot(n),
        _ => turn(n, false),
    });
}

/// Reads about 100 MB, and tells how fast and how much memory it took on the way.
fn measure(what: &str, turn: impl Fn(usize) -> String) {
    let block: Vec<String> = (0..400).map(turn).collect();
    let mut reader = Reader::new();
    let (mut bytes, mut line, mut spent) = (0, 0, Duration::ZERO);
    let mut resident = Vec::new();
    let mut marks = [10, 50, 100].into_iter().peekable();
    for round in 0.. {
        let Some(mark) = marks.peek() else { break };
        if bytes >= mark * MEGABYTE {
            resident.push(memory());
            marks.next();
        }
        // Ids are of one round only, as in a stream that goes on.
        let text = block[round % block.len()].replace("ROUND", &round.to_string());
        let start = processor_time();
        for piece in text.as_bytes().chunks(PIECE) {
            reader.feed(Piece {
                stream: Stream::Stdout,
                line,
                arrived: None,
                bytes: piece,
            });
        }
        spent += processor_time() - start;
        line += text.lines().count() as u64;
        bytes += text.len();
    }
    let speed = bytes as f64 / 1e6 / spent.as_secs_f64();
    let steps = reader.run().steps.len();
    println!(
        "{what:<24} {speed:>6.0} MB/s   {steps} steps   MB resident after 10, 50, 100 MB: {resident:?}"
    );
}

/// One answer: a text, a call and its result, about 6 kB.
fn turn(n: usize, partial: bool) -> String {
    let mut text = String::new();
    let usage = json!({"input_tokens": 10, "cache_read_input_tokens": 900, "cache_creation_input_tokens": 40, "output_tokens": 1});
    let id = format!("msg_ROUND_{n}");
    let said = format!(
        "I look at part {n} of it. {}",
        "More words about that. ".repeat(30)
    );
    let event = |text: &mut String, event: serde_json::Value| {
        let line = json!({"type": "stream_event", "event": event, "session_id": "s", "parent_tool_use_id": null});
        let _ = writeln!(text, "{line}");
    };
    if partial {
        event(
            &mut text,
            json!({"type": "message_start", "message": {"id": id, "usage": usage}}),
        );
        event(
            &mut text,
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        );
        for piece in said.as_bytes().chunks(20) {
            let piece = std::str::from_utf8(piece).unwrap();
            event(
                &mut text,
                json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}),
            );
        }
    }
    let line = |block: serde_json::Value| {
        json!({"type": "assistant", "message": {"id": id, "role": "assistant", "model": "m", "content": [block], "usage": usage},
            "parent_tool_use_id": null, "session_id": "s"})
    };
    let tool = format!("toolu_ROUND_{n}");
    let call = json!({"type": "tool_use", "id": tool, "name": "Bash", "input": {"command": format!("make part-{n}")}});
    let output = "a line of output of this command\n".repeat(120);
    let result = json!({"type": "user", "message": {"role": "user", "content": [{"tool_use_id": tool, "type": "tool_result", "content": output}]},
        "parent_tool_use_id": null, "session_id": "s"});
    let _ = writeln!(
        text,
        "{}\n{}\n{result}",
        line(json!({"type": "text", "text": said})),
        line(call)
    );
    text
}

/// An image of a megabyte, twice in its line as the program writes it.
fn screenshot(n: usize) -> String {
    let data = "QUJD".repeat(250_000);
    let block = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}});
    let result = json!({"type": "user", "message": {"role": "user", "content": [
        {"tool_use_id": format!("shot_ROUND_{n}"), "type": "tool_result", "content": [block]}]},
        "tool_use_result": {"file": {"base64": data}}, "parent_tool_use_id": null, "session_id": "s"});
    format!("{result}\n")
}

/// Time of this thread on a processor: other programs' work does not count.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(stat.split(' ').next().unwrap().parse().unwrap())
}

/// Resident megabytes.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap();
    line.split_whitespace()
        .nth(1)
        .unwrap()
        .parse::<u64>()
        .unwrap()
        / 1024
}
