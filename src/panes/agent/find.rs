//! Searching a run: all that is held of it, folded or not.

use super::kinds::Kinds;
use crate::agents::{Body, FileChange, Run, Step};
use crate::model::{Clean, Foreign};
use crate::text::{Pattern, say, stripped};

#[derive(Debug, Default)]
pub(super) struct Find {
    pub(super) pattern: Option<Pattern>,
    /// Steps that have it, in order.
    hits: Vec<usize>,
    /// Steps that were looked at.
    looked: usize,
}

impl Find {
    pub(super) fn is_on(&self) -> bool {
        self.pattern.is_some()
    }

    pub(super) fn search_for(&mut self, pattern: Option<Pattern>) {
        self.pattern = pattern;
        self.again(0);
    }

    /// Steps from there on have changed.
    pub(super) fn again(&mut self, step: usize) {
        self.looked = self.looked.min(step);
        self.hits.retain(|hit| *hit < step);
    }

    /// Looks at what it has not seen yet.
    pub(super) fn follow(&mut self, run: &Run) {
        let Some(pattern) = &self.pattern else { return };
        let unseen = run.steps.iter().enumerate().skip(self.looked);
        let hits = unseen.filter(|(_, step)| has(step, pattern));
        self.hits.extend(hits.map(|(at, _)| at));
        self.looked = run.steps.len();
    }

    pub(super) fn is_hit(&self, step: usize) -> bool {
        self.hits.binary_search(&step).is_ok()
    }

    /// `3 of 12 steps`
    pub(super) fn status(&self, run: &Run, kinds: Kinds, at: Option<usize>) -> Clean {
        let shown = |hit: &&usize| run.steps.get(**hit).is_some_and(|step| kinds.has(step));
        let all = self.hits.iter().filter(shown).count();
        match at.filter(|at| self.is_hit(*at)) {
            _ if all == 0 => "found nowhere".into(),
            Some(at) => {
                let before = self.hits.iter().filter(shown).filter(|hit| **hit <= at);
                say(format_args!("{} of {all} steps", before.count()))
            }
            None => say(format_args!("found in {all} steps")),
        }
    }
}

fn has(step: &Step, pattern: &Pattern) -> bool {
    let found = |text: &Foreign| {
        let lines = text.as_raw().lines();
        lines
            .into_iter()
            .any(|line| pattern.is_match(&stripped(line)))
    };
    let in_changes = |changes: &[FileChange]| {
        changes.iter().any(|change| {
            let mut hunks = change.hunks.iter();
            found(&change.path) || hunks.any(|hunk| found(&hunk.old) || found(&hunk.new))
        })
    };
    let in_body = match &step.body {
        Body::None | Body::LetGo => false,
        Body::Text { text, .. } => found(text),
        Body::Tool(tool) => found(&tool.input) || found(&tool.output),
        Body::Plan(_) | Body::Changes(_) => false,
    };
    found(&step.short)
        || step.tool.as_ref().is_some_and(found)
        || in_body
        || in_changes(step.changes())
        || step.plan().iter().any(|entry| found(&entry.text))
}
