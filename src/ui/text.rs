//! Pieces of text with a role: the only way for words to reach the screen.
//!
//! A [`Piece`] is made from words of this program (`&'static str`) or from [`Clean`] text, so nothing from outside
//! can be drawn uncleaned. Drawing clips at the area, cuts between graphemes and marks what was cut.

pub use super::wrap::wrap;
use super::{Role, Theme, runs};
use crate::model::Clean;
use crate::text::{Run, RunStyle};
use ratatui::buffer::{Buffer, CellWidth};
use ratatui::layout::Rect;
use ratatui::style::Style;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// One stretch of text with one role. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Piece {
    words: Words,
    /// The bytes of `words` that count: wrapping makes pieces of pieces.
    range: Range<usize>,
    look: Look,
}

#[derive(Clone, Copy, Debug)]
enum Look {
    Role(Role),
    /// A program's own style, over a role.
    Printed(RunStyle, Role),
}

#[derive(Clone, Debug)]
enum Words {
    Ours(&'static str),
    Cleaned(Clean),
}

/// Words of this program.
pub fn label(text: &'static str, role: Role) -> Piece {
    Piece {
        range: 0..text.len(),
        words: Words::Ours(text),
        look: Look::Role(role),
    }
}

/// Words from outside, or figures.
pub fn span(text: &Clean, role: Role) -> Piece {
    Piece {
        range: 0..text.as_str().len(),
        words: Words::Cleaned(text.clone()),
        look: Look::Role(role),
    }
}

/// What a program printed, in its own style where the theme can show it; `base` where it has none.
pub fn printed(run: &Run, base: Role) -> Piece {
    Piece {
        look: Look::Printed(run.style, base),
        ..span(&run.text, base)
    }
}

/// So many blanks; the most there are is the width of a wide screen.
pub(super) fn spaces(count: usize) -> Piece {
    const BLANKS: &str =
        "                                                                                ";
    label(&BLANKS[..count.min(BLANKS.len())], Role::Text)
}

impl Piece {
    pub fn as_str(&self) -> &str {
        let whole = match &self.words {
            Words::Ours(text) => text,
            Words::Cleaned(text) => text.as_str(),
        };
        whole.get(self.range.clone()).unwrap_or_default()
    }

    /// That is its role, with no style of a program over it.
    pub fn is_in(&self, role: Role) -> bool {
        matches!(self.look, Look::Role(own) if own == role)
    }

    /// The same words in a role of ours.
    pub fn as_role(self, role: Role) -> Self {
        Self {
            look: Look::Role(role),
            ..self
        }
    }

    /// In cells.
    pub fn width(&self) -> usize {
        crate::text::width(self.as_str())
    }

    fn style(&self, theme: &Theme) -> Style {
        match self.look {
            Look::Role(role) => theme.style(role),
            Look::Printed(style, base) => runs::style(theme, style, base),
        }
    }

