//! Columns of a terminal: how many a text takes, and making it fit.
//!
//! One policy everywhere: a grapheme is as wide as the drawing library takes it to be (`unicode-width` of the
//! whole grapheme, the half-width voicing marks counted as one column each), and a text is the sum of its
//! graphemes. A ZWJ family or a flag is 2. Cleaned text holds no U+FE0F, so `⚠` and keycaps are 1 in it.

use crate::model::Clean;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

pub(super) const ELLIPSIS: &str = "…";

/// The end at which [`cut`] takes away and [`pad`] adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Start,
    Middle,
    End,
}

/// Columns that `text` takes. Controls take none: they are never drawn.
pub fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.bytes().filter(|b| !b.is_ascii_control()).count();
    }
    text.graphemes(true).map(grapheme_width).sum()
}

/// `text` in at most `columns` columns, with `…` where something was taken away.
pub fn cut(text: &Clean, columns: usize, side: Side) -> Clean {
    let whole = text.as_str();
    if head(whole, columns).len() == whole.len() {
        return text.clone();
    }
    let Some(room) = columns.checked_sub(1) else {
        return Clean::default();
    };
    let (first, last) = match side {
        Side::Start => (0, room),
        Side::Middle => (room.div_ceil(2), room / 2),
        Side::End => (room, 0),
    };
    Clean::trusted([head(whole, first), ELLIPSIS, tail(whole, last)].concat())
}

/// `text` with spaces added at `side` (or both, for the middle) up to `columns`; a wider text stays as it is.
pub fn pad(text: &Clean, columns: usize, side: Side) -> Clean {
    let missing = columns.saturating_sub(width(text.as_str()));
    if missing == 0 {
        return text.clone();
    }
    let before = match side {
        Side::Start => missing,
        Side::Middle => missing / 2,
        Side::End => 0,
    };
    let after = missing - before;
    Clean::trusted(format!("{:before$}{text}{:after$}", "", ""))
}

pub(super) fn grapheme_width(grapheme: &str) -> usize {
    if let [b' '..=b'~'] = grapheme.as_bytes() {
        return 1;
    }
    if grapheme.contains(char::is_control) {
        return 0;
    }
    let marks = grapheme.matches(['\u{ff9e}', '\u{ff9f}']).count();
    grapheme.width() + marks
}

/// The longest beginning of whole graphemes that is at most `columns` wide.
pub(super) fn head(text: &str, columns: usize) -> &str {
    // In ASCII a byte is a column; one byte more is looked at, since what follows could join the last one.
    let seen = columns.saturating_add(1).min(text.len());
    if text.as_bytes()[..seen]
        .iter()
        .all(|b| matches!(b, b' '..=b'~'))
    {
        return &text[..columns.min(text.len())];
    }
    let mut used = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        used += grapheme_width(grapheme);
        if used > columns {
            return &text[..at];
        }
    }
    text
}

fn tail(text: &str, columns: usize) -> &str {
    let mut used = 0;
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        used += grapheme_width(grapheme);
        if used > columns {
            return &text[at + grapheme.len()..];
        }
    }
    text
}
