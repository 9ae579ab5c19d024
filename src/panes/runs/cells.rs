//! What a column says of a run.

use crate::agents::Figure;
use crate::logic::{AgentRun, Standing, World};
use crate::model::{Clean, CommandKey, Count, NanoDollars};
use crate::panes::{Ctx, standing};
use crate::text::{clean, figures, say};
use crate::ui::{Cell, Column, Piece, Role, span};

pub(super) const COLUMNS: [Column; 10] = [
    Column::of_words("STATE", 14, 14, 10),
    Column::of_words("SANDBOX", 10, 16, 9).sharing(1),
    Column::of_words("AGENT", 11, 11, 5),
    Column::of_words("NOW", 14, 22, 8).sharing(4),
    Column::of_figures("SINCE", 6, 6, 7),
    Column::of_words("MODEL", 10, 16, 2),
    Column::of_figures("TURNS", 5, 5, 3),
    Column::of_figures("TOKENS", 8, 8, 4),
    Column::of_figures("COST", 7, 7, 6),
    Column::of_figures("LEFT", 8, 8, 7),
];

pub(super) fn cells(
    key: &CommandKey,
    stands: &Standing,
    world: &World,
    ctx: &Ctx<'_>,
) -> Vec<Cell> {
    let run = world.agent_runs.get(key).map(AgentRun::run);
    let totals = run.map(|run| run.totals).unwrap_or_default();
    let model = run.and_then(|run| run.model.as_ref()).map(clean);
    let doing = match standing::doing(key, stands, world, ctx) {
        nothing if nothing.as_str().is_empty() => world.agent_runs.line(key),
        doing => doing,
    };
    let text = |text: Clean| span(&text, standing::dim_unknown(&text)).into();
    vec![
        standing::sign(stands, ctx).into(),
        text(sandbox(key, world)),
        text(Clean::from(world.agent_runs.agent(key))),
        text(doing),
        text(standing::since(stands, world, ctx)),
        text(model.unwrap_or_else(|| figures::UNKNOWN.into())),
        text(count(totals.turns)),
        text(tokens(&totals)),
        text(money(totals.cost)),
        text(left(key, world, ctx)),
    ]
}

pub(super) fn sandbox(key: &CommandKey, world: &World) -> Clean {
    let owner = world.agent_runs.owner(&key.session);
    owner.map_or_else(
        || clean(key.session.as_foreign()),
        |owner| clean(owner.name.as_foreign()),
    )
}

fn left(key: &CommandKey, world: &World, ctx: &Ctx<'_>) -> Clean {
    let owner = world.agent_runs.owner(&key.session);
    let fact = owner.and_then(|owner| world.fact(owner));
    let fact = fact.filter(|fact| fact.sandbox.current_session_id.as_ref() == Some(&key.session));
    figures::left(fact.and_then(|fact| fact.left(world.service_now(ctx.now))))
}

fn count(count: Option<u64>) -> Clean {
    figures::number(count.map(|count| Count(i64::try_from(count).unwrap_or(i64::MAX))))
}

/// All that the maker counts, or else what went in and came out. `≥`: so many at least.
pub(super) fn tokens(totals: &crate::agents::Totals) -> Clean {
    let both = totals.input.zip(totals.output.known());
    let known = totals
        .total
        .or(both.map(|(input, output)| input.saturating_add(output)));
    let is_bound = totals.total.is_none() && matches!(totals.output, Figure::AtLeast(_));
    match known {
        Some(known) if is_bound => say(format_args!(">{}", count(Some(known)))),
        known => count(known),
    }
}

/// Dollars, as the maker tells them.
pub(super) fn money(dollars: Option<f64>) -> Clean {
    // `as` saturates.
    figures::money(dollars.map(|dollars| NanoDollars((dollars * 1e9).round() as i64)))
}

/// The selected run in full: for the strip below the table, and for copying.
pub(super) fn sentence(
    key: &CommandKey,
    stands: &Standing,
    world: &World,
    ctx: &Ctx<'_>,
) -> Vec<Piece> {
    let dim = |text: Clean| span(&text, Role::Dim);
    let mut pieces = standing::sign(stands, ctx);
    let since = standing::since(stands, world, ctx);
    if since.as_str() != figures::UNKNOWN {
        pieces.push(dim(say(format_args!(" for {since}"))));
    }
    let (agent, name) = (standing::agent(key, world), sandbox(key, world));
    pieces.push(dim(say(format_args!(" · {agent} in "))));
    pieces.push(span(&name, Role::Title));
    let doing = standing::doing(key, stands, world, ctx);
    if !doing.as_str().is_empty() {
        pieces.push(dim(Clean::from(" · ")));
        pieces.push(span(&doing, Role::Text));
    }
    pieces.push(dim(say(format_args!(" · {}", world.agent_runs.line(key)))));
    pieces
}
