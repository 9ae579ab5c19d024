//! One line of input: the filter, a typed name. Never more than one line, never a control character.

use super::text::{self, Piece};
use super::{Role, Theme, span};
use crate::text::clean_str;
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::Widget;
use tui_textarea::{CursorMove, TextArea};

#[derive(Clone, Debug)]
pub struct Prompt {
    area: TextArea<'static>,
}

/// In characters: a command line may be long, and a paste of megabytes must not stop the screen.
const LONGEST: usize = 4096;

impl Default for Prompt {
    fn default() -> Self {
        Self::with("")
    }
}

impl Prompt {
    /// Starts with that text, the cursor behind it.
    pub fn with(text: &str) -> Self {
        let mut area = TextArea::new(vec![one_line(text, LONGEST)]);
        area.set_cursor_line_style(Style::new());
        area.move_cursor(CursorMove::End);
        Self { area }
    }

    /// What was typed, as typed.
    pub fn text(&self) -> &str {
        self.area.lines().first().map_or("", String::as_str)
    }

    /// Tells whether the text changed. Keys that end the input (Enter, Esc, Tab, arrows up and down) are the caller's.
    pub fn key(&mut self, key: KeyEvent) -> bool {
        if key.kind == KeyEventKind::Release {
            return false;
        }
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Enter
            | KeyCode::Tab
            | KeyCode::BackTab
            | KeyCode::Esc
            | KeyCode::Up
            | KeyCode::Down => false,
            // As every shell has it; the text area's own is to undo.
            KeyCode::Char('u') if ctrl => self.area.delete_line_by_head(),
            // The text area's own keys for a new line, for joining lines, and for its clipboard.
            KeyCode::Char('m' | 'j' | 'y') if ctrl => false,
            KeyCode::Char(_)
                if !ctrl && !key.modifiers.contains(KeyModifiers::ALT) && self.room() == 0 =>
            {
                false
            }
            KeyCode::Char(c) if c.is_control() => false,
            _ => self.area.input(key),
        }
    }

    /// Tells whether the text changed. Line breaks become blanks, control characters are dropped.
    pub fn paste(&mut self, text: &str) -> bool {
        let text = one_line(text, self.room());
        !text.is_empty() && self.area.insert_str(text)
    }

    /// Draws the label and what was typed; with the cursor, if it has the keys.
    pub fn draw(
        &self,
        buffer: &mut Buffer,
        area: Rect,
        theme: &Theme,
        label: &[Piece],
        focused: bool,
    ) {
        let line = Rect {
            height: area.height.min(1),
            ..area
        }
        .intersection(buffer.area);
        text::blank(buffer, line, theme, Role::Text);
        let used = text::draw(
            buffer,
            Rect {
                width: line.width.saturating_sub(4),
                ..line
            },
            theme,
            label,
        );
        let place = Rect {
            x: line.x + used,
            width: line.width - used,
            ..line
        };
        if place.is_empty() {
            return;
        }
        if focused {
            self.area.render(place, buffer);
        } else {
            text::draw(
                buffer,
                place,
                theme,
                &[span(&clean_str(self.text()), Role::Text)],
            );
        }
    }

    fn room(&self) -> usize {
        LONGEST.saturating_sub(self.text().chars().count())
    }
}

/// A paste may hold anything, in any length: what is kept is cut first, then cleaned.
fn one_line(text: &str, longest: usize) -> String {
    let text = text.trim_matches(['\r', '\n']);
    let end = text
        .char_indices()
        .nth(longest)
        .map_or(text.len(), |(at, _)| at);
    clean_str(&text[..end]).as_str().to_owned()
}
