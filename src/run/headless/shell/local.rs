//! The terminal that a shell takes over: raw while it is open, and given back on every way out.

use crate::run::terminal::write_all;
use bytes::Bytes;
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use std::io::{self, IsTerminal, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use tokio::sync::mpsc;

/// Puts back what programs ask of a terminal and may have left: colours, cursor, mouse, focus, paste, keys.
const PLAIN: &str = "\x1b[0m\x1b[?25h\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[?1l\x1b>";
const LEAVE_ALTERNATE: &str = "\x1b[?1049l";
/// What is read of the input at once, in bytes.
const READ: usize = 4096;
/// Pieces of input that wait.
const WAITING: usize = 4;

#[derive(Clone, Default)]
pub struct Local(Arc<State>);

#[derive(Default)]
struct State {
    raw: AtomicBool,
    /// The program has the alternate screen.
    alternate: AtomicBool,
    /// The cursor stands behind something.
    in_line: AtomicBool,
}

impl Local {
    /// Columns and rows; `None` where the output is no terminal.
    pub fn size() -> Option<(u16, u16)> {
        let is_terminal = io::stdout().is_terminal();
        is_terminal.then(crate::run::terminal::Terminal::size)
    }

    /// Takes it over, if the input is a terminal.
    ///
    /// # Errors
    /// When it is gone.
    pub fn enter(&self) -> io::Result<()> {
        if io::stdin().is_terminal() {
            enable_raw_mode()?;
            self.0.raw.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// The shell that had it meanwhile set it as it likes.
    pub fn enter_again(&self) -> io::Result<()> {
        // The library takes it for raw still.
        let _ = disable_raw_mode();
        self.enter()
    }

    /// Gives it back. The second time it does nothing.
    pub fn leave(&self) {
        if self.0.alternate.swap(false, Ordering::Relaxed) {
            let _ = write_all(LEAVE_ALTERNATE.as_bytes());
        }
        if self.0.raw.swap(false, Ordering::Relaxed) {
            if io::stdout().is_terminal() {
                let _ = write_all(PLAIN.as_bytes());
            }
            let _ = disable_raw_mode();
        }
    }

    /// What is said next begins a line.
    pub fn end_line(&self) {
        if self.0.in_line.swap(false, Ordering::Relaxed) {
            let _ = write_all(b"\r\n");
        }
    }
}

/// What the shell prints, on its way to the terminal as it is.
pub struct Output {
    local: Local,
    parser: vte::Parser,
    is_terminal: bool,
}

impl Output {
    pub fn new(local: &Local) -> Self {
        Self {
            local: local.clone(),
            parser: vte::Parser::new(),
            is_terminal: io::stdout().is_terminal(),
        }
    }

    /// # Errors
    /// When nobody takes it any more.
    pub fn show(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.is_terminal {
            let state = &self.local.0;
            self.parser.advance(&mut Alternate(&state.alternate), bytes);
            let in_line = !bytes.ends_with(b"\n");
            state.in_line.store(in_line, Ordering::Relaxed);
        }
        write_all(bytes)
    }
}

/// Whether the program has the alternate screen.
struct Alternate<'a>(&'a AtomicBool);

impl vte::Perform for Alternate<'_> {
    fn csi_dispatch(&mut self, params: &vte::Params, between: &[u8], _: bool, last: char) {
        let sets = between == b"?" && matches!(last, 'h' | 'l');
        if sets && params.iter().any(|mode| matches!(mode, [47 | 1047 | 1049])) {
            self.0.store(last == 'h', Ordering::Relaxed);
        }
    }
}

/// Reads the input from now on, for the rest of the program's life. The channel ends with it.
pub fn input() -> io::Result<mpsc::Receiver<Bytes>> {
    let (to, from) = mpsc::channel(WAITING);
    let read = move || {
        let mut buffer = [0; READ];
        let mut input = io::stdin().lock();
        loop {
            match input.read(&mut buffer) {
                Ok(0) => return,
                Ok(count) => {
                    if to
                        .blocking_send(Bytes::copy_from_slice(&buffer[..count]))
                        .is_err()
                    {
                        return;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    };
    thread::Builder::new().name("input".into()).spawn(read)?;
    Ok(from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vte::Parser;

    #[test]
    fn the_alternate_screen_is_known_however_it_is_cut() {
        for (text, on) in [
            ("\x1b[?1049h", true),
            ("\x1b[?25;1049h", true),
            ("\x1b[?47h", true),
            ("\x1b[?1049h\x1b[?1049l", false),
            ("\x1b[?1049lx\x1b[?1049hy", true),
            ("\x1b[1049h", false),
            ("\x1b[?1048h [?1049h", false),
        ] {
            for at in 0..=text.len() {
                let (first, second) = text.as_bytes().split_at(at);
                let (mut parser, state) = (Parser::new(), AtomicBool::new(false));
                for piece in [first, second] {
                    parser.advance(&mut Alternate(&state), piece);
                }
                assert_eq!(state.into_inner(), on, "{text:?} cut at {at}");
            }
        }
    }
}
