//! One line of the keys that apply now. Where there is no room the least important go, from the right.

use super::class::{class_sign, role};
use super::text::{self, Piece};
use super::{Role, Theme, label, span};
use crate::logic::Class;
use crate::model::Clean;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

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

const GAP: usize = 2;

pub fn draw_keys(buffer: &mut Buffer, area: Rect, theme: &Theme, hints: &[KeyHint]) {
    let mut shown: Vec<(u8, Vec<Piece>)> = hints
        .iter()
        .map(|hint| (hint.keep, hint.pieces()))
        .collect();
    while shown.len() > 1 && taken(&shown) > usize::from(area.width) {
        let least = shown
            .iter()
            .enumerate()
            .rev()
            .min_by_key(|(_, (keep, _))| *keep);
        let Some((at, _)) = least else { break };
        shown.remove(at);
    }
    let mut line = Vec::new();
    for (_, pieces) in shown {
        if !line.is_empty() {
            line.push(label("  ", Role::KeyLabel));
        }
        line.extend(pieces);
    }
    text::blank(
        buffer,
        Rect {
            height: area.height.min(1),
            ..area
        },
        theme,
        Role::KeyLabel,
    );
    text::draw(buffer, area, theme, &line);
}

fn taken(shown: &[(u8, Vec<Piece>)]) -> usize {
    let words: usize = shown.iter().map(|(_, pieces)| text::width(pieces)).sum();
    words + GAP * shown.len().saturating_sub(1)
}
