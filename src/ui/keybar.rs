//! One line of the keys that apply now. Where there is no room the least important go, from the right.

use super::class::{class_sign, role};
use super::text::{self, Piece};
use super::{Role, Theme, label, span};
use crate::logic::Class;
use crate::model::Clean;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

#[derive(Clone, Debug)]
pub struct KeyHint {
    /// The key as people write it: `q`, `enter`, `ctrl-c`.
    pub key: Clean,
    pub title: &'static str,
    pub class: Class,
    /// The lowest goes first.
    pub keep: u8,
}

impl KeyHint {
    fn pieces(&self) -> Vec<Piece> {
        let title = if self.class == Class::Free {
            Role::KeyLabel
        } else {
            role(self.class)
        };
        vec![
            span(&self.key, Role::Key),
            label(" ", Role::KeyLabel),
            label(self.title, title),
            class_sign(self.class),
        ]
    }
}

const GAP: u16 = 2;

pub fn draw_keys(buffer: &mut Buffer, area: Rect, theme: &Theme, hints: &[KeyHint]) {
    let line = Rect {
        height: area.height.min(1),
        ..area
    };
    text::blank(buffer, line, theme, Role::KeyLabel);
    for (_, place, pieces) in placed(line, hints) {
        text::draw(buffer, place, theme, &pieces);
    }
}

/// Which of the hints lies under the mouse.
pub fn key_at(area: Rect, hints: &[KeyHint], position: Position) -> Option<usize> {
    let mut placed = placed(area, hints).into_iter();
    let found = placed.find(|(_, place, _)| place.contains(position));
    found.map(|(at, ..)| at)
}

/// The hints that fit, each with its number and its place.
fn placed(area: Rect, hints: &[KeyHint]) -> Vec<(usize, Rect, Vec<Piece>)> {
    let mut shown: Vec<(usize, Vec<Piece>)> =
        hints.iter().map(KeyHint::pieces).enumerate().collect();
    while shown.len() > 1 && taken(&shown) > usize::from(area.width) {
        let keep = |(_, (hint, _)): &(usize, &(usize, _))| hints[*hint].keep;
        let Some((at, _)) = shown.iter().enumerate().rev().min_by_key(keep) else {
            break;
        };
        shown.remove(at);
    }
    let mut x = area.x;
    let places = shown.into_iter().map(|(hint, pieces)| {
        let width = u16::try_from(text::width(&pieces)).unwrap_or(u16::MAX);
        let place = Rect { x, width, ..area }.intersection(area);
        x = x.saturating_add(width).saturating_add(GAP);
        (hint, place, pieces)
    });
    places.collect()
}

fn taken(shown: &[(usize, Vec<Piece>)]) -> usize {
    let words: usize = shown.iter().map(|(_, pieces)| text::width(pieces)).sum();
    words + usize::from(GAP) * shown.len().saturating_sub(1)
}
