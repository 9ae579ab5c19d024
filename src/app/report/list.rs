//! The list, as a table and as JSON.

use crate::logic::Column;
use crate::model::{Clean, Sandbox, Timestamp};
use crate::panes::list::text;
use crate::text::{Side, pad, say, width};

/// The official CLI's columns, in its order (api.md §8).
const COLUMNS: [Column; 11] = [
    Column::Name,
    Column::Status,
    Column::Created,
    Column::Region,
    Column::Memory,
    Column::Vcpus,
    Column::Image,
    Column::Left,
    Column::Snapshot,
    Column::Mounts,
    Column::Tags,
];
/// What the CLI adds when it lists all, not only the running ones.
const TOTALS: [Column; 3] = [Column::Cpu, Column::Egress, Column::Ingress];
const GAP: &str = "   ";

/// A line of titles and a line a sandbox, in the given order. `totals` adds CPU and network.
pub fn table(sandboxes: &[Sandbox], totals: bool, service_now: Timestamp) -> Vec<Clean> {
    let columns: Vec<Column> = COLUMNS
        .into_iter()
        .chain(TOTALS.into_iter().filter(|_| totals))
        .collect();
    let titles = columns
        .iter()
        .map(|column| Clean::from(column.title()))
        .collect();
    let rows = sandboxes.iter().map(|sandbox| {
        columns
            .iter()
            .map(|column| text(sandbox, *column, service_now))
            .collect()
    });
    let cells: Vec<Vec<Clean>> = std::iter::once(titles).chain(rows).collect();
    let widths: Vec<usize> = (0..columns.len())
        .map(|at| {
            cells
                .iter()
                .map(|row| row.get(at).map_or(0, |cell| width(cell.as_str())))
                .max()
        })
        .map(Option::unwrap_or_default)
        .collect();
    cells.iter().map(|row| line(row, &widths)).collect()
}

/// The service's own fields as they were read, one array.
///
/// # Errors
/// None in practice: all fields are plain data.
pub fn json(sandboxes: &[Sandbox]) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(sandboxes)
}

fn line(cells: &[Clean], widths: &[usize]) -> Clean {
    let mut line = String::new();
    for (cell, width) in cells.iter().zip(widths) {
        line.push_str(pad(cell, *width, Side::End).as_str());
        line.push_str(GAP);
    }
    say(format_args!("{}", line.trim_end()))
}
