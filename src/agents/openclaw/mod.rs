//! `openclaw agent --json`: silent until the end, then one object over many lines among banner lines, on standard
//! error in some versions. The session's file is beside.
//!
//! A failed run ends with exit code 0: its `stopReason` tells. `usage.total` is that of the last call only.

mod session;

pub use session::Session;

use super::dialect::Dialect;
use super::ledger::Ledger;
use super::tally::Tally;
use super::value::{Object, count, flag, list, object, short, text, word};
use super::{Figure, Kind, Phase, Totals};
use crate::model::Foreign;
use serde_json::Value;

#[derive(Debug, Default)]
pub struct Final {
    tally: Tally,
}

impl Dialect for Final {
    fn object(&mut self, ledger: &mut Ledger, found: &Object) {
        // By the gateway it is in another object, which tells how that fared.
        let inner = object(found, "result").unwrap_or(found);
        let empty = Object::new();
        let meta = object(inner, "meta").unwrap_or(&empty);
        if !inner.contains_key("payloads") && !found.contains_key("status") {
            return ledger.unknown("object", found);
        }
        let agent = object(meta, "agentMeta").unwrap_or(&empty);
        ledger.section(text(agent, "sessionId").or_else(|| text(found, "runId")));
        ledger.run.model = word(agent, "model").or_else(|| ledger.run.model.clone());
        if let Some(usage) = object(agent, "usage") {
            self.tally.close();
            self.tally.set(ledger, "", totals(usage));
        }
        let stopped = text(meta, "stopReason").or_else(|| text(inner, "stopReason"));
        let marked = |payload: &Object| flag(payload, "isError") == Some(true);
        let payloads = || list(inner, "payloads").iter().filter_map(Value::as_object);
        // Some versions do not mark the one text that is the error.
        let all_failed = stopped == Some("error") && !payloads().any(marked);
        ledger.turn += 1;
        let mut last_failure = None;
        for payload in payloads() {
            let is_error = all_failed || marked(payload);
            let step = ledger.text(
                if is_error { Kind::Error } else { Kind::Text },
                &said(payload),
            );
            if is_error {
                last_failure.get_or_insert(step.short.clone());
            }
            ledger.push(step);
        }
        let phase = phase(found, meta, stopped, last_failure);
        if let (Phase::Failed(why), true) = (&phase, payloads().next().is_none()) {
            ledger.push(ledger.step(Kind::Error, why.as_raw()));
        }
        ledger.phase(phase);
    }
}

fn said(payload: &Object) -> String {
    let urls = list(payload, "mediaUrls")
        .iter()
        .filter_map(|url| url.as_str());
    let one = text(payload, "mediaUrl");
    let media: Vec<&str> = one
        .into_iter()
        .chain(urls.filter(|url| Some(*url) != one))
        .collect();
    let media = media.iter().map(|url| format!("[{url}]"));
    let told = text(payload, "text").filter(|told| !told.is_empty());
    let parts = told.map(str::to_owned).into_iter().chain(media);
    parts.collect::<Vec<_>>().join("\n")
}

/// How it ended: by the gateway, by its error, by why it stopped.
fn phase(
    found: &Object,
    meta: &Object,
    stopped: Option<&str>,
    last_failure: Option<Foreign>,
) -> Phase {
    let error = meta.get("error").or_else(|| found.get("error"));
    let error = error.and_then(|error| match error.as_object() {
        Some(error) => text(error, "message").or_else(|| text(error, "kind")),
        None => error.as_str(),
    });
    let status = text(found, "status").filter(|status| *status != "ok");
    let by_gateway = status.map(|status| text(found, "summary").unwrap_or(status));
    let is_aborted = flag(meta, "aborted") == Some(true) || stopped == Some("aborted");
    match (error, by_gateway) {
        (Some(why), _) => Phase::Failed(short(why)),
        _ if stopped == Some("error") => {
            Phase::Failed(last_failure.unwrap_or_else(|| "it stopped with an error".into()))
        }
        (None, Some(why)) => Phase::Failed(short(why)),
        _ if is_aborted => Phase::Broken("it was aborted".into()),
        _ => Phase::Done,
    }
}

/// Input is without what came from the cache.
fn totals(usage: &Object) -> Totals {
    Totals {
        input: count(usage, "input"),
        output: count(usage, "output").map_or(Figure::Unknown, Figure::Exactly),
        cache_read: count(usage, "cacheRead"),
        // 0 stands there for makers of models that do not tell it, too.
        cache_write: count(usage, "cacheWrite").filter(|n| *n > 0),
        ..Totals::default()
    }
}
