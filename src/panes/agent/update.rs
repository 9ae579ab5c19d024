//! Moving through a run, folding it, copying from it.

use super::export;
use super::jump;
use super::page::{Page, Spot, turn_of};
use super::state::{Reading, State};
use super::typing::{self, Ask};
use crate::logic::{Action, Effect, World};
use crate::model::CommandKey;
use crate::panes::Ctx;
use ratatui::layout::Position;

/// Follows the world: which run is read, what of it changed, and the rows in view. After every event, before the
/// drawing. `chosen`: the command that is chosen in the logs.
pub fn settle(state: &mut State, world: &World, chosen: Option<&CommandKey>, ctx: &Ctx<'_>) {
    if state.shown.as_ref() != chosen {
        state.shown = chosen.cloned();
        state.book.clear();
        state.find.again(0);
        (state.typing, state.note) = (None, None);
    }
    settle_rows(state, world, ctx);
}

pub(super) fn settle_rows(state: &mut State, world: &World, _: &Ctx<'_>) {
    see(state, world);
    let (room, height) = (state.rooms().0, state.height());
    state
        .book
        .fit(room.width.saturating_sub(super::state::GUTTER));
    if let Some(run) = state.run(world) {
        state.find.follow(run);
    }
    let Some((mut page, reading)) = state.open(world) else {
        (state.window, state.cursor) = (Vec::new(), None);
        return;
    };
    let (top, cursor) = match *reading {
        Reading::Following => (page.bottom(height), page.last()),
        Reading::Still {
            top,
            cursor,
            unseen,
        } => {
            let (top, cursor) = (page.settled(top), page.settled(cursor));
            if let Some((top, cursor)) = top.zip(cursor) {
                *reading = Reading::Still {
                    top,
                    cursor,
                    unseen,
                };
            }
            (top, cursor)
        }
    };
    let window = top.map(|top| page.rows(top, height)).unwrap_or_default();
    (state.window, state.cursor) = (window, cursor);
}

/// Lets go of what was made of steps that have changed.
fn see(state: &mut State, world: &World) {
    let Some(key) = state.shown.clone() else {
        return;
    };
    let Some(read) = world.agent_runs.get(&key) else {
        return;
    };
    let now = (read.store(), read.reader().revision());
    let seen = state.sights.get(&key).and_then(|sight| sight.seen);
    let changed = match seen {
        Some(seen) if seen == now => return,
        Some((store, revision)) if store == now.0 && revision <= now.1 => {
            read.reader().changed_since(revision)
        }
        Some(_) => {
            state.sights.remove(&key);
            0
        }
        None => 0,
    };
    // The rows above a turn tell of all of its steps.
    let first = turn_of(read.run(), changed.saturating_sub(1)).start;
    state.book.forget_from(first.min(changed));
    state.find.again(changed);
    if let Some(sight) = state.sight() {
        sight.seen = Some(now);
    }
}

pub fn update(state: &mut State, world: &World, action: Action, ctx: &Ctx<'_>) -> Vec<Effect> {
    state.note = None;
    let effect = act(state, world, action);
    settle_rows(state, world, ctx);
    effect.into_iter().collect()
}

fn act(state: &mut State, world: &World, action: Action) -> Option<Effect> {
    if action == Action::ReadAs {
        typing::open(state, Ask::Format);
        return None;
    }
    let run = state.run(world)?;
    if jump::jump(state, world, action) {
        return None;
    }
    match action {
        Action::Open => toggle(state, world),
        Action::FoldTurn => fold_turn(state, world),
        Action::FoldTurns => {
            let last = run.steps.last().map_or(0, |step| step.turn);
            state.sight()?.folds.fold_all(last);
            state.book.clear();
        }
        Action::Kinds => {
            state.kinds = state.kinds.next();
            state.book.clear();
        }
        Action::Search => typing::open(state, Ask::Search),
        Action::Copy => return Some(Effect::CopyText(export::step(state.step(world)?))),
        Action::CopyAnswer => match export::answer(run) {
            Some(answer) => return Some(Effect::CopyText(answer)),
            None => state.note = Some("it has said nothing yet".into()),
        },
        Action::CopyAll => return Some(Effect::CopyText(export::transcript(run))),
        Action::CopyPath => {
            let chosen = state.file().and_then(|file| run.files.get(file));
            let own = state.step(world)?.changes().first();
            match own
                .map(|change| &change.path)
                .or(chosen.map(|file| &file.path))
            {
                Some(path) => return Some(Effect::CopyText(path.clone())),
                None => state.note = Some("this step changes no file".into()),
            }
        }
        _ => {
            let height = state.height();
            let (mut page, reading) = state.open(world)?;
            *reading = moved(&mut page, *reading, action, height);
        }
    }
    None
}

