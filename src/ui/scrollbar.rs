//! Where in a long list the visible part is.

use super::text;
use super::{Role, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::ops::Range;

/// Draws in the first column of the area; nothing when all is visible.
pub fn draw(buffer: &mut Buffer, area: Rect, theme: &Theme, len: usize, visible: &Range<usize>) {
    let height = usize::from(area.height);
    if len <= visible.len() || height == 0 {
        return;
    }
    let thumb = (height * visible.len() / len).max(1);
    // The ends are reached only at the ends of the list.
    let room = height - thumb;
    let hidden = len - visible.len();
    let top = match visible.start {
        0 => 0,
        start if start >= hidden => room,
        start => (room * start / hidden).clamp(usize::from(room > 1), room.saturating_sub(1)),
    };
    for (at, line) in area.rows().enumerate() {
        let inside = (top..top + thumb).contains(&at);
        let (sign, role) = if inside {
            (theme.glyphs.thumb, Role::Border)
        } else {
            (theme.glyphs.track, Role::BarEmpty)
        };
        text::fill(
            buffer,
            Rect {
                width: line.width.min(1),
                ..line
            },
            sign,
            theme.style(role),
        );
    }
}
