//! A table that draws only the rows on screen: they come from a closure, one visible row a call.

use super::columns::{Align, Column, GAP, Order, widths};
use super::text::{self, Piece};
use super::{Gauge, Role, Theme, label, scrollbar};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use std::ops::Range;

#[derive(Clone, Copy, Debug)]
pub struct Table<'a> {
    pub columns: &'a [Column],
    /// How many rows there are in all.
    pub len: usize,
    pub selected: Option<usize>,
    /// The first visible row of the last time; [`window`] moves it so that the selection is in view.
    pub offset: usize,
    /// The table has the keys.
    pub focused: bool,
    /// Column titles take the first line.
    pub titles: bool,
}

/// One row: a cell a column.
#[derive(Clone, Debug, Default)]
pub struct TableRow {
    pub marked: bool,
    pub cells: Vec<Cell>,
}

#[derive(Clone, Debug)]
pub enum Cell {
    Text(Vec<Piece>),
    /// A bar, and its figure at the right end: that takes the column's `min`, so all bars are of one length.
    Gauge(Gauge, Vec<Piece>),
}

impl From<Piece> for Cell {
    fn from(piece: Piece) -> Self {
        Self::Text(vec![piece])
    }
}

impl From<Vec<Piece>> for Cell {
    fn from(pieces: Vec<Piece>) -> Self {
        Self::Text(pieces)
    }
}

/// Before the first column: pointer and mark.
const MARGIN: u16 = 2;

/// Which rows are visible: as few steps from `offset` as keep the selection in view, no empty lines at the end while
/// rows are above. Always within `0..len`.
pub fn window(len: usize, selected: Option<usize>, offset: usize, height: usize) -> Range<usize> {
    let mut first = offset.min(len.saturating_sub(height));
    if let Some(selected) = selected.filter(|_| len > 0) {
        let selected = selected.min(len - 1);
        first = first
            .min(selected)
            .max((selected + 1).saturating_sub(height));
    }
    first..(first.saturating_add(height)).min(len)
}

impl Table<'_> {
    /// The lines for rows, without titles and scroll bar.
    pub fn body(&self, area: Rect) -> Rect {
        let titles = u16::from(self.titles && area.height > 1);
        Rect {
            y: area.y + titles,
            height: area.height - titles,
            width: area.width.saturating_sub(1),
            ..area
        }
    }

    pub fn visible(&self, area: Rect) -> Range<usize> {
        window(
            self.len,
            self.selected,
            self.offset,
            usize::from(self.body(area).height),
        )
    }

    /// The row under the mouse.
    pub fn row_at(&self, area: Rect, position: Position) -> Option<usize> {
        let body = self.body(area);
        let visible = self.visible(area);
        let line = usize::from(position.y.checked_sub(body.y)?);
        body.contains(position)
            .then_some(visible.start + line)
            .filter(|row| visible.contains(row))
    }

    /// The column whose title is under the mouse.
    pub fn title_at(&self, area: Rect, position: Position) -> Option<usize> {
        let body = self.body(area);
        let line = Rect {
            height: body.y - area.y,
            width: body.width,
            ..area
        };
        let widths = widths(self.columns, body.width.saturating_sub(MARGIN));
        places(line, &widths).position(|place| place.contains(position))
    }

    pub fn draw(
        &self,
        buffer: &mut Buffer,
        area: Rect,
        theme: &Theme,
        mut row: impl FnMut(usize) -> TableRow,
    ) {
        let area = area.intersection(buffer.area);
        let body = self.body(area);
        if area.is_empty() {
            return;
        }
        let widths = widths(self.columns, body.width.saturating_sub(MARGIN));
        if body.y > area.y {
            self.draw_titles(
                buffer,
                Rect {
                    height: 1,
                    width: body.width,
                    ..area
                },
                theme,
                &widths,
            );
        }
        let visible = self.visible(area);
        for (line, index) in body.rows().zip(visible.clone()) {
            self.draw_line(buffer, line, theme, &widths, index, &row(index));
        }
        let bar = Rect {
            x: body.right(),
            width: area.width - body.width,
            ..body
        };
        scrollbar::draw(buffer, bar, theme, self.len, &visible);
    }

    fn draw_titles(&self, buffer: &mut Buffer, line: Rect, theme: &Theme, widths: &[u16]) {
        for (column, place) in self.columns.iter().zip(places(line, widths)) {
            let title = label(column.title, Role::Heading);
            let mark = match column.sort {
                Some(Order::Ascending) => label(theme.glyphs.up, Role::Heading),
                Some(Order::Descending) => label(theme.glyphs.down, Role::Heading),
                None => {
                    draw_aligned(buffer, place, theme, column.align, &[title]);
                    continue;
                }
            };
            // A title that is cut keeps its mark.
            let room = Rect {
                width: place.width.saturating_sub(1),
                ..place
            };
            if title.width() <= usize::from(room.width) {
                draw_aligned(buffer, place, theme, column.align, &[title, mark]);
            } else {
                text::draw(buffer, room, theme, &[title]);
                text::draw_right(buffer, place, theme, &[mark]);
            }
        }
    }

    fn draw_line(
        &self,
        buffer: &mut Buffer,
        line: Rect,
        theme: &Theme,
        widths: &[u16],
        index: usize,
        row: &TableRow,
    ) {
        for ((column, place), cell) in self
            .columns
            .iter()
            .zip(places(line, widths))
            .zip(&row.cells)
        {
            match cell {
                Cell::Text(pieces) => draw_aligned(buffer, place, theme, column.align, pieces),
                Cell::Gauge(gauge, figure) => {
                    draw_gauge(buffer, place, theme, *gauge, figure, column.min);
                }
            }
        }
        if row.marked {
            let place = Rect {
                x: line.x.saturating_add(1),
                width: line.width.saturating_sub(1),
                ..line
            };
            text::draw(
                buffer,
                place,
                theme,
                &[label(theme.glyphs.mark, Role::Mark)],
            );
        }
        let selected = self
            .selected
            .map(|selected| selected.min(self.len.saturating_sub(1)));
        if selected == Some(index) {
            text::draw(
                buffer,
                line,
                theme,
                &[label(theme.glyphs.pointer, Role::Text)],
            );
            let role = if self.focused {
                Role::Selected
            } else {
                Role::SelectedIdle
            };
            text::restyle(buffer, line, theme, role);
        }
    }
}

/// The place of each column; an empty one for a column that is left out.
fn places(line: Rect, widths: &[u16]) -> impl Iterator<Item = Rect> {
    let mut x = line.x.saturating_add(MARGIN);
    widths.iter().map(move |width| {
        let place = Rect {
            x,
            width: *width,
            ..line
        }
        .intersection(line);
        if *width > 0 {
            x = x.saturating_add(*width).saturating_add(GAP);
        }
        place
    })
}

fn draw_aligned(buffer: &mut Buffer, place: Rect, theme: &Theme, align: Align, pieces: &[Piece]) {
    match align {
        Align::Left => text::draw(buffer, place, theme, pieces),
        Align::Right => text::draw_right(buffer, place, theme, pieces),
    };
}

fn draw_gauge(
    buffer: &mut Buffer,
    place: Rect,
    theme: &Theme,
    gauge: Gauge,
    figure: &[Piece],
    reserved: u16,
) {
    let used = text::draw_right(buffer, place, theme, figure).max(reserved);
    let bar = place.width.saturating_sub(used.saturating_add(1));
    gauge.draw(
        buffer,
        Rect {
            width: bar,
            ..place
        },
        theme,
    );
}