/// Opens or closes what the reader is at: a turn by its line, else the step.
fn toggle(state: &mut State, world: &World) {
    let Some(cursor) = state.cursor else { return };
    let Some((mut page, _)) = state.open(world) else {
        return;
    };
    let block = page.block(cursor.step);
    if block.turn == Some(cursor.row) {
        return fold_turn(state, world);
    }
    let open = block.is_cut;
    stay(state, world);
    if let Some(sight) = state.sight() {
        sight.folds.set(cursor.step, open);
    }
    state.book.forget_from(cursor.step);
}

fn fold_turn(state: &mut State, world: &World) {
    let (Some(cursor), Some(run)) = (state.cursor, state.run(world)) else {
        return;
    };
    let steps = turn_of(run, cursor.step);
    let turn = run.steps.get(cursor.step).map_or(0, |step| step.turn);
    if turn == 0 {
        state.note = Some("before the first turn there is none to fold".into());
        return;
    }
    stay(state, world);
    let row = Spot {
        step: steps.start,
        row: 0,
    };
    if let Some(sight) = state.sight() {
        let folded = !sight.folds.is_turn_folded(turn);
        sight.folds.fold_turn(turn, folded);
        if let Reading::Still { top, cursor, .. } = &mut sight.reading {
            (*top, *cursor) = ((*top).min(row), row);
        }
    }
    state.book.forget_from(steps.start);
}

/// What is opened grows downward from where it is, also at the end of the run.
fn stay(state: &mut State, world: &World) {
    let (top, cursor) = (state.window.first().map(|(spot, _)| *spot), state.cursor);
    if let (Some((page, reading)), Some(top), Some(cursor)) = (state.open(world), top, cursor)
        && *reading == Reading::Following
    {
        let unseen = page.run.steps.len();
        *reading = Reading::Still {
            top,
            cursor,
            unseen,
        };
    }
}

/// Where the action leads the reader.
fn moved(page: &mut Page<'_>, reading: Reading, action: Action, height: usize) -> Reading {
    let (Some(bottom), Some(last)) = (page.bottom(height), page.last()) else {
        return Reading::Following;
    };
    let (top, cursor, unseen) = match reading {
        Reading::Following => (bottom, last, page.run.steps.len()),
        Reading::Still {
            top,
            cursor,
            unseen,
        } => (top, cursor, unseen),
    };
    let leap = height.saturating_sub(1).max(1);
    let (top, cursor) = match action {
        Action::Up => (top, page.up(cursor, 1)),
        Action::Down => (top, page.down(cursor, 1)),
        Action::PageUp => (page.up(top, leap), page.up(cursor, leap)),
        Action::PageDown => (page.down(top, leap).min(bottom), page.down(cursor, leap)),
        Action::Top => {
            let first = page.first().unwrap_or_default();
            (first, first)
        }
        Action::Bottom => return Reading::Following,
        Action::Follow if reading == Reading::Following => (top, cursor),
        Action::Follow => return Reading::Following,
        _ => return reading,
    };
    if cursor >= last && matches!(action, Action::Down | Action::PageDown) {
        return Reading::Following;
    }
    // The row of the reader is in view.
    let lowest = page.up(cursor, height.saturating_sub(1));
    let top = top.clamp(lowest, cursor.max(lowest));
    Reading::Still {
        top,
        cursor,
        unseen,
    }
}

/// The wheel moves what is in view, and the reader only as far as it has to.
pub fn wheel(state: &mut State, world: &World, action: Action, rows: usize, ctx: &Ctx<'_>) {
    let height = state.height();
    if let Some((mut page, reading)) = state.open(world)
        && let (Some(bottom), Some(last)) = (page.bottom(height), page.last())
    {
        let (top, cursor, unseen) = match *reading {
            Reading::Following => (bottom, last, page.run.steps.len()),
            Reading::Still {
                top,
                cursor,
                unseen,
            } => (top, cursor, unseen),
        };
        let top = match action {
            Action::Up => page.up(top, rows),
            _ => page.down(top, rows),
        };
        let lowest = page.down(top, height.saturating_sub(1));
        let cursor = cursor.clamp(top, lowest.max(top));
        *reading = match top >= bottom && action != Action::Up {
            true => Reading::Following,
            false => Reading::Still {
                top,
                cursor,
                unseen,
            },
        };
    }
    settle_rows(state, world, ctx);
}

/// Goes to the row under the mouse; the row where the reader is opens or closes.
pub fn click(state: &mut State, world: &World, position: Position, ctx: &Ctx<'_>) {
    let room = state.rooms().0;
    let row = usize::from(position.y.saturating_sub(room.y));
    let spot = state.window.get(row).map(|(spot, _)| *spot);
    let Some(spot) = spot.filter(|_| room.contains(position)) else {
        return;
    };
    stay(state, world);
    if state.cursor == Some(spot) {
        toggle(state, world);
    } else if let Some(sight) = state.sight()
        && let Reading::Still { cursor, .. } = &mut sight.reading
    {
        *cursor = spot;
    }
    settle_rows(state, world, ctx);
}
