//! The columns of the list: how wide they are, and which go first when there is no room.

use crate::logic::{Column, Now, Order, World, is_known};
use crate::model::SandboxKey;
use crate::text::clean;
use crate::ui;

/// Names are not cut below this width while anything less important can go, nor widened beyond the second: one long
/// name among many shall not push the rest off the screen.
const NAME: (u16, u16) = (24, 48);
const SHORTEST_NAME: u16 = 16;
/// Columns of less importance give their room to long names.
const NEEDED: u8 = 50;

/// What the rows in the list ask of their columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Contents {
    /// Cells of the longest name.
    name: u16,
    /// Known of no sandbox.
    unknown: Vec<Column>,
}

impl Default for Contents {
    fn default() -> Self {
        Self {
            name: SHORTEST_NAME,
            unknown: Vec::new(),
        }
    }
}

impl Contents {
    pub(super) fn measure(&mut self, rows: &[SandboxKey]) {
        let widest = rows.iter().map(name_width).max().unwrap_or_default();
        let widest = u16::try_from(widest).unwrap_or(u16::MAX);
        self.name = widest.max(SHORTEST_NAME);
    }

    pub(super) fn follow(&mut self, world: &World, now: Now) {
        let service_now = world.service_now(now);
        self.unknown.clear();
        if !world.sandboxes.is_empty() {
            self.unknown.extend(Column::ALL);
        }
        for row in &world.sandboxes {
            if self.unknown.is_empty() {
                break;
            }
            self.unknown
                .retain(|column| !is_known(world, row, *column, service_now));
        }
    }
}

/// Most names are plain, and there may be thousands of them.
fn name_width(key: &SandboxKey) -> usize {
    let name = key.name.as_foreign();
    match name.as_raw().is_ascii() {
        true => name.as_raw().len(),
        false => ui::text::width(&[ui::span(&clean(name), ui::Role::Text)]),
    }
}

/// How wide a column is and what it is worth.
struct Measure {
    /// Of the time left it is its figure's: the bar takes what is left when these columns have their room.
    least: u16,
    usual: u16,
    importance: u8,
    align: ui::Align,
}

fn measure(column: Column) -> Measure {
    use Column as C;
    use ui::Align::{Left, Right};
    let (least, usual, importance, align) = match column {
        C::Name => (SHORTEST_NAME, NAME.1, 100, Left),
        C::Status => (14, 14, 95, Left),
        C::Left => (8, 17, 94, Right),
        C::Agent => (14, 14, 92, Left),
        C::Cost => (7, 7, 70, Right),
        C::Created => (8, 8, 80, Right),
        C::Region => (7, 7, 50, Left),
        C::Memory => (7, 7, 60, Right),
        C::Vcpus => (6, 6, 55, Right),
        C::Image => (12, 14, 40, Left),
        C::Tags => (10, 14, 48, Left),
        C::Cpu => (9, 9, 45, Right),
        C::Egress => (8, 8, 35, Right),
        C::Ingress => (8, 8, 34, Right),
        C::Changed => (8, 8, 20, Right),
        C::Snapshot => (12, 14, 30, Left),
        C::Mounts => (12, 14, 25, Left),
    };
    Measure {
        least,
        usual,
        importance,
        align,
    }
}

/// How long ago the service told the row: empty while that is recent.
const SEEN: ui::Column = ui::Column::of_figures("SEEN", 4, 5, 85);

/// The table's columns, the age of the row last; the sorted one says so.
pub(super) fn of(shown: &[Column], order: Order, contents: &Contents) -> Vec<ui::Column> {
    let columns = shown.iter().map(|&column| {
        let measure = measure(column);
        let (min, wish) = match column {
            Column::Name => (contents.name.min(NAME.0), contents.name.min(NAME.1)),
            _ => (measure.least, measure.usual),
        };
        let gives_way = contents.name > NAME.0 && measure.importance < NEEDED;
        let is_spare = gives_way || contents.unknown.contains(&column);
        ui::Column {
            title: column.title(),
            min,
            wish,
            weight: weight(column),
            align: measure.align,
            keep: if is_spare { 0 } else { measure.importance },
            sort: (column == order.column).then(|| direction(order)),
        }
    });
    columns.chain([SEEN]).collect()
}

/// Free text takes what is left.
fn weight(column: Column) -> u16 {
    match column {
        Column::Tags | Column::Image => 2,
        Column::Name | Column::Snapshot | Column::Mounts => 1,
        _ => 0,
    }
}

fn direction(order: Order) -> ui::Order {
    if order.is_descending() {
        ui::Order::Descending
    } else {
        ui::Order::Ascending
    }
}
