//! Codex's count of tokens: input holds what came from the cache.

use crate::agents::value::{Object, count, object};
use crate::agents::{Figure, Totals};

/// `{input_tokens, cached_input_tokens, output_tokens, …}`
pub fn totals(usage: &Object) -> Totals {
    Totals {
        input: count(usage, "input_tokens"),
        output: count(usage, "output_tokens").map_or(Figure::Unknown, Figure::Exactly),
        reasoning: count(usage, "reasoning_output_tokens"),
        cache_read: count(usage, "cached_input_tokens"),
        // 0 stands there for makers of models that do not tell it, too.
        cache_write: count(usage, "cache_write_input_tokens").filter(|n| *n > 0),
        total: count(usage, "total_tokens"),
        ..Totals::default()
    }
}

/// Of a `token_count`: all of the thread so far. It is told again and again.
pub fn so_far(found: &Object) -> Option<Totals> {
    let info = object(found, "info").unwrap_or(found);
    object(info, "total_token_usage").map(totals)
}

/// Of a record that tells one answer's tokens, at the top or in a field.
pub fn of_answer(found: &Object) -> Option<Totals> {
    let fields = ["usage", "token_usage", "last_token_usage"];
    let inner = fields.iter().find_map(|key| object(found, key));
    let usage = inner.unwrap_or(found);
    usage.contains_key("input_tokens").then(|| totals(usage))
}
