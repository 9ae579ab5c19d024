//! A store whose older chunks are written away and read back: nothing is lost that is not counted.

use crate::model::StreamName;
use crate::text::{Chunk, ChunkId, LogStore, Lookup};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

const OUT: StreamName = StreamName::Stdout;
const ERR: StreamName = StreamName::Stderr;
const BUDGET: usize = 64 * 1024;

/// What the chunks are written to.
#[derive(Default)]
struct Disk(BTreeMap<ChunkId, Vec<u8>>);

impl Disk {
    fn take(&mut self, store: &mut LogStore) {
        for chunk in store.spill(BUDGET) {
            assert!(
                self.0.insert(chunk.id(), chunk.packed()).is_none(),
                "each once"
            );
            store.written(chunk.id());
        }
        for freed in store.take_freed() {
            assert!(self.0.remove(&freed).is_some(), "what is freed was there");
        }
    }

    fn give(&self, store: &mut LogStore, id: ChunkId) {
        if store.want(id) {
            let chunk = Chunk::unpack(&self.0[&id]).expect("what was written");
            store.read_back(Arc::new(chunk));
        }
    }

    /// All lines that are not gone, with their numbers.
    fn lines(&self, store: &mut LogStore) -> Vec<(u64, String)> {
        let mut lines = Vec::new();
        for number in store.first()..store.end() {
            if let Lookup::Away(id) = store.get(number) {
                self.give(store, id);
            }
            if let Lookup::Line(line) = store.get(number) {
                lines.push((number, line.raw.to_owned()));
            }
        }
        lines
    }
}

fn spilling() -> LogStore {
    let mut store = LogStore::new(BUDGET);
    store.set_limits(BUDGET, true);
    store
}

fn line(n: u64) -> String {
    format!("line {n} of a log that is larger than the memory it may take")
}

/// With the lines of that many pushes, and a disk that keeps up.
fn long(lines: u64) -> (LogStore, Disk) {
    let (mut store, mut disk) = (spilling(), Disk::default());
    for n in 0..lines {
        store.push(&OUT, &(line(n) + "\n"), None);
        disk.take(&mut store);
    }
    (store, disk)
}

#[test]
fn memory_is_bounded_and_every_line_comes_back() {
    let (mut store, disk) = long(10_000);
    assert!(store.bytes() <= BUDGET, "{}", store.bytes());
    assert_eq!((store.first(), store.dropped_lines()), (0, 0));
    assert!(matches!(store.get(0), Lookup::Away(_)));
    let away: usize = disk.0.values().map(Vec::len).sum();
    assert_eq!(store.away(), away as u64);
    let all: Vec<_> = (0..10_000).map(|n| (n, line(n))).collect();
    assert_eq!(disk.lines(&mut store), all);
    // What was read back is little, and goes again.
    assert!(store.bytes() <= BUDGET * 2, "{}", store.bytes());
    assert!(matches!(store.get(0), Lookup::Away(_)));
}

#[test]
fn what_is_being_written_can_be_read() {
    let mut store = spilling();
    for n in 0..1500 {
        store.push(&OUT, &(line(n) + "\n"), None);
    }
    let chunks = store.spill(BUDGET);
    assert!(
        !chunks.is_empty() && store.spill(BUDGET).is_empty(),
        "each is handed out once"
    );
    assert!(store.bytes() > BUDGET && store.staying() <= BUDGET);
    assert!(matches!(store.get(0), Lookup::Line(_)));
    store.written(chunks[0].id());
    assert_eq!(store.get(0), Lookup::Away(chunks[0].id()));
    assert!(store.want(chunks[0].id()), "asked for");
    assert!(!store.want(chunks[0].id()), "once");
    store.read_back(Arc::clone(&chunks[0]));
    assert_eq!(
        store.get(0).line().map(|line| line.raw.to_owned()),
        Some(line(0))
    );
}

#[test]
fn where_nothing_can_be_written_the_oldest_are_dropped_and_counted() {
    let mut store = spilling();
    for n in 0..10_000 {
        store.push(&OUT, &(line(n) + "\n"), None);
        for chunk in store.spill(BUDGET) {
            store.not_written(chunk.id());
        }
    }
    assert!(store.bytes() <= BUDGET + BUDGET / 8);
    assert!(store.first() > 5000);
    assert_eq!(store.dropped_lines(), store.first());
    let bytes: usize = (0..store.first()).map(|n| line(n).len() + 1).sum();
    assert_eq!(store.dropped_bytes(), bytes as u64);
    assert_eq!((store.away(), store.take_freed().len()), (0, 0));
}

#[test]
fn a_full_disk_gives_up_the_oldest_for_the_newest() {
    let (mut store, mut disk) = long(5_000);
    for n in 5_000..10_000 {
        store.push(&OUT, &(line(n) + "\n"), None);
        for chunk in store.spill(BUDGET) {
            // There is room for as much as is there.
            store.not_written(chunk.id());
        }
        for freed in store.take_freed() {
            disk.0.remove(&freed);
        }
        disk.take(&mut store);
    }
    let first = store.first();
    assert!(first > 3_000 && store.dropped_lines() == first);
    let rest: Vec<_> = (first..10_000).map(|n| (n, line(n))).collect();
    assert_eq!(disk.lines(&mut store), rest);
}

