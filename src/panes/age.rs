//! What a pane's frame says of its facts: how old they are, and why they are not newer.

use super::Ctx;
use crate::logic::{Link, Mono};
use crate::model::Clean;
use crate::text::{figures, say};
use crate::ui::{Piece, Role, label, span};

/// After so many milliseconds without a reading the age is drawn as stale.
const STALE_MS: i64 = 60_000;

/// For the title: the age of facts read at `read`, `None` when they were never read.
pub fn state(read: Option<Mono>, link: &Link, ctx: &Ctx<'_>) -> Vec<Piece> {
    let piece = match (read, link) {
        (Some(read), _) => {
            let age = ctx.now.mono.since(read);
            let role = if age.0 >= STALE_MS {
                Role::Stale
            } else {
                Role::Dim
            };
            span(&say(format_args!("{} old", figures::ago(Some(age)))), role)
        }
        (None, Link::Live { .. }) => label("reading…", Role::Info),
        (None, _) => label("not read yet", Role::Info),
    };
    vec![piece]
}

/// For the lower border: why the last reading failed, and what the connection does when it is not live.
pub fn trouble(trouble: Option<&Clean>, link: &Link, ctx: &Ctx<'_>) -> Vec<Piece> {
    let trouble = trouble.map(|why| span(why, Role::Warn));
    joined(connection(link, ctx).into_iter().chain(trouble))
}

/// Parts beside each other in the lower border.
pub fn joined(parts: impl IntoIterator<Item = Piece>) -> Vec<Piece> {
    let mut all = Vec::new();
    for part in parts {
        all.push(label(if all.is_empty() { " " } else { " · " }, Role::Dim));
        all.push(part);
    }
    if !all.is_empty() {
        all.push(label(" ", Role::Dim));
    }
    all
}

/// Nothing while the connection is as it should be.
pub fn connection(link: &Link, ctx: &Ctx<'_>) -> Option<Piece> {
    let wait = figures::left(link.wait(ctx.now));
    Some(match link {
        Link::Live { .. } => return None,
        Link::Connecting => label("connecting", Role::Info),
        Link::Retrying { offline: true, .. } => {
            span(&say(format_args!("offline · retry in {wait}")), Role::Bad)
        }
        Link::Retrying { why, .. } => {
            span(&say(format_args!("retry in {wait} · {why}")), Role::Warn)
        }
        Link::Unauthorized { .. } => span(
            &say(format_args!("not signed in · retry in {wait}")),
            Role::Bad,
        ),
    })
}
