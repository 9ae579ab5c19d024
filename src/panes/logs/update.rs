//! Choosing a command, reading its log, copying.

use super::commands::{Entry, current_session, entries};
use super::find;
use super::gutter::Gutter;
use super::hunt::Aim;
use super::layout::places;
use super::line::MOST_ASIDE;
use super::merging;
use super::out;
use super::reading::{Reading, Spot};
use super::select;
use super::shown::Shown;
use super::sieve::Sieve;
use super::source::Source;
use super::sources;
use super::state::{Choice, State};
use super::typing::{self, Ask};
use super::view::table;
use super::window::Frame;
use crate::logic::{Action, Effect, Pane, World, command_line};
use crate::model::{CommandKey, SandboxKey};
use crate::panes::Ctx;
use crate::text::Log;
use crate::ui::Panel;
use crossterm::event::KeyEvent;
use ratatui::layout::{Position, Rect};

/// Columns that one step to the side scrolls.
const SIDE_STEP: usize = 8;

/// Follows the world: keeps the choice, and fills the rows in view. After every event, before the drawing.
pub fn settle(state: &mut State, world: &World, ctx: &Ctx<'_>) {
    if let Some(key) = ctx.subject {
        let memory = state.memories.entry(key.clone()).or_default();
        if let Some(session) = current_session(world, key) {
            memory.saw(session);
        }
    }
    let entries = entries(state, world, ctx);
    let keys: Vec<CommandKey> = entries.iter().map(Entry::key).collect();
    let choice = ctx
        .subject
        .and_then(|key| state.memories.get(key))
        .map(|memory| memory.choice.settled(&entries, world));
    let choice = choice.unwrap_or_default();
    let rows = Panel::inner(places(state.area, ctx.pane).commands)
        .height
        .saturating_sub(1);
    merging::settle(state, world, places(state.area, ctx.pane).commands);
    state.chosen = choice.key().cloned();
    state.cursor.choose(state.chosen.clone());
    state.cursor.settle(&keys, usize::from(rows));
    choose(state, ctx, choice);
    fill(state, world, ctx);
}

/// `pane`: the part that the action is for, which need not have the keys (the wheel).
pub fn update(
    state: &mut State,
    world: &World,
    pane: Pane,
    action: Action,
    ctx: &Ctx<'_>,
) -> Vec<Effect> {
    let effect = match pane {
        Pane::Stage if state.merges => update_sources(state, world, action),
        Pane::Lines => update_lines(state, world, action, ctx),
        _ => update_commands(state, world, action, ctx),
    };
    settle(state, world, ctx);
    effect.into_iter().collect()
}

fn update_sources(state: &mut State, world: &World, action: Action) -> Option<Effect> {
    let merged = world.merged.as_ref()?;
    if state.sources.step(&merging::keys(merged), action) || action != Action::Copy {
        return None;
    }
    let source = merged.sources.get(state.source(merged)?)?;
    Some(Effect::Copy(source.line.clone()))
}

fn update_commands(
    state: &mut State,
    world: &World,
    action: Action,
    ctx: &Ctx<'_>,
) -> Option<Effect> {
    let entries = entries(state, world, ctx);
    let keys: Vec<CommandKey> = entries.iter().map(Entry::key).collect();
    let chosen = entries
        .iter()
        .find(|entry| Some(&entry.key()) == state.chosen());
    let line = chosen.map(|entry| command_line(entry.command));
    if state.cursor.step(&keys, action) {
        let made = state
            .cursor
            .chosen()
            .cloned()
            .map_or(Choice::None, Choice::Made);
        choose(state, ctx, made);
        return None;
    }
    match action {
        Action::Copy => line.map(Effect::Copy),
        Action::MarkCommand => {
            state.mark(&keys, ctx);
            let made = state.cursor.chosen().cloned();
            choose(state, ctx, made.map_or(Choice::None, Choice::Made));
            None
        }
        Action::Open => {
            keep(state, ctx);
            None
        }
        _ => None,
    }
}

