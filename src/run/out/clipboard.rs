//! Copies: through the terminal, which works over SSH too, else by what is there, else into a file.

use super::ways::{MOST_BY_TERMINAL, Tmux, Way, ways};
use super::{CopyWay, child, file, shown};
use crate::logic::Amount;
use crossterm::Command;
use crossterm::clipboard::CopyToClipboard;
use std::io::{self, Write};
use std::path::PathBuf;

/// Copies by the first way that works. `write` writes the text, each time it is asked to; the break of its last line
/// stays away, so that a shell into which it is pasted waits.
///
/// # Errors
/// When not even a file can be written.
pub fn copy(
    write: &(impl Fn(&mut dyn Write) -> io::Result<Amount> + Sync),
    to_terminal: impl Fn(&str) -> io::Result<()>,
    private: &[PathBuf],
) -> io::Result<(CopyWay, Amount)> {
    let (text, bytes) = measured(write)?;
    let ways = ways(bytes, |name| std::env::var(name).ok(), Tmux::asked);
    by_first(&ways, write, &text, to_terminal, private)
}

pub(super) fn by_first(
    ways: &[Way],
    write: &(impl Fn(&mut dyn Write) -> io::Result<Amount> + Sync),
    text: &str,
    to_terminal: impl Fn(&str) -> io::Result<()>,
    private: &[PathBuf],
) -> io::Result<(CopyWay, Amount)> {
    let mut why = io::Error::from(io::ErrorKind::Unsupported);
    for way in ways {
        let mut amount = Amount::default();
        let mut fed = |words: &[&str]| {
            child::feed(words, |out| {
                amount = write(&mut WithoutLastBreak::new(out))?;
                Ok(())
            })
        };
        let done = match way {
            Way::Terminal { wrapped } => write(&mut io::sink()).and_then(|counted| {
                to_terminal(&sequence(text, *wrapped)?)?;
                Ok((CopyWay::Terminal, counted))
            }),
            Way::Program(words) => fed(words).map(|()| (CopyWay::Program(words[0]), amount)),
            // Only newer ones hand a buffer on to the terminal around them.
            Way::Tmux => fed(&["tmux", "load-buffer", "-w", "-"])
                .or_else(|_| fed(&["tmux", "load-buffer", "-"]))
                .map(|()| (CopyWay::Tmux, amount)),
            Way::File => file::private(private, "copied.txt", |out| {
                write(&mut WithoutLastBreak::new(out))
            })
            .map(|(path, amount)| (CopyWay::File(shown(&path)), amount)),
        };
        match done {
            Ok(done) => return Ok(done),
            Err(error) => why = error,
        }
    }
    Err(why)
}

/// The text as far as a terminal takes it, and its whole length.
fn measured(write: &impl Fn(&mut dyn Write) -> io::Result<Amount>) -> io::Result<(String, u64)> {
    let mut measure = Measure::default();
    write(&mut WithoutLastBreak::new(&mut measure))?;
    let text = String::from_utf8_lossy(&measure.text).into_owned();
    Ok((text, measure.bytes))
}

#[derive(Default)]
struct Measure {
    text: Vec<u8>,
    bytes: u64,
}

impl Write for Measure {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes += bytes.len() as u64;
        if self.bytes <= MOST_BY_TERMINAL {
            self.text.extend(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Holds a line break back until something follows it.
struct WithoutLastBreak<'a> {
    out: &'a mut dyn Write,
    held: bool,
}

impl<'a> WithoutLastBreak<'a> {
    fn new(out: &'a mut dyn Write) -> Self {
        Self { out, held: false }
    }
}

impl Write for WithoutLastBreak<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() {
            return Ok(0);
        }
        if std::mem::take(&mut self.held) {
            self.out.write_all(b"\n")?;
        }
        let body = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        self.held = body.len() < bytes.len();
        self.out.write_all(body)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// OSC 52. Wrapped: tmux takes it off and gives the terminal what is inside.
pub(super) fn sequence(text: &str, wrapped: bool) -> io::Result<String> {
    let mut sequence = String::new();
    CopyToClipboard::to_clipboard_from(text)
        .write_ansi(&mut sequence)
        .map_err(io::Error::other)?;
    if wrapped {
        let inside = sequence.replace('\u{1b}', "\u{1b}\u{1b}");
        sequence = format!("\u{1b}Ptmux;{inside}\u{1b}\\");
    }
    Ok(sequence)
}
