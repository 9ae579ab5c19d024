//! Tokens and money of Claude Code: each answer counted once, and the maker's own totals before any count.

use super::super::value::{Object, count, number, object};
use super::super::{Figure, Totals};
use serde_json::Value;
use std::collections::VecDeque;

/// Answers whose lines may still come, sub-agents' among them.
const RECENT: usize = 64;

#[derive(Debug, Default)]
pub struct Usage {
    /// Answers since the last result.
    recent: VecDeque<Answer>,
    /// Those before them.
    older: Totals,
    /// The process that is read now, by its results.
    process: Process,
    /// Sessions and processes before.
    before: Totals,
}

#[derive(Debug)]
struct Answer {
    id: String,
    totals: Totals,
}

#[derive(Debug, Default)]
struct Process {
    totals: Totals,
    /// `usage` of the results, together.
    usage: Totals,
    api_ms: u64,
}

impl Usage {
    /// A line of an answer. Its lines repeat the usage, and some versions write 1 for the output in all of them.
    /// `is_exact`: the output is the real one.
    pub fn message(&mut self, id: &str, usage: &Object, is_exact: bool) {
        let told = tokens(usage, is_exact);
        let known = self
            .recent
            .iter_mut()
            .find(|answer| answer.id == id && !id.is_empty());
        let Some(answer) = known else {
            if self.recent.len() == RECENT {
                let oldest = self.recent.pop_front().map(|answer| answer.totals);
                self.older = self.older.plus(oldest.unwrap_or_default());
            }
            let (id, totals) = (id.to_owned(), told);
            return self.recent.push_back(Answer { id, totals });
        };
        let before = answer.totals.output;
        answer.totals = told;
        answer.totals.output = match (before, told.output) {
            (Figure::Exactly(n), _) if !is_exact => Figure::Exactly(n),
            (before, Figure::AtLeast(n)) => Figure::AtLeast(n.max(before.known().unwrap_or(0))),
            (_, told) => told,
        };
    }

    /// The output of an answer whose end was seen.
    pub fn output_is(&mut self, id: &str, output: u64) {
        if let Some(answer) = self.recent.iter_mut().find(|answer| answer.id == id) {
            answer.totals.output = Figure::Exactly(output);
        }
    }

    /// Cost and `modelUsage` grow over a session; `usage` and `num_turns` are of one result, and leave out
    /// sub-agents and helper models. Old versions begin at 0 in each process, newer ones go on.
    pub fn result(&mut self, result: &Object) {
        let cost = number(result, "total_cost_usd").or_else(|| number(result, "cost_usd"));
        let api_ms = count(result, "duration_api_ms").unwrap_or(0);
        let last = self.process.totals.cost.unwrap_or(0.0);
        let is_less = cost.is_some_and(|cost| cost < last);
        let goes_on = ["result_index", "model_usage_since_last_result"];
        let goes_on = goes_on.iter().any(|key| result.contains_key(*key));
        if is_less || api_ms < self.process.api_ms && !goes_on {
            self.before = self.before.plus(self.process.totals);
            self.process = Process::default();
        }
        let usage = object(result, "usage").map(|usage| tokens(usage, true));
        self.process.usage = self.process.usage.plus(usage.unwrap_or_default());
        let of_models = object(result, "modelUsage").and_then(of_models);
        let turns = Totals {
            turns: count(result, "num_turns"),
            ..Totals::default()
        };
        let turns = self.process.totals.plus(turns).turns;
        self.process.totals = Totals {
            cost: cost.or(self.process.totals.cost),
            turns,
            ..of_models.unwrap_or(self.process.usage)
        };
        self.process.api_ms = api_ms;
        if of_models.is_some() || usage.is_some() {
            self.older = Totals::default();
            self.recent.clear();
        }
    }

    /// Another session begins: its figures start at 0.
    pub fn new_session(&mut self) {
        self.before = self.totals();
        self.process = Process::default();
        self.older = Totals::default();
        self.recent.clear();
    }

    pub fn totals(&self) -> Totals {
        let told = self.before.plus(self.process.totals).plus(self.older);
        let recent = self.recent.iter();
        recent.fold(told, |sum, answer| sum.plus(answer.totals))
    }
}

fn tokens(usage: &Object, is_exact: bool) -> Totals {
    let output = count(usage, "output_tokens");
    Totals {
        input: count(usage, "input_tokens"),
        output: match (output, is_exact) {
            (None, _) => Figure::Unknown,
            (Some(n), true) => Figure::Exactly(n),
            (Some(n), false) => Figure::AtLeast(n),
        },
        cache_read: count(usage, "cache_read_input_tokens"),
        cache_write: count(usage, "cache_creation_input_tokens"),
        ..Totals::default()
    }
}

/// All models together; `None` if there is none.
fn of_models(models: &Object) -> Option<Totals> {
    let of_one = |model: &Value| {
        let model = model.as_object()?;
        Some(Totals {
            input: count(model, "inputTokens"),
            output: count(model, "outputTokens").map_or(Figure::Unknown, Figure::Exactly),
            cache_read: count(model, "cacheReadInputTokens"),
            cache_write: count(model, "cacheCreationInputTokens"),
            ..Totals::default()
        })
    };
    models.values().filter_map(of_one).reduce(Totals::plus)
}
