//! Draws the rows in view, and what stands around them.

use super::lay;
use super::state::{GUTTER, State};
use super::typing::{self, Ask};
use super::{side, title};
use crate::agents::{self, Run};
use crate::logic::{Action, Pane, Standing, Tail, World};
use crate::model::{Clean, CommandKey};
use crate::panes::asking::Asking;
use crate::panes::{Ctx, age, whole};
use crate::text::{Pattern, clean, say};
use crate::ui::{Panel, Piece, Role, label, span, text};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub fn draw(state: &State, world: &World, ctx: &Ctx<'_>, area: Rect, buffer: &mut Buffer) {
    let (main, beside) = state.places();
    let (main, beside) = (main.intersection(area), beside.intersection(area));
    let Some((key, run)) = state.shown.as_ref().zip(state.run(world)) else {
        return draw_nothing(state, world, ctx, area, buffer);
    };
    let standing = world.standing(key, ctx.now);
    let panel = Panel {
        title: title::title(state, key, run, world),
        state: standing
            .as_ref()
            .map_or(Vec::new(), |standing| title::stands(standing, world, ctx)),
        hint: title::hint(state, key, run, standing.as_ref(), world, ctx),
        focused: ctx.has_keys(Pane::Agent),
    };
    panel.draw(buffer, main, ctx.theme);
    if !beside.is_empty() {
        side::draw(state, world, ctx, beside, buffer);
    }
    let (rows, below) = state.rooms();
    if !below.is_empty() {
        draw_below(state, Some(run), ctx, below, buffer);
    }
    if state.window.is_empty() {
        return whole::draw(buffer, rows, ctx, &nothing_said(standing.as_ref()));
    }
    for (line, (spot, row)) in rows.rows().zip(&state.window) {
        if state.cursor == Some(*spot) {
            let sign = label(ctx.theme.glyphs.pointer, Role::Key);
            text::draw(buffer, line, ctx.theme, &[sign]);
        }
        let gutter = GUTTER.min(line.width);
        let place = Rect {
            x: line.x + gutter,
            width: line.width - gutter,
            ..line
        };
        let found = state.find.pattern.as_ref();
        match found.filter(|_| state.find.is_hit(spot.step)) {
            Some(pattern) => {
                let role = match state.cursor {
                    Some(cursor) if cursor == *spot => Role::Hit,
                    _ => Role::Match,
                };
                let row = lay::marked(row, pattern, role);
                text::draw_row(buffer, place, ctx.theme, &row);
            }
            None => text::draw_row(buffer, place, ctx.theme, row),
        }
    }
}

/// The line below: what is typed, or searched for, and what became of it.
fn draw_below(state: &State, run: Option<&Run>, ctx: &Ctx<'_>, line: Rect, buffer: &mut Buffer) {
    let searched = state.find.pattern.as_ref().map_or("", Pattern::typed);
    let (ask, typed) = match &state.typing {
        Some(typing) => (typing.ask, typing.prompt.text()),
        None => (Ask::Search, searched),
    };
    let sign = match ask {
        Ask::Search => "/",
        Ask::Format => "read as ",
    };
    let asking = Asking {
        sign,
        typed,
        prompt: state.typing.as_ref().map(|typing| &typing.prompt),
        said: &said(state, run, ask, typed),
    };
    asking.draw(ctx, line, buffer);
}

fn said(state: &State, run: Option<&Run>, ask: Ask, typed: &str) -> Vec<Piece> {
    let typing = state.typing.as_ref();
    let pattern = state.find.pattern.as_ref();
    let trouble = typing.and_then(|typing| typing.trouble.as_ref());
    let complaint = trouble.or(match ask {
        Ask::Search => pattern.and_then(Pattern::complaint),
        Ask::Format => None,
    });
    let status = match (ask, run) {
        (Ask::Search, Some(run)) if pattern.is_some() => {
            let at = state.cursor.map(|cursor| cursor.step);
            Some(state.find.status(run, state.kinds, at))
        }
        (Ask::Format, _) if complaint.is_none() => Some(typing::choices(typed)),
        _ => None,
    };
    let status = status.map(|said| span(&said, Role::Info));
    age::joined(
        status
            .into_iter()
            .chain(complaint.map(|why| span(why, Role::Warn))),
    )
}

/// There is no run to read.
fn draw_nothing(state: &State, world: &World, ctx: &Ctx<'_>, area: Rect, buffer: &mut Buffer) {
    let panel = Panel {
        title: vec![label("Agent", Role::Heading)],
        focused: ctx.has_keys(Pane::Agent),
        ..Panel::default()
    };
    panel.draw(buffer, area, ctx.theme);
    let (rows, below) = state.rooms();
    if !below.is_empty() {
        draw_below(state, None, ctx, below, buffer);
    }
    let sentence = match &state.shown {
        None => "No command is chosen, or several are read as one: the Logs tab has them.".into(),
        Some(key) => why_nothing(key, world, ctx),
    };
    whole::draw(buffer, rows, ctx, &[span(&sentence, Role::Dim)]);
}

fn why_nothing(key: &CommandKey, world: &World, ctx: &Ctx<'_>) -> Clean {
    let tail: Option<&Tail> = world.tails.get(key);
    let read = world.agent_runs.get(key);
    let Some(format) = read.and_then(|read| read.run().format) else {
        let is_over = tail.is_some_and(|tail| tail.follow.is_over());
        return match is_over {
            true => "Its log holds no agent's stream.".into(),
            false => "Its log was not read far enough yet to tell what it is.".into(),
        };
    };
    let word = match format {
        crate::agents::Format::Plain => "A plain log",
        _ => "A log of JSON lines",
    };
    let mut keys = ctx.keymap.keys_of(Action::ReadAs);
    let key = keys.next().map_or(String::new(), |key| {
        format!(" {} reads it as one all the same.", key.label())
    });
    say(format_args!(
        "{word}: no agent's stream was seen in it.{key}"
    ))
}

/// No step to show: it may still begin, or it ended with no more than a complaint.
fn nothing_said(standing: Option<&Standing>) -> Vec<Piece> {
    let state = standing.and_then(|standing| standing.state.as_ref());
    match state
        .filter(|state| state.is_over())
        .and_then(agents::State::reason)
    {
        Some(reason) => vec![
            span(&clean(reason), Role::Bad),
            label(
                " – it told nothing as an agent; all it printed is in Logs.",
                Role::Dim,
            ),
        ],
        None => vec![label("It has printed nothing yet.", Role::Dim)],
    }
}
