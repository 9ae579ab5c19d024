//! Several logs as one, against a plain list of their lines.

use crate::model::StreamName::{self, Stderr, Stdout};
use crate::text::{
    Chunk, ChunkId, Filter, Log, LogStore, Lookup, Origin, Pattern, Query, Scan, Want, Weave,
};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

const BUDGET: usize = 8 << 10;

/// Stores, the file of their older chunks, and the order of their lines.
struct Several {
    stores: Vec<LogStore>,
    file: BTreeMap<(usize, ChunkId), Arc<Chunk>>,
    weave: Weave,
    naive: Vec<Origin>,
}

impl Several {
    fn new(count: usize) -> Self {
        let mut weave = Weave::default();
        let stores = (0..count).map(|_| {
            weave.add(0);
            let mut store = LogStore::new(BUDGET);
            store.set_limits(BUDGET, true);
            store
        });
        Self {
            stores: stores.collect(),
            file: BTreeMap::new(),
            weave,
            naive: Vec::new(),
        }
    }

    fn push(&mut self, strand: usize, stream: &StreamName, piece: &str) {
        let store = &mut self.stores[strand];
        let before = store.end();
        store.push(stream, piece, None);
        for chunk in store.spill(BUDGET) {
            store.written(chunk.id());
            self.file.insert((strand, chunk.id()), chunk);
        }
        let lines = before..store.end();
        self.naive.extend(lines.map(|line| Origin { strand, line }));
        self.weave.take(strand, store.end());
        self.weave.forget(|strand| self.stores[strand].first());
    }

    fn log(&self) -> Log<'_> {
        Log::Woven(&self.weave, self.stores.iter().map(Some).collect())
    }

    fn give(&mut self, strand: usize, id: ChunkId) {
        assert!(self.stores[strand].want(id), "a chunk is asked for once");
        self.stores[strand].read_back(Arc::clone(&self.file[&(strand, id)]));
    }

    fn finish(&mut self, mut advance: impl FnMut(&Log<'_>) -> crate::text::Progress) {
        loop {
            let progress = advance(&self.log());
            match progress.needs {
                _ if progress.done => return,
                Some(away) => self.give(away.strand, away.chunk),
                None => {}
            }
        }
    }

    fn text(&mut self, at: usize) -> Option<String> {
        let Origin { strand, line } = self.naive[at];
        if let Lookup::Away(id) = self.stores[strand].get(line) {
            self.give(strand, id);
        }
        let line = self.stores[strand].get(line).line()?;
        Some(line.raw.to_owned())
    }

    /// Every number leads to the line that came as that one, and back.
    fn check(&mut self) -> Result<(), TestCaseError> {
        prop_assert_eq!(self.weave.end(), self.naive.len() as u64);
        for (number, origin) in (0..).zip(self.naive.clone()) {
            let dropped = self.stores[origin.strand].is_gone(origin.line);
            prop_assert_eq!(self.log().is_gone(number), dropped);
            if number >= self.weave.first() {
                prop_assert_eq!(self.weave.origin(number), Some(origin));
                prop_assert_eq!(self.weave.number(origin), Some(number));
            }
            if dropped {
                let gap = self.log().gap(number);
                let all = gap.clone().all(|number| self.log().is_gone(number));
                prop_assert!(gap.contains(&number) && all);
                continue;
            }
            let text = self.text(usize::try_from(number).unwrap());
            let log = self.log();
            let line = log.get(number).line().unwrap();
            prop_assert_eq!((line.number, Some(line.raw.to_owned())), (number, text));
        }
        Ok(())
    }
}

fn pieces() -> impl Strategy<Value = Vec<(usize, StreamName, String)>> {
    let stream = prop_oneof![Just(Stdout), Just(Stderr)];
    let piece = prop_oneof![
        4 => "(an? (apple|pear|\u{1b}\\[1mplum)[ \n]){1,40}",
        2 => Just("plain lines\n".repeat(90)),
        2 => "[a-p\n]{0,12}",
        1 => Just("\n".to_owned()),
    ];
    proptest::collection::vec((0..3_usize, stream, piece), 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_line_has_the_place_at_which_it_came(pieces in pieces(), drops in 0..3_usize) {
        let mut several = Several::new(3);
        for (strand, stream, piece) in &pieces {
            several.push(*strand, stream, piece);
        }
        several.check()?;
        // The oldest lines of one log go: those of the others around them stay.
        (0..drops).for_each(|strand| while several.stores[strand].drop_oldest() {});
        for strand in 0..3 {
            let end = several.stores[strand].end();
            let known = several.naive.iter().filter(|origin| origin.strand == strand).count() as u64;
            several.naive.extend((known..end).map(|line| Origin { strand, line }));
            several.weave.take(strand, end);
        }
        several.check()?;
        let Several { weave, stores, .. } = &mut several;
        weave.forget(|strand| stores[strand].first());
        several.check()?;
    }

    #[test]
    fn a_scan_finds_what_looking_at_each_line_does(
        pieces in pieces(),
        wanted in prop_oneof![Just("pear"), Just("plain"), Just("^a "), Just("plum$")],
        at in 0..200_u64,
        budget in prop_oneof![Just(1_usize), Just(500), Just(usize::MAX)],
        turns in proptest::collection::vec(0..2_u8, 60),
    ) {
        let pattern = Pattern::new(wanted).unwrap();
        let query = Query { any_of: vec![Want::Text(pattern.clone())], ..Query::default() };
        let mut several = Several::new(3);
        let mut scan = Scan::new(query, at);
        for ((strand, stream, piece), turn) in pieces.iter().zip(turns) {
            several.push(*strand, stream, piece);
            if turn > 0 && let Some(away) = scan.advance(&several.log(), budget).needs {
                several.give(away.strand, away.chunk);
            }
        }
        several.finish(|log| scan.advance(log, budget));
        for number in 0..several.weave.end() {
            several.text(usize::try_from(number).unwrap());
            let text = several.log().get(number).line().map(|line| line.shown(8, usize::MAX));
            let is_hit = text.is_some_and(|text| pattern.is_match(text.as_str()));
            prop_assert_eq!(scan.hits().contains(number), is_hit, "{}", number);
        }
    }
}

#[test]
fn the_neighbours_that_a_filter_shows_are_those_of_the_whole() {
    let mut several = Several::new(2);
    several.push(0, &Stdout, "one\n");
    several.push(1, &Stdout, "two\n");
    several.push(0, &Stdout, "an error\n");
    several.push(1, &Stdout, "four\nfive\n");
    let error = vec![Pattern::new("error").unwrap()];
    let mut filter = Filter::new(error, Vec::new(), 1, 0);
    several.finish(|log| filter.advance(log, 10));
    assert_eq!((filter.next(0), filter.next(3)), (Some(1), Some(3)));
    assert_eq!((filter.next(4), filter.previous(9)), (None, Some(3)));
}

#[test]
fn a_line_that_grows_stays_where_it_began() {
    let mut several = Several::new(2);
    several.push(0, &Stdout, "10 %");
    several.push(1, &Stdout, "other\n");
    several.push(0, &Stdout, "\r20 %\nnext\n");
    let shown = |n| several.log().get(n).line().unwrap().raw.to_owned();
    assert_eq!([0, 1, 2].map(shown), ["10 %\r20 %", "other", "next"]);
}
