//! A search through a whole log, in slices: lines that say something, are grave, or came on stderr.
//!
//! It begins at the reader's place, goes on to the log's end, then back to its beginning, and takes in what arrives.
//! What is away is asked for, unless it is known to hold nothing that is wanted.

use super::chunk::{Chunk, Record, Source, Traits};
use super::level::Level;
use super::line_set::LineSet;
use super::lines::Lookup;
use super::log::{Away, Log, Part};
use super::search::Pattern;
use super::seen::seen;
use super::store::Stretch;
use std::borrow::Cow;
use std::ops::Range;

#[derive(Clone, Debug)]
pub enum Want {
    Text(Pattern),
    /// At least so grave.
    Level(Level),
    Stderr,
}

/// Which lines are hits.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// One of these must hold; none: every line is a hit.
    pub any_of: Vec<Want>,
    /// None of these may hold.
    pub none_of: Vec<Want>,
    /// Notes of ours are hits, whatever they say.
    pub notes: bool,
}

/// How far a scan is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// It waits for this: see [`super::LogStore::want`].
    pub needs: Option<Away>,
    /// Everything there is was looked at.
    pub done: bool,
}

/// Of one log, and only of that one.
#[derive(Clone, Debug)]
pub struct Scan {
    query: Query,
    hits: LineSet,
    /// What was looked at, but for lines that were open then.
    scanned: Range<u64>,
    /// Open at the last look; they are looked at again each time.
    open: Vec<u64>,
}

impl Scan {
    /// `at`: where to begin.
    pub fn new(query: Query, at: u64) -> Self {
        Self {
            query,
            hits: LineSet::default(),
            scanned: at..at,
            open: Vec::new(),
        }
    }

    /// The lines found so far.
    pub fn hits(&self) -> &LineSet {
        &self.hits
    }

    /// The lines looked at so far.
    pub fn scanned(&self) -> Range<u64> {
        self.scanned.clone()
    }

    pub fn query(&self) -> &Query {
        &self.query
    }

    /// Looks at about `budget` bytes more; at once again for what is new when it was done.
    pub fn advance(&mut self, log: &Log<'_>, budget: usize) -> Progress {
        let first = log.first();
        self.hits.forget_before(first);
        self.scanned.start = self.scanned.start.max(first).min(log.settled_end());
        self.scanned.end = self.scanned.end.max(first).min(log.settled_end());
        let open = log.open_numbers();
        let mut left = budget;
        let progress = loop {
            let Some(number) = self.next_number(log) else {
                break Progress {
                    needs: None,
                    done: true,
                };
            };
            if left == 0 {
                break Progress {
                    needs: None,
                    done: false,
                };
            }
            let Some(part) = log.part(number) else {
                let gap = log.gap(number);
                self.took(self.begin(number, gap.start)..gap.end.max(number + 1));
                continue;
            };
            let part = {
                let from = self.begin(number, part.numbers.start);
                part.begun_at(from)
            };
            match part.stretch {
                Stretch::Here(chunk) => {
                    let cost = self.query.look(chunk, &part, &open, &mut self.hits);
                    left = left.saturating_sub(cost);
                }
                Stretch::Away(sealed) if self.query.may_hit(sealed.traits) => {
                    let (strand, chunk) = (part.strand, sealed.id());
                    break Progress {
                        needs: Some(Away { strand, chunk }),
                        done: false,
                    };
                }
                Stretch::Away(_) => {}
            }
            self.took(part.numbers);
        };
        match self.look_at_open(log, open) {
            Some(away) if progress.needs.is_none() => Progress {
                needs: Some(away),
                done: false,
            },
            _ => progress,
        }
    }

    /// Towards the end first, then towards the beginning.
    fn next_number(&self, log: &Log<'_>) -> Option<u64> {
        if self.scanned.end < log.settled_end() {
            return Some(self.scanned.end);
        }
        (self.scanned.start > log.first()).then(|| self.scanned.start - 1)
    }