    /// `range` counts in this piece's own bytes.
    pub(super) fn part(&self, range: Range<usize>) -> Self {
        let start = self.range.start;
        Self {
            range: start + range.start..start + range.end,
            ..self.clone()
        }
    }
}

/// A line with something at its right end, which keeps its place while the left side is cut.
#[derive(Clone, Debug, Default)]
pub struct Row {
    pub left: Vec<Piece>,
    pub right: Vec<Piece>,
}

impl From<Vec<Piece>> for Row {
    fn from(left: Vec<Piece>) -> Self {
        Self {
            left,
            right: Vec::new(),
        }
    }
}

impl From<Piece> for Row {
    fn from(piece: Piece) -> Self {
        vec![piece].into()
    }
}

/// The pieces with some of their text in another role: ranges of the bytes of all of them together, in order.
pub fn marked(pieces: &[Piece], ranges: &[Range<usize>], role: Role) -> Vec<Piece> {
    let mut out = Vec::new();
    let (mut start, mut ranges) = (0, ranges);
    for piece in pieces {
        let end = start + piece.as_str().len();
        let mut at = start;
        while let Some(range) = ranges.first().filter(|range| range.start < end) {
            let (from, to) = (range.start.max(at), range.end.min(end));
            if from > at {
                out.push(piece.part(at - start..from - start));
            }
            if to > from {
                out.push(Piece {
                    look: Look::Role(role),
                    ..piece.part(from - start..to - start)
                });
            }
            at = to.max(at);
            if range.end > end {
                break;
            }
            ranges = &ranges[1..];
        }
        if at < end {
            out.push(piece.part(at - start..end - start));
        }
        start = end;
    }
    out
}

/// The pieces cut into rows of at most `columns` cells, wherever that falls; nothing is one empty row.
pub fn chopped(pieces: &[Piece], columns: usize) -> Vec<Vec<Piece>> {
    let mut rows = vec![Vec::new()];
    let mut room = columns;
    for piece in pieces {
        let mut start = 0;
        for (at, symbol) in piece.as_str().grapheme_indices(true) {
            let cells = usize::from(symbol.cell_width());
            if cells > room && room < columns {
                push_part(&mut rows, piece, start..at);
                rows.push(Vec::new());
                (start, room) = (at, columns);
            }
            room = room.saturating_sub(cells);
        }
        push_part(&mut rows, piece, start..piece.as_str().len());
    }
    rows
}

fn push_part(rows: &mut [Vec<Piece>], piece: &Piece, range: Range<usize>) {
    if let Some(row) = rows.last_mut().filter(|_| !range.is_empty()) {
        row.push(piece.part(range));
    }
}

/// Cells the pieces take beside each other.
pub fn width(pieces: &[Piece]) -> usize {
    pieces.iter().map(Piece::width).sum()
}

/// As [`width`], but looks no further than `most`: text from outside may be megabytes long.
pub(super) fn width_within(pieces: &[Piece], most: u16) -> u16 {
    let mut used = 0;
    for (_, width) in pieces.iter().flat_map(|piece| graphemes(piece.as_str())) {
        used += width;
        if used >= usize::from(most) {
            return most;
        }
    }
    u16::try_from(used).unwrap_or(most)
}

/// Draws the pieces on the first line of the area, cut with an ellipsis; tells how many cells they took.
pub fn draw(buffer: &mut Buffer, area: Rect, theme: &Theme, pieces: &[Piece]) -> u16 {
    draw_from(buffer, area, theme, pieces, 0)
}

/// As [`draw`], scrolled `skip` cells to the right; what is cut on either side is marked.
pub fn draw_from(
    buffer: &mut Buffer,
    area: Rect,
    theme: &Theme,
    pieces: &[Piece],
    skip: usize,
) -> u16 {
    let area = area.intersection(buffer.area);
    if area.is_empty() || pieces.is_empty() {
        return 0;
    }
    let mut pen = Pen { x: area.x, skip };
    for piece in pieces {
        let style = piece.style(theme);
        for (symbol, width) in graphemes(piece.as_str()) {
            let symbol = theme.glyphs.spelled(symbol);
            if !pen.put(buffer, area, symbol, width, style) {
                cut_mark(buffer, theme, area, pen.x);
                return area.width;
            }
        }
    }
    if skip > 0 && pen.x > area.x {
        let first = Rect { width: 1, ..area };
        fill(buffer, first, theme.glyphs.ellipsis, theme.style(Role::Dim));
    }
    pen.x - area.x
}

/// Draws at the right end of the area.
pub fn draw_right(buffer: &mut Buffer, area: Rect, theme: &Theme, pieces: &[Piece]) -> u16 {
    let wide = width_within(pieces, area.width);
    let place = Rect {
        x: area.right() - wide,
        width: wide,
        ..area
    };
    draw(buffer, place, theme, pieces)
}

/// Draws a row on the first line of the area. The right part goes when it would leave the left one no room.
pub fn draw_row(buffer: &mut Buffer, area: Rect, theme: &Theme, row: &Row) {
    let right = width_within(&row.right, area.width);
    let left = width_within(&row.left, area.width / 2);
    let mut place = area;
    if right > 0 && u32::from(right) + u32::from(left) < u32::from(area.width) {
        draw_right(buffer, area, theme, &row.right);
        place.width -= right + 1;
    }
    draw(buffer, place, theme, &row.left);
}

/// Draws one row below the other, as many as fit.
pub fn draw_rows(buffer: &mut Buffer, area: Rect, theme: &Theme, rows: &[Row]) {
    for (line, row) in area.rows().zip(rows) {
        draw_row(buffer, line, theme, row);
    }
}

/// Fills the area with blanks in a role. A wide character that reaches into it from the left goes too, since its
/// right half would hide the first column.
pub(super) fn blank(buffer: &mut Buffer, area: Rect, theme: &Theme, role: Role) {
    let area = area.intersection(buffer.area);
    for line in area.rows() {
        let before = line
            .x
            .checked_sub(1)
            .and_then(|x| buffer.cell_mut((x, line.y)));
        if let Some(cell) = before.filter(|cell| cell.symbol().cell_width() > 1) {
            cell.set_symbol(" ");
        }
        for position in line.positions() {
            buffer[position].reset();
        }
    }
    buffer.set_style(area, theme.style(role));
}

/// Gives what is drawn already another look. The selection is drawn in one colour: reversed ones can be unreadable.
pub fn restyle(buffer: &mut Buffer, area: Rect, theme: &Theme, role: Role) {
    let style = theme.style(role);
    let base = if role == Role::Selected {
        Style::reset()
    } else {
        Style::new()
    };
    buffer.set_style(area, base.patch(style));
}

/// One sign, repeated over the first line of the area.
pub(super) fn fill(buffer: &mut Buffer, area: Rect, sign: &'static str, style: Style) {
    let line = Rect {
        height: area.height.min(1),
        ..area
    }
    .intersection(buffer.area);
    for position in line.positions() {
        let cell = &mut buffer[position];
        cell.reset();
        cell.set_symbol(sign).set_style(style);
    }
}

struct Pen {
    x: u16,
    /// Cells still to be left out.
    skip: usize,
}

impl Pen {
    /// False if the symbol did not fit.
    fn put(
        &mut self,
        buffer: &mut Buffer,
        area: Rect,
        symbol: &str,
        width: usize,
        style: Style,
    ) -> bool {
        let hidden = width.min(self.skip);
        self.skip -= hidden;
        // Half of a wide character is a blank.
        let (symbol, width) = if hidden == 0 {
            (symbol, width)
        } else {
            (" ", width - hidden)
        };
        let Some(end) = u16::try_from(width)
            .ok()
            .and_then(|width| self.x.checked_add(width))
        else {
            return false;
        };
        if end > area.right() {
            return false;
        }
        for x in self.x..end {
            let cell = &mut buffer[(x, area.y)];
            cell.reset();
            cell.set_symbol(if x == self.x { symbol } else { " " })
                .set_style(style);
        }
        self.x = end;
        true
    }
}

/// The ellipsis behind what fits, or over its last character. What was drawn ends at `end`.
fn cut_mark(buffer: &mut Buffer, theme: &Theme, area: Rect, end: u16) {
    let mut x = end.min(area.right() - 1);
    let is_wide = |x: u16| x >= area.x && buffer[(x, area.y)].symbol().cell_width() > 1;
    if x < end && x > area.x && is_wide(x - 1) {
        x -= 1;
    }
    let rest = Rect {
        x,
        width: area.right() - x,
        height: 1,
        ..area
    };
    fill(buffer, rest, " ", theme.style(Role::Text));
    fill(
        buffer,
        Rect { width: 1, ..rest },
        theme.glyphs.ellipsis,
        theme.style(Role::Dim),
    );
}

/// What takes room, with its width in cells.
fn graphemes(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let visible = text
        .graphemes(true)
        .filter(|symbol| !symbol.contains(char::is_control));
    visible
        .map(|symbol| (symbol, usize::from(symbol.cell_width())))
        .filter(|(_, width)| *width > 0)
}
