//! The rows of a line that is broken at a width.

use super::width::head;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// Byte ranges of the rows of `text`, each of whole graphemes and at most `width` columns (taken as 1 when
/// 0). A grapheme wider than the width gets a row of its own. An empty text has one empty row.
pub fn rows(text: &str, width: usize) -> impl Iterator<Item = Range<usize>> {
    let width = width.max(1);
    let mut start = Some(0);
    std::iter::from_fn(move || {
        let from = start?;
        let rest = &text[from..];
        let mut len = head(rest, width).len();
        if len == 0 {
            // Nothing fits, so something wide comes first; narrower things may stand before it.
            len = rest.graphemes(true).next().map_or(0, str::len);
        }
        let end = from + len;
        start = (end < text.len()).then_some(end);
        Some(from..end)
    })
}

/// How many rows [`rows`] gives.
pub fn row_count(text: &str, width: usize) -> usize {
    if text.bytes().all(|b| matches!(b, b' '..=b'~')) {
        return text.len().div_ceil(width.max(1)).max(1);
    }
    rows(text, width).count()
}
