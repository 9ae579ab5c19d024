//! Level 6, pure: the panes, a folder each, and what all of them are told.
//!
//! A pane is a `State`, an `update(&mut State, &World, Action, &Ctx) -> Vec<Effect>`, and a
//! `draw(&State, &World, &Ctx, Rect, &mut Buffer)`. After the layout ran, `State::place(Rect)` tells a pane where
//! it stands: page sizes and clicks follow from that, and drawing only draws.

pub mod activity;
mod age;
pub mod agent;
mod asking;
mod cursor;
pub mod detail;
pub mod help;
pub mod list;
pub mod logs;
pub mod runs;
pub mod shell;
pub mod standing;
#[cfg(test)]
mod testing;
mod whole;

pub use cursor::Cursor;

use crate::logic::{Keymap, Now, Pane};
use crate::model::SandboxKey;
use crate::ui::Theme;
use jiff::tz::TimeZone;

/// What a pane is told beside its own state and the world.
#[derive(Clone, Copy, Debug)]
pub struct Ctx<'a> {
    pub theme: &'a Theme,
    pub keymap: &'a Keymap,
    pub now: Now,
    /// In which times of day are told.
    pub zone: &'a TimeZone,
    /// This machine's.
    pub local: &'a TimeZone,
    /// The pane that has the keys.
    pub pane: Pane,
    /// The sandbox that the stage is about: the list's selection.
    pub subject: Option<&'a SandboxKey>,
}

impl Ctx<'_> {
    pub fn has_keys(&self, pane: Pane) -> bool {
        self.pane == pane
    }
}
