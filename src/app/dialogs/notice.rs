//! Something that has to be known, and nothing to decide.

use super::{Outcome, Sheet};
use crate::model::Clean;
use crate::ui::{KeyHint, Role, span};
use crossterm::event::KeyEvent;

#[derive(Clone, Debug)]
pub(in crate::app) struct Notice {
    pub(super) sheet: Sheet,
}

impl Notice {
    pub(in crate::app) fn new(title: &'static str, sentences: &[Clean]) -> Self {
        let mut sheet = Sheet::new(title, None, &["OK"]);
        sheet.body = sentences
            .iter()
            .map(|words| vec![span(words, Role::Text)])
            .collect();
        Self { sheet }
    }

    pub(super) fn key(&mut self, event: KeyEvent) -> Outcome {
        match self.sheet.key(event) {
            Some(_) => Outcome::Closed,
            None => Outcome::Open,
        }
    }

    pub(super) fn hints(&self) -> Vec<KeyHint> {
        self.sheet.hints_of_results(false)
    }
}