    /// The first line to be looked at of a stretch that begins at `first`.
    fn begin(&self, number: u64, first: u64) -> u64 {
        if number == self.scanned.end && !self.scanned.is_empty() {
            number
        } else {
            first
        }
    }

    fn took(&mut self, lines: Range<u64>) {
        if self.scanned.is_empty() {
            self.scanned = lines;
        } else {
            self.scanned.start = self.scanned.start.min(lines.start);
            self.scanned.end = self.scanned.end.max(lines.end);
        }
    }

    /// Those that are open now, and those that were until now; of these one may be away meanwhile.
    fn look_at_open(&mut self, log: &Log<'_>, open: Vec<u64>) -> Option<Away> {
        let mut away = None;
        let before = std::mem::replace(&mut self.open, open);
        let numbers = before.iter().filter(|number| !self.open.contains(number));
        let closed: Vec<u64> = numbers.copied().collect();
        for number in self.open.clone().into_iter().chain(closed) {
            let is_hit = |line| {
                log.record(&line)
                    .is_some_and(|line| self.query.is_hit(&line))
            };
            match log.get(number) {
                Lookup::Line(line) if is_hit(line) => self.hits.insert(number),
                Lookup::Away(_) => {
                    away = log.away_at(number);
                    self.open.push(number);
                }
                Lookup::Line(_) | Lookup::Gone => self.hits.remove(number),
            }
        }
        away
    }
}

impl Query {
    /// Adds the hits among a chunk's lines. Returns the bytes that were looked at.
    fn look(&self, chunk: &Chunk, part: &Part<'_>, open: &[u64], hits: &mut LineSet) -> usize {
        let wants = || self.any_of.iter().chain(&self.none_of);
        let only_text = wants().all(|want| matches!(want, Want::Text(_)));
        let notes = self.notes && chunk.traits.notes;
        let lines = part.numbers.end - part.numbers.start;
        let whole = lines == chunk.end() - chunk.first();
        if whole && chunk.traits.plain && only_text && !notes {
            self.look_at_once(chunk, part.numbers.start, hits);
            return chunk.size();
        }
        let mut cost = 0;
        let numbered = part.numbers.clone().zip(part.line..);
        for (number, line) in numbered.filter(|(number, _)| !open.contains(number)) {
            let Some(record) = chunk.get(line) else {
                break;
            };
            cost += record.raw.len() + 1;
            if self.is_hit(&record) {
                hits.insert(number);
            }
        }
        cost
    }

    fn look_at_once(&self, chunk: &Chunk, first: u64, hits: &mut LineSet) {
        let mut flags = vec![self.any_of.is_empty(); chunk.ends.len()];
        let some = [(&self.any_of, true), (&self.none_of, false)];
        for (wants, value) in some {
            for want in wants {
                if let Want::Text(pattern) = want {
                    pattern.flag(chunk, &mut flags, value);
                }
            }
        }
        let flagged = (first..).zip(flags).filter(|(_, flag)| *flag);
        flagged.for_each(|(number, _)| hits.insert(number));
    }

    fn is_hit(&self, record: &Record<'_>) -> bool {
        if self.notes && record.source == Source::NOTE {
            return true;
        }
        let mut text = None;
        let mut holds = |want: &Want| match want {
            Want::Text(pattern) => {
                let text: &mut Cow<'_, str> = text.get_or_insert_with(|| seen(record.raw));
                pattern.is_match(text)
            }
            Want::Level(least) => record.level >= *least,
            Want::Stderr => record.source == Source::STDERR,
        };
        (self.any_of.is_empty() || self.any_of.iter().any(&mut holds))
            && !self.none_of.iter().any(&mut holds)
    }

    /// Whether there can be a hit among lines of that kind.
    fn may_hit(&self, traits: Traits) -> bool {
        let may_hold = |want: &Want| match want {
            Want::Text(_) => true,
            Want::Level(least) => traits.has_level(*least),
            Want::Stderr => traits.has_source(Source::STDERR),
        };
        self.any_of.is_empty() || self.any_of.iter().any(may_hold) || self.notes && traits.notes
    }
}
