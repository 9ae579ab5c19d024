//! Lines selected by moving or by dragging. They are lines of the log, whatever scrolls by.

use super::find;
use super::layout::places;
use super::reading::{Reading, Spot};
use super::shown::Shown;
use super::source::Source;
use super::state::State;
use super::update::{frame, with_line};
use super::window::Frame;
use crate::logic::{Action, StoreId, World};
use crate::panes::Ctx;
use crate::ui::Panel;
use ratatui::layout::{Position, Rect};
use std::ops::Range;

/// Never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Selection {
    of: StoreId,
    /// Where it began.
    anchor: u64,
    cursor: u64,
}

impl Selection {
    pub(super) fn lines(&self) -> Range<u64> {
        self.anchor.min(self.cursor)..self.anchor.max(self.cursor) + 1
    }
}

/// Begins with the line that would be copied, or ends.
pub(super) fn toggle(state: &mut State, shown: &Shown<'_>, frame: &Frame) {
    if state.selection.take().is_some() {
        return;
    }
    if let Some(line) = current(state) {
        begin(state, shown, frame, line);
    }
}

/// The line that was found last, while it is in view; else the last one in view.
pub(super) fn current(state: &State) -> Option<u64> {
    let in_view = |line: &u64| state.window.has(*line);
    let hit = state.find.hit.map(|hit| hit.line).filter(in_view);
    hit.or_else(|| state.window.last_line().map(|(number, _)| number))
}

fn begin(state: &mut State, shown: &Shown<'_>, frame: &Frame, line: u64) {
    state.selection = Some(Selection {
        of: shown.id,
        anchor: line,
        cursor: line,
    });
    // What arrives must not move what is being selected.
    if state.reading() == Reading::Following {
        let top = Source::of(state, &shown.log, frame).bottom(frame.height);
        let unseen = shown.log.end();
        find::read(state, Reading::Still { top, unseen });
    }
}

/// Moves the selection's end. False: there is none, or the action is another one.
pub(super) fn step(state: &mut State, shown: &Shown<'_>, action: Action, frame: &Frame) -> bool {
    let Some(Selection { cursor, .. }) = state.selection else {
        return false;
    };
    let source = Source::of(state, &shown.log, frame);
    let page = frame.height.saturating_sub(1).max(1);
    let before =
        |from: u64, by: usize| (0..by).fold(from, |line, _| source.before(line).unwrap_or(line));
    let after =
        |from: u64, by: usize| (0..by).fold(from, |line, _| source.after(line).unwrap_or(line));
    let to = match action {
        Action::Up => before(cursor, 1),
        Action::Down => after(cursor, 1),
        Action::PageUp => before(cursor, page),
        Action::PageDown => after(cursor, page),
        Action::Top => source.start().line,
        Action::Bottom => before(shown.log.end(), 1),
        _ => return false,
    };
    let top = revealed(state, &source, frame, to);
    extend(state, to);
    let unseen = find::unseen(state, &shown.log);
    find::read(state, Reading::Still { top, unseen });
    true
}

/// Its end goes to a line, if there is a selection.
pub(super) fn extend(state: &mut State, to: u64) {
    if let Some(selection) = &mut state.selection {
        selection.cursor = to;
    }
}

/// Where the view begins so that the whole line is in it, moved as little as possible.
fn revealed(state: &State, source: &Source<'_>, frame: &Frame, line: u64) -> Spot {
    let top = find::top(state);
    let first = Spot { line, row: 0 };
    let row = source.row_count(line).saturating_sub(1);
    let last = Spot { line, row };
    let is_in_view = |spot: Spot| state.window.rows.iter().any(|row| row.spot == spot);
    if is_in_view(first) && is_in_view(last) {
        top
    } else if first <= top {
        first
    } else {
        source.up(last, frame.height.saturating_sub(1)).min(first)
    }
}

/// Another log is on screen.
pub(super) fn settle(state: &mut State, shown: &Shown<'_>) {
    state
        .selection
        .take_if(|selection| selection.of != shown.id);
}

fn rows(state: &State, ctx: &Ctx<'_>) -> Rect {
    with_line(state, Panel::inner(places(state.area, ctx.pane).lines)).0
}

/// The line whose row is there.
fn line_at(state: &State, ctx: &Ctx<'_>, position: Position) -> Option<u64> {
    let rows = rows(state, ctx);
    let row = usize::from(position.y.checked_sub(rows.y)?);
    let shown = state.window.rows.get(row).or(state.window.rows.last());
    shown.map(|row| row.spot.line)
}

/// A button went down: what was selected is not any more, and from here on something may be.
pub fn press(state: &mut State, ctx: &Ctx<'_>, position: Position) {
    let rows = rows(state, ctx);
    state.pressed = None;
    if rows.contains(position) {
        state.pressed = line_at(state, ctx, position);
        state.selection = None;
    }
}

pub fn release(state: &mut State) {
    state.pressed = None;
}

/// The mouse moved with the button down. Above and below the lines it scrolls.
pub fn drag(state: &mut State, world: &World, ctx: &Ctx<'_>, position: Position) {
    let (Some(anchor), Some(shown)) = (state.pressed, state.shown(world)) else {
        return;
    };
    let frame = frame(state, &shown, ctx);
    if state.selection.is_none() {
        begin(state, &shown, &frame, anchor);
    }
    let rows = rows(state, ctx);
    if position.y < rows.y {
        step(state, &shown, Action::Up, &frame);
    } else if position.y >= rows.bottom() {
        step(state, &shown, Action::Down, &frame);
    } else if let Some(line) = line_at(state, ctx, position) {
        extend(state, line);
    }
    super::settle(state, world, ctx);
}
