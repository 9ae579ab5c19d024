//! How well a name fits what was typed, for lists that are searched by typing.

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// Before whatever matches only by its description.
const BY_NAME: u32 = 1 << 16;

pub struct Ranking {
    name: Pattern,
    about: Pattern,
    matcher: Matcher,
    chars: Vec<char>,
}

impl Ranking {
    pub fn new(typed: &str) -> Self {
        let pattern = |kind| {
            let (case, normal) = (CaseMatching::Smart, Normalization::Smart);
            Pattern::new(typed, case, normal, kind)
        };
        Self {
            name: pattern(AtomKind::Fuzzy),
            about: pattern(AtomKind::Substring),
            matcher: Matcher::new(Config::DEFAULT),
            chars: Vec::new(),
        }
    }

    /// The greater the better. A name may have the letters with others between; in `about` the words stand as typed.
    pub fn score(&mut self, name: &str, about: &str) -> Option<u32> {
        let name = Utf32Str::new(name, &mut self.chars);
        if let Some(score) = self.name.score(name, &mut self.matcher) {
            return Some(BY_NAME.saturating_add(score));
        }
        let about = Utf32Str::new(about, &mut self.chars);
        self.about.score(about, &mut self.matcher)
    }
}