fn update_lines(state: &mut State, world: &World, action: Action, ctx: &Ctx<'_>) -> Option<Effect> {
    state.note = None;
    if look(state, action) {
        return None;
    }
    keep(state, ctx);
    let shown = state.shown(world)?;
    match action {
        Action::Copy
        | Action::CopyAll
        | Action::CopyMatch
        | Action::OpenPager
        | Action::OpenEditor => return out::act(state, &shown, action),
        Action::SaveLines => typing::open(state, Ask::Save, ctx),
        Action::PipeLines => typing::open(state, Ask::Pipe, ctx),
        Action::Search => typing::open(state, Ask::Search, ctx),
        Action::FilterLines => typing::open(state, Ask::Filter, ctx),
        Action::GoToTime => typing::open(state, Ask::Time, ctx),
        Action::NextHit => find::jump(state, world, Aim::Text, true),
        Action::PreviousHit => find::jump(state, world, Aim::Text, false),
        Action::NextError => find::jump(state, world, Aim::Error, true),
        Action::PreviousError => find::jump(state, world, Aim::Error, false),
        Action::NextStderr => find::jump(state, world, Aim::Stderr, true),
        Action::PreviousStderr => find::jump(state, world, Aim::Stderr, false),
        Action::Right => {
            let column = state.column.map_or(0, |column| column + SIDE_STEP);
            state.column = Some(column.min(MOST_ASIDE));
        }
        Action::Left => {
            let aside = state
                .column
                .and_then(|column| column.checked_sub(SIDE_STEP));
            state.column = aside.or(state.cuts.then_some(0));
        }
        _ => {
            let frame = frame(state, &shown, ctx);
            if action == Action::SelectLines {
                select::toggle(state, &shown, &frame);
            } else if !select::step(state, &shown, action, &frame) {
                let reading = moved(state, &shown.log, action, &frame);
                find::read(state, reading);
            }
        }
    }
    None
}

/// What is shown of all lines. False: the action is another one.
fn look(state: &mut State, action: Action) -> bool {
    let looks = &mut state.looks;
    match action {
        Action::Wrap => state.wrap(state.column.is_some()),
        Action::LineNumbers => looks.numbers = !looks.numbers,
        Action::ArrivalTimes => looks.times = looks.times.next(),
        Action::StreamMarks => looks.streams = !looks.streams,
        Action::SourceNames => looks.sources = !looks.sources,
        Action::LevelColours => looks.levels = !looks.levels,
        Action::PrettyJson => looks.json = !looks.json,
        _ => return false,
    }
    true
}

/// A key while something is typed.
pub fn key(state: &mut State, world: &World, event: KeyEvent, ctx: &Ctx<'_>) -> Vec<Effect> {
    let effect = typing::key(state, world, event, ctx);
    settle(state, world, ctx);
    effect.into_iter().collect()
}

pub fn paste(state: &mut State, world: &World, text: &str, ctx: &Ctx<'_>) {
    typing::paste(state, world, text);
    settle(state, world, ctx);
}

/// A command that the user just started is the user's choice.
pub fn choose_new(state: &mut State, sandbox: &SandboxKey, command: CommandKey) {
    let memory = state.memories.entry(sandbox.clone()).or_default();
    memory.saw(&command.session);
    memory.choice = Choice::Made(command);
    state.merges = false;
}

/// The part under the mouse.
pub fn pane_at(state: &State, ctx: &Ctx<'_>, position: Position) -> Option<Pane> {
    let places = places(state.area, ctx.pane);
    if places.lines.contains(position) {
        return Some(Pane::Lines);
    }
    places.commands.contains(position).then_some(Pane::Stage)
}

/// Chooses the command under the mouse.
pub fn click(state: &mut State, world: &World, ctx: &Ctx<'_>, position: Position) {
    let places = places(state.area, ctx.pane);
    if let Some(merged) = world.merged.as_ref().filter(|_| state.merges) {
        let columns = sources::columns(merged);
        let table = sources::table(state, &columns, merged.sources.len());
        let row = table.row_at(Panel::inner(places.commands), position);
        let source = row.and_then(|row| merged.sources.get(row));
        if let Some(source) = source {
            state.sources.choose(Some(source.command.clone()));
        }
        return settle(state, world, ctx);
    }
    let keys: Vec<CommandKey> = entries(state, world, ctx).iter().map(Entry::key).collect();
    let row = table(state, keys.len()).row_at(Panel::inner(places.commands), position);
    if let Some(key) = row.and_then(|row| keys.get(row)) {
        choose(state, ctx, Choice::Made(key.clone()));
        settle(state, world, ctx);
    }
}

