//! Copies through the terminal itself (OSC 52), which works over SSH too.

use super::terminal::Terminal;
use crate::logic::Told;
use crate::model::Foreign;
use crate::text::clean_str;
use crossterm::Command;
use crossterm::clipboard::CopyToClipboard;
use std::io;

/// Terminals drop longer sequences, or show them: xterm's limit, in bytes before the encoding.
const MOST: usize = 74_994;

/// Each line made harmless; their ends stay.
pub fn clean_lines(text: &Foreign) -> String {
    let lines: Vec<_> = text.as_raw().lines().map(clean_str).collect();
    let lines: Vec<&str> = lines.iter().map(|line| line.as_str()).collect();
    lines.join("\n")
}

/// # Errors
/// When the terminal is gone. Whether the terminal did it cannot be known: it does not answer.
pub fn copy(terminal: &Terminal, text: &str) -> io::Result<Told> {
    if text.len() > MOST {
        let why = format!("terminals take at most {MOST} bytes");
        return Ok(Told::Failed {
            what: "copy",
            why: why.into(),
        });
    }
    let mut sequence = String::new();
    if CopyToClipboard::to_clipboard_from(text)
        .write_ansi(&mut sequence)
        .is_err()
    {
        return Ok(Told::Failed {
            what: "copy",
            why: "it cannot be encoded".into(),
        });
    }
    terminal.write(sequence.as_bytes())?;
    Ok(Told::Copied("through the terminal (OSC 52)"))
}
