//! The one way from text of others to the screen, the clipboard, a window title or a file name.
//!
//! What happens to it: control sequences go whole; line breaks and tabs become a space; other controls and
//! direction overrides become `�`, so that two names that differ by one do not look the same; characters
//! that are nothing but invisible go. U+FE0F goes too: terminals disagree on whether it makes a character
//! two columns wide, and without it all of them agree with [`super::width`].

use super::escape;
use crate::model::{Clean, Foreign};
use std::fmt;
use unicode_width::UnicodeWidthChar;

/// Text of one line, fit for a terminal.
pub fn clean(text: &Foreign) -> Clean {
    clean_str(text.as_raw())
}

/// As [`clean`], for text that is not (or no longer) a [`Foreign`].
pub fn clean_str(text: &str) -> Clean {
    if text.bytes().all(|b| matches!(b, b' '..=b'~')) {
        return Clean::trusted(text);
    }
    let mut out = Neutral::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(sequence) = escape::sequence(rest) {
            rest = &rest[sequence.len..];
            continue;
        }
        rest = &rest[c.len_utf8()..];
        if c != '\r' || !rest.starts_with('\n') {
            out.push(c);
        }
    }
    Clean::trusted(out.text)
}

/// A sentence: `say(format_args!("stop {name}"))`. The whole is cleaned, whatever was put in.
pub fn say(sentence: fmt::Arguments<'_>) -> Clean {
    clean_str(&fmt::format(sentence))
}

/// So many characters may sit on one base; the largest real emoji sequences need about ten. More than that
/// is a means to paint over neighbours, or to hide megabytes in one column.
const JOINED_MAX: usize = 24;
const JOINER: char = '\u{200d}';

/// Collects characters, each made harmless.
#[derive(Default)]
pub(super) struct Neutral {
    pub(super) text: String,
    /// Characters since the last one that stands on its own.
    joined: usize,
    after_joiner: bool,
}

impl Neutral {
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self {
            text: String::with_capacity(bytes),
            ..Self::default()
        }
    }

    pub(super) fn push(&mut self, c: char) {
        let Some(c) = visible(c) else { return };
        if self.after_joiner || c.width() == Some(0) {
            self.joined += 1;
        } else {
            self.joined = 0;
        }
        if self.joined <= JOINED_MAX {
            self.text.push(c);
            self.after_joiner = c == JOINER;
        }
    }

    /// A control that will be taken out later, and stands between the characters until then.
    pub(super) fn push_control(&mut self, c: char) {
        self.text.push(c);
        self.joined = 0;
        self.after_joiner = false;
    }
}

/// It is seen as it is, in columns of its own.
pub(super) fn is_plain(c: char) -> bool {
    let is_seen = || !c.is_control() && visible(c) == Some(c);
    matches!(c, ' '..='~') || is_seen() && c.width().is_some_and(|width| width > 0)
}

/// What of a character may be seen.
fn visible(c: char) -> Option<char> {
    match c {
        ' '..='~' => Some(c),
        '\t'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some(' '),
        // Controls; direction overrides, embeddings and isolates.
        '\0'..='\u{1f}'
        | '\u{7f}'..='\u{9f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}' => Some(char::REPLACEMENT_CHARACTER),
        // Direction marks, soft hyphen, zero-width space, invisible operators, annotations, language tags.
        '\u{61c}'
        | '\u{ad}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e001f}'
        | '\u{fe0f}' => None,
        _ => Some(c),
    }
}
