//! The lines of several logs as one, in the order in which they came. It holds no line, only where each is.

use std::collections::VecDeque;
use std::ops::Range;

/// Where a line of a [`Weave`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The log, by the order in which they were added.
    pub strand: usize,
    /// Its number there.
    pub line: u64,
}

#[derive(Clone, Debug, Default)]
pub struct Weave {
    /// None is empty; the oldest go when their lines are gone.
    runs: VecDeque<Run>,
    /// So many went.
    past: usize,
    strands: Vec<Strand>,
    end: u64,
}

/// Lines of one log that follow each other here as they do there.
#[derive(Clone, Copy, Debug)]
struct Run {
    at: u64,
    origin: Origin,
}

#[derive(Clone, Debug)]
struct Strand {
    /// One more than its last line here.
    end: u64,
    /// Its runs, counted from the first of all.
    runs: VecDeque<usize>,
}

/// A part of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stitch {
    pub(super) numbers: Range<u64>,
    /// Of the first of them.
    pub(super) origin: Origin,
}

impl Weave {
    /// One more log, of which lines from `first` on belong here. Returns its strand.
    pub fn add(&mut self, first: u64) -> usize {
        self.strands.push(Strand {
            end: first,
            runs: VecDeque::new(),
        });
        self.strands.len() - 1
    }

    /// The lines of that log up to `end` which are not here yet come now.
    pub fn take(&mut self, strand: usize, end: u64) {
        let Some(of) = self.strands.get_mut(strand) else {
            return;
        };
        let line = of.end;
        if end <= line {
            return;
        }
        if self
            .runs
            .back()
            .is_none_or(|run| run.origin.strand != strand)
        {
            of.runs.push_back(self.past + self.runs.len());
            self.runs.push_back(Run {
                at: self.end,
                origin: Origin { strand, line },
            });
        }
        of.end = end;
        self.end += end - line;
    }

    /// Lets go of the oldest lines as far as they are gone. `first`: the first line that a log still has.
    pub fn forget(&mut self, first: impl Fn(usize) -> u64) {
        while let Some(stitch) = self.runs.front().map(|run| self.stitch(0, *run)) {
            let Origin { strand, line } = stitch.origin;
            if line + (stitch.numbers.end - stitch.numbers.start) > first(strand) {
                return;
            }
            self.runs.pop_front();
            self.past += 1;
            if let Some(strand) = self.strands.get_mut(strand) {
                strand.runs.pop_front();
            }
        }
    }

    /// The same without the lines of some logs, which may come again later.
    pub fn only(&self, wanted: impl Fn(usize) -> bool) -> Self {
        let strands = self.strands.iter().map(|strand| {
            let first = strand
                .runs
                .front()
                .and_then(|at| self.runs.get(at - self.past));
            Strand {
                end: first.map_or(strand.end, |run| run.origin.line),
                runs: VecDeque::new(),
            }
        });
        let mut only = Self {
            strands: strands.collect(),
            ..Self::default()
        };
        for (at, run) in self.runs.iter().enumerate() {
            let Stitch { numbers, origin } = self.stitch(at, *run);
            if wanted(origin.strand) {
                only.take(origin.strand, origin.line + (numbers.end - numbers.start));
            }
        }
        only
    }

    /// Where a line, or else the first after it that is there, stands in another order of the same logs.
    pub fn number_in(&self, other: &Self, number: u64) -> u64 {
        let mut next = number.max(self.first());
        while let Some(stitch) = self.from(next) {
            if let Some(found) = other.number(stitch.origin) {
                return found;
            }
            next = stitch.numbers.end;
        }
        other.end()
    }

    pub fn first(&self) -> u64 {
        self.runs.front().map_or(self.end, |run| run.at)
    }

    pub fn end(&self) -> u64 {
        self.end
    }

    pub fn origin(&self, number: u64) -> Option<Origin> {
        self.from(number).map(|stitch| stitch.origin)
    }

    /// The number here of the line that is there; `None`: it never came, or was let go.
    pub fn number(&self, origin: Origin) -> Option<u64> {
        let strand = self.strands.get(origin.strand)?;
        let run = |at: &usize| self.runs.get(at - self.past);
        let after = strand
            .runs
            .partition_point(|at| run(at).is_some_and(|run| run.origin.line <= origin.line));
        let at = *strand.runs.get(after.checked_sub(1)?)?;
        let stitch = self.stitch(at - self.past, *run(&at)?);
        let number = stitch.numbers.start + (origin.line - stitch.origin.line);
        stitch.numbers.contains(&number).then_some(number)
    }

    /// The run with that line, from the line on.
    fn from(&self, number: u64) -> Option<Stitch> {
        let whole = self.around(number)?;
        let origin = Origin {
            line: whole.origin.line + (number - whole.numbers.start),
            ..whole.origin
        };
        Some(Stitch {
            numbers: number..whole.numbers.end,
            origin,
        })
    }

    /// The run with that line.
    pub(super) fn around(&self, number: u64) -> Option<Stitch> {
        let at = self.runs.partition_point(|run| run.at <= number);
        let at = at.checked_sub(1).filter(|_| number < self.end)?;
        Some(self.stitch(at, *self.runs.get(at)?))
    }

    fn stitch(&self, at: usize, run: Run) -> Stitch {
        let end = self.runs.get(at + 1).map_or(self.end, |next| next.at);
        Stitch {
            numbers: run.at..end,
            origin: run.origin,
        }
    }
}
