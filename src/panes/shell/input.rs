//! What is typed, pasted and pointed at, on its way to the program.

use super::State;
use crate::logic::{Effect, Now, ShellId, Shells};
use crate::term::{self, Scroll};
use crossterm::event::{KeyCode, KeyEvent, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

/// Lines that a notch of the wheel moves.
const NOTCH: i32 = 3;

/// A key for the program; the view follows the output again.
pub fn key(shells: &mut Shells, id: ShellId, event: &KeyEvent) -> Vec<Effect> {
    let Some(shell) = shells.get_mut(id) else {
        return Vec::new();
    };
    let bytes = term::keys::encode(event, shell.emulator.modes());
    if !bytes.is_empty() {
        shell.emulator.scroll(Scroll::Bottom);
    }
    shells.type_in(id, bytes)
}

pub fn paste(shells: &mut Shells, id: ShellId, text: &str) -> Vec<Effect> {
    let Some(shell) = shells.get_mut(id) else {
        return Vec::new();
    };
    shell.emulator.scroll(Scroll::Bottom);
    let bytes = term::paste::encode(text, shell.emulator.modes());
    shells.type_in(id, bytes)
}

/// The mouse over the shell that has the keys: the program's, where it asked for it; else the wheel scrolls, and a
/// drag selects.
pub fn mouse(
    state: &mut State,
    shells: &mut Shells,
    id: ShellId,
    event: &MouseEvent,
    now: Now,
) -> Vec<Effect> {
    let Some(shell) = shells.get_mut(id) else {
        return Vec::new();
    };
    let inside = state.inside(Position::new(event.column, event.row));
    if let Some((column, row)) = inside.filter(|_| !state.is_copying()) {
        let modes = shell.emulator.modes();
        if let Some(bytes) = term::mouse::encode(event, column, row, modes) {
            return shell.type_in(bytes);
        }
    }
    let (lines, code) = match event.kind {
        MouseEventKind::ScrollUp => (NOTCH, KeyCode::Up),
        MouseEventKind::ScrollDown => (-NOTCH, KeyCode::Down),
        _ => return state.select(shell, event, now).into_iter().collect(),
    };
    if state.is_copying() {
        for _ in 0..NOTCH {
            state.copy_key(&KeyEvent::from(code));
        }
    } else {
        shell.emulator.scroll(Scroll::Lines(lines));
    }
    Vec::new()
}
