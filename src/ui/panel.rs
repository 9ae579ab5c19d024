//! The frame around a pane: name left, state right, keys below; focus shows in its shape, not only in colour.
//!
//! ```text
//! ┏▸Sandboxes 3━━━━━━━━━━━12 s old━┓
//! ┃                                ┃
//! ┗ enter open ━━━━━━━━━━━━━━━━━━━━┛
//! ```

use super::text::{self, Piece, Row};
use super::{Role, Theme, label};
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};

#[derive(Clone, Debug, Default)]
pub struct Panel {
    pub title: Vec<Piece>,
    /// Age of what is shown, state of the connection.
    pub state: Vec<Piece>,
    pub hint: Vec<Piece>,
    pub focused: bool,
}

impl Panel {
    /// Where the content goes. Too small for a border: below the title; one line: all of it.
    pub fn inner(area: Rect) -> Rect {
        match (area.width, area.height) {
            (0..=3, _) | (_, 0..=1) => area,
            (_, 2..=3) => Rect {
                y: area.y + 1,
                height: area.height - 1,
                ..area
            },
            _ => area.inner(Margin::new(1, 1)),
        }
    }

    /// Draws the frame and blanks its inside, which is returned.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) -> Rect {
        let area = area.intersection(buffer.area);
        let inner = Self::inner(area);
        text::blank(buffer, area, theme, Role::Text);
        if inner == area {
            return inner;
        }
        if inner.width == area.width {
            self.draw_title(buffer, area, theme);
            return inner;
        }
        self.draw_border(buffer, area, theme);
        let bar = Rect {
            x: area.x + 1,
            width: area.width - 2,
            ..area
        };
        self.draw_title(buffer, bar, theme);
        let bottom = Rect {
            x: bar.x + 1,
            y: area.bottom() - 1,
            width: bar.width.saturating_sub(2),
            height: 1,
        };
        text::draw(buffer, bottom, theme, &self.hint);
        inner
    }

    fn draw_title(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        let pointer = if self.focused {
            theme.glyphs.pointer
        } else {
            " "
        };
        let mut left = vec![label(pointer, Role::BorderFocus)];
        left.extend_from_slice(&self.title);
        if text::width_within(&left, area.width) < area.width {
            left.push(label(" ", Role::Text));
        }
        let mut right = self.state.clone();
        if !right.is_empty() {
            right.insert(0, label(" ", Role::Text));
            right.push(label(" ", Role::Text));
        }
        text::draw_row(buffer, area, theme, &Row { left, right });
    }

    fn draw_border(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        let (border, role) = if self.focused {
            (&theme.glyphs.focus, Role::BorderFocus)
        } else {
            (&theme.glyphs.plain, Role::Border)
        };
        let style = theme.style(role);
        let (last, bottom) = (area.right() - 1, area.bottom() - 1);
        for y in [area.y, bottom] {
            text::fill(buffer, Rect { y, ..area }, border.across, style);
        }
        for y in area.y..area.bottom() {
            for x in [area.x, last] {
                text::fill(
                    buffer,
                    Rect {
                        x,
                        y,
                        width: 1,
                        height: 1,
                    },
                    border.down,
                    style,
                );
            }
        }
        let corners = [
            (area.x, area.y, border.top_left),
            (last, area.y, border.top_right),
            (area.x, bottom, border.bottom_left),
            (last, bottom, border.bottom_right),
        ];
        for (x, y, sign) in corners {
            text::fill(
                buffer,
                Rect {
                    x,
                    y,
                    width: 1,
                    height: 1,
                },
                sign,
                style,
            );
        }
    }
}
