//! Totals of a log that tells the figures of its parts (threads, processes, answers), each part's more than once.

use super::Totals;
use super::ledger::Ledger;
use crate::model::Foreign;

#[derive(Debug, Default)]
pub struct Tally {
    /// What is no open part's: of parts that are over, and of another agent before in the same log.
    before: Option<Totals>,
    parts: Vec<(Foreign, Totals)>,
}

impl Tally {
    /// A part's newest figures stand for its older ones.
    pub fn set(&mut self, ledger: &mut Ledger, part: &str, totals: Totals) {
        let before = *self.before.get_or_insert(ledger.run.totals);
        match self
            .parts
            .iter_mut()
            .rfind(|known| known.0.as_raw() == part)
        {
            Some(known) => known.1 = totals,
            None => self.parts.push((part.into(), totals)),
        }
        let parts = self.parts.iter().map(|part| part.1);
        ledger.total(parts.fold(before, Totals::plus));
    }

    /// Whether that part is open.
    pub fn has(&self, part: &str) -> bool {
        self.parts.iter().any(|known| known.0.as_raw() == part)
    }

    /// The parts so far are over: the same name is another part from now on.
    pub fn close(&mut self) {
        let parts = self.parts.drain(..).map(|part| part.1);
        let sum = parts.fold(self.before.unwrap_or_default(), Totals::plus);
        if self.before.is_some() {
            self.before = Some(sum);
        }
    }
}
