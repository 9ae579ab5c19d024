//! The recorded screen at the top left, and below it how far it is and which keys there are.

use super::Player;
use crate::model::Span;
use crate::text::figures::duration;
use crate::text::say;
use crate::ui::text::{draw_row, width};
use crate::ui::{Role, Row, Theme, draw_terminal, label, span};
use ratatui::Frame;
use ratatui::layout::{Position, Rect};

/// The first that fits.
const KEYS: [&str; 3] = [
    "  space pause  left right 5 s  0-9 tenths  + - speed  q quit",
    "  space pause  left right 5 s  q quit",
    "  q quit",
];

pub fn view(player: &Player, theme: &Theme, frame: &mut Frame) {
    let area = frame.area();
    // A recording as high as the terminal has all of it while it plays.
    let whole = player.due().is_some() && player.emulator.size().rows >= area.height;
    let screen = Rect {
        height: area.height.saturating_sub(u16::from(!whole)),
        ..area
    };
    let line = Rect {
        y: screen.bottom(),
        height: area.height - screen.height,
        ..area
    };
    draw_terminal(
        frame.buffer_mut(),
        screen,
        theme,
        &player.emulator.screen(),
        |_, _| None,
    );
    draw_row(frame.buffer_mut(), line, theme, &status(player, area));
    let cursor = player.emulator.cursor();
    let cursor = cursor.map(|cursor| Position::new(cursor.column, cursor.row));
    if let Some(cursor) = cursor.filter(|cursor| screen.contains(*cursor)) {
        frame.set_cursor_position(cursor);
    }
}

fn status(player: &Player, area: Rect) -> Row {
    let state = match (player.is_over(), player.paused) {
        (true, _) => "end",
        (false, true) => "paused",
        (false, false) => "playing",
    };
    let time = |ms: f64| duration(Some(Span(ms as i64)));
    let (at, length) = (time(player.at), time(player.length()));
    let mut left = vec![
        label(state, Role::Title),
        span(&say(format_args!("  {at} of {length}")), Role::Text),
    ];
    if player.speed != 1.0 {
        left.push(span(&say(format_args!("  {}x", player.speed)), Role::Text));
    }
    let size = player.emulator.size();
    if size.columns > area.width || size.rows > area.height {
        let cut = say(format_args!("  cut: it is {}x{}", size.columns, size.rows));
        left.push(span(&cut, Role::Warn));
    }
    if player.cast.unread > 0 {
        let lost = say(format_args!("  {} lines unreadable", player.cast.unread));
        left.push(span(&lost, Role::Warn));
    }
    let room = usize::from(area.width).saturating_sub(width(&left));
    let mut keys = KEYS.iter().map(|keys| label(keys, Role::Dim));
    let right = keys.find(|keys| keys.width() <= room);
    Row {
        left,
        right: right.into_iter().collect(),
    }
}
