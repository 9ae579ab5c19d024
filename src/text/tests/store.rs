//! The log store against a simple model of it, and its budget.

use crate::model::{Clean, Foreign, StreamName, Timestamp};
use crate::text::{LogStore, Lookup};
use proptest::prelude::*;

const ROOMY: usize = 1 << 20;
const OUT: StreamName = StreamName::Stdout;
const ERR: StreamName = StreamName::Stderr;

fn lines(store: &LogStore) -> Vec<(String, String, bool)> {
    (store.first()..store.end())
        .map(|number| {
            let line = store.get(number).line().expect("every number has its line");
            assert_eq!(line.number, number);
            let stream = line.stream.map_or("note", StreamName::word);
            (stream.to_owned(), line.raw.to_owned(), line.open)
        })
        .collect()
}

/// Of all lines, with a line break each.
fn bytes(store: &LogStore) -> u64 {
    let lines = (store.first()..store.end()).filter_map(|number| store.get(number).line());
    let bytes = lines.map(|line| line.raw.len() + line.ending.as_str().len().max(1));
    bytes.sum::<usize>() as u64
}

fn texts(store: &LogStore) -> Vec<String> {
    lines(store).into_iter().map(|(_, text, _)| text).collect()
}

fn told(pieces: &[(StreamName, &str)]) -> LogStore {
    let mut store = LogStore::new(ROOMY);
    for (stream, piece) in pieces {
        store.push(stream, piece, None);
    }
    store
}

#[test]
fn lines_take_their_place_when_they_start() {
    let mut store = told(&[
        (OUT, "one\npass"),
        (ERR, "warn"),
        (OUT, "word: "),
        (ERR, "ing\nnext"),
    ]);
    let line = |stream: &str, text: &str, open| (stream.to_owned(), text.to_owned(), open);
    assert_eq!(
        lines(&store),
        [
            line("stdout", "one", false),
            line("stdout", "password: ", true),
            line("stderr", "warning", false),
            line("stderr", "next", true),
        ]
    );
    store.push(&OUT, "ok\ndone\n", None);
    store.end_open_lines();
    assert_eq!(
        lines(&store),
        [
            line("stdout", "one", false),
            line("stdout", "password: ok", false),
            line("stderr", "warning", false),
            line("stderr", "next", false),
            line("stdout", "done", false),
        ]
    );
    assert_eq!(store.end(), 5);
}

#[test]
fn odd_logs_are_counted_right() {
    assert_eq!(texts(&told(&[])), [""; 0]);
    assert_eq!(texts(&told(&[(OUT, "")])), [""; 0]);
    assert_eq!(
        texts(&told(&[(OUT, "00:00 a\n\n\n\n\n\n")])),
        ["00:00 a", "", "", "", "", ""]
    );
    assert_eq!(texts(&told(&[(OUT, "\n"), (OUT, "\n")])), ["", ""]);
    assert_eq!(texts(&told(&[(OUT, "   ")])), ["   "]);
}

#[test]
fn a_return_before_the_break_belongs_to_it_and_others_stay() {
    assert_eq!(
        texts(&told(&[(OUT, "a\r\nb\r"), (OUT, "\n"), (OUT, "abc\rX\n")])),
        ["a", "b", "abc\rX"]
    );
    let store = told(&[(OUT, "\r 1%"), (OUT, "\r 2%"), (OUT, "\r100%\n")]);
    let line = store.get(0).line().expect("one line");
    assert_eq!(line.shown(8, 80).as_str(), "100%");
    assert_eq!(store.end(), 1);
}

#[test]
fn unknown_streams_are_kept_by_their_word_and_bounded() {
    let other = |n: usize| StreamName::Other(Foreign::from(format!("system {n}")));
    let mut store = LogStore::new(ROOMY);
    for n in 0..100 {
        store.push(&other(n), "text\n", None);
    }
    assert_eq!(store.end(), 100);
    assert_eq!(
        store
            .get(0)
            .line()
            .and_then(|line| line.stream)
            .map(StreamName::word),
        Some("system 0")
    );
    assert!(store.get(99).line().is_some_and(|line| line.raw == "text"));
}

