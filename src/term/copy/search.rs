//! Finding a pattern in all that a terminal holds, across soft wraps.

use super::Place;
use crate::term::lines;
use alacritty_terminal::grid::{Dimensions, Grid};
use alacritty_terminal::term::cell::Cell;
use regex::{Regex, RegexBuilder};

const MOST_HITS: usize = 10_000;

/// First and last place of the text found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit {
    from: Place,
    to: Place,
}

impl Hit {
    pub(super) fn holds(&self, place: Place) -> bool {
        (self.from..=self.to).contains(&place)
    }
}

#[derive(Debug)]
pub(super) struct Search {
    pub forward: bool,
    /// From the oldest.
    hits: Vec<Hit>,
}

impl Search {
    /// `None` for an empty pattern.
    pub(super) fn new(grid: &Grid<Cell>, pattern: &str, forward: bool) -> Option<Self> {
        if pattern.is_empty() {
            return None;
        }
        let ignore_case = !pattern.chars().any(char::is_uppercase);
        let built = |pattern: &str| {
            RegexBuilder::new(pattern)
                .case_insensitive(ignore_case)
                .build()
        };
        let regex = built(pattern)
            .or_else(|_| built(&regex::escape(pattern)))
            .ok()?;
        Some(Self {
            forward,
            hits: find(grid, &regex),
        })
    }

    pub(super) fn count(&self) -> usize {
        self.hits.len()
    }

    pub(super) fn number_at(&self, place: Place) -> Option<usize> {
        let number = self.hits.partition_point(|hit| hit.to < place);
        self.hits
            .get(number)
            .is_some_and(|hit| hit.holds(place))
            .then_some(number)
    }

    pub(super) fn hit_at(&self, place: Place) -> Option<Hit> {
        self.number_at(place).map(|number| self.hits[number])
    }

    /// The beginning of the next hit after `from`, or before it; around the end if there is none.
    pub(super) fn next(&self, from: Place, forward: bool) -> Option<Place> {
        let hit = if forward {
            let after = self.hits.iter().find(|hit| hit.from > from);
            after.or(self.hits.first())
        } else {
            let before = self.hits.iter().rfind(|hit| hit.from < from);
            before.or(self.hits.last())
        };
        hit.map(|hit| hit.from)
    }
}

fn find(grid: &Grid<Cell>, regex: &Regex) -> Vec<Hit> {
    let mut hits = Vec::new();
    let mut whole = Whole::default();
    for line in 0..grid.total_lines() {
        whole.push(grid, line);
        if lines::is_wrapped(grid, line) && line + 1 < grid.total_lines() {
            continue;
        }
        for found in regex
            .find_iter(&whole.text)
            .filter(|found| !found.is_empty())
        {
            hits.push(whole.hit(found.start(), found.end() - 1));
            if hits.len() == MOST_HITS {
                return hits;
            }
        }
        whole.clear();
    }
    hits
}

/// A line with all that was wrapped from it.
#[derive(Default)]
struct Whole {
    text: String,
    /// Where each character of the text begins, and the first and last place it takes.
    places: Vec<(usize, Hit)>,
}

impl Whole {
    fn push(&mut self, grid: &Grid<Cell>, line: usize) {
        for (column, shown) in lines::characters(grid, line) {
            let to = Place {
                line,
                column: column + shown.width - 1,
            };
            let from = Place { line, column };
            self.places.push((self.text.len(), Hit { from, to }));
            self.text.push(shown.first);
            self.text.extend(shown.more);
        }
    }

    fn hit(&self, first: usize, last: usize) -> Hit {
        let at = |byte| {
            let after = self.places.partition_point(|(start, _)| *start <= byte);
            self.places[after.saturating_sub(1)].1
        };
        Hit {
            from: at(first).from,
            to: at(last).to,
        }
    }

    fn clear(&mut self) {
        self.text.clear();
        self.places.clear();
    }
}
