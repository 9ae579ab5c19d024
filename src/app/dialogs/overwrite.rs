//! Asks before a file that is there gives way to lines of a log.

use super::{Outcome, Sheet};
use crate::logic::{Class, Export, Outlet};
use crate::text::clean_str;
use crate::ui::{Role, label, span};
use crossterm::event::KeyEvent;

#[derive(Clone, Debug)]
pub(in crate::app) struct OverwriteQuestion {
    export: Box<Export>,
    pub(super) sheet: Sheet,
}

const OVERWRITE: usize = 1;

impl OverwriteQuestion {
    /// `export`: what is to be done after a yes.
    pub(in crate::app) fn new(export: Box<Export>) -> Self {
        let path = match &export.to {
            Outlet::File { path, .. } => path.as_str(),
            _ => "",
        };
        let labels = &["Cancel", "Overwrite"];
        let mut sheet = Sheet::new("Overwrite a file", Some(Class::Destructive), labels);
        sheet.body = vec![vec![
            span(&clean_str(path), Role::Title),
            label(
                " is there already. What is in it would be lost.",
                Role::Text,
            ),
        ]];
        Self { export, sheet }
    }

    pub(super) fn key(&mut self, event: KeyEvent) -> Outcome {
        let button = self.sheet.key(event);
        button.map_or(Outcome::Open, |button| self.answer(button))
    }

    pub(super) fn answer(&self, button: usize) -> Outcome {
        match button {
            OVERWRITE => Outcome::Export(self.export.clone()),
            _ => Outcome::Closed,
        }
    }
}
