//! Pieces broken into lines at a width.

use super::Piece;
use ratatui::buffer::CellWidth;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// More lines than any screen shows.
const LINES_MAX: usize = 1000;

/// Breaks the pieces into lines of at most `columns` cells: at spaces where there are any, else inside words. What
/// is longer than a thousand lines ends there.
pub fn wrap(pieces: &[Piece], columns: u16) -> Vec<Vec<Piece>> {
    let columns = usize::from(columns);
    if columns == 0 {
        return Vec::new();
    }
    let cells = pieces.iter().enumerate().flat_map(wrap_cells);
    let cells: Vec<WrapCell> = cells.take(columns * LINES_MAX).collect();
    let mut lines = Vec::new();
    let mut start = 0;
    while start < cells.len() {
        let (end, next) = line_end(&cells, start, columns);
        lines.push(regroup(pieces, &cells[start..end]));
        start = next;
    }
    lines
}

struct WrapCell {
    piece: usize,
    range: Range<usize>,
    width: usize,
    space: bool,
}

fn wrap_cells((piece, of): (usize, &Piece)) -> impl Iterator<Item = WrapCell> {
    of.as_str()
        .grapheme_indices(true)
        .map(move |(at, symbol)| WrapCell {
            piece,
            range: at..at + symbol.len(),
            width: usize::from(symbol.cell_width()),
            space: symbol == " ",
        })
}

/// Where the line that starts at `start` ends, and where the next one starts.
fn line_end(cells: &[WrapCell], start: usize, columns: usize) -> (usize, usize) {
    let mut used = 0;
    let mut space = None;
    for (at, cell) in cells.iter().enumerate().skip(start) {
        used += cell.width;
        if cell.space {
            space = Some(at);
        }
        if used > columns {
            return match space {
                Some(space) if space > start => (space, space + 1),
                _ => (at.max(start + 1), at.max(start + 1)),
            };
        }
    }
    (cells.len(), cells.len())
}

fn regroup(pieces: &[Piece], cells: &[WrapCell]) -> Vec<Piece> {
    let same = cells.chunk_by(|a, b| a.piece == b.piece);
    let parts = same.filter_map(|part| {
        let (first, last) = (part.first()?, part.last()?);
        Some(
            pieces
                .get(first.piece)?
                .part(first.range.start..last.range.end),
        )
    });
    parts.collect()
}
