//! The filter of the log on screen: which lines are shown, as it was typed.
//!
//! `warn|error !health +2` shows lines that match the first, not those that match the second, and two lines around
//! each. Several words let through what any of them matches; a word with blanks stands in quotes.

use super::course::{Course, SLICE};
use super::shown::Shown;
use crate::model::Clean;
use crate::text::{Away, Filter, Log, Pattern, say};

/// Lines around a hit; more is the whole log.
const MOST_AROUND: u64 = 100;

#[derive(Debug)]
pub(super) struct Sieve {
    pub(super) typed: String,
    wanted: Wanted,
    /// Of the log on screen.
    running: Option<Running>,
    /// Another number whenever other lines may be shown.
    pub(super) revision: u64,
}

#[derive(Debug)]
struct Running {
    filter: Filter,
    course: Course,
}

#[derive(Clone, Debug, Default)]
struct Wanted {
    include: Vec<Pattern>,
    exclude: Vec<Pattern>,
    around: u64,
}

impl Sieve {
    /// `None`: nothing is left out.
    ///
    /// # Errors
    /// When a part of it is no pattern.
    pub(super) fn of(typed: &str, revision: u64) -> Result<Option<Self>, Clean> {
        let mut wanted = Wanted::default();
        for (word, quoted) in words(typed) {
            let around = word.strip_prefix('+').and_then(|n| n.parse::<u64>().ok());
            if let Some(around) = around.filter(|_| !quoted) {
                wanted.around = around.min(MOST_AROUND);
            } else if let Some(word) = word.strip_prefix('!') {
                if !word.is_empty() {
                    wanted.exclude.push(Pattern::new(word)?);
                }
            } else {
                wanted.include.push(Pattern::new(&word)?);
            }
        }
        let is_empty = wanted.include.is_empty() && wanted.exclude.is_empty();
        Ok((!is_empty).then(|| Self {
            typed: typed.trim().to_owned(),
            wanted,
            running: None,
            revision,
        }))
    }

    /// Why a part of it is not taken as it was typed.
    pub(super) fn complaint(&self) -> Option<&Clean> {
        let patterns = self.wanted.include.iter().chain(&self.wanted.exclude);
        patterns.into_iter().find_map(Pattern::complaint)
    }

    /// Goes over to another log. `at`: where to begin.
    pub(super) fn settle(&mut self, shown: &Shown<'_>, at: u64) {
        let is_its = |running: &Running| running.course.is_of(shown);
        if !self.running.as_ref().is_some_and(is_its) {
            let Wanted {
                include,
                exclude,
                around,
            } = self.wanted.clone();
            self.running = Some(Running {
                filter: Filter::new(include, exclude, around, at),
                course: Course::new(shown.id),
            });
            self.revision += 1;
        }
    }

    pub(super) fn filter(&self) -> Option<&Filter> {
        self.running.as_ref().map(|running| &running.filter)
    }

    pub(super) fn is_due(&self, shown: &Shown<'_>) -> bool {
        let mut running = self.running.iter();
        running.any(|running| running.course.is_of(shown) && running.course.is_due(&shown.log))
    }

    pub(super) fn is_done(&self) -> bool {
        let mut running = self.running.iter();
        running.any(|running| running.course.is_done())
    }

    pub(super) fn needs(&self) -> Option<Away> {
        self.running
            .as_ref()
            .and_then(|running| running.course.needs())
    }

    pub(super) fn look_on(&mut self, log: &Log<'_>) {
        if let Some(running) = &mut self.running {
            let progress = running.filter.advance(log, SLICE);
            running.course.went(progress, log);
            self.revision += 1;
        }
    }

    /// `12 of 3400 lines`
    pub(super) fn status(&self, log: &Log<'_>) -> Clean {
        let hits = self.filter().map_or(0, |filter| filter.scan().hits().len());
        let held = log.end() - log.first();
        let so_far = if self.is_done() { "" } else { " so far" };
        say(format_args!("{hits} of {held} lines{so_far}"))
    }
}

/// Words by blanks; whether one stood in quotes.
fn words(typed: &str) -> Vec<(String, bool)> {
    let mut words = Vec::new();
    let (mut word, mut inside, mut quoted) = (String::new(), false, false);
    for c in typed.chars() {
        match c {
            '"' => (inside, quoted) = (!inside, true),
            ' ' if !inside => {
                words.push((std::mem::take(&mut word), quoted));
                quoted = false;
            }
            _ => word.push(c),
        }
    }
    words.push((word, quoted));
    words.retain(|(word, _)| !word.is_empty());
    words
}
