//! Where ratatui draws: collects a frame and hands it over in one piece; a frame without a difference is no byte.

use super::terminal::Terminal;
use crate::term::Shape;
use crossterm::cursor::SetCursorStyle;
use crossterm::{cursor, queue, terminal};
use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use std::io;
use std::sync::Arc;

pub struct Screen {
    terminal: Arc<Terminal>,
    frame: Vec<u8>,
    size: Size,
    /// As the terminal has it; `None` before the first frame.
    cursor_shown: Option<bool>,
    /// Where it was put last: the same place again is no byte, unless a frame moved it.
    cursor_at: Option<Position>,
}

impl Screen {
    pub fn new(terminal: Arc<Terminal>, size: Size) -> Self {
        Self {
            terminal,
            frame: Vec::new(),
            size,
            cursor_shown: None,
            cursor_at: None,
        }
    }

    /// Frames have the size that the layout was made for, until the loop says otherwise.
    pub fn set_size(&mut self, size: Size) {
        self.size = size;
    }

    /// Of the terminal's own cursor; `None`: as the user has it.
    pub fn shape_cursor(&mut self, shape: Option<(Shape, bool)>) -> io::Result<()> {
        let style = match shape {
            None => SetCursorStyle::DefaultUserShape,
            Some((Shape::Block, true)) => SetCursorStyle::BlinkingBlock,
            Some((Shape::Block, false)) => SetCursorStyle::SteadyBlock,
            Some((Shape::Beam, true)) => SetCursorStyle::BlinkingBar,
            Some((Shape::Beam, false)) => SetCursorStyle::SteadyBar,
            Some((Shape::Underline, true)) => SetCursorStyle::BlinkingUnderScore,
            Some((Shape::Underline, false)) => SetCursorStyle::SteadyUnderScore,
        };
        queue!(self.frame, style)
    }

    fn want_cursor(&mut self, shown: bool) -> io::Result<()> {
        if self.cursor_shown == Some(shown) {
            return Ok(());
        }
        self.cursor_shown = Some(shown);
        if shown {
            queue!(self.frame, cursor::Show)
        } else {
            queue!(self.frame, cursor::Hide)
        }
    }
}

impl Backend for Screen {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut content = content.peekable();
        if content.peek().is_none() {
            return Ok(());
        }
        CrosstermBackend::new(&mut self.frame).draw(content)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.want_cursor(false)
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.want_cursor(true)
    }

    /// Never asked: a full screen does not depend on it, and asking would take the answer out of the keys.
    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(Position::ORIGIN)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        let position = position.into();
        if self.frame.is_empty() && self.cursor_at == Some(position) {
            return Ok(());
        }
        self.cursor_at = Some(position);
        queue!(self.frame, cursor::MoveTo(position.x, position.y))
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        // Only whole clears are asked for; afterwards every cell is drawn, and the cursor is anyone's guess.
        debug_assert_eq!(region, ClearType::All);
        self.cursor_shown = None;
        queue!(self.frame, terminal::Clear(terminal::ClearType::All))
    }

    fn size(&self) -> io::Result<Size> {
        Ok(self.size)
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize {
            columns_rows: self.size,
            pixels: Size::ZERO,
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.frame.is_empty() {
            return Ok(());
        }
        let written = self.terminal.write_frame(&self.frame);
        self.frame.clear();
        written
    }
}
