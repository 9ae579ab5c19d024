//! Level 5, pure: the drawing kit. It knows no pane, and is the only folder that builds ratatui text.
//!
//! Words come in as [`Clean`](crate::model::Clean) or `&'static str` with a [`Role`]; what a role looks like is the
//! [`Theme`]'s. Every drawing function takes a buffer and an area of any size, down to nothing.

mod class;
mod columns;
mod dialog;
mod form;
mod form_box;
mod gauge;
mod glyphs;
mod hits;
mod keybar;
pub mod layout;
mod markdown;
mod panel;
mod prompt;
mod runs;
mod scrollbar;
mod table;
mod tabs;
mod terminal;
#[cfg(test)]
pub mod testing;
#[cfg(test)]
mod tests;
pub mod text;
mod theme;
mod wrap;

pub use class::{class_sign, class_word, role as class_role};
pub use columns::{Align, Column, Order};
pub use dialog::{Buttons, Dialog};
pub use form::{Entry, Field, Form, FormNews};
pub use form_box::FormBox;
pub use gauge::Gauge;
pub use glyphs::Glyphs;
pub use hits::Hits;
pub use keybar::{KeyHint, draw_keys, key_at};
pub use markdown::markdown;
pub use panel::Panel;
pub use prompt::Prompt;
pub use table::{Cell, Table, TableRow, window};
pub use tabs::{tab_at, tabs};
pub use terminal::draw_terminal;
pub use text::{Piece, Row, label, printed, span};
pub use theme::{Depth, Looks, ROLES, Role, Theme};
