//! One key: how it is read from the terminal, written in a file, and shown.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unicode_width::UnicodeWidthChar;

/// A key with its modifiers, as files write it: `q`, `G`, `ctrl-c`, `enter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    pub code: KeyCode,
    pub modifiers: KeyModifiers,
}

/// Keys that have a name of more than one character, beside `f1` to `f24`.
const NAMED: &[(&str, KeyCode)] = &[
    ("space", KeyCode::Char(' ')),
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("shift-tab", KeyCode::BackTab),
    ("backspace", KeyCode::Backspace),
    ("insert", KeyCode::Insert),
    ("delete", KeyCode::Delete),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("pgup", KeyCode::PageUp),
    ("pgdn", KeyCode::PageDown),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
];

/// Letters that terminals send as another key when ctrl is held.
const SAME_AS: &[(char, &str)] = &[('i', "tab"), ('m', "enter"), ('[', "esc")];

/// Why a word is no key, and what is near it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoKey {
    pub why: String,
    pub nearest: Option<&'static str>,
}

impl Key {
    pub const fn plain(code: KeyCode) -> Self {
        Self {
            code,
            modifiers: KeyModifiers::NONE,
        }
    }

    pub const fn ctrl(letter: char) -> Self {
        Self {
            code: KeyCode::Char(letter),
            modifiers: KeyModifiers::CONTROL,
        }
    }

    /// Terminals differ in whether a capital letter carries SHIFT, and report back-tab both ways: one form here.
    pub fn of(event: &KeyEvent) -> Self {
        let shift = KeyModifiers::SHIFT;
        match event.code {
            KeyCode::Char(c @ '4'..='7') if event.modifiers == KeyModifiers::CONTROL => {
                Self::ctrl(control(c))
            }
            KeyCode::Char(c) => Self {
                code: KeyCode::Char(c),
                modifiers: event.modifiers - shift,
            },
            KeyCode::BackTab => Self::plain(KeyCode::BackTab),
            KeyCode::Tab if event.modifiers.contains(shift) => Self::plain(KeyCode::BackTab),
            code => Self {
                code,
                modifiers: event.modifiers,
            },
        }
    }

    /// Reads what [`Key::label`] writes.
    ///
    /// # Errors
    /// What is wrong with the word, and the name that it may have meant.
    pub fn parse(word: &str) -> Result<Self, NoKey> {
        let (modifiers, name) = modifiers(word);
        let ctrl = modifiers.contains(KeyModifiers::CONTROL);
        let code = code(name).ok_or_else(|| unknown(word, name))?;
        let refused = |why: String| Err(NoKey { why, nearest: None });
        match code {
            KeyCode::Char(c) if ctrl && c.is_uppercase() => {
                let lower = c.to_lowercase();
                refused(format!(
                    "terminals cannot tell `{word}` from `ctrl-{lower}`; write that"
                ))
            }
            KeyCode::Char(c) if ctrl && SAME_AS.iter().any(|(same, _)| *same == c) => {
                let as_key = SAME_AS.iter().find(|(same, _)| *same == c);
                let as_key = as_key.map_or("another key", |(_, name)| *name);
                refused(format!(
                    "terminals send `{as_key}` for `{word}`; write that"
                ))
            }
            code => Ok(Self { code, modifiers }),
        }
    }

    /// How files, help and key bar write it.
    pub fn label(self) -> String {
        let named = NAMED.iter().find(|(_, code)| *code == self.code);
        let name = match (named, self.code) {
            (Some((name, _)), _) => (*name).to_owned(),
            (None, KeyCode::Char(c)) => c.to_string(),
            (None, KeyCode::F(n)) => format!("f{n}"),
            (None, code) => format!("{code:?}").to_lowercase(),
        };
        let mut label = String::new();
        if self.modifiers.contains(KeyModifiers::CONTROL) {
            label.push_str("ctrl-");
        }
        if self.modifiers.contains(KeyModifiers::ALT) {
            label.push_str("alt-");
        }
        label + &name
    }

    /// The key that the same finger types with shift held, or without it.
    pub fn shifted(self) -> Option<Self> {
        let code = match self.code {
            KeyCode::Char(c) if c.is_ascii_uppercase() => KeyCode::Char(c.to_ascii_lowercase()),
            KeyCode::Char(c) if c.is_ascii_lowercase() => KeyCode::Char(c.to_ascii_uppercase()),
            KeyCode::Tab => KeyCode::BackTab,
            KeyCode::BackTab => KeyCode::Tab,
            _ => return None,
        };
        Some(Self { code, ..self })
    }
}

/// Terminals send the same byte for ctrl and these digits as for ctrl and the signs, which keyboards show.
fn control(digit: char) -> char {
    match digit {
        '4' => '\\',
        '5' => ']',
        '6' => '^',
        _ => '_',
    }
}

fn modifiers(word: &str) -> (KeyModifiers, &str) {
    let (mut modifiers, mut name) = (KeyModifiers::NONE, word);
    loop {
        if let Some(rest) = name.strip_prefix("ctrl-").filter(|rest| !rest.is_empty()) {
            (modifiers, name) = (modifiers | KeyModifiers::CONTROL, rest);
        } else if let Some(rest) = name.strip_prefix("alt-").filter(|rest| !rest.is_empty()) {
            (modifiers, name) = (modifiers | KeyModifiers::ALT, rest);
        } else {
            return (modifiers, name);
        }
    }
}

fn code(name: &str) -> Option<KeyCode> {
    let mut chars = name.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        let visible = c != ' ' && c.width().is_some_and(|width| width > 0);
        return visible.then_some(KeyCode::Char(c));
    }
    if let Some((_, code)) = NAMED.iter().find(|(known, _)| *known == name) {
        return Some(*code);
    }
    let number = name.strip_prefix('f')?.parse::<u8>().ok()?;
    let written = format!("f{number}") == name;
    (written && (1..=24).contains(&number)).then_some(KeyCode::F(number))
}

fn unknown(word: &str, name: &str) -> NoKey {
    let lower = name.to_lowercase();
    let why = match word {
        "" => "an empty key; `[]` leaves the action without one".to_owned(),
        "none" | "disabled" | "unbound" => {
            format!("`{word}` is no key; `[]` leaves the action without one")
        }
        _ if word.starts_with('<') => {
            format!("`{word}` is no key; keys are written like `q`, `G`, `ctrl-x`, `alt-x`, `f5`")
        }
        _ if lower.starts_with("shift-") || lower.starts_with("s-") => format!(
            "`{word}` is no key; a letter with shift is its capital (`G`), and other keys with shift are not told \
             apart by terminals"
        ),
        _ => format!("`{word}` is no key; keys are written like `q`, `G`, `ctrl-x`, `enter`, `f5`"),
    };
    let names = NAMED.iter().map(|(name, _)| *name);
    NoKey {
        why,
        nearest: crate::text::nearest(&lower, names),
    }
}
