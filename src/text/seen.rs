//! What is seen of a line, without styles: as [`super::shown`] with all its columns, and most often far sooner, for
//! whoever looks at every line of a log.

use super::ansi::shown;
use super::clean::is_plain;
use super::escape::{Csi, sequence};
use super::width::width;
use std::borrow::Cow;

/// Columns between tab stops.
const TAB: usize = 8;
/// Of a line that moves about in itself only so many columns are seen.
const WIDEST: usize = 256 * 1024;

pub(super) fn seen(raw: &str) -> Cow<'_, str> {
    let odd = |byte: u8| u8::from(byte.wrapping_sub(b' ') > b'~' - b' ');
    let is_ascii = raw.bytes().fold(0, |odds, byte| odds | odd(byte)) == 0;
    if is_ascii || raw.chars().all(is_plain) {
        return Cow::Borrowed(raw);
    }
    let seen = appended(raw);
    Cow::Owned(seen.unwrap_or_else(|| shown(raw, TAB, WIDEST).as_str().to_owned()))
}

/// The text of a line in which everything stands where it is printed: nothing moves back, nothing is joined.
fn appended(raw: &str) -> Option<String> {
    let mut row = Row {
        text: String::with_capacity(raw.len()),
        blanks: 0,
        column: raw.contains('\t').then_some(0),
    };
    let mut rest = raw;
    while let Some(c) = rest.chars().next() {
        if let Some(sequence) = sequence(rest) {
            if sequence.csi.is_some_and(|csi| moves(&csi)) {
                return None;
            }
            rest = &rest[sequence.len..];
        } else if c.is_ascii_control() {
            match c {
                '\r' | '\u{8}' => return None,
                '\t' => row.tab(),
                '\n' | '\u{b}' | '\u{c}' => row.put(" "),
                '\u{7}' | '\u{e}' | '\u{f}' | '\u{18}' | '\u{1a}' | '\u{7f}' => {}
                _ => row.put("\u{fffd}"),
            }
            rest = &rest[1..];
        } else {
            let len = rest.find(char::is_control).unwrap_or(rest.len());
            let (text, after) = rest.split_at(len);
            if !text.is_ascii() && !text.chars().all(is_plain) {
                return None;
            }
            row.put(text);
            rest = after;
        }
    }
    Some(row.text)
}

/// Whether the cursor goes elsewhere, or something that is there goes.
fn moves(csi: &Csi<'_>) -> bool {
    let to_the_end = matches!(csi.parameters, "" | "0");
    matches!(csi.action, b'C' | b'D' | b'G') || csi.action == b'K' && !to_the_end
}

struct Row {
    text: String,
    /// Columns that are skipped before what comes next; none at the line's end.
    blanks: usize,
    /// Counted only where there are tabs.
    column: Option<usize>,
}

impl Row {
    fn put(&mut self, text: &str) {
        self.text.extend(std::iter::repeat_n(' ', self.blanks));
        self.blanks = 0;
        self.text.push_str(text);
        if let Some(column) = &mut self.column {
            *column += width(text);
        }
    }

    fn tab(&mut self) {
        if let Some(column) = &mut self.column {
            let stop = (*column / TAB + 1) * TAB;
            self.blanks += stop - *column;
            *column = stop;
        }
    }
}
