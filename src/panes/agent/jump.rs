//! From one step to another of some sort, and into it.

use super::kinds::{is_edit, is_error, is_question};
use super::lay::words;
use super::page::{Spot, turn_of};
use super::state::{Reading, State};
use crate::agents::{Run, Step};
use crate::logic::{Action, World};

/// Goes where the action leads. False: it is no jump.
pub(super) fn jump(state: &mut State, world: &World, action: Action) -> bool {
    match action {
        Action::NextHit => hit(state, world, true),
        Action::PreviousHit => hit(state, world, false),
        Action::NextTurn => turn(state, world, true),
        Action::PreviousTurn => turn(state, world, false),
        Action::NextFile => file(state, world),
        Action::NextError => to(state, world, true, is_error, "no error in this run"),
        Action::PreviousError => to(state, world, false, is_error, "no error in this run"),
        Action::NextEdit => to(state, world, true, is_edit, "no edit in this run"),
        Action::PreviousEdit => to(state, world, false, is_edit, "no edit in this run"),
        Action::NextQuestion => to(state, world, true, is_question, "no question in this run"),
        Action::PreviousQuestion => to(state, world, false, is_question, "no question in this run"),
        _ => return false,
    }
    true
}

/// To the next step of a sort; `none`: what is said where there is none.
fn to(
    state: &mut State,
    world: &World,
    forward: bool,
    is_wanted: fn(&Step) -> bool,
    none: &'static str,
) {
    let Some(run) = state.run(world) else { return };
    let from = state.cursor.map_or(0, |cursor| cursor.step);
    let fits = |at: usize| {
        let step = &run.steps[at];
        state.kinds.has(step) && is_wanted(step)
    };
    match around(run, from, forward, fits) {
        Some((step, around)) => {
            go(state, world, step);
            state.note = around.then(|| "went on from the other end".into());
        }
        None => state.note = Some(none.into()),
    }
}

/// The nearest step in that direction, else the first from the other end, which is told.
fn around(
    run: &Run,
    from: usize,
    forward: bool,
    fits: impl Fn(usize) -> bool,
) -> Option<(usize, bool)> {
    let count = run.steps.len();
    let from = from.min(count);
    let fits = |at: &usize| fits(*at);
    let (further, others) = match forward {
        true => (
            (from + 1..count).find(fits),
            (0..count.min(from + 1)).find(fits),
        ),
        false => ((0..from).rev().find(fits), (from..count).rev().find(fits)),
    };
    let around = others.map(|at| (at, true));
    further.map(|at| (at, false)).or(around)
}

pub(super) fn hit(state: &mut State, world: &World, forward: bool) {
    let Some(run) = state.run(world) else { return };
    state.find.follow(run);
    let from = state.cursor.map_or(0, |cursor| cursor.step);
    let is_hit = |at: usize| state.find.is_hit(at) && state.kinds.has(&run.steps[at]);
    if let Some((step, around)) = around(run, from, forward, is_hit) {
        into(state, world, step);
        if around {
            state.note = Some("went on from the other end".into());
        }
    }
}

/// To the first step from there on that has what is searched for.
pub(super) fn first_hit(state: &mut State, world: &World, from: usize) {
    let Some(run) = state.run(world) else { return };
    state.find.follow(run);
    let is_hit = |at: &usize| state.find.is_hit(*at) && state.kinds.has(&run.steps[*at]);
    let from = from.min(run.steps.len());
    let found = (from..run.steps.len()).find(is_hit);
    if let Some(step) = found.or_else(|| (0..from).rev().find(is_hit)) {
        into(state, world, step);
    }
}

fn turn(state: &mut State, world: &World, forward: bool) {
    let (Some(run), Some(cursor)) = (state.run(world), state.cursor) else {
        return;
    };
    let own = turn_of(run, cursor.step);
    let to = match forward {
        true => Some(own.end).filter(|end| *end < run.steps.len()),
        false if cursor.step > own.start => Some(own.start),
        false => own.start.checked_sub(1).map(|at| turn_of(run, at).start),
    };
    match to {
        Some(step) => go(state, world, step),
        None => state.note = Some("no further turn".into()),
    }
}

/// To the newest step that touched the next of the touched files.
fn file(state: &mut State, world: &World) {
    let Some(run) = state.run(world) else { return };
    let next = state.file().map_or(0, |file| file + 1);
    let Some(next) = next.checked_rem(run.files.len()) else {
        state.note = Some("it has touched no file yet".into());
        return;
    };
    let step = run.files[next].step;
    if let Some(sight) = state.sight() {
        sight.file = Some(next);
    }
    go(state, world, step);
}

/// Opens the step, so that what was found is in view, and goes to its row.
fn into(state: &mut State, world: &World, step: usize) {
    if let Some(sight) = state.sight() {
        sight.folds.set(step, true);
        state.book.forget_from(step);
    }
    go(state, world, step);
    let pattern = state.find.pattern.clone();
    let row = state
        .open(world)
        .zip(pattern)
        .and_then(|((mut page, _), pattern)| {
            let rows = &page.block(step).rows;
            rows.iter().position(|row| pattern.is_match(&words(row)))
        });
    if let Some(row) = row {
        show(state, world, Spot { step, row });
    }
}

/// To a step's own row, whatever is folded around it.
pub(super) fn go(state: &mut State, world: &World, step: usize) {
    let Some(run) = state.run(world) else { return };
    let turn = run.steps.get(step).map(|step| step.turn);
    if let (Some(turn), Some(sight)) = (turn, state.sight()) {
        sight.folds.fold_turn(turn, false);
        state.book.forget_from(turn_of(run, step).start);
    }
    let Some((mut page, _)) = state.open(world) else {
        return;
    };
    let row = page.block(step).turn.map_or(0, |turn| turn + 1);
    show(state, world, Spot { step, row });
}

/// The view stays where it is when the row is in it; else rows around it come along.
fn show(state: &mut State, world: &World, cursor: Spot) {
    let height = state.height();
    let in_view = state.window.iter().any(|(spot, _)| *spot == cursor);
    let first = state.window.first().map(|(spot, _)| *spot);
    let Some((mut page, reading)) = state.open(world) else {
        return;
    };
    let Some(bottom) = page.bottom(height) else {
        return;
    };
    let around = page.up(cursor, height / 3).min(bottom);
    let unseen = match *reading {
        Reading::Following => page.run.steps.len(),
        Reading::Still { unseen, .. } => unseen,
    };
    *reading = Reading::Still {
        top: first.filter(|_| in_view).unwrap_or(around),
        cursor,
        unseen,
    };
}