#[test]
fn a_writer_that_hangs_costs_the_oldest_lines_not_the_memory() {
    let mut store = spilling();
    let piece = ("x".repeat(999) + "\n").repeat(1_000);
    for _ in 0..80 {
        store.push(&OUT, &piece, None);
        store.spill(BUDGET);
    }
    assert!(store.bytes() <= 65 << 20, "{}", store.bytes());
    assert!(store.dropped_lines() > 0);
    assert_eq!(store.dropped_lines(), store.first());
    let freed = store.take_freed();
    assert!(!freed.is_empty());
    // Late news of what is dropped changes nothing.
    let before = (store.bytes(), store.away());
    store.written(freed[0]);
    store.not_written(freed[0]);
    store.lose(freed[0]);
    assert_eq!((store.bytes(), store.away()), before);
}

#[test]
fn what_cannot_be_read_back_is_gone_and_counted_once() {
    let (mut store, disk) = long(5_000);
    let second = *disk.0.keys().nth(1).unwrap();
    let chunk = Chunk::unpack(&disk.0[&second]).unwrap();
    let Lookup::Away(first) = store.get(0) else {
        panic!()
    };
    store.want(second);
    store.lose(second);
    store.lose(second);
    let lost = store.dropped_lines();
    let number = (0..).find(|n| store.get(*n) == Lookup::Gone).unwrap();
    assert_eq!(store.gap(number), number..number + lost);
    assert!(store.is_gone(number) && !store.is_gone(number - 1) && !store.is_gone(number + lost));
    store.read_back(Arc::new(chunk));
    assert_eq!(store.get(number), Lookup::Gone, "it came too late");
    store.want(first);
    store.lose(first);
    assert_eq!(store.first(), number + lost);
    assert_eq!(store.dropped_lines(), number + lost);
    let rest: Vec<_> = (number + lost..5_000).map(|n| (n, line(n))).collect();
    assert_eq!(disk.lines(&mut store), rest);
}

#[test]
fn an_open_line_keeps_its_chunk_here() {
    let (mut store, mut disk) = (spilling(), Disk::default());
    store.push(&OUT, "Continue? ", None);
    for n in 0..5_000 {
        store.push(&ERR, &(line(n) + "\n"), None);
        disk.take(&mut store);
    }
    store.push(&OUT, "yes\n", None);
    assert_eq!(
        store.get(0).line().map(|line| line.raw),
        Some("Continue? yes")
    );
    store.push(&ERR, &(line(0) + "\n").repeat(500), None);
    disk.take(&mut store);
    assert!(matches!(store.get(0), Lookup::Away(_)));
    assert_eq!(disk.lines(&mut store)[0], (0, "Continue? yes".to_owned()));
    assert_eq!(store.dropped_lines(), 0);
}

/// Half of a progress bar's past, in lines of their own; put together they are what came.
#[test]
fn a_line_that_overwrites_itself_without_end_stays_small() {
    let mut store = LogStore::new(64 << 20);
    let mut came = String::new();
    for start in (0..600_000).step_by(1_000) {
        let state = |n: usize| format!("\r{n:6} of 600000");
        let states: String = (start..start + 1_000).map(state).collect();
        store.push(&OUT, &states, None);
        came += &states;
    }
    store.push(&OUT, "\r\n", None);
    came += "\r\n";
    assert!((2..5).contains(&store.end()), "{}", store.end());
    let lines = (0..store.end()).filter_map(|n| store.get(n).line());
    let put: String = lines
        .flat_map(|line| [line.raw, line.ending.as_str()])
        .collect();
    assert!(put == came);
    let last = store.get(store.end() - 1).line().unwrap();
    assert_eq!(last.shown(8, 80).as_str(), "599999 of 600000");
}

fn pieces() -> impl Strategy<Value = Vec<(StreamName, String)>> {
    let stream = proptest::sample::select(vec![OUT, ERR, StreamName::Other("log".into())]);
    let piece = "([a-c\u{0}漢\u{1b}]{0,6}(\n|\r\n|\r|\n\n)?){0,40}";
    proptest::collection::vec((stream, piece), 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// A stream's lines with their endings are the stream's bytes, however they came, were written and read back.
    #[test]
    fn every_byte_comes_back(pieces in pieces(), times in 1usize..40, ends in any::<bool>()) {
        let (mut store, mut disk) = (LogStore::new(0), Disk::default());
        store.set_limits(0, true);
        let mut came = BTreeMap::<String, String>::new();
        for (stream, piece) in pieces.iter().cycle().take(pieces.len() * times) {
            store.push(stream, piece, None);
            *came.entry(stream.word().to_owned()).or_default() += piece;
            for chunk in store.spill(4096) {
                disk.0.insert(chunk.id(), chunk.packed());
                store.written(chunk.id());
            }
        }
        prop_assume!(store.dropped_lines() == 0);
        if ends {
            store.end_open_lines();
        }
        let mut put = BTreeMap::<String, String>::new();
        for number in 0..store.end() {
            if let Lookup::Away(id) = store.get(number) {
                disk.give(&mut store, id);
            }
            let line = store.get(number).line().expect("nothing is gone");
            if let Some(stream) = line.stream {
                let stream = put.entry(stream.word().to_owned()).or_default();
                *stream += line.raw;
                *stream += line.ending.as_str();
            }
        }
        came.retain(|_, text| !text.is_empty());
        prop_assert_eq!(put, came);
    }
}
