//! The strip below a table that shows in full what its selected row has to cut.

use super::Ctx;
use crate::ui::Piece;
use crate::ui::text;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Lines of the strip.
const LINES: u16 = 3;
/// With less than this the table needs all of it.
const LEAST: u16 = 9;

/// The table's part, and the strip's, which may be empty.
pub fn split(area: Rect) -> (Rect, Rect) {
    let lines = if area.height >= LEAST { LINES } else { 0 };
    let table = Rect {
        height: area.height - lines,
        ..area
    };
    (
        table,
        Rect {
            y: table.bottom(),
            height: lines,
            ..area
        },
    )
}

pub fn draw(buffer: &mut Buffer, area: Rect, ctx: &Ctx<'_>, pieces: &[Piece]) {
    // What cannot be in view need not be wrapped: a cell is at least a byte.
    for (line, row) in area.rows().zip(text::wrap(pieces, area.width)) {
        text::draw(buffer, line, ctx.theme, &row);
    }
}
