//! Scans of whole logs against looking at each line.

use crate::model::StreamName;
use crate::text::{
    Chunk, ChunkId, Filter, Level, Log, LogStore, Lookup, Pattern, Query, Scan, Want,
};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

const OUT: StreamName = StreamName::Stdout;
const ERR: StreamName = StreamName::Stderr;

/// A store, and the file of its older chunks.
struct Filed {
    budget: usize,
    store: LogStore,
    file: BTreeMap<ChunkId, Arc<Chunk>>,
}

impl Filed {
    fn new(budget: usize) -> Self {
        let mut store = LogStore::new(budget);
        store.set_limits(budget, true);
        let file = BTreeMap::new();
        Self {
            budget,
            store,
            file,
        }
    }

    fn push(&mut self, stream: &StreamName, piece: &str) {
        self.store.push(stream, piece, None);
        for chunk in self.store.spill(self.budget) {
            self.store.written(chunk.id());
            self.file.insert(chunk.id(), chunk);
        }
    }

    fn give(&mut self, id: ChunkId) {
        assert!(self.store.want(id), "a chunk is asked for once");
        self.store.read_back(Arc::clone(&self.file[&id]));
    }

    /// To the end; returns how many chunks were asked for.
    fn finish(&mut self, scan: &mut Scan, budget: usize) -> usize {
        let mut asked = 0;
        loop {
            let progress = scan.advance(&Log::One(&self.store), budget);
            if progress.done {
                return asked;
            }
            if let Some(away) = progress.needs {
                self.give(away.chunk);
                asked += 1;
            }
        }
    }

