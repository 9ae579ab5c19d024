//! The kitty keyboard protocol: `CSI code : alternates ; modifiers : event ; text u`, as far as its flags ask for it.

use super::super::modes::{KeyboardFlags, Modes};
use super::{form, held, legacy};
use crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyEventState, KeyModifiers, MediaKeyCode, ModifierKeyCode,
};

pub(super) fn encode(key: &KeyEvent, modes: Modes) -> Vec<u8> {
    let flags = modes.keyboard;
    if key.kind == KeyEventKind::Release && !flags.tells_events() {
        return Vec::new();
    }
    let beside_shift = key.modifiers - KeyModifiers::SHIFT;
    let (code, last) = match key.code {
        // Text is sent as text, as long as nothing but Shift is held or the program does not mind.
        KeyCode::Char(_) if !flags.escapes_all() && is_plain(beside_shift, flags) => {
            return legacy::encode(key, modes);
        }
        // So that a shell left in this mode can still be typed into.
        KeyCode::Enter | KeyCode::Tab | KeyCode::Backspace
            if !flags.escapes_all() && is_plain(key.modifiers, flags) =>
        {
            return legacy::encode(key, modes);
        }
        KeyCode::Esc if !flags.escapes_all() && !flags.disambiguates() => {
            return legacy::encode(key, modes);
        }
        KeyCode::Modifier(_) if !flags.escapes_all() => return Vec::new(),
        code => match spelled(code, key.state.contains(KeyEventState::KEYPAD)) {
            Some(spelled) => spelled,
            None => return Vec::new(),
        },
    };
    let makes_text = matches!(key.code, KeyCode::Char(_));
    let modifiers = modifiers(key, makes_text && !flags.escapes_all());
    write(key, flags, (code, last), modifiers)
}

fn is_plain(modifiers: KeyModifiers, flags: KeyboardFlags) -> bool {
    modifiers.is_empty() || !flags.disambiguates()
}

fn modifiers(key: &KeyEvent, without_locks: bool) -> u16 {
    let mut modifiers = key.modifiers;
    if key.code == KeyCode::BackTab {
        modifiers |= KeyModifiers::SHIFT;
    }
    let lock = |lock, bit| if key.state.contains(lock) { bit } else { 0 };
    let locks = lock(KeyEventState::CAPS_LOCK, 64) + lock(KeyEventState::NUM_LOCK, 128);
    held(modifiers, true) + if without_locks { 0 } else { locks }
}

fn write(
    key: &KeyEvent,
    flags: KeyboardFlags,
    (code, last): (u32, char),
    modifiers: u16,
) -> Vec<u8> {
    let event = match key.kind {
        KeyEventKind::Repeat if flags.tells_events() => ":2",
        KeyEventKind::Release => ":3",
        _ => "",
    };
    let shifted = match key.code {
        KeyCode::Char(upper) if flags.tells_alternates() && is_shifted(upper, key.modifiers) => {
            format!(":{}", u32::from(upper))
        }
        _ => String::new(),
    };
    let text = match key.code {
        KeyCode::Char(text) if flags.escapes_all() && flags.tells_text() => {
            let is_typed = (key.modifiers - KeyModifiers::SHIFT).is_empty();
            let is_typed = is_typed && key.kind != KeyEventKind::Release;
            is_typed.then(|| format!(";{}", u32::from(text)))
        }
        _ => None,
    };
    let sequence = match (modifiers, event, text) {
        (1, "", None) if code == 1 => format!("\x1b[{last}"),
        (1, "", None) => format!("\x1b[{code}{shifted}{last}"),
        (1, "", Some(text)) => format!("\x1b[{code}{shifted};{text}{last}"),
        (_, _, text) => {
            let text = text.unwrap_or_default();
            format!("\x1b[{code}{shifted};{modifiers}{event}{text}{last}")
        }
    };
    sequence.into_bytes()
}

fn is_shifted(character: char, modifiers: KeyModifiers) -> bool {
    modifiers.contains(KeyModifiers::SHIFT) && character.is_uppercase()
}

