//! Something that has to be known, and nothing to decide.

use super::{Outcome, pressed_or_letter};
use crate::model::Clean;
use crate::ui::{self, Buttons, Hits, Piece, Role, Theme, label, span};
use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

#[derive(Clone, Debug)]
pub(in crate::app) struct Notice {
    title: &'static str,
    sentences: Vec<Clean>,
    buttons: Buttons,
}

impl Notice {
    pub(in crate::app) fn new(title: &'static str, sentences: Vec<Clean>) -> Self {
        Self {
            title,
            sentences,
            buttons: Buttons::new(&["OK"]),
        }
    }

    pub(super) fn key(&mut self, event: KeyEvent) -> Outcome {
        match pressed_or_letter(&mut self.buttons, event) {
            Some(_) => Outcome::Closed,
            None => Outcome::Open,
        }
    }

    pub(super) fn draw(&self, theme: &Theme, screen: Rect, buffer: &mut Buffer) -> Hits<usize> {
        let body: Vec<Vec<Piece>> = self
            .sentences
            .iter()
            .map(|words| vec![span(words, Role::Text)])
            .collect();
        let dialog = ui::Dialog {
            title: &[label(self.title, Role::Title)],
            class: None,
            body: &body,
            facts: &[],
            prompt: None,
            buttons: &self.buttons,
        };
        dialog.draw(buffer, screen, theme)
    }
}
