//! The text of a terminal's lines, counted from the oldest.

use super::screen::{Shown, shown};
use alacritty_terminal::grid::{Dimensions, Grid};
use alacritty_terminal::index::Line;
use alacritty_terminal::term::cell::{Cell, Flags};
use std::ops::Range;

/// The cells of a line; none if there is no such line.
pub(super) fn cells(grid: &Grid<Cell>, line: usize) -> &[Cell] {
    let number = i32::try_from(line)
        .ok()
        .zip(i32::try_from(grid.history_size()).ok());
    match number {
        Some((line, history)) if line < history + rows(grid) => &grid[Line(line - history)][..],
        _ => &[],
    }
}

fn rows(grid: &Grid<Cell>) -> i32 {
    i32::try_from(grid.screen_lines()).unwrap_or(0)
}

/// What stands in the columns, as far as the line goes.
pub(super) fn text(grid: &Grid<Cell>, line: usize, columns: Range<usize>) -> String {
    let cells = &cells(grid, line)[..length(grid, line)];
    let mut text = String::new();
    let mut column = 0;
    while column < cells.len().min(columns.end) {
        let shown = shown(cells, column);
        let is_padding = cells[column]
            .flags
            .contains(Flags::LEADING_WIDE_CHAR_SPACER);
        // Half of a wide character counts for the whole.
        if column + shown.width > columns.start && !is_padding {
            text.push(shown.first);
            text.extend(shown.more);
        }
        column += shown.width;
    }
    text
}

/// What stands in a line, with its column, as far as the line goes. The blank left where a wide character did not fit
/// before the line was wrapped is not part of it.
pub(super) fn characters(
    grid: &Grid<Cell>,
    line: usize,
) -> impl Iterator<Item = (usize, Shown<'_>)> {
    let cells = &cells(grid, line)[..length(grid, line)];
    let mut next = 0;
    let all = std::iter::from_fn(move || {
        let column = next;
        let shown = (column < cells.len()).then(|| shown(cells, column))?;
        next += shown.width;
        Some((column, shown))
    });
    all.filter(|(column, _)| {
        !cells[*column]
            .flags
            .contains(Flags::LEADING_WIDE_CHAR_SPACER)
    })
}

/// Columns without the blanks at the end, which are padding; all of them if the line goes on in the next.
pub(super) fn length(grid: &Grid<Cell>, line: usize) -> usize {
    let cells = cells(grid, line);
    if is_wrapped(grid, line) {
        return cells.len();
    }
    let is_text =
        |cell: &Cell| !matches!(cell.c, ' ' | '\t') || cell.flags.contains(Flags::WIDE_CHAR_SPACER);
    cells.iter().rposition(is_text).map_or(0, |last| last + 1)
}

pub(super) fn is_wrapped(grid: &Grid<Cell>, line: usize) -> bool {
    cells(grid, line)
        .last()
        .is_some_and(|cell| cell.flags.contains(Flags::WRAPLINE))
}

/// The column where the character at `column` begins: one to the left on the second half of a wide one.
pub(super) fn start_of(grid: &Grid<Cell>, line: usize, column: usize) -> usize {
    let cells = cells(grid, line);
    match column.checked_sub(1) {
        Some(before) if before < cells.len() && shown(cells, before).width == 2 => before,
        _ => column,
    }
}

/// The column after the character at `column`.
pub(super) fn end_of(grid: &Grid<Cell>, line: usize, column: usize) -> usize {
    let cells = cells(grid, line);
    let width = if column < cells.len() {
        shown(cells, column).width
    } else {
        1
    };
    column + width
}