/// The key's number and the letter that ends its sequence.
fn spelled(code: KeyCode, on_keypad: bool) -> Option<(u32, char)> {
    if on_keypad && let Some(number) = keypad(code) {
        return Some((number, 'u'));
    }
    let number = match code {
        // F3's old letter is that of the cursor report.
        KeyCode::F(3) => return Some((13, '~')),
        KeyCode::Char(character) => lower(character),
        KeyCode::Esc => 27,
        KeyCode::Enter => 13,
        KeyCode::Tab | KeyCode::BackTab => 9,
        KeyCode::Backspace => 127,
        KeyCode::CapsLock => 57358,
        KeyCode::ScrollLock => 57359,
        KeyCode::NumLock => 57360,
        KeyCode::PrintScreen => 57361,
        KeyCode::Pause => 57362,
        KeyCode::Menu => 57363,
        KeyCode::F(n @ 13..=35) => 57363 + u32::from(n),
        KeyCode::Media(media) => self::media(media),
        KeyCode::Modifier(which) => modifier(which),
        other => return form(other).map(|form| (form.number.into(), form.last)),
    };
    Some((number, 'u'))
}

/// The key without Shift, as far as the letter tells.
fn lower(character: char) -> u32 {
    let mut lower = character.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) => one.into(),
        _ => character.into(),
    }
}

fn keypad(code: KeyCode) -> Option<u32> {
    Some(match code {
        KeyCode::Char(digit @ '0'..='9') => 57399 + u32::from(digit) - u32::from('0'),
        KeyCode::Char('.') => 57409,
        KeyCode::Char('/') => 57410,
        KeyCode::Char('*') => 57411,
        KeyCode::Char('-') => 57412,
        KeyCode::Char('+') => 57413,
        KeyCode::Enter => 57414,
        KeyCode::Char('=') => 57415,
        KeyCode::Char(',') => 57416,
        KeyCode::Left => 57417,
        KeyCode::Right => 57418,
        KeyCode::Up => 57419,
        KeyCode::Down => 57420,
        KeyCode::PageUp => 57421,
        KeyCode::PageDown => 57422,
        KeyCode::Home => 57423,
        KeyCode::End => 57424,
        KeyCode::Insert => 57425,
        KeyCode::Delete => 57426,
        KeyCode::KeypadBegin => 57427,
        _ => return None,
    })
}

fn media(key: MediaKeyCode) -> u32 {
    57428
        + match key {
            MediaKeyCode::Play => 0,
            MediaKeyCode::Pause => 1,
            MediaKeyCode::PlayPause => 2,
            MediaKeyCode::Reverse => 3,
            MediaKeyCode::Stop => 4,
            MediaKeyCode::FastForward => 5,
            MediaKeyCode::Rewind => 6,
            MediaKeyCode::TrackNext => 7,
            MediaKeyCode::TrackPrevious => 8,
            MediaKeyCode::Record => 9,
            MediaKeyCode::LowerVolume => 10,
            MediaKeyCode::RaiseVolume => 11,
            MediaKeyCode::MuteVolume => 12,
        }
}

fn modifier(key: ModifierKeyCode) -> u32 {
    57441
        + match key {
            ModifierKeyCode::LeftShift => 0,
            ModifierKeyCode::LeftControl => 1,
            ModifierKeyCode::LeftAlt => 2,
            ModifierKeyCode::LeftSuper => 3,
            ModifierKeyCode::LeftHyper => 4,
            ModifierKeyCode::LeftMeta => 5,
            ModifierKeyCode::RightShift => 6,
            ModifierKeyCode::RightControl => 7,
            ModifierKeyCode::RightAlt => 8,
            ModifierKeyCode::RightSuper => 9,
            ModifierKeyCode::RightHyper => 10,
            ModifierKeyCode::RightMeta => 11,
            ModifierKeyCode::IsoLevel3Shift => 12,
            ModifierKeyCode::IsoLevel5Shift => 13,
        }
}
