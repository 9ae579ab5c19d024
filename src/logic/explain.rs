//! Failures as sentences: what failed, on which thing, why, and what to do.

use crate::model::{Clean, Failure, FailureKind, NetworkFault};
use crate::text;

/// In full: for the activity view, dialogs and messages.
pub fn in_full(failure: &Failure) -> Clean {
    let what = failure.call;
    let cause = failure.causes.last().map(text::clean);
    let because = cause
        .map(|cause| text::say(format_args!(" ({cause})")))
        .unwrap_or_default();
    match &failure.kind {
        FailureKind::Status {
            status,
            code,
            message,
            ..
        } => {
            let said = match (message, code) {
                (Some(message), _) => text::say(format_args!(": {}", text::clean(message))),
                (None, Some(code)) => text::say(format_args!(": {}", text::clean(code))),
                (None, None) => because,
            };
            text::say(format_args!(
                "{what}: {status} {}{said}{}",
                status_word(*status),
                advice(*status)
            ))
        }
        FailureKind::Network { fault, .. } => {
            let asked = text::clean(&failure.request);
            text::say(format_args!(
                "{what}: {}: {asked}{because}",
                fault_word(*fault)
            ))
        }
        FailureKind::Unreadable => text::say(format_args!(
            "{what}: the answer is not what this call promises{because}"
        )),
        FailureKind::Refused(why) => text::say(format_args!("{what}: not sent, {why}")),
    }
}

/// In a few words: for a pane's title and the header.
pub fn in_short(failure: &Failure) -> Clean {
    match &failure.kind {
        FailureKind::Status { status, .. } => text::say(format_args!("{status}")),
        FailureKind::Network { fault, .. } => Clean::from(fault_word(*fault)),
        FailureKind::Unreadable => Clean::from("unreadable answer"),
        FailureKind::Refused(why) => Clean::from(*why),
    }
}

fn fault_word(fault: NetworkFault) -> &'static str {
    match fault {
        NetworkFault::Connect => "cannot connect",
        NetworkFault::Timeout => "no answer in time",
        NetworkFault::Cut => "the answer broke off",
        NetworkFault::Other => "network fault",
    }
}

fn status_word(status: u16) -> &'static str {
    match status {
        400 => "bad request",
        401 => "not signed in",
        402 => "plan or payment",
        403 => "not allowed",
        404 => "not found",
        409 => "conflict",
        410 => "gone",
        422 => "not now",
        429 => "too many requests",
        501 => "not implemented",
        500.. => "server fault",
        _ => "refused",
    }
}

fn advice(status: u16) -> &'static str {
    match status {
        401 => "; renew the token, it is read again by itself",
        403 => "; check team, project and the token's rights",
        _ => "",
    }
}
