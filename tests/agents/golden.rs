//! Recordings of our own invention, with what is made of them; and that neither cuts nor damage do harm.

use super::told;
use proptest::prelude::*;
use sandtop::agents::{Piece, Reader, Run, Stream};
use std::fs;
use std::path::PathBuf;

/// Each recording of `tests/data/agents`, with the exit code of its process: `None` while it runs.
const RECORDINGS: &[(&str, Option<i64>)] = &[
    ("claude-asks", Some(0)),
    ("claude-background", Some(0)),
    ("claude-budget", Some(1)),
    ("claude-interrupted", Some(0)),
    ("claude-json", Some(0)),
    ("claude-json-array", Some(0)),
    ("claude-json-array-cut", Some(137)),
    ("claude-limited", None),
    ("claude-mixed-line", None),
    ("claude-parts-cut", Some(143)),
    ("claude-transcript", Some(0)),
    ("claude-tries-again", Some(0)),
    ("claude-turns", Some(0)),
    ("claude-waits", None),
    ("codex-asks", None),
    ("codex-exp", Some(0)),
    ("codex-exp-failed", Some(1)),
    ("codex-exp-stopped", Some(143)),
    ("codex-failed", Some(1)),
    ("codex-late", Some(0)),
    ("codex-legacy", Some(0)),
    ("codex-legacy-asks", None),
    ("codex-legacy-failed", Some(0)),
    ("codex-legacy-old", Some(0)),
    ("codex-quotes", Some(0)),
    ("codex-resumed", Some(0)),
    ("codex-rollout", Some(0)),
    ("codex-rollout-new", Some(0)),
    ("codex-rollout-records", Some(0)),
    ("codex-stopped", Some(143)),
    ("codex-told", None),
    ("codex-turns", Some(0)),
    ("cursor-failed", Some(1)),
    ("cursor-file", Some(0)),
    ("cursor-json", Some(0)),
    ("cursor-partial", Some(0)),
    ("cursor-stopped", Some(1)),
    ("cursor-turns", Some(0)),
    ("gemini-empty", Some(0)),
    ("gemini-fatal", Some(53)),
    ("gemini-json", Some(0)),
    ("gemini-json-failed", Some(41)),
    ("gemini-killed", Some(137)),
    ("gemini-limited", None),
    ("gemini-loop", Some(0)),
    ("gemini-stopped", Some(0)),
    ("gemini-turns", Some(0)),
    ("gemini-two", Some(0)),
    ("gemini-update", Some(0)),
    ("openclaw-aborted", Some(0)),
    ("openclaw-failed", Some(0)),
    ("openclaw-failed-late", Some(0)),
    ("openclaw-final", Some(0)),
    ("openclaw-gateway", Some(0)),
    ("openclaw-gateway-failed", Some(1)),
    ("openclaw-merged", Some(0)),
    ("openclaw-session", Some(0)),
    ("openclaw-session-failed", Some(0)),
    ("openclaw-session-other", Some(0)),
    ("opencode-broken", Some(1)),
    ("opencode-error", Some(0)),
    ("opencode-goes-on", Some(0)),
    ("opencode-length", Some(0)),
    ("opencode-refused", Some(0)),
    ("opencode-refused-done", Some(0)),
    ("opencode-refused-merged", Some(0)),
    ("opencode-start", Some(0)),
    ("opencode-turns", Some(0)),
];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/agents")
}

/// What a recording printed on standard output and on standard error.
fn streams(name: &str) -> [Vec<u8>; 2] {
    let read = |ending: &str| fs::read(folder().join(format!("{name}.{ending}")));
    [read("stdout").unwrap(), read("stderr").unwrap_or_default()]
}

#[test]
fn each_recording_is_in_the_table() {
    for entry in fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let name = name.split('.').next().unwrap();
        assert!(
            RECORDINGS.iter().any(|row| row.0 == name),
            "{name} is not read by any test"
        );
    }
}

#[test]
fn recordings_make_these_steps_and_totals() {
    for (name, exit) in RECORDINGS {
        let [stdout, stderr] = streams(name);
        insta::assert_snapshot!(*name, told(&stdout, &stderr, *exit));
    }
}

fn feed(reader: &mut Reader, stream: Stream, line: u64, bytes: &[u8]) {
    reader.feed(Piece {
        stream,
        line,
        arrived: None,
        bytes,
    });
}

fn whole(streams: &[Vec<u8>; 2]) -> Run {
    let mut reader = Reader::new();
    feed(&mut reader, Stream::Stdout, 0, &streams[0]);
    feed(&mut reader, Stream::Stderr, 0, &streams[1]);
    reader.end();
    reader.run().clone()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_cut_makes_the_same_run(sizes in prop::collection::vec(1_usize..700, 1..40)) {
        for (name, _) in RECORDINGS {
            let streams = streams(name);
            let mut reader = Reader::new();
            for (stream, bytes) in [(Stream::Stdout, &streams[0]), (Stream::Stderr, &streams[1])] {
                let (mut rest, mut line) = (bytes.as_slice(), 0);
                for size in sizes.iter().cycle() {
                    let (piece, after) = rest.split_at(rest.len().min(*size));
                    feed(&mut reader, stream, line, piece);
                    line += piece.iter().filter(|byte| **byte == b'\n').count() as u64;
                    rest = after;
                    if rest.is_empty() {
                        break;
                    }
                }
            }
            reader.end();
            prop_assert_eq!(reader.run(), &whole(&streams), "{}", name);
        }
    }
}

/// Bytes are changed, lines lost, doubled and swapped, by a seed: whatever comes, it is read to the end.
#[test]
fn damage_does_no_harm() {
    let mut random = fastrand::Rng::with_seed(7);
    for round in 0..400 {
        let (name, _) = RECORDINGS[round % RECORDINGS.len()];
        let [stdout, stderr] = streams(name);
        let damaged = damage(&mut random, &stdout);
        whole(&[damaged, damage(&mut random, &stderr)]);
    }
}

fn damage(random: &mut fastrand::Rng, bytes: &[u8]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = bytes
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    for _ in 0..random.usize(1..12) {
        let at = random.usize(..lines.len());
        match random.u8(..6) {
            0 => lines.insert(at, lines[at].clone()),
            1 => drop(lines.swap_remove(at)),
            2 => {
                let other = random.usize(..lines.len());
                lines.swap(at, other);
            }
            3 => {
                let keep = random.usize(..=lines[at].len());
                lines[at].truncate(keep);
            }
            4 => {
                let other = random.usize(..lines.len());
                let more = lines[other].clone();
                let middle = random.usize(..=lines[at].len());
                lines[at].splice(middle..middle, more);
            }
            _ => {
                for _ in 0..random.usize(1..8) {
                    let length = lines[at].len();
                    if length > 0 {
                        lines[at][random.usize(..length)] = random.u8(..);
                    }
                }
            }
        }
        if lines.is_empty() {
            lines.push(Vec::new());
        }
    }
    lines.join(&b'\n')
}
