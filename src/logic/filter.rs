//! The list's filter line: fuzzy words, and terms about facts.
//!
//! `web status:running tag:env=ci region:iad1 left:<5m cost:>1` — every part must hold. A fact that is
//! unknown satisfies no comparison.

use super::SandboxFact;
use crate::model::{Clean, NanoDollars, Span, Timestamp};
use crate::text;
use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

#[derive(Clone, Debug, PartialEq, Default)]
pub struct Filter {
    terms: Vec<Term>,
    words: String,
    /// A term that says nothing usable; it is left out.
    pub trouble: Option<Clean>,
}

#[derive(Clone, Debug, PartialEq)]
enum Term {
    Status(String),
    Region(String),
    Tag { name: String, value: Option<String> },
    Left(Compare, Span),
    Cost(Compare, NanoDollars),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compare {
    Below,
    Above,
}

impl Compare {
    fn holds<T: Copy + PartialOrd>(self, value: T, bound: T) -> bool {
        match self {
            Self::Below => value < bound,
            Self::Above => value > bound,
        }
    }
}

impl Filter {
    pub fn parse(line: &str) -> Self {
        let mut filter = Self::default();
        for part in line.split_whitespace() {
            match term(part) {
                Some(Ok(term)) => filter.terms.push(term),
                Some(Err(why)) => filter.trouble = Some(why),
                None => {
                    filter.words.push_str(part);
                    filter.words.push(' ');
                }
            }
        }
        filter
    }

    pub fn is_empty(&self) -> bool {
        self.terms.is_empty() && self.words.is_empty()
    }

    /// Scratch space for going through many rows.
    pub fn matcher(&self) -> RowMatcher<'_> {
        let words = Pattern::new(
            &self.words,
            CaseMatching::Smart,
            Normalization::Smart,
            AtomKind::Fuzzy,
        );
        RowMatcher {
            filter: self,
            words: (!self.words.is_empty()).then(|| (words, Matcher::new(Config::DEFAULT))),
            text: String::new(),
            chars: Vec::new(),
        }
    }
}

pub struct RowMatcher<'a> {
    filter: &'a Filter,
    words: Option<(Pattern, Matcher)>,
    text: String,
    chars: Vec<char>,
}

impl RowMatcher<'_> {
    pub fn admits(&mut self, fact: &SandboxFact, service_now: Timestamp) -> bool {
        self.filter
            .terms
            .iter()
            .all(|term| term.holds(fact, service_now))
            && self.words_match(fact)
    }

    /// Each word is looked for in the name, and in each tag: never across two of them.
    fn words_match(&mut self, fact: &SandboxFact) -> bool {
        let Self {
            words, text, chars, ..
        } = self;
        let Some((words, matcher)) = words else {
            return true;
        };
        let name = fact.sandbox.name.as_raw();
        words.atoms.iter().all(|word| {
            let word = word.needle_text();
            matcher.config.ignore_case = !word.chars().any(char::is_uppercase);
            matcher.config.normalize = word.is_ascii();
            // Whether it is in there is all that is asked: no score, so the first way to match will do.
            let mut is_in = |text: &str| {
                matcher
                    .fuzzy_match_greedy(Utf32Str::new(text, chars), word)
                    .is_some()
            };
            is_in(name)
                || fact.sandbox.tags.iter().flatten().any(|(tag, value)| {
                    text.clear();
                    text.extend([tag.as_raw(), "=", value.as_raw()]);
                    is_in(text)
                })
        })
    }
}

impl Term {
    fn holds(&self, fact: &SandboxFact, service_now: Timestamp) -> bool {
        let sandbox = &fact.sandbox;
        match self {
            Self::Status(word) => sandbox
                .status
                .as_ref()
                .is_some_and(|status| status.word().starts_with(word)),
            Self::Region(word) => sandbox
                .region
                .as_ref()
                .map_or("iad1", |region| region.as_raw())
                .starts_with(word),
            Self::Tag { name, value } => sandbox.tags.iter().flatten().any(|(tag, is)| {
                tag.as_raw() == name && value.as_ref().is_none_or(|value| is.as_raw() == value)
            }),
            Self::Left(compare, bound) => fact
                .left(service_now)
                .is_some_and(|left| compare.holds(left, *bound)),
            Self::Cost(compare, bound) => fact
                .cost(service_now)
                .is_some_and(|cost| compare.holds(cost, *bound)),
        }
    }
}

/// `None`: a plain word.
fn term(part: &str) -> Option<Result<Term, Clean>> {
    let (name, value) = part.split_once(':')?;
    let wrong = |wanted: &'static str| Err(text::say(format_args!("{name}: wants {wanted}")));
    Some(match name {
        "status" => Ok(Term::Status(value.to_lowercase())),
        "region" => Ok(Term::Region(value.to_lowercase())),
        "tag" => {
            let (name, value) = value
                .split_once('=')
                .map_or((value, None), |(name, value)| (name, Some(value)));
            Ok(Term::Tag {
                name: name.to_owned(),
                value: value.map(str::to_owned),
            })
        }
        "left" => compared(value, span)
            .map_or_else(|| wrong("a time, as in <5m"), |(c, v)| Ok(Term::Left(c, v))),
        "cost" => compared(value, dollars).map_or_else(
            || wrong("dollars, as in >0.5"),
            |(c, v)| Ok(Term::Cost(c, v)),
        ),
        _ => return None,
    })
}

fn compared<T>(text: &str, read: impl Fn(&str) -> Option<T>) -> Option<(Compare, T)> {
    let (compare, rest) = match text.split_at_checked(1)? {
        ("<", rest) => (Compare::Below, rest),
        (">", rest) => (Compare::Above, rest),
        _ => return None,
    };
    Some((compare, read(rest)?))
}

/// `90s`, `5m`, `2h`, `1d`.
pub(super) fn span(text: &str) -> Option<Span> {
    let unit = match text.chars().last()? {
        's' => 1_000,
        'm' => 60_000,
        'h' => 3_600_000,
        'd' => 86_400_000,
        _ => return None,
    };
    let number: i64 = text.get(..text.len() - 1)?.parse().ok()?;
    Some(Span(number.saturating_mul(unit)))
}

fn dollars(text: &str) -> Option<NanoDollars> {
    let dollars: f64 = text.trim_start_matches('$').parse().ok()?;
    // Saturates.
    Some(NanoDollars((dollars * 1e9) as i64))
}
