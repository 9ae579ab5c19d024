//! A strip of names of which one is open, as pieces for a panel's title: ` Logs [Info] Sessions `.

use super::text::{self, Piece};
use super::{Role, label};

/// Before the first tab, where a panel has its pointer.
const LEAD: usize = 1;

pub fn tabs(names: &[&'static str], open: usize) -> Vec<Piece> {
    let strip = names.iter().enumerate().flat_map(|(at, name)| {
        let (before, after, role) = if at == open {
            ("[", "]", Role::Title)
        } else {
            (" ", " ", Role::Dim)
        };
        [label(before, role), label(name, role), label(after, role)]
    });
    strip.collect()
}

/// The tab at that column of the panel's title line, counted from the panel's first cell inside the border.
pub fn tab_at(names: &[&'static str], column: u16) -> Option<usize> {
    let mut left = usize::from(column).checked_sub(LEAD)?;
    for (at, name) in names.iter().enumerate() {
        let wide = text::width(&[label(name, Role::Dim)]) + 2;
        if left < wide {
            return Some(at);
        }
        left -= wide;
    }
    None
}
