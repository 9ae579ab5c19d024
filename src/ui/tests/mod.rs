//! The kit drawn: what it shows, at which sizes it must not break, and how it looks without colour.

mod asks;
mod contrast;
mod drawn;
mod forms;
mod rules;
mod sizes;

use super::{Align, Cell, Column, Order, Piece, Role, TableRow, label, span};
use crate::model::Clean;
use crate::text::clean_str;

fn said(text: &str) -> Clean {
    clean_str(text)
}

fn word(text: &str) -> Piece {
    span(&said(text), Role::Text)
}

const COLUMNS: &[Column] = &[
    Column {
        title: "status",
        min: 9,
        wish: 13,
        weight: 0,
        align: Align::Left,
        keep: 8,
        sort: None,
    },
    Column {
        title: "name",
        min: 8,
        wish: 20,
        weight: 3,
        align: Align::Left,
        keep: 9,
        sort: Some(Order::Ascending),
    },
    Column {
        title: "left",
        min: 6,
        wish: 14,
        weight: 1,
        align: Align::Left,
        keep: 7,
        sort: None,
    },
    Column {
        title: "$",
        min: 6,
        wish: 7,
        weight: 0,
        align: Align::Right,
        keep: 3,
        sort: None,
    },
    Column {
        title: "age",
        min: 5,
        wish: 6,
        weight: 0,
        align: Align::Right,
        keep: 2,
        sort: None,
    },
];

fn table_row(index: usize) -> TableRow {
    use super::Gauge;
    use crate::model::Span;
    let names = [
        "web",
        "build-漢字-😀-with-a-long-name",
        "e\u{301}te\u{301}",
        "x",
    ];
    let minutes = i64::try_from(index).unwrap() * 9;
    let gauge = Gauge::time_left(Span::minutes(minutes), Span::minutes(45));
    TableRow {
        marked: index == 1,
        cells: vec![
            vec![label("●", Role::Good), label(" running", Role::Text)].into(),
            word(names[index % names.len()]).into(),
            Cell::Gauge(
                gauge,
                vec![span(&said(&format!("{minutes} m")), gauge.role())],
            ),
            word("0.0123").into(),
            word("12 m").into(),
        ],
    }
}
