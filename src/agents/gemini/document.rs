//! `gemini -o json`: one object at the end, over many lines. A failure's goes to standard error in some versions.

use crate::agents::dialect::Dialect;
use crate::agents::ledger::Ledger;
use crate::agents::tally::Tally;
use crate::agents::value::{Object, compact, count, object, text};
use crate::agents::{Figure, Kind, Phase, Totals};

#[derive(Debug, Default)]
pub struct Document {
    tally: Tally,
}

impl Dialect for Document {
    fn object(&mut self, ledger: &mut Ledger, found: &Object) {
        if !["response", "stats", "error"]
            .iter()
            .any(|key| found.contains_key(*key))
        {
            return ledger.unknown("object", found);
        }
        ledger.section(text(found, "session_id"));
        if let Some(stats) = object(found, "stats") {
            let (model, totals) = of_models(stats);
            ledger.run.model = model.map(Into::into);
            self.tally.close();
            self.tally.set(ledger, "", totals);
        }
        if let Some(response) = text(found, "response").filter(|said| !said.is_empty()) {
            ledger.turn += 1;
            ledger.push(ledger.text(Kind::Text, response));
        }
        let Some(error) = found.get("error").filter(|error| !error.is_null()) else {
            return ledger.phase(Phase::Done);
        };
        let message = error.as_object().and_then(|error| text(error, "message"));
        let message = message.map_or_else(|| compact(error), str::to_owned);
        let step = ledger.text(Kind::Error, &message);
        ledger.phase(Phase::Failed(step.short.clone()));
        ledger.push(step);
    }
}

/// A failure's object, without figures: `{"session_id", "error": {"type": "…Error", "message", "code"}}`; one of the
/// session and the code may be missing.
pub fn is_failure(found: &Object) -> bool {
    let known = ["session_id", "error", "response", "stats"];
    let Some(error) = object(found, "error") else {
        return false;
    };
    found.keys().all(|key| known.contains(&key.as_str()))
        && (found.contains_key("session_id") || error.contains_key("code"))
        && text(error, "message").is_some()
        && text(error, "type").is_some_and(|kind| kind.ends_with("Error"))
}

/// All models together, and the one that did most.
fn of_models(stats: &Object) -> (Option<&str>, Totals) {
    let (mut sum, mut first) = (Totals::default(), None);
    for (name, model) in object(stats, "models").into_iter().flatten() {
        let tokens = model.as_object().and_then(|model| object(model, "tokens"));
        let used = tokens.map(totals).unwrap_or_default();
        if first.is_none_or(|(_, total)| used.total > total) {
            first = Some((name.as_str(), used.total));
        }
        sum = sum.plus(used);
    }
    (first.map(|first| first.0), sum)
}

fn totals(tokens: &Object) -> Totals {
    Totals {
        input: count(tokens, "prompt"),
        output: count(tokens, "candidates").map_or(Figure::Unknown, Figure::Exactly),
        reasoning: count(tokens, "thoughts"),
        cache_read: count(tokens, "cached"),
        total: count(tokens, "total"),
        ..Totals::default()
    }
}
