//! The values of facts in words.

use crate::logic::Backend;
use crate::model::{
    Bytes, Clean, Foreign, KeepLastSnapshots, Mount, MountMode, NetworkPolicy, PolicyMode, Span,
    Status,
};
use crate::text::{clean, clean_str, figures, say};

pub(super) fn word(status: &Status) -> Clean {
    clean_str(status.word())
}

pub(super) fn span(span: Span) -> Clean {
    figures::duration(Some(span))
}

pub(super) fn size(bytes: Bytes) -> Clean {
    figures::bytes(Some(bytes))
}

pub(super) fn list(words: &[Foreign]) -> Clean {
    if words.is_empty() {
        return "none".into();
    }
    let words: Vec<Clean> = words.iter().map(clean).collect();
    let words: Vec<&str> = words.iter().map(Clean::as_str).collect();
    clean_str(&words.join(", "))
}

pub(super) fn policy(policy: &NetworkPolicy, backend: &Backend) -> Option<Clean> {
    let mode = policy.mode.as_ref()?;
    let word = match mode {
        PolicyMode::AllowAll => "allow all".into(),
        PolicyMode::DenyAll => "deny all".into(),
        PolicyMode::Custom => "custom".into(),
        PolicyMode::Other(word) => clean(word),
    };
    let domains = policy
        .allowed_domains
        .as_deref()
        .filter(|domains| !domains.is_empty());
    let told = domains.map_or(word.clone(), |domains| {
        say(format_args!("{word}: {}", list(domains)))
    });
    Some(match unenforced(policy, backend) {
        Some(note) => say(format_args!("{told} ({note})")),
        None => told,
    })
}

/// What the local engine does not make true of it.
fn unenforced(policy: &NetworkPolicy, backend: &Backend) -> Option<&'static str> {
    let level = backend.isolation.as_ref().map(Clean::as_str);
    match policy.mode {
        _ if !backend.local => None,
        Some(PolicyMode::DenyAll | PolicyMode::Custom) if policy.denies_all() => (level
            == Some("plain"))
        .then_some("the local engine does not enforce it at level plain"),
        Some(PolicyMode::Custom) => Some("custom rules: the local engine does not enforce them"),
        _ => None,
    }
}

pub(super) fn kept(kept: KeepLastSnapshots) -> Clean {
    let count = figures::number(Some(kept.count));
    let evicted = if kept.delete_evicted == Some(false) {
        "older expire"
    } else {
        "older are deleted"
    };
    match kept.expiration {
        Some(after) => say(format_args!(
            "last {count}, {evicted}, {}",
            expiration(after)
        )),
        None => say(format_args!("last {count}, {evicted}")),
    }
}

pub(super) fn expiration(after: Span) -> Clean {
    if after == Span(0) {
        "never".into()
    } else {
        say(format_args!("after {}", span(after)))
    }
}

pub(super) fn mounted(path: &Foreign, mount: &Mount) -> Clean {
    let mode = match &mount.mode {
        None | Some(MountMode::ReadWrite) => "read-write".into(),
        Some(MountMode::Snapshot | MountMode::ReadOnly) => "snapshot".into(),
        Some(MountMode::Other(word)) => clean(word),
    };
    say(format_args!(
        "{} · drive {} · {mode}",
        clean(path),
        clean(&mount.drive)
    ))
}
