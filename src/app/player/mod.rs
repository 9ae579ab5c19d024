//! Plays a recording: an emulator is fed what was recorded, at its time, and is drawn cell by cell. Nothing of the file
//! reaches the terminal itself.

#[cfg(test)]
mod tests;
mod view;

pub use view::view;

use crate::model::Span;
use crate::term::{Emulator, Size};
use crate::text::cast::{Cast, CastEvent};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What the arrow keys go, in milliseconds.
const STRIDE: f64 = 5000.0;
const SLOWEST: f64 = 1.0 / 16.0;
const FASTEST: f64 = 64.0;
/// A screen that is held back longer than this is shown as it is, in milliseconds.
const HELD: f64 = 150.0;

pub struct Player {
    cast: Cast,
    emulator: Emulator,
    /// The first event that is not shown.
    next: usize,
    /// Milliseconds of the recording.
    at: f64,
    speed: f64,
    paused: bool,
}

/// What a key means for whoever shows this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    Stay,
    Quit,
}

impl Player {
    pub fn new(cast: Cast, speed: f64) -> Self {
        let mut this = Self {
            emulator: empty(&cast),
            cast,
            next: 0,
            at: 0.0,
            speed: speed.clamp(SLOWEST, FASTEST),
            paused: false,
        };
        this.show();
        this
    }

    /// So much time went by out here.
    pub fn advance(&mut self, by: Span) {
        if !self.paused {
            self.at = (self.at + by.0.max(0) as f64 * self.speed).min(self.length());
            self.show();
        }
    }

    /// The time until there is something new to show; `None` while it stands still.
    pub fn due(&self) -> Option<Span> {
        let (at, _) = self.cast.events.get(self.next).filter(|_| !self.paused)?;
        let wait = (at.0 as f64 - self.at) / self.speed;
        Some(Span(wait.ceil() as i64))
    }

    pub fn key(&mut self, key: KeyEvent) -> Wish {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if control => return Wish::Quit,
            KeyCode::Char('q') | KeyCode::Esc => return Wish::Quit,
            // At the end it begins anew.
            KeyCode::Char(' ') if self.is_over() => {
                self.seek(0.0);
                self.paused = false;
            }
            KeyCode::Char(' ') => self.paused = !self.paused,
            KeyCode::Left | KeyCode::Char('h') => self.seek(self.at - STRIDE),
            KeyCode::Right | KeyCode::Char('l') => self.seek(self.at + STRIDE),
            KeyCode::Home => self.seek(0.0),
            KeyCode::End => self.seek(self.length()),
            KeyCode::Char('+' | '=') => self.speed = (self.speed * 2.0).min(FASTEST),
            KeyCode::Char('-') => self.speed = (self.speed / 2.0).max(SLOWEST),
            KeyCode::Char(digit @ '0'..='9') => {
                let tenths = f64::from(u32::from(digit) - u32::from('0'));
                self.seek(self.length() * tenths / 10.0);
            }
            _ => {}
        }
        Wish::Stay
    }

    fn seek(&mut self, to: f64) {
        let to = to.clamp(0.0, self.length());
        if to < self.at {
            self.emulator = empty(&self.cast);
            self.next = 0;
        }
        self.at = to;
        self.show();
    }

    /// Everything up to now. What the emulator hears or would answer concerns nobody any more.
    fn show(&mut self) {
        while let Some((at, event)) = self.cast.events.get(self.next)
            && at.0 as f64 <= self.at
        {
            match event {
                CastEvent::Output(text) => drop(self.emulator.feed(text.as_bytes())),
                CastEvent::Resize { columns, rows } => self.emulator.resize(Size {
                    columns: *columns,
                    rows: *rows,
                }),
            }
            self.next += 1;
        }
        let next = self.cast.events.get(self.next);
        let soon = next.is_some_and(|(at, _)| at.0 as f64 - self.at <= HELD);
        if self.emulator.is_holding() && !soon {
            drop(self.emulator.end_sync());
        }
    }

    fn is_over(&self) -> bool {
        self.next == self.cast.events.len()
    }

    fn length(&self) -> f64 {
        self.cast.length().0 as f64
    }
}

fn empty(cast: &Cast) -> Emulator {
    let size = Size {
        columns: cast.columns,
        rows: cast.rows,
    };
    Emulator::new(size, 0)
}