/// Where the action leads the reader.
fn moved(state: &State, log: &Log<'_>, action: Action, frame: &Frame) -> Reading {
    let source = Source::of(state, log, frame);
    let bottom = source.bottom(frame.height);
    let page = frame.height.saturating_sub(1).max(1);
    let (from, unseen) = match state.reading() {
        Reading::Following => (bottom, log.end()),
        Reading::Still { top, unseen } => (top, unseen),
    };
    let to = match action {
        Action::Up => source.up(from, 1),
        Action::Down => source.down(from, 1),
        Action::PageUp => source.up(from, page),
        Action::PageDown => source.down(from, page),
        Action::Top => source.start(),
        Action::Bottom => return Reading::Following,
        Action::Follow if state.reading() == Reading::Following => {
            return Reading::Still { top: from, unseen };
        }
        Action::Follow => return Reading::Following,
        _ => return state.reading(),
    };
    if to >= bottom {
        Reading::Following
    } else {
        Reading::Still { top: to, unseen }
    }
}

/// What was only our default is the user's choice from here on.
fn keep(state: &mut State, ctx: &Ctx<'_>) {
    if let Some(key) = state.chosen().cloned() {
        choose(state, ctx, Choice::Made(key));
    }
}

fn choose(state: &mut State, ctx: &Ctx<'_>, choice: Choice) {
    if let Some(memory) = ctx.subject.and_then(|key| state.memories.get_mut(key)) {
        memory.choice = choice;
    }
}

/// The room for rows, and the line below them while something is searched for.
pub(super) fn with_line(state: &State, inner: Rect) -> (Rect, Rect) {
    let line = u16::from((state.is_typing() || state.find.is_on()) && inner.height > 1);
    let height = inner.height - line;
    let below = Rect {
        y: inner.y + height,
        height: line,
        ..inner
    };
    (Rect { height, ..inner }, below)
}

/// What the rows in view have to show.
pub(super) fn frame(state: &State, shown: &Shown<'_>, ctx: &Ctx<'_>) -> Frame {
    let (area, _) = with_line(state, Panel::inner(places(state.area, ctx.pane).lines));
    let top = match state.reading() {
        Reading::Following => None,
        Reading::Still { top, .. } => Some(top),
    };
    let gutter = Gutter::of(state.looks, shown, area.width);
    Frame {
        log: shown.id,
        top,
        width: usize::from(area.width).saturating_sub(gutter.width()),
        height: usize::from(area.height),
        column: state.column,
        pattern: state.find.pattern.clone(),
        hit: state.find.hit.map(|hit| hit.line),
        filter: state.sieve.as_ref().map(|sieve| sieve.revision),
        looks: state.looks,
    }
}

fn fill(state: &mut State, world: &World, ctx: &Ctx<'_>) {
    let shown = state.shown(world);
    state.on_screen = shown.as_ref().map(|shown| shown.id);
    let Some(shown) = shown else {
        state.window.clear();
        state.needed.clear();
        return;
    };
    select::settle(state, &shown);
    let frame_of = |state: &State| frame(state, &shown, ctx);
    let mut frame = frame_of(state);
    // A log that began anew has other lines under these numbers.
    if frame.top.is_some_and(|top| top.line >= shown.log.end()) {
        frame.top = None;
        state.readings.remove(&shown.id);
    }
    find::settle(state, &shown, &frame);
    frame = frame_of(state);
    let filter = state.sieve.as_ref().and_then(Sieve::filter);
    // Where the filter shows nothing further on, its last lines are in view.
    let beyond = |top: Spot| filter.is_some_and(|filter| filter.next(top.line).is_none());
    frame.top = frame.top.filter(|top| !beyond(*top));
    state.window.fill(&shown.log, filter, frame);
    if let Some(Reading::Still { unseen, .. }) = state.readings.get_mut(&shown.id) {
        *unseen = (*unseen).max(state.window.end());
    }
    let sieve = state.sieve.iter().filter_map(Sieve::needs);
    let needed = state
        .window
        .needed()
        .chain(state.find.needed())
        .chain(sieve);
    state.needed = needed.filter_map(|away| shown.needs(away)).collect();
}
