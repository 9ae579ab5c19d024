//! The terminal's state: taken over at the start, and given back on every way out.
//!
//! Shared by the loop (frames), the panic hook and the signals (giving back). After it was given back nothing is
//! written any more, whoever tries.

use crate::logic::notices::Sequence;
use crate::model::Clean;
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use rustix::io::Errno;
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// Alternate screen, cleared; reports of the window's focus; pastes in brackets.
const ENTER: &str = "\x1b[?1049h\x1b[2J\x1b[?1004h\x1b[?2004h";
/// Whatever a frame may have left open, then everything of [`ENTER`] backwards, and the cursor.
const LEAVE: &str = "\x1b[?2026l\x1b[0m\x1b[?2004l\x1b[?1004l\x1b[?1049l\x1b[?25h\x1b[0 q";
/// Clicks, wheel and drags in cell positions; not every movement, which would wake us all the time.
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1002h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1002l\x1b[?1000l";
/// Kitty's keyboard protocol, its first step; terminals without it take no notice.
const KEYS_APART: &str = "\x1b[=1u";
const KEYS_ALIKE: &str = "\x1b[=0u";
/// A signal of a key comes to us no later than this after the program that it ended.
const ECHO: Duration = Duration::from_millis(500);
const FRAME_BEGIN: &[u8] = b"\x1b[?2026h";
const FRAME_END: &[u8] = b"\x1b[?2026l";

#[derive(Debug, Default)]
pub struct Terminal {
    modes: Mutex<Modes>,
}

#[derive(Debug, Default)]
struct Modes {
    ours: bool,
    mouse: bool,
    keys_apart: bool,
    /// How it was when another program got it, which may leave it in any state.
    lent: Option<Termios>,
    /// When it was taken back from one.
    returned: Option<Instant>,
}

impl Terminal {
    /// Takes the terminal over, or takes it back after [`Terminal::leave`].
    ///
    /// # Errors
    /// When it is no terminal, or gone.
    pub fn enter(&self) -> io::Result<()> {
        let mut modes = self.modes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(before) = modes.lent.take() {
            modes.returned = Some(Instant::now());
            tcsetattr(rustix::stdio::stdin(), OptionalActions::Drain, &before)?;
        }
        enable_raw_mode()?;
        modes.ours = true;
        write_all(ENTER.as_bytes())?;
        if modes.keys_apart {
            write_all(KEYS_APART.as_bytes())?;
        }
        if modes.mouse {
            write_all(MOUSE_ON.as_bytes())
        } else {
            Ok(())
        }
    }

    /// Gives the terminal back as it was found. The second time it does nothing. Faults are not told: this runs
    /// when the terminal may be gone, and there is nothing better to do.
    pub fn leave(&self) {
        let modes = self.modes_in_need();
        if let Some(mut modes) = modes {
            if !std::mem::take(&mut modes.ours) {
                return;
            }
            let mouse = if modes.mouse { MOUSE_OFF } else { "" };
            let keys = if modes.keys_apart { KEYS_ALIKE } else { "" };
            let _ = write_all(format!("{mouse}{keys}{LEAVE}").as_bytes());
        }
        let _ = disable_raw_mode();
    }

    /// As [`Terminal::leave`], for a program of ours that gets it until [`Terminal::enter`].
    pub fn lend(&self) {
        self.leave();
        if let Some(mut modes) = self.modes_in_need() {
            modes.lent = tcgetattr(rustix::stdio::stdin()).ok();
        }
    }

    /// A program of ours has it, or had it just now: what was typed there was meant for that one. Its Ctrl-C may have
    /// ended it before we hear of the same.
    pub fn is_lent(&self) -> bool {
        self.modes_in_need().is_some_and(|modes| {
            let just_back = modes.returned.is_some_and(|when| when.elapsed() < ECHO);
            modes.lent.is_some() || just_back
        })
    }

    /// Whether it is taken over at the moment. When a writer hangs in it, it is.
    pub fn is_ours(&self) -> bool {
        self.modes_in_need().is_none_or(|modes| modes.ours)
    }

    /// One frame, as a whole: the terminal shows all of it or nothing.
    pub fn write_frame(&self, frame: &[u8]) -> io::Result<()> {
        self.write(&[FRAME_BEGIN, frame, FRAME_END].concat())
    }

    /// Bytes between frames: a bell, a copy.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let modes = self.modes.lock().unwrap_or_else(PoisonError::into_inner);
        if modes.ours { write_all(bytes) } else { Ok(()) }
    }

    /// A notice on the desktop, where the terminal knows that.
    pub fn notify(&self, sequence: Sequence, text: &Clean) -> io::Result<()> {
        let words = match sequence {
            Sequence::Osc9 => format!("9;sandtop: {text}"),
            // Further semicolons would begin further arguments.
            Sequence::Osc777 => format!("777;notify;sandtop;{}", text.as_str().replace(';', ",")),
            Sequence::Osc99 => format!("99;;sandtop: {text}"),
        };
        self.write(format!("\x1b]{words}\x1b\\").as_bytes())
    }

    pub fn set_mouse(&self, on: bool) -> io::Result<()> {
        let mut modes = self.modes.lock().unwrap_or_else(PoisonError::into_inner);
        modes.mouse = on;
        let mouse = if on { MOUSE_ON } else { MOUSE_OFF };
        if modes.ours {
            write_all(mouse.as_bytes())
        } else {
            Ok(())
        }
    }

    pub fn tell_keys_apart(&self, on: bool) -> io::Result<()> {
        let mut modes = self.modes.lock().unwrap_or_else(PoisonError::into_inner);
        modes.keys_apart = on;
        let keys = if on { KEYS_APART } else { KEYS_ALIKE };
        if modes.ours {
            write_all(keys.as_bytes())
        } else {
            Ok(())
        }
    }

    /// Columns and rows. A terminal that says 0 does not know: the classic size is assumed.
    pub fn size() -> (u16, u16) {
        match rustix::termios::tcgetwinsize(rustix::stdio::stdout()) {
            Ok(size) if size.ws_col > 0 && size.ws_row > 0 => (size.ws_col, size.ws_row),
            _ => (80, 24),
        }
    }

    /// The lock, unless a writer keeps it: then it hangs in a terminal that takes nothing.
    fn modes_in_need(&self) -> Option<MutexGuard<'_, Modes>> {
        for _ in 0..100 {
            match self.modes.try_lock() {
                Ok(modes) => return Some(modes),
                Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(2)),
            }
        }
        None
    }
}

/// Standard output without a buffer between: a frame is one `write`.
pub fn write_all(mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(rustix::stdio::stdout(), bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => bytes = &bytes[count..],
            Err(Errno::INTR) => {}
            // Somebody else who has this terminal made it non-blocking.
            Err(Errno::AGAIN) => std::thread::sleep(Duration::from_millis(1)),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
