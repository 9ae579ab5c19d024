//! The terminal emulator from outside: against recorded streams, its replies, its keys, and anything thrown at it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "terminal/copying.rs"]
mod copying;
#[path = "terminal/input.rs"]
mod input;
#[path = "terminal/keyboard.rs"]
mod keyboard;
#[path = "terminal/limits.rs"]
mod limits;
#[path = "terminal/queries.rs"]
mod queries;
#[path = "terminal/soup.rs"]
mod soup;
#[path = "terminal/streams.rs"]
mod streams;

use sandtop::term::{Emulator, Heard, Size};

/// More than any test here fills at 80 columns.
const SCROLLBACK: usize = 16 << 20;

fn terminal(columns: u16, rows: u16) -> Emulator {
    Emulator::new(Size { columns, rows }, SCROLLBACK)
}

/// The rows in view, without the blanks at their ends and the blank rows at the bottom.
fn text(emulator: &Emulator) -> Vec<String> {
    let screen = emulator.screen();
    let rows = (0..screen.rows()).map(|row| {
        let mut text = String::new();
        screen.row(row).for_each(|cell| cell.write(&mut text));
        text.trim_end_matches(' ').to_owned()
    });
    without_blank_end(rows.collect())
}

fn without_blank_end(mut rows: Vec<String>) -> Vec<String> {
    while rows.last().is_some_and(String::is_empty) {
        rows.pop();
    }
    rows
}

/// All that was answered, in order.
fn replies(heard: Vec<Heard>) -> String {
    let replies = heard.into_iter().filter_map(|heard| match heard {
        Heard::Reply(reply) => Some(String::from_utf8(reply).unwrap()),
        _ => None,
    });
    replies.collect()
}
