//! Markdown laid out as lines of pieces, as agents write it: headings, lists, quotes, code, tables, links as text.
//!
//! The source is parsed as it came; each stretch of text is cleaned on its way into a [`Piece`].

mod blocks;
mod lines;
mod table;
#[cfg(test)]
mod tests;

use super::Piece;
use crate::model::Foreign;

/// The lines that `source` takes at this width, in cells. None at a width of nothing.
pub fn markdown(source: &Foreign, columns: u16) -> Vec<Vec<Piece>> {
    if columns == 0 {
        return Vec::new();
    }
    lines::lay(&blocks::read(source.as_raw()), columns)
}
