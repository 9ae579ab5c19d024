//! What a terminal shows, cell by cell.

use crate::model::Foreign;
use alacritty_terminal::grid::{Dimensions, Grid};
use alacritty_terminal::index::{Line, Point};
use alacritty_terminal::term::cell::{self, Flags};
use alacritty_terminal::term::color::Colors;
use alacritty_terminal::vte::ansi::{self, CursorShape, CursorStyle, NamedColor};

/// A colour as the program named it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Colour {
    #[default]
    Default,
    /// 0–7 normal, 8–15 bright, 16–231 the cube, 232–255 greys.
    Index(u8),
    Rgb(u8, u8, u8),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Underline {
    #[default]
    None,
    Single,
    Double,
    Curly,
    Dotted,
    Dashed,
}

/// How a cell is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Style {
    pub fg: Colour,
    pub bg: Colour,
    pub underline_colour: Colour,
    pub underline: Underline,
    pub bold: bool,
    pub dim: bool,
    pub italic: bool,
    pub reverse: bool,
    pub hidden: bool,
    pub strike: bool,
}

/// One character with its marks, on one or two columns. None of them is a control character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell<'a> {
    /// Counted from 0.
    pub column: u16,
    pub first: char,
    /// Combining characters, joiners and selectors that came after it. A joiner at the end joins nothing here: what it
    /// was to join is in the next cell.
    pub more: &'a [char],
    /// Columns: 1 or 2.
    pub width: u16,
    pub style: Style,
    /// Whether it is part of a link (OSC 8): [`Screen::link`] says where that leads.
    pub is_link: bool,
}

impl Cell<'_> {
    /// Puts the character and its marks at the end of `text`.
    pub fn write(&self, text: &mut String) {
        text.push(self.first);
        text.extend(self.more);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shape {
    #[default]
    Block,
    Beam,
    Underline,
}

/// Where the next character goes, counted from 0, and how that place is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    pub row: u16,
    pub column: u16,
    pub shape: Shape,
    pub blinking: bool,
}

impl Cursor {
    pub(super) fn new(point: Point, style: CursorStyle) -> Self {
        Self {
            row: small(usize::try_from(point.line.0).unwrap_or(0)),
            column: small(point.column.0),
            shape: match style.shape {
                CursorShape::Beam => Shape::Beam,
                CursorShape::Underline => Shape::Underline,
                _ => Shape::Block,
            },
            blinking: style.blinking,
        }
    }
}

/// A view of a terminal's rows.
#[derive(Clone, Copy)]
pub struct Screen<'a> {
    grid: &'a Grid<cell::Cell>,
    colours: &'a Colors,
    /// Lines above the newest screenful.
    scrolled: usize,
}

impl<'a> Screen<'a> {
    pub(super) fn new(grid: &'a Grid<cell::Cell>, colours: &'a Colors, scrolled: usize) -> Self {
        Self {
            grid,
            colours,
            scrolled: scrolled.min(grid.history_size()),
        }
    }

    pub fn rows(&self) -> u16 {
        small(self.grid.screen_lines())
    }

    pub fn columns(&self) -> u16 {
        small(self.grid.columns())
    }

    /// The cells of a row from the left, every column in one of them. A row that is not there is empty.
    pub fn row(&self, row: u16) -> Row<'a> {
        Row {
            cells: self.cells(row),
            column: 0,
            colours: self.colours,
        }
    }

    /// Where the link (OSC 8) at a place leads.
    pub fn link(&self, row: u16, column: u16) -> Option<Foreign> {
        let cell = self.cells(row).get(usize::from(column))?;
        cell.hyperlink().map(|link| Foreign::from(link.uri()))
    }

    fn cells(&self, row: u16) -> &'a [cell::Cell] {
        let line = i32::from(row) - i32::try_from(self.scrolled).unwrap_or(0);
        if row < self.rows() {
            &self.grid[Line(line)][..]
        } else {
            &[]
        }
    }
}

/// The cells of one row.
#[derive(Clone)]
pub struct Row<'a> {
    cells: &'a [cell::Cell],
    column: usize,
    colours: &'a Colors,
}

impl<'a> Iterator for Row<'a> {
    type Item = Cell<'a>;

    fn next(&mut self) -> Option<Cell<'a>> {
        let cell = self.cells.get(self.column)?;
        let column = self.column;
        let shown = shown(self.cells, column);
        self.column += shown.width;
        Some(Cell {
            column: small(column),
            first: shown.first,
            more: shown.more,
            width: small(shown.width),
            style: style(cell, self.colours),
            is_link: cell.hyperlink().is_some(),
        })
    }
}

/// What stands at a column, and how many of them it takes.
pub(super) struct Shown<'a> {
    pub first: char,
    pub more: &'a [char],
    pub width: usize,
}

/// A tab is kept as one character and shown as a blank; so is a wide character cut in half.
pub(super) fn shown(cells: &[cell::Cell], column: usize) -> Shown<'_> {
    let cell = &cells[column];
    let is_wide = cell.flags.contains(Flags::WIDE_CHAR);
    let next = cells.get(column + 1);
    let is_whole = next.is_some_and(|next| next.flags.contains(Flags::WIDE_CHAR_SPACER));
    let width = if is_wide && is_whole { 2 } else { 1 };
    if cell.c == '\t' || is_wide && !is_whole {
        return Shown {
            first: ' ',
            more: &[],
            width,
        };
    }
    Shown {
        first: cell.c,
        more: cell.zerowidth().unwrap_or_default(),
        width,
    }
}

fn style(cell: &cell::Cell, colours: &Colors) -> Style {
    let flags = cell.flags;
    Style {
        fg: colour(cell.fg, colours),
        bg: colour(cell.bg, colours),
        underline_colour: cell
            .underline_color()
            .map_or(Colour::Default, |is| colour(is, colours)),
        underline: underline(flags),
        bold: flags.contains(Flags::BOLD),
        dim: flags.contains(Flags::DIM),
        italic: flags.contains(Flags::ITALIC),
        reverse: flags.contains(Flags::INVERSE),
        hidden: flags.contains(Flags::HIDDEN),
        strike: flags.contains(Flags::STRIKEOUT),
    }
}

fn underline(flags: Flags) -> Underline {
    match flags & Flags::ALL_UNDERLINES {
        Flags::UNDERLINE => Underline::Single,
        Flags::DOUBLE_UNDERLINE => Underline::Double,
        Flags::UNDERCURL => Underline::Curly,
        Flags::DOTTED_UNDERLINE => Underline::Dotted,
        Flags::DASHED_UNDERLINE => Underline::Dashed,
        _ => Underline::None,
    }
}

/// A number whose colour the program changed (OSC 4, 10, 11) is that colour.
fn colour(is: ansi::Color, changed: &Colors) -> Colour {
    let (index, otherwise) = match is {
        ansi::Color::Spec(rgb) => return Colour::Rgb(rgb.r, rgb.g, rgb.b),
        ansi::Color::Indexed(index) => (usize::from(index), Colour::Index(index)),
        ansi::Color::Named(name) => named(name),
    };
    changed[index].map_or(otherwise, |rgb| Colour::Rgb(rgb.r, rgb.g, rgb.b))
}

fn named(name: NamedColor) -> (usize, Colour) {
    let index = name as usize;
    match u8::try_from(index) {
        Ok(small) => (index, Colour::Index(small)),
        Err(_) => (index, Colour::Default),
    }
}

/// Rows and columns have at most 1000 of each.
pub(super) fn small(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}
