//! Tables: columns as wide as they need, the widest made narrower where the room is short.

use super::super::text::{spaces, width};
use super::super::{Piece, Role, label, text as kit};
use super::blocks::Line;

/// Between two columns.
const GAP: &str = " │ ";
const GAP_CELLS: u16 = 3;
/// Below this a column cannot be read: the rows are laid out one below the other then.
const NARROWEST: u16 = 4;

pub(super) fn lay(head: &[Line], rows: &[Vec<Line>], columns: u16) -> Vec<Line> {
    let count = rows.iter().map(Vec::len).chain([head.len()]).max();
    let Some(widths) = count.and_then(|count| widths(head, rows, count, columns)) else {
        return stacked(head, rows, columns);
    };
    let head: Vec<Line> = head.iter().map(|cell| as_title(cell)).collect();
    let mut lines = row(&head, &widths);
    lines.push(rule(&widths));
    for cells in rows {
        lines.extend(row(cells, &widths));
    }
    lines
}

/// `None` when they do not fit beside each other.
fn widths(head: &[Line], rows: &[Vec<Line>], count: usize, columns: u16) -> Option<Vec<u16>> {
    let gaps = GAP_CELLS.checked_mul(u16::try_from(count).ok()?.checked_sub(1)?)?;
    let room = columns.checked_sub(gaps)?;
    let wants = |nth: usize| {
        let cells = rows
            .iter()
            .filter_map(|row| row.get(nth))
            .chain(head.get(nth));
        let widest = cells.map(|cell| width(cell)).max().unwrap_or(0);
        u16::try_from(widest).unwrap_or(u16::MAX).clamp(1, columns)
    };
    let mut widths: Vec<u16> = (0..count).map(wants).collect();
    loop {
        let sum: u32 = widths.iter().map(|width| u32::from(*width)).sum();
        let over = sum.saturating_sub(u32::from(room));
        if over == 0 {
            return Some(widths);
        }
        let widest = widths.iter_mut().max_by_key(|width| **width)?;
        if *widest <= NARROWEST {
            return None;
        }
        *widest -= 1;
    }
}

fn row(cells: &[Line], widths: &[u16]) -> Vec<Line> {
    let wrapped: Vec<Vec<Line>> = widths
        .iter()
        .enumerate()
        .map(|(nth, width)| {
            cells
                .get(nth)
                .map_or_else(Vec::new, |cell| kit::wrap(cell, *width))
        })
        .collect();
    let height = wrapped.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let line = |at: usize| {
        let mut line = Line::new();
        for (nth, (cell, room)) in wrapped.iter().zip(widths).enumerate() {
            if nth > 0 {
                line.push(label(GAP, Role::Dim));
            }
            let part = cell.get(at).cloned().unwrap_or_default();
            let left = usize::from(*room).saturating_sub(width(&part));
            line.extend(part);
            if nth + 1 < widths.len() {
                line.push(spaces(left));
            }
        }
        line
    };
    (0..height).map(line).collect()
}

fn rule(widths: &[u16]) -> Line {
    let mut line = Line::new();
    for (nth, width) in widths.iter().enumerate() {
        if nth > 0 {
            line.push(label("─┼─", Role::Dim));
        }
        line.extend((0..*width).map(|_| label("─", Role::Dim)));
    }
    line
}

/// `heading: cell`, a line each, with an empty line between the rows.
fn stacked(head: &[Line], rows: &[Vec<Line>], columns: u16) -> Vec<Line> {
    let mut lines = Vec::new();
    for (nth, cells) in rows.iter().enumerate() {
        if nth > 0 {
            lines.push(Line::new());
        }
        for (nth, cell) in cells.iter().enumerate() {
            let mut line = head.get(nth).map_or_else(Line::new, |cell| as_title(cell));
            line.push(label(": ", Role::Dim));
            line.extend(cell.iter().cloned());
            lines.extend(kit::wrap(&line, columns));
        }
    }
    lines
}

fn as_title(cell: &[Piece]) -> Line {
    cell.iter()
        .map(|piece| piece.clone().as_role(Role::Title))
        .collect()
}
