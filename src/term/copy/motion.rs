//! Moving over words, as vi counts them: runs of letters, digits and `_`, and runs of other signs.

use super::Place;
use crate::term::lines;
use alacritty_terminal::grid::{Dimensions, Grid};
use alacritty_terminal::term::cell::Cell;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Towards {
    Start,
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    Word,
    Sign,
}

/// What is at a place. Beyond a line's end is a blank, unless the line goes on in the next.
fn class(grid: &Grid<Cell>, place: Place) -> Class {
    let cells = lines::cells(grid, place.line);
    match cells.get(place.column).map_or(' ', |cell| cell.c) {
        ' ' | '\t' => Class::Blank,
        '_' => Class::Word,
        character if character.is_alphanumeric() => Class::Word,
        _ => Class::Sign,
    }
}

/// The column of the first character that is not a blank.
pub(super) fn first_text(grid: &Grid<Cell>, line: usize) -> usize {
    let places = (0..lines::length(grid, line)).map(|column| Place { line, column });
    let mut texts = places.filter(|place| class(grid, *place) != Class::Blank);
    texts.next().map_or(0, |place| place.column)
}

/// The next place in the text, and whether it is the same line's, soft wraps not counted.
fn step(grid: &Grid<Cell>, from: Place, towards: Towards) -> Option<(Place, bool)> {
    match towards {
        Towards::End => {
            let column = lines::end_of(grid, from.line, from.column);
            if column < lines::length(grid, from.line) {
                return Some((Place { column, ..from }, true));
            }
            let line = from.line + 1;
            let goes_on = lines::is_wrapped(grid, from.line);
            (line < grid.total_lines()).then_some((Place { line, column: 0 }, goes_on))
        }
        Towards::Start => {
            if let Some(column) = from.column.checked_sub(1) {
                let column = lines::start_of(grid, from.line, column);
                return Some((Place { column, ..from }, true));
            }
            let line = from.line.checked_sub(1)?;
            let last = lines::length(grid, line).saturating_sub(1);
            let column = lines::start_of(grid, line, last);
            Some((Place { line, column }, lines::is_wrapped(grid, line)))
        }
    }
}

/// The beginning of the next word.
pub(super) fn word(grid: &Grid<Cell>, from: Place) -> Place {
    let (mut place, mut run) = (from, class(grid, from));
    while let Some((next, is_same_line)) = step(grid, place, Towards::End) {
        let class = class(grid, next);
        if class != Class::Blank && (class != run || !is_same_line) {
            return next;
        }
        place = next;
        run = class;
    }
    place
}

/// The end of this word, or of the next if it is the end of one.
pub(super) fn word_end(grid: &Grid<Cell>, from: Place) -> Place {
    far_end(grid, from, Towards::End)
}

/// The beginning of this word, or of the one before if it is the beginning of one.
pub(super) fn word_back(grid: &Grid<Cell>, from: Place) -> Place {
    far_end(grid, from, Towards::Start)
}

fn far_end(grid: &Grid<Cell>, from: Place, towards: Towards) -> Place {
    let mut place = from;
    loop {
        let Some((next, _)) = step(grid, place, towards) else {
            return place;
        };
        place = next;
        if class(grid, place) != Class::Blank {
            return run_end(grid, place, towards);
        }
    }
}

/// The last place of the run of one class that `from` is in.
pub(super) fn run_end(grid: &Grid<Cell>, from: Place, towards: Towards) -> Place {
    let class_here = class(grid, from);
    let mut place = from;
    while let Some((next, true)) = step(grid, place, towards) {
        if class(grid, next) != class_here {
            break;
        }
        place = next;
    }
    place
}
