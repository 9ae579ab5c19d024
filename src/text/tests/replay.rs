//! Connections that break off and replay: everything once, nothing lost, another log told.

use crate::model::StreamName;
use crate::text::{Received, Replay, Verdict};
use proptest::prelude::*;

const OUT: StreamName = StreamName::Stdout;
const ERR: StreamName = StreamName::Stderr;

/// Follows connections, and puts together what was new.
#[derive(Default)]
struct Follower {
    received: Received,
    out: String,
    err: String,
    differed: usize,
}

impl Follower {
    fn connection(&mut self, pieces: &[(StreamName, &str)]) -> Replay {
        let mut replay = Replay::new(&self.received);
        for (stream, piece) in pieces {
            match replay.take(stream, piece) {
                Verdict::Held => {}
                Verdict::New(text) => self.add(stream, text),
                Verdict::Differs(texts) => {
                    self.differed += 1;
                    for (stream, text) in texts {
                        self.add(&stream, &text);
                    }
                }
            }
        }
        self.received = replay.received();
        replay
    }

    fn add(&mut self, stream: &StreamName, text: &str) {
        assert!(!text.is_empty());
        match stream {
            StreamName::Stderr => self.err.push_str(text),
            _ => self.out.push_str(text),
        }
    }
}

/// Also where the logs differ in a bit of few bytes, wherever those stand in a word.
#[test]
fn a_log_that_differs_anywhere_is_noticed() {
    let log = "0123456789abcdef\u{e9}".repeat(40);
    let first = [(OUT, log.as_str())];
    for at in (0..log.len()).filter(|at| log.as_bytes()[*at].is_ascii()) {
        for also in [at, at + 8, at + 16, at + 64] {
            let mut other = log.clone().into_bytes();
            for at in [at, also] {
                if other.get(at).is_some_and(u8::is_ascii) {
                    other[at] ^= 0x40;
                }
            }
            let other = String::from_utf8(other).unwrap();
            let mut follower = Follower::default();
            follower.connection(&first);
            follower.connection(&[(OUT, other.as_str())]);
            let differs = other != log;
            assert_eq!(follower.differed, usize::from(differs), "{at} {also}");
        }
    }
}

#[test]
fn equal_neighbours_survive_a_reconnect() {
    let log: Vec<String> = (0..500)
        .map(|n| {
            if n % 10 < 5 {
                "tick\n".into()
            } else {
                format!("line {n}\n")
            }
        })
        .collect();
    let pieces: Vec<_> = log.iter().map(|line| (OUT, line.as_str())).collect();
    let mut follower = Follower::default();
    follower.connection(&pieces[..321]);
    assert!(!follower.connection(&pieces).behind());
    assert_eq!(follower.out, log.concat());
    assert_eq!(follower.received.bytes(&OUT), log.concat().len() as u64);
}

#[test]
fn a_piece_over_the_border_is_split_inside_a_line() {
    let mut follower = Follower::default();
    follower.connection(&[(OUT, "漢字\nhal"), (ERR, "e")]);
    let mut replay = Replay::new(&follower.received);
    assert_eq!(replay.take(&OUT, "漢"), Verdict::Held);
    assert!(replay.behind());
    assert_eq!(replay.take(&ERR, "err"), Verdict::New("rr"));
    assert_eq!(replay.take(&OUT, "字\nhalf 😀"), Verdict::New("f 😀"));
    assert!(!replay.behind());
    assert_eq!(replay.take(&OUT, ""), Verdict::Held);
    assert_eq!(replay.take(&OUT, "more"), Verdict::New("more"));
}

#[test]
fn a_replay_that_breaks_off_takes_nothing_away() {
    let mut follower = Follower::default();
    follower.connection(&[(OUT, "0123456789"), (ERR, "abc")]);
    assert!(follower.connection(&[(OUT, "0123")]).behind());
    assert!(follower.connection(&[]).behind());
    follower.connection(&[(OUT, "0123456789+"), (ERR, "abc+")]);
    assert_eq!(
        (follower.out.as_str(), follower.err.as_str()),
        ("0123456789+", "abc+")
    );
}

#[test]
fn another_log_is_told_and_both_are_kept() {
    let mut follower = Follower::default();
    follower.connection(&[(OUT, "first run\n"), (ERR, "warning\n")]);
    follower.connection(&[
        (ERR, "warn"),
        (OUT, "second run, longer\n"),
        (ERR, "ing\n"),
        (OUT, "x"),
    ]);
    assert_eq!(follower.differed, 1);
    assert_eq!(follower.out, "first run\nsecond run, longer\nx");
    assert_eq!(follower.err, "warning\nwarning\n");
    // From then on the new log is the one that is known.
    follower.connection(&[(OUT, "second run, longer\nxy"), (ERR, "warning\n")]);
    assert_eq!(follower.differed, 1);
    assert!(follower.out.ends_with("longer\nxy") && follower.err.ends_with("warning\nwarning\n"));
}

