//! The keys of copy mode: vi's, and the arrows beside them.

use super::motion::{self, Towards};
use super::selection::{Kind, Selection};
use super::{CopyMode, Place, Then};
use crate::term::lines;
use alacritty_terminal::grid::Dimensions;
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

impl CopyMode {
    /// Keys that mean nothing here do nothing.
    pub fn key(&mut self, key: &KeyEvent) -> Then {
        if key.kind == KeyEventKind::Release {
            return Then::Stay;
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return self.control(key.code);
        }
        match key.code {
            KeyCode::Char('q') => return Then::Leave,
            KeyCode::Esc if self.selection.take().is_none() => return Then::Leave,
            KeyCode::Char('y') | KeyCode::Enter => {
                return self.selected_text().map_or(Then::Stay, Then::Copy);
            }
            KeyCode::Char('/') => return self.ask(true),
            KeyCode::Char('?') => return self.ask(false),
            KeyCode::Char('n') => self.again(true),
            KeyCode::Char('N') => self.again(false),
            KeyCode::Char('v') => self.select(Kind::Characters),
            KeyCode::Char('V') => self.select(Kind::Lines),
            KeyCode::Char('o') => self.swap_ends(),
            code => self.motion(code),
        }
        Then::Stay
    }

    fn control(&mut self, code: KeyCode) -> Then {
        let page = self.grid.screen_lines();
        match code {
            KeyCode::Char('u') => self.turn(page / 2, Towards::Start),
            KeyCode::Char('d') => self.turn(page / 2, Towards::End),
            KeyCode::Char('b') => self.turn(page, Towards::Start),
            KeyCode::Char('f') => self.turn(page, Towards::End),
            KeyCode::Char('v') => self.select(Kind::Block),
            KeyCode::Char('c' | '[') => return Then::Leave,
            _ => (),
        }
        Then::Stay
    }

    fn motion(&mut self, code: KeyCode) {
        let Place { line, column } = self.cursor;
        let rows = self.grid.screen_lines();
        let (length, last) = (lines::length(&self.grid, line), self.grid.total_lines() - 1);
        let at = |column| Place { line, column };
        let first = |line| Place {
            line,
            column: motion::first_text(&self.grid, line),
        };
        let to = match code {
            KeyCode::Char('j') | KeyCode::Down => return self.climb(line.saturating_add(1)),
            KeyCode::Char('k') | KeyCode::Up => return self.climb(line.saturating_sub(1)),
            KeyCode::PageUp => return self.turn(rows, Towards::Start),
            KeyCode::PageDown => return self.turn(rows, Towards::End),
            KeyCode::Char('h') | KeyCode::Left => at(column.saturating_sub(1)),
            KeyCode::Char('l') | KeyCode::Right => {
                at(lines::end_of(&self.grid, line, column).min(length.max(column + 1) - 1))
            }
            KeyCode::Char('0') | KeyCode::Home => at(0),
            KeyCode::Char('^') => first(line),
            KeyCode::Char('$') | KeyCode::End => at(length.saturating_sub(1)),
            KeyCode::Char('w') => motion::word(&self.grid, self.cursor),
            KeyCode::Char('b') => motion::word_back(&self.grid, self.cursor),
            KeyCode::Char('e') => motion::word_end(&self.grid, self.cursor),
            KeyCode::Char('g') => first(0),
            KeyCode::Char('G') => first(last),
            KeyCode::Char('H') => first(self.top),
            KeyCode::Char('M') => first(self.top + rows / 2),
            KeyCode::Char('L') => first(self.top + rows - 1),
            _ => return,
        };
        self.go(to);
    }

    /// Goes to a line, to the wanted column if it is long enough.
    fn climb(&mut self, line: usize) {
        let line = line.min(self.grid.total_lines() - 1);
        let last = lines::length(&self.grid, line).saturating_sub(1);
        self.go_keeping_column(Place {
            line,
            column: self.wanted.min(last),
        });
    }

    /// Moves view and cursor together.
    fn turn(&mut self, lines: usize, towards: Towards) {
        let last = self.grid.total_lines() - 1;
        let moved = |from: usize, last: usize| match towards {
            Towards::Start => from.saturating_sub(lines),
            Towards::End => (from + lines).min(last),
        };
        self.top = moved(self.top, self.grid.history_size());
        self.climb(moved(self.cursor.line, last));
    }

    fn ask(&mut self, forward: bool) -> Then {
        self.origin = self.cursor;
        Then::Ask { forward }
    }

    fn again(&mut self, same_way: bool) {
        let found = self.search.as_ref().and_then(|search| {
            let forward = search.forward == same_way;
            search.next(self.cursor, forward)
        });
        if let Some(place) = found {
            self.go(place);
        }
    }

    /// The key of the kind that is on ends it; another changes the kind.
    fn select(&mut self, kind: Kind) {
        self.selection = match self.selection.take() {
            Some(selection) if selection.kind == kind => None,
            Some(selection) => Some(Selection { kind, ..selection }),
            None => Some(Selection {
                from: self.cursor,
                kind,
                is_held: false,
            }),
        };
    }

    fn swap_ends(&mut self) {
        if let Some(selection) = &mut self.selection {
            let to = std::mem::replace(&mut selection.from, self.cursor);
            self.go(to);
        }
    }
}
