//! Mouse events as a program that asked for them gets them.

use super::keys;
use super::modes::{Modes, Mouse, MouseCoding};
use crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind as Kind,
};

/// Lines the wheel moves the cursor by on the alternate screen.
const WHEEL_LINES: usize = 3;
const MOVED: u16 = 32;
const RELEASED: u16 = 3;

/// `column` and `row` are counted from 0 inside the terminal. `None`: the program does not want to know, or its way of
/// writing it cannot reach that far. On the alternate screen (?1007) the wheel is cursor keys to a program without
/// mouse.
pub fn encode(event: &MouseEvent, column: u16, row: u16, modes: Modes) -> Option<Vec<u8>> {
    let wanted = match event.kind {
        Kind::Down(_) | Kind::Up(_) => Mouse::Clicks,
        Kind::Drag(_) => Mouse::Drags,
        Kind::Moved => Mouse::Moves,
        Kind::ScrollUp | Kind::ScrollDown if modes.mouse == Mouse::Off => {
            return wheel(event.kind == Kind::ScrollUp, modes);
        }
        Kind::ScrollUp | Kind::ScrollDown | Kind::ScrollLeft | Kind::ScrollRight => Mouse::Clicks,
    };
    if modes.mouse < wanted {
        return None;
    }
    let code = code(event.kind) + modifiers(event.modifiers);
    let is_release = matches!(event.kind, Kind::Up(_));
    match modes.mouse_coding {
        MouseCoding::Sgr => {
            let end = if is_release { 'm' } else { 'M' };
            Some(format!("\x1b[<{code};{};{}{end}", column + 1, row + 1).into_bytes())
        }
        coding => {
            let code = if is_release {
                (code & !RELEASED) | RELEASED
            } else {
                code
            };
            let mut bytes = b"\x1b[M".to_vec();
            for number in [code, column + 1, row + 1] {
                put(&mut bytes, number + 32, coding)?;
            }
            Some(bytes)
        }
    }
}

fn put(bytes: &mut Vec<u8>, number: u16, coding: MouseCoding) -> Option<()> {
    if coding == MouseCoding::Bytes {
        bytes.push(u8::try_from(number).ok()?);
    } else {
        let character = char::from_u32(number.into()).filter(|is| *is < '\u{800}')?;
        bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    }
    Some(())
}

fn code(kind: Kind) -> u16 {
    match kind {
        Kind::Down(button) | Kind::Up(button) => number(button),
        Kind::Drag(button) => number(button) + MOVED,
        Kind::Moved => RELEASED + MOVED,
        Kind::ScrollUp => 64,
        Kind::ScrollDown => 65,
        Kind::ScrollLeft => 66,
        Kind::ScrollRight => 67,
    }
}

fn number(button: MouseButton) -> u16 {
    match button {
        MouseButton::Left => 0,
        MouseButton::Middle => 1,
        MouseButton::Right => 2,
    }
}

fn modifiers(held: KeyModifiers) -> u16 {
    let bit = |what, bit| if held.contains(what) { bit } else { 0 };
    bit(KeyModifiers::SHIFT, 4) + bit(KeyModifiers::ALT, 8) + bit(KeyModifiers::CONTROL, 16)
}

fn wheel(up: bool, modes: Modes) -> Option<Vec<u8>> {
    if !(modes.alternate_screen && modes.alternate_scroll) {
        return None;
    }
    let key = if up { KeyCode::Up } else { KeyCode::Down };
    let once = keys::encode(&KeyEvent::new(key, KeyModifiers::NONE), modes);
    Some(once.repeat(WHEEL_LINES))
}
