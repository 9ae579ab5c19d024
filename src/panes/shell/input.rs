//! What is typed, pasted and pointed at, on its way to the program.

use super::State;
use crate::logic::{Effect, ShellId, Shells};
use crate::term::{self, Scroll};
use crossterm::event::{KeyEvent, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

/// Lines that a notch of the wheel moves.
const NOTCH: i32 = 3;

/// A key for the program; the view follows the output again.
pub fn key(shells: &mut Shells, id: ShellId, event: &KeyEvent) -> Option<Effect> {
    let shell = shells.get_mut(id)?;
    let bytes = term::keys::encode(event, shell.emulator.modes());
    if !bytes.is_empty() {
        shell.emulator.scroll(Scroll::Bottom);
    }
    shells.type_in(id, bytes)
}

pub fn paste(shells: &mut Shells, id: ShellId, text: &str) -> Option<Effect> {
    let shell = shells.get_mut(id)?;
    shell.emulator.scroll(Scroll::Bottom);
    let bytes = term::paste::encode(text, shell.emulator.modes());
    shells.type_in(id, bytes)
}

/// The mouse over the shell that has the keys: the program's, where it asked for it; else the wheel scrolls.
pub fn mouse(
    state: &State,
    shells: &mut Shells,
    id: ShellId,
    event: &MouseEvent,
) -> Option<Effect> {
    let (column, row) = state.inside(Position::new(event.column, event.row))?;
    let shell = shells.get_mut(id)?;
    let modes = shell.emulator.modes();
    if let Some(bytes) = term::mouse::encode(event, column, row, modes) {
        return shells.type_in(id, bytes);
    }
    match event.kind {
        MouseEventKind::ScrollUp => shell.emulator.scroll(Scroll::Lines(NOTCH)),
        MouseEventKind::ScrollDown => shell.emulator.scroll(Scroll::Lines(-NOTCH)),
        _ => {}
    }
    None
}
