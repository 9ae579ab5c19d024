//! Level 2, pure: a terminal emulator behind a small face: bytes to cells and replies, keys to bytes.
//!
//! [`Emulator`] eats what a program prints and keeps what a terminal would show: the screen, its scrollback, the
//! cursor, the modes the program asked for. What it cannot do itself (answer a query, ring, change a title) it hands
//! back as [`Heard`]. The other way round, [`keys`], [`paste`], [`mouse`] and [`focus`] make the bytes a terminal
//! would send in those [`Modes`].
//!
//! The work is done by `alacritty_terminal`; no type of it shows here. What it gets wrong is put right in `cured`,
//! what it does not listen to is caught by `ear`, and a panic inside it costs that one emulator its screen, never the
//! program (`guard`).

mod copy;
mod cured;
mod ear;
mod emulator;
pub mod focus;
mod guard;
mod heard;
pub mod keys;
mod lines;
mod modes;
pub mod mouse;
mod own;
mod palette;
pub mod paste;
mod screen;
mod size;
#[cfg(test)]
mod tests;

pub use copy::{CopyMode, Mark, Then};
pub use emulator::{Emulator, Scroll};
pub use guard::is_expected_panic;
pub use heard::Heard;
pub use modes::{KeyboardFlags, Modes, Mouse, MouseCoding};
pub use palette::Palette;
pub use screen::{Cell, Colour, Cursor, Row, Screen, Shape, Style, Underline};
pub use size::Size;
