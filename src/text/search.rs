//! A pattern that lines are searched with: a regular expression, or the very text where it is none.
//!
//! Without a capital letter in it, case does not matter. Matches lie within one line.

use super::chunk::Chunk;
use super::clean::say;
use crate::model::Clean;
use regex::bytes::{Regex, RegexBuilder};
use std::ops::Range;

/// Longer patterns are nobody's.
const MOST_CHARACTERS: usize = 4096;

#[derive(Clone, Debug)]
pub struct Pattern {
    typed: String,
    /// For text that is only ASCII: the same, and much faster.
    ascii: Regex,
    any: Regex,
    /// It must be given each line by itself.
    by_line: bool,
    complaint: Option<Clean>,
}

/// As they were typed: everything else follows from that.
impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.typed == other.typed
    }
}

impl Pattern {
    /// # Errors
    /// When it is too long even as a text.
    pub fn new(typed: &str) -> Result<Self, Clean> {
        if typed.chars().count() > MOST_CHARACTERS {
            return Err(say(format_args!(
                "The pattern is longer than {MOST_CHARACTERS} characters."
            )));
        }
        let is_lower = !has_capital(typed);
        let (pattern, complaint) = match compiled(typed, is_lower, true) {
            Ok(_) => (typed.to_owned(), None),
            Err(error) => (regex::escape(typed), Some(complaint(&error))),
        };
        let any = compiled(&pattern, is_lower, true);
        let any = any.map_err(|error| say(format_args!("The pattern cannot be used: {error}")))?;
        let ascii = pattern
            .is_ascii()
            .then(|| compiled(&pattern, is_lower, false));
        Ok(Self {
            typed: typed.to_owned(),
            ascii: ascii.and_then(Result::ok).unwrap_or_else(|| any.clone()),
            any,
            by_line: is_by_line(&pattern),
            complaint,
        })
    }

    /// As it was typed.
    pub fn typed(&self) -> &str {
        &self.typed
    }

    /// Why it is taken as a text and not as a regular expression.
    pub fn complaint(&self) -> Option<&Clean> {
        self.complaint.as_ref()
    }

    /// `line`: as it is seen, without escape sequences and line breaks.
    pub fn is_match(&self, line: &str) -> bool {
        self.regex(line).is_match(line.as_bytes())
    }

    /// Where it matches, in bytes; never in the middle of a character, and nothing empty.
    pub fn matches<'a>(&'a self, line: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
        let found = self.regex(line).find_iter(line.as_bytes());
        let whole = |found: regex::bytes::Match<'_>| {
            line.floor_char_boundary(found.start())..line.ceil_char_boundary(found.end())
        };
        found.filter(|found| !found.is_empty()).map(whole)
    }

    fn regex(&self, line: &str) -> &Regex {
        if line.is_ascii() {
            &self.ascii
        } else {
            &self.any
        }
    }

    /// Sets the flags of all lines of a plain chunk that match.
    pub(super) fn flag(&self, chunk: &Chunk, flags: &mut [bool], value: bool) {
        let rest = if self.by_line {
            Some(0)
        } else {
            self.flag_at_once(chunk, flags, value)
        };
        if let Some(first) = rest {
            self.flag_by_line(chunk, first, flags, value);
        }
    }

    /// Searches the chunk as one text, which is many times faster than line by line. Where a match would go on into
    /// the next line that line is returned: from there on each must be looked at by itself.
    fn flag_at_once(&self, chunk: &Chunk, flags: &mut [bool], value: bool) -> Option<usize> {
        let (mut at, mut line) = (0, 0);
        loop {
            let found = self.ascii.find_at(chunk.text.as_bytes(), at)?;
            line += chunk.ends[line..].partition_point(|end| *end as usize <= found.start());
            let end = *chunk.ends.get(line)? as usize;
            if found.end() >= end {
                return Some(line);
            }
            flags[line] = value;
            at = end;
            line += 1;
        }
    }

    fn flag_by_line(&self, chunk: &Chunk, first: usize, flags: &mut [bool], value: bool) {
        let mut start = first.checked_sub(1).map_or(0, |before| chunk.ends[before]) as usize;
        for (end, flag) in chunk.ends[first..].iter().zip(&mut flags[first..]) {
            let end = *end as usize;
            if self.ascii.is_match(&chunk.text.as_bytes()[start..end - 1]) {
                *flag = value;
            }
            start = end;
        }
    }
}

fn compiled(pattern: &str, is_lower: bool, unicode: bool) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern)
        .case_insensitive(is_lower)
        .unicode(unicode)
        // In a text of many lines each has its beginning and end.
        .multi_line(true)
        .build()
}

/// The parser draws the pattern on several lines; what is wrong stands on the last.
fn complaint(error: &regex::Error) -> Clean {
    let said = error.to_string();
    let why = said.lines().last().unwrap_or_default();
    let why = why.strip_prefix("error: ").unwrap_or(why);
    say(format_args!(
        "No regular expression ({why}): searched as a text."
    ))
}

/// In what stands for itself: the letters of `\W` or `\p{Greek}` are none.
fn has_capital(pattern: &str) -> bool {
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\\' {
            let escaped = chars.next();
            let named = matches!(escaped, Some('p' | 'P' | 'x' | 'u' | 'U'));
            if named && chars.peek() == Some(&'{') {
                chars.find(|c| *c == '}');
            }
        } else if c.is_uppercase() {
            return true;
        }
    }
    false
}

/// Whether the pattern tells a line from a text of many: by `\A`, `\z`, or flags that change `^` and `$`.
fn is_by_line(pattern: &str) -> bool {
    let changes = |(at, _): (usize, &str)| {
        let flags = pattern[at + 2..].chars();
        let mut flags = flags.take_while(|c| c.is_ascii_alphabetic() || *c == '-');
        flags.any(|flag| matches!(flag, 'm' | 'R'))
    };
    pattern.contains("\\A") || pattern.contains("\\z") || pattern.match_indices("(?").any(changes)
}
