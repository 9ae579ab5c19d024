//! A log as it is read: the lines of one store, or those of several in the order in which they came.

use super::chunk::Record;
use super::lines::{LineRef, Lookup};
use super::shelf::ChunkId;
use super::store::{LogStore, Stretch};
use super::weave::{Origin, Stitch, Weave};
use std::ops::Range;

#[derive(Clone, Debug)]
pub enum Log<'a> {
    One(&'a LogStore),
    /// With the store of each strand; `None`: its lines are gone.
    Woven(&'a Weave, Vec<Option<&'a LogStore>>),
}

/// A chunk to be read back, of one of the stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Away {
    pub strand: usize,
    pub chunk: ChunkId,
}

/// What a scan reads at once: these lines, the first of which is that one of its chunk.
pub(super) struct Part<'a> {
    pub(super) stretch: Stretch<'a>,
    pub(super) strand: usize,
    pub(super) numbers: Range<u64>,
    pub(super) line: u64,
}

impl Part<'_> {
    /// Without those before that number.
    pub(super) fn begun_at(self, number: u64) -> Self {
        Self {
            line: self.line + (number - self.numbers.start),
            numbers: number..self.numbers.end,
            ..self
        }
    }
}

impl<'a> Log<'a> {
    /// Number of the oldest line that is not dropped.
    pub fn first(&self) -> u64 {
        match self {
            Self::One(store) => store.first(),
            Self::Woven(weave, _) => self.gap(weave.first()).end.max(weave.first()),
        }
    }

    /// One more than the number of the newest line, open ones included.
    pub fn end(&self) -> u64 {
        match self {
            Self::One(store) => store.end(),
            Self::Woven(weave, _) => weave.end(),
        }
    }

    /// One more than the highest number that a line has in its own store.
    pub fn most_lines(&self) -> u64 {
        self.stores().map(LogStore::end).max().unwrap_or_default()
    }

    pub fn get(&self, number: u64) -> Lookup<'a> {
        let Some((store, origin)) = self.place(number) else {
            return Lookup::Gone;
        };
        match store.get(origin.line) {
            Lookup::Line(line) => Lookup::Line(LineRef { number, ..line }),
            other => other,
        }
    }

    /// Which store a line is of, and its number there.
    pub fn origin(&self, number: u64) -> Option<Origin> {
        match self {
            Self::One(_) => Some(Origin {
                strand: 0,
                line: number,
            }),
            Self::Woven(weave, _) => weave.origin(number),
        }
    }

    /// The lines that are gone around this one, which is gone.
    pub fn gap(&self, number: u64) -> Range<u64> {
        match self {
            Self::One(store) => store.gap(number),
            Self::Woven(weave, _) if number < weave.first() => 0..self.first(),
            Self::Woven(weave, _) => match weave.around(number) {
                Some(run) => self.gap_within(&run, number),
                None => number..number,
            },
        }
    }

    /// It was there, and was dropped or could not be read back.
    pub fn is_gone(&self, number: u64) -> bool {
        self.gap(number).contains(&number)
    }

    /// Bytes of memory for what is held, but for slack.
    pub fn bytes(&self) -> usize {
        self.stores().map(LogStore::bytes).sum()
    }

    pub fn dropped_lines(&self) -> u64 {
        self.stores().map(LogStore::dropped_lines).sum()
    }

    /// What has to be read back for a line, if it is away.
    pub fn away_at(&self, number: u64) -> Option<Away> {
        let (store, origin) = self.place(number)?;
        let chunk = store.away_at(origin.line)?;
        let strand = origin.strand;
        Some(Away { strand, chunk })
    }

    /// It has not been read back yet.
    pub fn is_away(&self, away: Away) -> bool {
        let store = self.store(away.strand);
        store.and_then(|store| store.away_at(away.chunk.first())) == Some(away.chunk)
    }

    fn store(&self, strand: usize) -> Option<&'a LogStore> {
        match self {
            Self::One(store) => Some(store),
            Self::Woven(_, stores) => stores.get(strand).copied().flatten(),
        }
    }

    fn stores(&self) -> impl Iterator<Item = &'a LogStore> {
        let (one, woven) = match self {
            Self::One(store) => (Some(*store), &[][..]),
            Self::Woven(_, stores) => (None, stores.as_slice()),
        };
        one.into_iter().chain(woven.iter().copied().flatten())
    }

    fn place(&self, number: u64) -> Option<(&'a LogStore, Origin)> {
        let origin = self.origin(number)?;
        Some((self.store(origin.strand)?, origin))
    }

    fn gap_within(&self, run: &Stitch, number: u64) -> Range<u64> {
        let Some(store) = self.store(run.origin.strand) else {
            return run.numbers.clone();
        };
        let first = run.origin.line;
        let gone = store.gap(first + (number - run.numbers.start));
        let here = |line: u64| {
            let number = run.numbers.start + line.saturating_sub(first);
            number.min(run.numbers.end)
        };
        if gone.is_empty() {
            return number..number;
        }
        here(gone.start)..here(gone.end)
    }
}

/// For scans.
impl<'a> Log<'a> {
    /// One more than the last line that has its place for good.
    pub(super) fn settled_end(&self) -> u64 {
        match self {
            Self::One(store) => store.settled_end(),
            Self::Woven(weave, _) => weave.end(),
        }
    }

    /// The lines around that one which lie together, unless they are gone, or not in a chunk yet.
    pub(super) fn part(&self, number: u64) -> Option<Part<'a>> {
        let run = match self {
            Self::One(_) => Stitch {
                numbers: 0..u64::MAX,
                origin: Origin { strand: 0, line: 0 },
            },
            Self::Woven(weave, _) => weave.around(number)?,
        };
        let first = run.origin.line;
        let stretch = self
            .store(run.origin.strand)?
            .stretch(first + (number - run.numbers.start))?;
        let (start, end) = match &stretch {
            Stretch::Here(chunk) => (chunk.first(), chunk.end()),
            Stretch::Away(sealed) => (sealed.first, sealed.end),
        };
        let line = start.max(first);
        let begin = run.numbers.start + (line - first);
        Some(Part {
            stretch,
            strand: run.origin.strand,
            numbers: begin..(begin + (end - line)).min(run.numbers.end),
            line,
        })
    }

    pub(super) fn open_numbers(&self) -> Vec<u64> {
        match self {
            Self::One(store) => store.open_numbers(),
            Self::Woven(weave, stores) => {
                let stores = stores.iter().enumerate();
                let open = stores.flat_map(|(strand, store)| {
                    let lines = store.map(LogStore::open_numbers).unwrap_or_default();
                    lines.into_iter().map(move |line| Origin { strand, line })
                });
                open.filter_map(|origin| weave.number(origin)).collect()
            }
        }
    }

    /// Of an open line only its beginning: it is looked at often.
    pub(super) fn record(&self, line: &LineRef<'a>) -> Option<Record<'a>> {
        let (store, _) = self.place(line.number)?;
        Some(store.record(line))
    }
}