#[test]
fn a_log_that_became_shorter_can_be_given_up() {
    let mut follower = Follower::default();
    follower.connection(&[(OUT, "a long log\n")]);
    let mut replay = Replay::new(&follower.received);
    assert_eq!(replay.take(&OUT, "short\n"), Verdict::Held);
    assert!(replay.behind());
    assert_eq!(replay.give_up(), [(OUT, "short\n".to_owned())]);
    assert!(!replay.behind());
    assert_eq!(replay.take(&OUT, "next\n"), Verdict::New("next\n"));
    assert_eq!(replay.received().bytes(&OUT), 11);
}

#[test]
fn a_long_replay_keeps_little_and_finds_where_it_differs() {
    let line = |n: u64| format!("漢 line {n} of many\n");
    let log: String = (0..40_000).map(line).collect();
    let mut follower = Follower::default();
    follower.connection(&[(OUT, &log)]);
    // The same for a long way, then another byte.
    let mut other = log.clone();
    let at = log.len() / 2 + log[log.len() / 2..].find("many").expect("there");
    other.replace_range(at..at + 4, "MANY");
    let mut replay = Replay::new(&follower.received);
    let mut told = String::new();
    let mut rest = other.as_str();
    while told.is_empty() {
        let (piece, after) = rest.split_at(rest.floor_char_boundary(1000.min(rest.len())));
        rest = after;
        if let Verdict::Differs(texts) = replay.take(&OUT, piece) {
            told = texts.into_iter().map(|(_, text)| text).collect();
        }
    }
    let before = &other[..other.len() - rest.len()];
    assert!(before.ends_with(&told) && told.contains("MANY"));
    assert!(told.len() < 40_000, "{}", told.len());
}

#[test]
fn marks_are_bounded_however_long_the_log() {
    let piece = "0123456789abcde\n".repeat(64 * 1024);
    let mut first = Replay::new(&Received::default());
    for _ in 0..80 {
        first.take(&OUT, &piece);
    }
    let mut again = Replay::new(&first.received());
    for _ in 0..80 {
        assert_eq!(again.take(&OUT, &piece), Verdict::Held);
    }
    assert!(!again.behind());
    assert_eq!(again.take(&OUT, "new"), Verdict::New("new"));
}

/// A log in both streams, cut in one way.
fn log() -> impl Strategy<Value = Vec<(StreamName, String)>> {
    let stream = proptest::sample::select(vec![OUT, ERR]);
    proptest::collection::vec((stream, "(tick\n|[ab漢😀é\r\n]){1,12}"), 0..30)
}

fn text_of(log: &[(StreamName, String)], stream: &StreamName) -> String {
    let own = log.iter().filter(|(name, _)| name == stream);
    own.map(|(_, text)| text.as_str()).collect()
}

/// The same log cut in another way, in pieces of about `size` bytes, up to `stop` bytes of each stream.
fn recut(log: &[(StreamName, String)], size: usize, stop: usize) -> Vec<(StreamName, String)> {
    let mut pieces = Vec::new();
    for stream in [ERR, OUT] {
        let text = text_of(log, &stream);
        let mut rest = &text[..text.floor_char_boundary(stop.min(text.len()))];
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(rest.ceil_char_boundary(size.min(rest.len())));
            pieces.push((stream.clone(), piece.to_owned()));
            rest = after;
        }
    }
    pieces
}

proptest! {
    #[test]
    fn any_cut_dropped_anywhere_gives_everything_once(
        log in log(),
        drops in proptest::collection::vec((1usize..20, 0usize..200), 0..6),
        last in 1usize..20,
        repeat in proptest::sample::select(vec![1usize, 1, 1, 400]),
    ) {
        // Some logs are long enough for marks.
        let log: Vec<_> = log.iter().cycle().take(log.len() * repeat).cloned().collect();
        let mut follower = Follower::default();
        let connections = drops.iter().map(|(size, stop)| (size * repeat, stop * repeat))
            .chain([(last * repeat, usize::MAX)]);
        for (size, stop) in connections {
            let pieces = recut(&log, size, stop);
            let pieces: Vec<_> = pieces.iter().map(|(stream, text)| (stream.clone(), text.as_str())).collect();
            follower.connection(&pieces);
        }
        prop_assert_eq!(follower.differed, 0);
        prop_assert_eq!(follower.out, text_of(&log, &OUT));
        prop_assert_eq!(follower.err, text_of(&log, &ERR));
    }
}
