//! What a program hears when its terminal gains or loses the keyboard.

use super::modes::Modes;

/// `None` if the program did not ask (?1004).
pub fn encode(gained: bool, modes: Modes) -> Option<&'static [u8]> {
    let report: &[u8] = if gained { b"\x1b[I" } else { b"\x1b[O" };
    modes.focus.then_some(report)
}
