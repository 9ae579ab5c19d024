//! What the frame around a run says: whose it is, how it stands, what is out of view.

use super::kinds::Kinds;
use super::state::{Reading, State};
use crate::agents::{Run, State as Stands};
use crate::logic::{Standing, World};
use crate::model::CommandKey;
use crate::panes::{Ctx, age, standing};
use crate::text::{clean, figures, say};
use crate::ui::{Piece, Role, label, span};

/// Agent, version, model; before them what is shown of it, where that is not all.
pub(super) fn title(state: &State, key: &CommandKey, run: &Run, world: &World) -> Vec<Piece> {
    let mut pieces = Vec::new();
    if state.kinds != Kinds::All {
        pieces.push(label("&", Role::Key));
        pieces.push(label(state.kinds.word(), Role::Match));
        pieces.push(label(" · ", Role::Dim));
    }
    let agent = standing::agent(key, world);
    if agent.as_str().is_empty() {
        let format = run
            .format
            .map_or("no format yet", crate::agents::Format::word);
        pieces.push(label(format, Role::Title));
    } else {
        pieces.push(span(&agent, Role::Title));
    }
    if let Some(model) = &run.model {
        pieces.push(span(&say(format_args!(" · {}", clean(model))), Role::Dim));
    }
    pieces
}

/// State and since when.
pub(super) fn stands(standing: &Standing, world: &World, ctx: &Ctx<'_>) -> Vec<Piece> {
    let mut pieces = standing::sign(standing, ctx);
    let since = standing::since(standing, world, ctx);
    if since.as_str() != figures::UNKNOWN {
        pieces.push(span(&say(format_args!(" {since}")), Role::Dim));
    }
    pieces
}

/// For the lower border.
pub(super) fn hint(
    state: &State,
    key: &CommandKey,
    run: &Run,
    standing: Option<&Standing>,
    world: &World,
    ctx: &Ctx<'_>,
) -> Vec<Piece> {
    let mut parts = Vec::new();
    if let Reading::Still { unseen, .. } = state.reading() {
        let new = run.steps.len().saturating_sub(unseen);
        parts.push(match new {
            0 => label("scrolled back · G follows", Role::Info),
            _ => span(
                &say(format_args!("{new} new below · G follows")),
                Role::Warn,
            ),
        });
        let at = state.cursor.map_or(0, |cursor| cursor.step + 1);
        let all = run.steps.len();
        parts.push(span(&say(format_args!("step {at} of {all}")), Role::Dim));
    }
    parts.extend(state.note.as_ref().map(|note| span(note, Role::Warn)));
    if let Some(standing) = standing.filter(|standing| needs_words(standing)) {
        let doing = standing::doing(key, standing, world, ctx);
        parts.push(span(&doing, Role::Warn));
    }
    if state.places().1.is_empty() {
        let figures = super::side::short(&run.totals);
        parts.extend(figures.map(|figures| span(&figures, Role::Dim)));
    }
    age::joined(parts)
}

/// There is more to say of it than its state, and no step in view need say it.
fn needs_words(standing: &Standing) -> bool {
    let is_telling = !matches!(
        standing.state,
        Some(Stands::Working { .. } | Stands::Starting | Stands::Done)
    );
    is_telling || standing.silent.is_some()
}