#[test]
fn notes_stand_between_the_lines_and_break_none() {
    let mut store = told(&[(OUT, "half ")]);
    store.note(&Clean::from("— reconnected —"));
    store.push(&OUT, "line\n", None);
    assert_eq!(texts(&store), ["half line", "— reconnected —"]);
    assert!(store.get(1).line().is_some_and(|line| line.is_note()));
}

#[test]
fn a_line_keeps_the_time_of_its_first_part() {
    let at = |ms| Some(Timestamp(ms));
    let mut store = LogStore::new(ROOMY);
    store.push(&OUT, "replayed\n", None);
    store.push(&OUT, "a\nb\nc", at(5));
    store.push(&ERR, "x", at(6));
    store.push(&OUT, "c\nd", at(7));
    store.push(&ERR, "y\n", at(8));
    let arrived: Vec<_> = (0..store.end())
        .map(|n| store.get(n).line().and_then(|line| line.arrived))
        .collect();
    assert_eq!(arrived, [None, at(5), at(5), at(5), at(6), at(7)]);
    store.end_open_lines();
    assert_eq!(store.get(5).line().and_then(|line| line.arrived), at(7));
}

#[test]
fn the_oldest_go_when_the_budget_is_over_and_numbers_stay() {
    let mut store = LogStore::new(64 * 1024);
    for n in 0..100_000 {
        store.push(&OUT, &format!("line {n}\n"), None);
    }
    assert!(store.bytes() <= 64 * 1024, "{}", store.bytes());
    assert!(store.bytes() > 32 * 1024, "{}", store.bytes());
    assert_eq!(store.end(), 100_000);
    assert_eq!(store.dropped_lines(), store.first());
    for n in store.first()..store.end() {
        assert_eq!(
            store.get(n).line().map(|line| line.raw.to_owned()),
            Some(format!("line {n}"))
        );
    }
    assert_eq!(store.get(store.first() - 1), Lookup::Gone);
    assert_eq!(store.get(store.end()), Lookup::Gone);
    let lost: usize = (0..store.first())
        .map(|n| format!("line {n}\n").len())
        .sum();
    assert_eq!(store.dropped_bytes(), lost as u64);
}

#[test]
fn empty_lines_are_bounded_too() {
    let mut store = LogStore::new(64 * 1024);
    store.push(&OUT, &"\n".repeat(1_000_000), None);
    assert!(store.bytes() <= 64 * 1024);
    assert_eq!(store.end(), 1_000_000);
}

#[test]
fn an_open_line_outlives_its_place() {
    let mut store = LogStore::new(64 * 1024);
    store.push(&OUT, "Continue? ", None);
    for n in 0..20_000 {
        store.push(&ERR, &format!("noise {n}\n"), None);
    }
    store.push(&OUT, "yes\n", None);
    assert!(texts(&store).contains(&"Continue? yes".to_owned()));
    // It does not count as dropped, however often its place went.
    let noise = texts(&store)
        .iter()
        .filter(|text| text.starts_with("noise"))
        .count();
    assert_eq!(store.dropped_lines() + noise as u64, 20_000);
}

#[test]
fn a_line_that_is_too_long_is_split_with_a_note() {
    let mut store = LogStore::new(64 * 1024);
    let long = "é".repeat(20_000);
    for piece in [long.as_str(), "end\nnext\n"] {
        store.push(&OUT, piece, None);
    }
    let texts = texts(&store);
    assert_eq!(texts.len(), 4);
    assert!(texts[1].contains("very long line"));
    assert_eq!(format!("{}{}", texts[0], texts[2]), long.clone() + "end");
    assert_eq!(texts[3], "next");
    // The same when it comes in one piece.
    let mut whole = LogStore::new(64 * 1024);
    whole.push(&OUT, &(long + "end\nnext\n"), None);
    assert_eq!(self::texts(&whole), texts);
}

