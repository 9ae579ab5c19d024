//! Keys as a terminal sends them: the old way ([`legacy`]) with xterm's modifyOtherKeys, or the kitty protocol's.

mod kitty;
mod legacy;

use super::modes::Modes;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The bytes for a key, none if it has none in these modes: a release, mostly, or a key of its own like Caps Lock.
pub fn encode(key: &KeyEvent, modes: Modes) -> Vec<u8> {
    let flags = modes.keyboard;
    if flags.disambiguates() || flags.tells_events() || flags.escapes_all() {
        kitty::encode(key, modes)
    } else {
        legacy::encode(key, modes)
    }
}

/// Shift, Alt and Ctrl (with `more`: Super, Hyper and Meta too) as the number in a sequence: 1 is none.
fn held(modifiers: KeyModifiers, more: bool) -> u16 {
    let bits = [
        (KeyModifiers::SHIFT, 1),
        (KeyModifiers::ALT, 2),
        (KeyModifiers::CONTROL, 4),
        (KeyModifiers::SUPER, 8),
        (KeyModifiers::HYPER, 16),
        (KeyModifiers::META, 32),
    ];
    let known = if more { bits.len() } else { 3 };
    let held = bits[..known]
        .iter()
        .filter(|(key, _)| modifiers.contains(*key));
    1 + held.map(|(_, bit)| bit).sum::<u16>()
}

/// How keys that make no text are written: `CSI number ; modifiers final`.
struct Form {
    number: u16,
    last: char,
}

/// `None` for keys that the old encoding writes otherwise, or not at all.
fn form(code: KeyCode) -> Option<Form> {
    let (number, last) = match code {
        KeyCode::Up => (1, 'A'),
        KeyCode::Down => (1, 'B'),
        KeyCode::Right => (1, 'C'),
        KeyCode::Left => (1, 'D'),
        KeyCode::KeypadBegin => (1, 'E'),
        KeyCode::End => (1, 'F'),
        KeyCode::Home => (1, 'H'),
        KeyCode::F(1) => (1, 'P'),
        KeyCode::F(2) => (1, 'Q'),
        KeyCode::F(3) => (1, 'R'),
        KeyCode::F(4) => (1, 'S'),
        KeyCode::Insert => (2, '~'),
        KeyCode::Delete => (3, '~'),
        KeyCode::PageUp => (5, '~'),
        KeyCode::PageDown => (6, '~'),
        KeyCode::F(5) => (15, '~'),
        KeyCode::F(n @ 6..=10) => (u16::from(n) + 11, '~'),
        KeyCode::F(n @ 11..=12) => (u16::from(n) + 12, '~'),
        _ => return None,
    };
    Some(Form { number, last })
}
