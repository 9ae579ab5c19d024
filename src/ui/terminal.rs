//! The screen of a program, cell by cell, in its own colours: it holds nothing that the outer terminal would act on.

use super::{Depth, Role, Theme, runs};
use crate::term::{Cell, Screen, Style as Look, Underline};
use crate::text;
use ratatui::buffer::{self, Buffer, CellWidth};
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

/// Draws the rows that fit. `marked`: another look for a cell, by row and column.
pub fn draw_terminal(
    buffer: &mut Buffer,
    area: Rect,
    theme: &Theme,
    screen: &Screen<'_>,
    marked: impl Fn(u16, u16) -> Option<Role>,
) {
    let area = area.intersection(buffer.area);
    let mut words = String::new();
    for (row, line) in (0..screen.rows()).zip(area.rows()) {
        for cell in screen.row(row) {
            let Some(x) = line.x.checked_add(cell.column) else {
                break;
            };
            if x + cell.width > line.right() {
                break;
            }
            let mut look = style(theme, cell.style);
            if let Some(role) = marked(row, cell.column) {
                // A selection in the program's own colours could be unreadable.
                let base = match role {
                    Role::Selected => Style::reset(),
                    _ => look,
                };
                look = base.patch(theme.style(role));
            }
            let place = &mut buffer[(x, line.y)];
            place.reset();
            place.set_style(look);
            put(place, &cell, &mut words, theme);
            if cell.width == 2 {
                let second = &mut buffer[(x + 1, line.y)];
                second.reset();
                second.set_style(look);
            }
        }
    }
}

/// Its character, made harmless, in as many columns as the program counts for it.
fn put(place: &mut buffer::Cell, cell: &Cell<'_>, words: &mut String, theme: &Theme) {
    if cell.style.hidden {
        return;
    }
    if cell.more.is_empty() && matches!(cell.first, ' '..='~') {
        place.set_char(cell.first);
        return;
    }
    words.clear();
    cell.write(words);
    let clean = text::clean_str(words);
    // What a joiner at the end joins stands in the next cell: joined, the two would take less room than they have.
    let symbol = theme
        .glyphs
        .spelled(clean.as_str().trim_end_matches('\u{200d}'));
    let fits = symbol.cell_width() <= cell.width && !symbol.is_empty();
    place.set_symbol(if fits { symbol } else { "\u{fffd}" });
}

fn style(theme: &Theme, look: Look) -> Style {
    let mut style = Style::new().add_modifier(modifiers(look));
    let depth = theme.looks().depth;
    if depth == Depth::None {
        return style;
    }
    if let Some(fg) = runs::shown_of(look.fg, depth) {
        style = style.fg(fg);
    }
    if let Some(bg) = runs::shown_of(look.bg, depth) {
        style = style.bg(bg);
    }
    if let Some(line) = runs::shown_of(look.underline_colour, depth) {
        style = style.underline_color(line);
    }
    style
}

fn modifiers(look: Look) -> Modifier {
    let parts = [
        (look.bold, Modifier::BOLD),
        (look.dim, Modifier::DIM),
        (look.italic, Modifier::ITALIC),
        (look.underline != Underline::None, Modifier::UNDERLINED),
        (look.reverse, Modifier::REVERSED),
        (look.strike, Modifier::CROSSED_OUT),
    ];
    parts
        .into_iter()
        .filter(|(set, _)| *set)
        .fold(Modifier::empty(), |all, (_, one)| all | one)
}
