//! A paste as a terminal sends it.

use super::modes::Modes;

/// Between marks if the program asked for them (?2004), else as if typed. Either way line ends become CR, as Enter
/// sends it, and control characters are left out: text from a clipboard neither ends the paste early nor presses Ctrl-C.
pub fn encode(text: &str, modes: Modes) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() + 12);
    if modes.bracketed_paste {
        bytes.extend_from_slice(b"\x1b[200~");
    }
    let mut after_return = false;
    for character in text.chars() {
        match character {
            '\n' if after_return => (),
            '\n' | '\r' => bytes.push(b'\r'),
            '\t' => bytes.push(b'\t'),
            control if control.is_control() => (),
            _ => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
        after_return = character == '\r';
    }
    if modes.bracketed_paste {
        bytes.extend_from_slice(b"\x1b[201~");
    }
    bytes
}
