//! One row of a terminal: what is left of a line after its `\r`, backspaces, erasures and moves.

use super::sgr::RunStyle;
use super::width::{grapheme_width, width};
use unicode_segmentation::UnicodeSegmentation;

const WIDEST_SCREEN: usize = 4096;

/// Text is borrowed from the line.
#[derive(Default)]
pub(super) struct Row<'a> {
    cells: Vec<Cell<'a>>,
    /// Where the next character goes; may be beyond the cells.
    column: usize,
    /// Nothing is kept from this column on.
    limit: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Cell<'a> {
    Blank,
    Text(&'a str, RunStyle),
    /// Covered by the wide text before it.
    Covered,
}

impl<'a> Row<'a> {
    pub(super) fn with_limit(limit: usize) -> Self {
        Self {
            limit,
            ..Self::default()
        }
    }

    pub(super) fn column(&self) -> usize {
        self.column
    }

    /// A jump, as wide as screens can be; or farther, to where something stands already.
    pub(super) fn move_to(&mut self, column: usize) {
        self.column = column.min(self.cells.len().max(WIDEST_SCREEN));
    }

    pub(super) fn skip_to(&mut self, column: usize) {
        self.column = column;
    }

    /// Text without controls.
    pub(super) fn put_all(&mut self, text: &'a str, style: RunStyle) {
        if text.is_ascii() {
            let seen = self.limit.saturating_sub(self.column).min(text.len());
            for at in 0..seen {
                self.put_narrow(&text[at..=at], style);
            }
            self.column += text.len() - seen;
            return;
        }
        for (at, grapheme) in text.grapheme_indices(true) {
            if self.column >= self.limit {
                // Out of sight: only counted, in case something moves back; as it would be laid out, since the
                // width of a whole text is not always the sum of its graphemes.
                self.column += width(&text[at..]);
                return;
            }
            self.put(grapheme, style);
        }
    }

    /// As [`Self::put`] for one column inside the limit, which most often replaces one column.
    fn put_narrow(&mut self, character: &'a str, style: RunStyle) {
        let covered = self.cells.get(self.column + 1) == Some(&Cell::Covered);
        match self.cells.get_mut(self.column) {
            Some(cell) if *cell != Cell::Covered && !covered => {
                *cell = Cell::Text(character, style);
                self.column += 1;
            }
            _ => self.put(character, style),
        }
    }

    pub(super) fn put(&mut self, grapheme: &'a str, style: RunStyle) {
        let width = grapheme_width(grapheme);
        if width == 0 {
            return;
        }
        let end = self.column.saturating_add(width);
        if end > self.limit {
            self.clear(self.column, end);
            self.column = end;
            return;
        }
        if self.column == self.cells.len() {
            self.cells.push(Cell::Text(grapheme, style));
            self.cells.resize(end, Cell::Covered);
        } else {
            if self.cells.len() < end {
                self.cells.resize(end, Cell::Blank);
            }
            self.clear(self.column, end);
            self.cells[self.column] = Cell::Text(grapheme, style);
            self.cells[self.column + 1..end].fill(Cell::Covered);
        }
        self.column = end;
    }

    /// Blanks the columns, and the halves of wide texts that stick out of them.
    pub(super) fn clear(&mut self, from: usize, to: usize) {
        let to = to.min(self.cells.len());
        if from >= to {
            return;
        }
        let mut start = from;
        while start > 0 && self.cells[start] == Cell::Covered {
            start -= 1;
        }
        let mut end = to;
        while self.cells.get(end) == Some(&Cell::Covered) {
            end += 1;
        }
        self.cells[start..end].fill(Cell::Blank);
    }

    /// The texts in order, blanks as spaces without a style; none at the end.
    pub(super) fn into_texts(self) -> impl Iterator<Item = (&'a str, RunStyle)> {
        let blank = |cell: &Cell| *cell == Cell::Blank;
        let end = self.cells.iter().rposition(|cell| !blank(cell));
        let count = end.map_or(0, |at| at + 1);
        self.cells
            .into_iter()
            .take(count)
            .filter_map(|cell| match cell {
                Cell::Blank => Some((" ", RunStyle::default())),
                Cell::Text(text, style) => Some((text, style)),
                Cell::Covered => None,
            })
    }
}
