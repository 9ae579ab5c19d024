//! Screens as text, for tests: what a cell shows and, on request, how it looks.

use super::{Depth, Looks, Theme};
use ratatui::buffer::{Buffer, Cell, CellWidth};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use std::fmt::Write;

/// A theme with every colour, on a dark background.
pub fn colourful() -> Theme {
    Theme::choose(Looks {
        depth: Depth::True,
        light: false,
        ascii: false,
    })
}

/// No colour, ASCII.
pub fn plain() -> Theme {
    Theme::choose(Looks {
        depth: Depth::None,
        light: false,
        ascii: true,
    })
}

/// Draws into a fresh screen of that size.
pub fn screen(width: u16, height: u16, draw: impl FnOnce(&mut Buffer, Rect)) -> Buffer {
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    draw(&mut buffer, area);
    buffer
}

/// The screen's lines, without blanks at their ends.
pub fn dump(buffer: &Buffer) -> String {
    let lines = rows(buffer).map(|row| {
        cells(row)
            .map(|(_, cell)| cell.symbol())
            .collect::<String>()
    });
    lines
        .map(|line| line.trim_end().to_owned() + "\n")
        .collect()
}

/// As [`dump`], each line followed by the looks of its columns: `5..8 bold`.
pub fn dump_styled(buffer: &Buffer) -> String {
    let mut out = String::new();
    for (line, row) in dump(buffer).lines().zip(rows(buffer)) {
        out.push_str(line);
        let looks: Vec<(usize, String)> = cells(row)
            .map(|(column, cell)| (column, look(cell)))
            .collect();
        let mut separator = "  | ";
        for run in looks
            .chunk_by(|a, b| a.1 == b.1)
            .filter(|run| !run[0].1.is_empty())
        {
            let (first, last) = (run[0].0, run[run.len() - 1].0);
            let _ = write!(out, "{separator}{first}..={last} {}", run[0].1);
            separator = ", ";
        }
        out.push('\n');
    }
    out
}

fn rows(buffer: &Buffer) -> impl Iterator<Item = &[Cell]> {
    buffer.content.chunks(usize::from(buffer.area.width).max(1))
}

/// The cells that show; those under the right half of a wide character do not.
fn cells(row: &[Cell]) -> impl Iterator<Item = (usize, &Cell)> {
    let mut hidden = 0;
    row.iter().enumerate().filter(move |(_, cell)| {
        let shows = hidden == 0;
        hidden = if shows {
            cell.symbol().cell_width().saturating_sub(1)
        } else {
            hidden - 1
        };
        shows
    })
}

fn look(cell: &Cell) -> String {
    let mut parts = Vec::new();
    let names = [
        (Modifier::BOLD, "bold"),
        (Modifier::DIM, "dim"),
        (Modifier::ITALIC, "italic"),
        (Modifier::UNDERLINED, "under"),
        (Modifier::REVERSED, "reverse"),
        (Modifier::CROSSED_OUT, "struck"),
    ];
    if cell.fg != Color::Reset {
        parts.push(format!("fg:{}", cell.fg));
    }
    if cell.bg != Color::Reset {
        parts.push(format!("bg:{}", cell.bg));
    }
    parts.extend(
        names
            .iter()
            .filter(|(bit, _)| cell.modifier.contains(*bit))
            .map(|(_, name)| (*name).to_owned()),
    );
    parts.join("+")
}
