//! The terminal that a shell takes over: raw while it is open, and given back on every way out.

use crate::run::terminal::write_all;
use bytes::Bytes;
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use memchr::memmem::rfind;
use std::io::{self, IsTerminal, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use tokio::sync::mpsc;

/// Puts back what programs ask of a terminal and may have left: colours, cursor, mouse, focus, paste, keys.
const PLAIN: &str = "\x1b[0m\x1b[?25h\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[?1l\x1b>";
/// What turns the alternate screen on and off, but for its last letter.
const ALTERNATE: &[u8] = b"\x1b[?1049";
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

    /// Output, as it is.
    ///
    /// # Errors
    /// When nobody takes it any more.
    pub fn show(&self, bytes: &[u8]) -> io::Result<()> {
        if let Some(at) = rfind(bytes, ALTERNATE) {
            let on = bytes.get(at + ALTERNATE.len()) == Some(&b'h');
            self.0
                .alternate
                .store(on && io::stdout().is_terminal(), Ordering::Relaxed);
        }
        write_all(bytes)
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