    /// Looks at each line.
    fn naive(&mut self, is_hit: impl Fn(&crate::text::LineRef<'_>) -> bool) -> Vec<u64> {
        let mut hits = Vec::new();
        for number in self.store.first()..self.store.end() {
            if let Lookup::Away(id) = self.store.get(number) {
                self.give(id);
            }
            let line = self.store.get(number).line().expect("nothing is gone");
            hits.extend(is_hit(&line).then_some(number));
        }
        hits
    }
}

fn found(scan: &Scan) -> Vec<u64> {
    let mut next = 0;
    std::iter::from_fn(|| {
        let hit = scan.hits().next(next)?;
        next = hit + 1;
        Some(hit)
    })
    .collect()
}

fn text(typed: &str) -> Pattern {
    Pattern::new(typed).unwrap()
}

fn search(typed: &str) -> Query {
    Query {
        any_of: vec![Want::Text(text(typed))],
        ..Query::default()
    }
}

#[test]
fn a_search_begins_where_the_reader_is() {
    let mut log = Filed::new(64 << 10);
    for n in 0..20_000 {
        log.push(&OUT, &format!("line {n} of many\n"));
    }
    let mut scan = Scan::new(search("line .*5 "), 10_000);
    let Some(away) = scan.advance(&Log::One(&log.store), usize::MAX).needs else {
        panic!()
    };
    log.give(away.chunk);
    scan.advance(&Log::One(&log.store), 1);
    assert!(scan.scanned().contains(&10_000) && scan.scanned().end < 20_000);
    assert_eq!(scan.hits().next(10_000), Some(10_005));
    log.finish(&mut scan, 1 << 16);
    assert_eq!(scan.scanned(), 0..20_000);
    assert_eq!(scan.hits().len(), 2_000);
    assert_eq!(scan.hits().previous(10_000), Some(9_995));
    assert_eq!(scan.hits().rank(10_000), 1_000);
    // What arrives is taken in.
    log.push(&OUT, "line 20005 \nline 20006\n");
    log.finish(&mut scan, 1 << 16);
    assert_eq!(scan.hits().next(19_996), Some(20_000));
}

#[test]
fn what_cannot_be_a_hit_is_not_read_back() {
    let mut log = Filed::new(64 << 10);
    for n in 0..40_000 {
        log.push(&OUT, &format!("INFO line {n}\n"));
        if n == 20_000 {
            log.push(&ERR, "ERROR here\n");
        }
    }
    assert!(log.file.len() > 3);
    for want in [Want::Level(Level::Warn), Want::Stderr] {
        let query = Query {
            any_of: vec![want],
            ..Query::default()
        };
        let mut scan = Scan::new(query, 0);
        assert!(log.finish(&mut scan, usize::MAX) <= 1);
        assert_eq!(found(&scan), [20_001]);
    }
}

#[test]
fn open_lines_are_looked_at_until_they_are_complete() {
    let mut log = Filed::new(1 << 20);
    log.push(&OUT, "Continue? ");
    log.push(&ERR, "noise\nmore noi");
    let mut scan = Scan::new(search("continue.*[?] $|noise"), 0);
    log.finish(&mut scan, usize::MAX);
    assert_eq!(found(&scan), [0, 1]);
    log.push(&OUT, "yes\n");
    log.push(&ERR, "se\n");
    log.finish(&mut scan, usize::MAX);
    assert_eq!(found(&scan), [1, 2]);
}

#[test]
fn what_is_dropped_is_no_hit_any_more() {
    let mut store = LogStore::new(64 * 1024);
    let mut scan = Scan::new(search("line"), 0);
    for n in 0..50_000 {
        store.push(&OUT, &format!("line {n}\n"), None);
        if n % 1_000 == 0 {
            scan.advance(&Log::One(&store), 10_000);
        }
    }
    while !scan.advance(&Log::One(&store), 10_000).done {}
    assert_eq!(scan.hits().len(), store.end() - store.first());
    assert_eq!(scan.hits().next(0), Some(store.first()));
}

#[test]
fn a_filter_leaves_lines_out_and_keeps_their_neighbours() {
    let mut log = Filed::new(1 << 20);
    for n in 0..100 {
        log.push(&OUT, &format!("line {n}\n"));
    }
    log.store.note(&"a note".into());
    let mut filter = Filter::new(
        vec![text("[05]$")],
        vec![text("50"), text("^line 9")],
        1,
        30,
    );
    while !filter.advance(&Log::One(&log.store), 100).done {}
    assert_eq!(filter.scan().hits().len(), 18);
    let forward: Vec<u64> = std::iter::successors(filter.next(40), |n| filter.next(n + 1))
        .take(8)
        .collect();
    assert_eq!(forward, [40, 41, 44, 45, 46, 54, 55, 56]);
    let back: Vec<u64> = std::iter::successors(filter.previous(56), |n| filter.previous(*n))
        .take(6)
        .collect();
    assert_eq!(back, [55, 54, 46, 45, 44, 41]);
    assert!(filter.is_match(45) && !filter.is_match(44) && filter.is_match(100));
    assert_eq!(filter.previous(0), None);
}

const PATTERNS: &[&str] = &[
    "b",
    "B",
    "^a",
    "a$",
    "^$",
    "$",
    "a.c",
    r"\s+",
    r"[^x]*",
    r"[^x]+c$",
    r"(?s)a.*b",
    r"\Aa",
    r"c\z",
    r"(?-m)^b",
    "ab|c",
    r"\bb\b",
    "é",
    "漢",
    "x*",
    "",
    r"\n",
    r"a\s*b",
    "(",
    r"(?m)^\W",
    "note",
    r"c\b",
    r"\Bc",
];

fn pieces() -> impl Strategy<Value = Vec<(StreamName, String)>> {
    let stream = proptest::sample::select(vec![OUT, OUT, OUT, ERR]);
    // Long plain stretches, and some of everything else.
    let plain = "([abcx .-]{0,8}\n){0,60}";
    let odd = "([abc é漢\t\r]{0,6}(\u{1b}\\[[0-9]{0,2}[mKG])?(\n|\r\n)?){0,6}";
    let piece = prop_oneof![3 => plain, 1 => odd];
    prop::collection::vec((stream, piece), 0..20)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_scan_finds_what_looking_at_each_line_finds(
        pieces in pieces(), of in 0..PATTERNS.len(), without in prop::option::of(0..PATTERNS.len()),
        at in 0..200_u64, budget in 1..3_000_usize, turns in prop::collection::vec(0..4_u8, 20),
        notes in any::<bool>(), ends in any::<bool>(),
    ) {
        let mut log = Filed::new(4096);
        let (of, without) = (text(PATTERNS[of]), without.map(|without| text(PATTERNS[without])));
        let query = Query {
            any_of: vec![Want::Text(of.clone())],
            none_of: without.iter().cloned().map(Want::Text).collect(),
            notes,
        };
        let mut scan = Scan::new(query, at);
        for ((stream, piece), turns) in pieces.iter().zip(turns) {
            log.push(stream, piece);
            if turns == 3 {
                log.store.note(&"a note".into());
            }
            for _ in 0..turns {
                if let Some(away) = scan.advance(&Log::One(&log.store), budget).needs {
                    log.give(away.chunk);
                }
            }
        }
        if ends {
            log.store.end_open_lines();
        }
        prop_assert_eq!(log.store.dropped_lines(), 0);
        log.finish(&mut scan, budget);
        let naive = log.naive(|line| {
            let shown = line.shown(8, usize::MAX);
            let matches = |pattern: &Pattern| pattern.is_match(shown.as_str());
            notes && line.is_note() || matches(&of) && !without.as_ref().is_some_and(matches)
        });
        prop_assert_eq!(found(&scan), naive);
        prop_assert_eq!(scan.hits().len(), scan.hits().rank(u64::MAX));
    }
}
