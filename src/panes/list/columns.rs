//! The columns of the list: how wide they are, and which go first when there is no room.

use crate::logic::{Column, Order};
use crate::ui;

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
        C::Name => (16, 16, 100, Left),
        C::Status => (14, 14, 95, Left),
        C::Left => (8, 17, 94, Right),
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
const SEEN: ui::Column = ui::Column {
    title: "SEEN",
    min: 4,
    wish: 5,
    weight: 0,
    align: ui::Align::Right,
    keep: 85,
    sort: None,
};

/// The table's columns, the age of the row last; the sorted one says so.
pub(super) fn of(shown: &[Column], order: Order) -> Vec<ui::Column> {
    let columns = shown.iter().map(|&column| {
        let measure = measure(column);
        ui::Column {
            title: column.title(),
            min: measure.least,
            wish: measure.usual,
            weight: weight(column),
            align: measure.align,
            keep: measure.importance,
            sort: (column == order.column).then(|| direction(order)),
        }
    });
    columns.chain([SEEN]).collect()
}

/// Names and free text take what is left.
fn weight(column: Column) -> u16 {
    match column {
        Column::Name => 3,
        Column::Tags | Column::Image => 2,
        Column::Snapshot | Column::Mounts => 1,
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
