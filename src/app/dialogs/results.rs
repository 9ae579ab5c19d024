//! What came of an operation on many: a line for each, and the failed ones once more.

use super::meant::{listed, name_width};
use super::{Outcome, Sheet};
use crate::logic::{Operations, Target, TargetState};
use crate::text::{clean, say};
use crate::ui::{KeyHint, Piece, Role, label, span};
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind};

#[derive(Clone, Debug)]
pub(in crate::app) struct Results {
    operation: u64,
    pub(super) sheet: Sheet,
}

const RETRY: usize = 1;
const NOTHING_FAILED: &[&str] = &["OK"];
const SOME_FAILED: &[&str] = &["Close", "Retry the failed"];

impl Results {
    pub(in crate::app) fn new(operation: u64) -> Self {
        Self {
            operation,
            sheet: Sheet::new("Results", None, NOTHING_FAILED),
        }
    }

    pub(in crate::app) fn is_of(&self, operation: u64) -> bool {
        self.operation == operation
    }

    /// Opens by itself: only a key that does nothing elsewhere sends something again.
    pub(super) fn key(&mut self, event: KeyEvent) -> Outcome {
        let retry = event.code == KeyCode::Char('R') && event.kind == KeyEventKind::Press;
        if retry && self.has_failed() {
            return self.answer(RETRY);
        }
        if event.code == KeyCode::Char('y') {
            return Outcome::Open;
        }
        let button = self.sheet.key(event);
        button.map_or(Outcome::Open, |button| self.answer(button))
    }

    pub(super) fn answer(&self, button: usize) -> Outcome {
        match button {
            RETRY => Outcome::Retry(self.operation),
            _ => Outcome::Closed,
        }
    }

    pub(super) fn hints(&self) -> Vec<KeyHint> {
        self.sheet.hints_of_results(self.has_failed())
    }

    fn has_failed(&self) -> bool {
        self.sheet.buttons.labels == SOME_FAILED
    }

    pub(super) fn follow(&mut self, operations: &Operations) {
        let Some(operation) = operations.get(self.operation) else {
            return;
        };
        let deed = &operation.deed;
        self.sheet.class = Some(deed.class());
        let failed = operation.count(|state| matches!(state, TargetState::Failed { .. }));
        let retries = failed > 0 && operation.is_over();
        if retries != self.has_failed() {
            let labels = if retries { SOME_FAILED } else { NOTHING_FAILED };
            self.sheet.buttons = crate::ui::Buttons::new(labels);
        }
        let sum = say(format_args!(
            "{} of {} {}.",
            operation.count(TargetState::is_done),
            operation.targets.len(),
            deed.done()
        ));
        let names = operation.targets.iter().map(name_width).max().unwrap_or(0);
        let lines = operation.targets.iter().map(|target| {
            let name = clean(target.key.name.as_foreign());
            listed(&name, names, vec![result(target, deed.done())])
        });
        let head = vec![span(&sum, Role::Title)];
        self.sheet.body = std::iter::once(head).chain(lines).collect();
    }
}

fn result(target: &Target, done: &'static str) -> Piece {
    match &target.state {
        TargetState::Waiting => label("waits", Role::Dim),
        TargetState::Looking | TargetState::Sent => label("under way", Role::Info),
        TargetState::Done => label(done, Role::Good),
        TargetState::OverBefore => label("was over already", Role::Good),
        TargetState::Refused { why } => span(&say(format_args!("not touched: {why}")), Role::Warn),
        TargetState::Failed { why } => span(&say(format_args!("failed: {why}")), Role::Bad),
        TargetState::TakenBack => label("taken back", Role::Dim),
    }
}
