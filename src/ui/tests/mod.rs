//! The kit drawn: what it shows, at which sizes it must not break, and how it looks without colour.

mod asks;
mod contrast;
mod drawn;
mod forms;
mod marked;
mod rules;
mod sizes;

use super::{Cell, Column, Order, Piece, Role, TableRow, label, span};
use crate::model::Clean;
use crate::text::clean_str;

fn said(text: &str) -> Clean {
    clean_str(text)
}

fn word(text: &str) -> Piece {
    span(&said(text), Role::Text)
}

const COLUMNS: &[Column] = &[
    Column::of_words("status", 9, 13, 8),
    Column {
        sort: Some(Order::Ascending),
        ..Column::of_words("name", 8, 20, 9).sharing(3)
    },
    Column::of_words("left", 6, 14, 7).sharing(1),
    Column::of_figures("$", 6, 7, 3),
    Column::of_figures("age", 5, 6, 2),
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
