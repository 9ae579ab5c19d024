//! Copy mode: reading, searching and copying what a terminal showed, with vi's keys or the mouse.
//!
//! It looks at a picture of the terminal, taken when it begins: what the program prints meanwhile moves nothing under
//! the cursor. When the terminal's size changes, begin anew.

mod keys;
mod motion;
mod search;
mod selection;

use super::emulator::Emulator;
use super::lines;
use super::screen::{Cursor, Screen, Shape, small};
use crate::model::Foreign;
use alacritty_terminal::grid::{Dimensions, Grid};
use alacritty_terminal::term::cell::Cell;
use alacritty_terminal::term::color::Colors;
use search::Search;
use selection::{Kind, Selection};

/// A place in the terminal's text: line from the oldest, column from the left, both from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Place {
    line: usize,
    column: usize,
}

/// What follows from a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Then {
    Stay,
    /// Ask for a pattern and give it to [`CopyMode::search`], as often as it changes.
    Ask {
        forward: bool,
    },
    /// Copy this, and leave.
    Copy(Foreign),
    Leave,
}

/// How a cell is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    Plain,
    Selected,
    Hit,
    /// The hit the cursor is on.
    CurrentHit,
}

pub struct CopyMode {
    grid: Grid<Cell>,
    colours: Box<Colors>,
    cursor: Place,
    /// The column that moving up and down tries to keep.
    wanted: usize,
    /// The first line in view.
    top: usize,
    selection: Option<Selection>,
    search: Option<Search>,
    /// Where the cursor was when a search began.
    origin: Place,
}

impl std::fmt::Debug for CopyMode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CopyMode")
            .field("cursor", &self.cursor)
            .field("top", &self.top)
            .field("selection", &self.selection)
            .finish_non_exhaustive()
    }
}

impl CopyMode {
    /// Begins with the view the terminal has now, the cursor where the program's is.
    pub fn new(emulator: &Emulator) -> Self {
        let (grid, colours) = emulator.picture();
        let top = grid.history_size().saturating_sub(emulator.scrolled());
        let rows = grid.screen_lines();
        let cursor = match emulator.cursor() {
            Some(cursor) => Place {
                line: top + usize::from(cursor.row),
                column: usize::from(cursor.column),
            },
            None => Place {
                line: top + rows - 1,
                column: 0,
            },
        };
        Self {
            wanted: cursor.column,
            grid,
            colours: Box::new(colours),
            cursor,
            top,
            selection: None,
            search: None,
            origin: cursor,
        }
    }

    /// The rows in view.
    pub fn screen(&self) -> Screen<'_> {
        Screen::new(&self.grid, &self.colours, self.scrolled())
    }

    pub fn cursor(&self) -> Cursor {
        Cursor {
            row: small(self.cursor.line - self.top),
            column: small(self.cursor.column),
            shape: Shape::Block,
            blinking: false,
        }
    }

    /// Lines between the view and the newest one.
    pub fn scrolled(&self) -> usize {
        self.grid.history_size().saturating_sub(self.top)
    }

    /// Lines of scrollback.
    pub fn history(&self) -> usize {
        self.grid.history_size()
    }

    /// How the cell at a place of the view is marked.
    pub fn mark(&self, row: u16, column: u16) -> Mark {
        let place = self.place(i32::from(row), column);
        let hit = self.search.as_ref().and_then(|search| search.hit_at(place));
        match hit {
            _ if self.is_selected(place) => Mark::Selected,
            Some(hit) if hit.holds(self.cursor) => Mark::CurrentHit,
            Some(_) => Mark::Hit,
            None => Mark::Plain,
        }
    }

    /// Finds all places of a pattern (a regular expression, or plain text if it is none; without capitals in it their
    /// case does not matter) and goes to the next from where the question was asked. Nothing: back to there.
    pub fn search(&mut self, pattern: &str, forward: bool) {
        self.search = Search::new(&self.grid, pattern, forward);
        let found = self
            .search
            .as_ref()
            .and_then(|search| search.next(self.origin, forward));
        self.go(found.unwrap_or(self.origin));
    }

    /// How many places the pattern was found at, at most 10 000, and which of them the cursor is on, from 0.
    pub fn hits(&self) -> (usize, Option<usize>) {
        let search = self.search.as_ref();
        search.map_or((0, None), |search| {
            (search.count(), search.number_at(self.cursor))
        })
    }

    /// The mouse pressed a button on a cell of the view: the second time in a row selects the word, the third the line.
    pub fn press(&mut self, row: u16, column: u16, times: u8) {
        self.go(self.place(i32::from(row), column));
        let kind = match times {
            0 | 1 => Kind::Characters,
            2 => Kind::Words,
            _ => Kind::Lines,
        };
        self.selection = Some(Selection {
            from: self.cursor,
            kind,
            is_held: times < 2,
        });
    }

    /// The mouse moved with the button down; above and below the view scrolls.
    pub fn drag(&mut self, row: i32, column: u16) {
        if let Some(selection) = &mut self.selection {
            selection.is_held = false;
            self.go(self.place(row, column));
        }
    }

    /// What is selected: soft-wrapped lines joined, without the padding at their ends. `None` if nothing is, or only
    /// the cell that the mouse was pressed on.
    pub fn selected_text(&self) -> Option<Foreign> {
        let selection = self
            .selection
            .as_ref()
            .filter(|selection| !selection.is_held)?;
        let text = selection.text(&self.grid, self.cursor);
        (!text.is_empty()).then(|| text.into())
    }

    fn is_selected(&self, place: Place) -> bool {
        let selection = self
            .selection
            .as_ref()
            .filter(|selection| !selection.is_held);
        selection.is_some_and(|selection| selection.holds(&self.grid, self.cursor, place))
    }

    /// The place at a row of the view (or above or below it) and a column, as far as there is one.
    fn place(&self, row: i32, column: u16) -> Place {
        let top = i32::try_from(self.top).unwrap_or(i32::MAX);
        let line = usize::try_from(top.saturating_add(row)).unwrap_or(0);
        Place {
            line: line.min(self.grid.total_lines() - 1),
            column: usize::from(column).min(self.grid.columns() - 1),
        }
    }

    /// Moves the cursor, and the view so that it shows it.
    fn go(&mut self, to: Place) {
        self.wanted = to.column;
        self.go_keeping_column(to);
    }

    fn go_keeping_column(&mut self, to: Place) {
        let rows = self.grid.screen_lines();
        self.cursor = Place {
            line: to.line.min(self.grid.total_lines() - 1),
            column: lines::start_of(&self.grid, to.line, to.column.min(self.grid.columns() - 1)),
        };
        let lowest_top = (self.cursor.line + 1).saturating_sub(rows);
        self.top = self
            .top
            .clamp(lowest_top, self.cursor.line.min(self.grid.history_size()));
    }
}
