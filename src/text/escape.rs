//! Finds where a terminal control sequence ends, so that it can be taken out whole.
//!
//! Works on characters, not bytes: the 8-bit introducers are U+0080–U+009F here, and a byte inside a
//! multi-byte character is never mistaken for one (byte-wise parsers do that inside strings).

pub(super) const ESC: char = '\u{1b}';

/// A sequence found at the start of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sequence<'a> {
    /// Bytes, at least one; always ends on a character.
    pub(super) len: usize,
    /// Set for a complete `CSI parameters action`.
    pub(super) csi: Option<Csi<'a>>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Csi<'a> {
    pub(super) parameters: &'a str,
    pub(super) action: u8,
}

/// The sequence that `text` starts with, if it starts with ESC or an 8-bit control. One that never ends
/// reaches to the end of its line, not further.
pub(super) fn sequence(text: &str) -> Option<Sequence<'_>> {
    let mut chars = text.chars();
    // An 8-bit control is short for ESC and the character 0x40 below it.
    let introducer = match chars.next()? {
        ESC => chars.next(),
        c @ '\u{80}'..='\u{9f}' => char::from_u32(u32::from(c) - 0x40),
        _ => return None,
    };
    let plain = |len| Sequence { len, csi: None };
    Some(match introducer {
        Some('[') => csi(text),
        Some(']' | 'P' | 'X' | '^' | '_') => plain(string_end(text)),
        Some(' '..='/') => plain(intermediate_end(text)),
        Some('0'..='~') => plain(2),
        _ => plain(1),
    })
}

/// Both introducers, `ESC [` and U+009B, are two bytes long.
const BODY: usize = 2;

fn csi(text: &str) -> Sequence<'_> {
    let bytes = text.as_bytes();
    let mut at = BODY;
    loop {
        match bytes.get(at) {
            Some(&action @ 0x40..=0x7e) => {
                let parameters = &text[BODY..at];
                let csi = Some(Csi { parameters, action });
                return Sequence { len: at + 1, csi };
            }
            // Broken off by the line's end, another sequence, a cancel, or a character that cannot be in one.
            None | Some(b'\n' | b'\r' | 0x18 | 0x1a | 0x1b | 0x80..) => {
                return Sequence { len: at, csi: None };
            }
            Some(_) => at += 1,
        }
    }
}

fn string_end(text: &str) -> usize {
    for (at, c) in text[BODY..].char_indices() {
        let at = at + BODY;
        match c {
            '\n' => return at,
            '\u{7}' | '\u{18}' | '\u{1a}' | '\u{9c}' => return at + c.len_utf8(),
            ESC if text[at + 1..].starts_with('\\') => return at + 2,
            ESC => return at,
            _ => {}
        }
    }
    text.len()
}

fn intermediate_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = BODY;
    while matches!(bytes.get(at), Some(b' '..=b'/')) {
        at += 1;
    }
    match bytes.get(at) {
        Some(b'0'..=b'~') => at + 1,
        _ => at,
    }
}