#[test]
fn a_clone_stays_as_it_was() {
    let mut store = LogStore::new(16 * 1024);
    store.push(&OUT, "open", None);
    store.push(&ERR, &"x".repeat(3000).repeat(2), None);
    store.push(&ERR, "\nafter\n", None);
    let (before, clone) = (texts(&store), store.clone());
    store.push(&OUT, " and closed\n", None);
    store.push(&ERR, &"y\n".repeat(10_000), None);
    assert_eq!(texts(&clone), before);
}

/// The plainest thing that does the same, without a budget.
#[derive(Default)]
struct Model {
    lines: Vec<(StreamName, String, bool)>,
}

impl Model {
    fn push(&mut self, stream: &StreamName, data: &str) {
        for part in data.split_inclusive('\n') {
            let open = self
                .lines
                .iter()
                .position(|(name, _, open)| *open && name == stream);
            let at = open.unwrap_or_else(|| {
                self.lines.push((stream.clone(), String::new(), true));
                self.lines.len() - 1
            });
            let line = &mut self.lines[at];
            line.1.push_str(part.trim_end_matches('\n'));
            if part.ends_with('\n') {
                line.2 = false;
                if line.1.ends_with('\r') {
                    line.1.pop();
                }
            }
        }
    }
}

fn pieces() -> impl Strategy<Value = Vec<(StreamName, String)>> {
    let stream = proptest::sample::select(vec![OUT, ERR, StreamName::Other("log".into())]);
    let piece = "([a-c漢😀]{0,6}(\n|\r\n|\r|\n\n)?){0,5}";
    proptest::collection::vec((stream, piece), 0..50)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_pieces_give_the_lines_of_the_model(pieces in pieces()) {
        let (mut store, mut model) = (LogStore::new(ROOMY), Model::default());
        for (stream, piece) in &pieces {
            store.push(stream, piece, None);
            model.push(stream, piece);
        }
        let want: Vec<_> = model.lines.iter()
            .map(|(stream, text, open)| (stream.word().to_owned(), text.clone(), *open))
            .collect();
        prop_assert_eq!(lines(&store), want);
    }

    #[test]
    fn a_small_budget_keeps_the_newest(pieces in pieces(), times in 1usize..12) {
        let (mut store, mut all) = (LogStore::new(0), LogStore::new(ROOMY));
        for (stream, piece) in pieces.iter().cycle().take(pieces.len() * times) {
            store.push(stream, piece, None);
            all.push(stream, piece, None);
            store.end_open_lines();
            all.end_open_lines();
        }
        prop_assert_eq!(store.end(), all.end());
        prop_assert_eq!(store.dropped_lines(), store.first());
        let newest = usize::try_from(store.first()).expect("small");
        prop_assert_eq!(&lines(&store)[..], &lines(&all)[newest..]);
        prop_assert_eq!(bytes(&store) + store.dropped_bytes(), bytes(&all));
    }

    #[test]
    fn open_lines_survive_any_eviction(pieces in pieces(), times in 1usize..30) {
        let mut store = LogStore::new(0);
        let mut model = Model::default();
        for (stream, piece) in pieces.iter().cycle().take(pieces.len() * times) {
            store.push(stream, piece, None);
            model.push(stream, piece);
        }
        let mut want: Vec<_> = model.lines.into_iter().filter(|line| line.2)
            .map(|(stream, text, open)| (stream.word().to_owned(), text, open)).collect();
        let mut got: Vec<_> = lines(&store).into_iter().filter(|line| line.2).collect();
        want.sort();
        got.sort();
        if !want.iter().any(|line| line.1.len() >= 2048) {
            prop_assert_eq!(got, want);
        }
    }
}
