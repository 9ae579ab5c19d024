//! The old encoding, as xterm and its followers send it, with modifyOtherKeys.

use super::super::modes::Modes;
use super::{form, held};
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyEventState, KeyModifiers};

const ESC: u8 = 0x1b;

pub(super) fn encode(key: &KeyEvent, modes: Modes) -> Vec<u8> {
    if key.kind == KeyEventKind::Release {
        return Vec::new();
    }
    if modes.app_keypad
        && let Some(letter) = keypad(key)
    {
        return vec![ESC, b'O', letter];
    }
    if let Some(code) = other(key, modes.other_keys) {
        let modifiers = held(key.modifiers, false);
        return format!("\x1b[27;{modifiers};{code}~").into_bytes();
    }
    let mut bytes = match key.code {
        KeyCode::Char(character) => text(character, key.modifiers),
        KeyCode::Enter if modes.newline => b"\r\n".to_vec(),
        KeyCode::Enter => b"\r".to_vec(),
        KeyCode::Esc => vec![ESC],
        KeyCode::Backspace if key.modifiers.contains(KeyModifiers::CONTROL) => vec![0x08],
        KeyCode::Backspace => vec![0x7f],
        KeyCode::Tab if !key.modifiers.contains(KeyModifiers::SHIFT) => vec![b'\t'],
        KeyCode::Tab | KeyCode::BackTab => b"\x1b[Z".to_vec(),
        KeyCode::Null => vec![0],
        code => return function(code, key.modifiers, modes.app_cursor),
    };
    if key.modifiers.contains(KeyModifiers::ALT) {
        bytes.insert(0, ESC);
    }
    bytes
}

fn text(character: char, modifiers: KeyModifiers) -> Vec<u8> {
    let control = modifiers.contains(KeyModifiers::CONTROL);
    match control.then(|| control_of(character)).flatten() {
        Some(byte) => vec![byte],
        None => character.to_string().into_bytes(),
    }
}

/// What Ctrl makes of a character, where it makes anything of it.
fn control_of(character: char) -> Option<u8> {
    Some(match character {
        'a'..='z' | 'A'..='Z' | '[' | '\\' | ']' | '^' | '_' | '@' => character as u8 & 0x1f,
        ' ' | '2' | '`' => 0,
        '3'..='7' => character as u8 - b'3' + ESC,
        '/' | '-' => 0x1f,
        '8' | '?' => 0x7f,
        _ => return None,
    })
}

/// The code of a key that modifyOtherKeys writes as `CSI 27 ; modifiers ; code ~`.
fn other(key: &KeyEvent, level: u8) -> Option<u32> {
    let modifiers =
        key.modifiers & (KeyModifiers::SHIFT | KeyModifiers::ALT | KeyModifiers::CONTROL);
    if level == 0 || modifiers.is_empty() {
        return None;
    }
    let beside_shift = modifiers - KeyModifiers::SHIFT;
    if beside_shift == KeyModifiers::ALT {
        // The outer terminal may have sent Esc and a key that came together (`Esc :` in vim): as those two, this
        // reads either way.
        return None;
    }
    match key.code {
        KeyCode::Char(character) => {
            // Shift alone makes another character; at level 1 what Ctrl made before stays.
            let has_own = beside_shift == KeyModifiers::CONTROL && control_of(character).is_some();
            let is_known = beside_shift.is_empty() || level == 1 && has_own;
            (!is_known).then_some(character.into())
        }
        KeyCode::Enter => Some(13),
        KeyCode::Tab if !beside_shift.is_empty() => Some(9),
        KeyCode::BackTab if !beside_shift.is_empty() => Some(9),
        KeyCode::Esc if level == 2 => Some(27),
        KeyCode::Backspace if level == 2 => Some(127),
        _ => None,
    }
}

/// A key of the keypad in application mode, if it can be told from its twin.
fn keypad(key: &KeyEvent) -> Option<u8> {
    if !key.state.contains(KeyEventState::KEYPAD) || !key.modifiers.is_empty() {
        return None;
    }
    Some(match key.code {
        KeyCode::Enter => b'M',
        KeyCode::Char(digit @ '0'..='9') => digit as u8 - b'0' + b'p',
        KeyCode::Char('*') => b'j',
        KeyCode::Char('+') => b'k',
        KeyCode::Char(',') => b'l',
        KeyCode::Char('-') => b'm',
        KeyCode::Char('.') => b'n',
        KeyCode::Char('/') => b'o',
        KeyCode::Char('=') => b'X',
        _ => return None,
    })
}

fn function(code: KeyCode, modifiers: KeyModifiers, app_cursor: bool) -> Vec<u8> {
    let modifiers = held(modifiers, false);
    let number = match code {
        KeyCode::Menu => 29,
        KeyCode::F(n @ 13..=14) => n + 12,
        KeyCode::F(n @ 15..=16) => n + 13,
        KeyCode::F(n @ 17..=20) => n + 14,
        _ => 0,
    };
    let (number, last) = match form(code) {
        Some(form) => (form.number, form.last),
        None if number > 0 => (u16::from(number), '~'),
        None => return Vec::new(),
    };
    let sequence = match (last, modifiers) {
        ('P'..='S', 1) => format!("\x1bO{last}"),
        ('A'..='H', 1) if app_cursor => format!("\x1bO{last}"),
        ('~', 1) => format!("\x1b[{number}~"),
        (_, 1) => format!("\x1b[{last}"),
        _ => format!("\x1b[{number};{modifiers}{last}"),
    };
    sequence.into_bytes()
}
