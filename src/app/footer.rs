//! The footer: the keys that apply now, or for a while a message in their place.

use super::State;
use super::keys::{applies_now, refusal};
use super::message::{Message, Tone};
use crate::logic::{ACTIONS, Action, ActionRow, Chord, Class, Pane, TargetState, Valid};
use crate::text::{figures, say};
use crate::ui::{KeyHint, Piece, Role, draw_keys, key_at, label, span, text};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

pub(super) fn draw(state: &State, buffer: &mut Buffer) {
    let area = state.areas.footer;
    let held = held(state);
    if !held.is_empty() {
        text::draw(buffer, area, &state.theme, &held);
        return;
    }
    match &state.message {
        Some(Message { sentence, tone, .. }) => {
            let role = match tone {
                Tone::Said => Role::Info,
                Tone::Refused => Role::Warn,
            };
            text::draw(buffer, area, &state.theme, &[span(sentence, role)]);
        }
        None => {
            draw_keys(buffer, room(state), &state.theme, &hints(state));
            text::draw_right(buffer, area, &state.theme, &progress(state));
        }
    }
}

/// What can still be taken back, and how. A dialog's own keys go before it.
fn held(state: &State) -> Vec<Piece> {
    let Some((operation, left)) = state.operations.held(state.now) else {
        return Vec::new();
    };
    let key = state.keymap.keys_of(Action::Undo).next();
    let Some(key) = key.filter(|_| state.dialogs.is_empty() && !state.is_typing()) else {
        return Vec::new();
    };
    let words = say(format_args!(
        "{} {} in {} · ",
        operation.deed.doing(),
        operation.subject(),
        figures::countdown(left)
    ));
    let key = say(format_args!("{}", key.label()));
    vec![
        span(&words, Role::Requested),
        span(&key, Role::Key),
        label(" takes it back", Role::KeyLabel),
    ]
}

/// How far an operation on many is.
fn progress(state: &State) -> Vec<Piece> {
    let Some(operation) = state.operations.under_way(state.now) else {
        return Vec::new();
    };
    let done = operation.count(TargetState::is_done);
    let over = operation.count(TargetState::is_over);
    let failed = match over - done {
        0 => String::new(),
        failed => format!(", {failed} not"),
    };
    let (verb, all) = (operation.deed.done(), operation.targets.len());
    vec![span(
        &say(format_args!(" {verb} {done} of {all}{failed}")),
        Role::Info,
    )]
}

/// The footer without the progress.
fn room(state: &State) -> Rect {
    let area = state.areas.footer;
    let taken = u16::try_from(text::width(&progress(state))).unwrap_or(u16::MAX);
    Rect {
        width: area.width.saturating_sub(taken),
        ..area
    }
}

/// The action whose key lies under the mouse.
pub(super) fn action_at(state: &State, position: Position) -> Option<Action> {
    if state.message.is_some() || state.is_typing() || !held(state).is_empty() {
        return None;
    }
    let rows = rows(state);
    let hints: Vec<KeyHint> = rows.iter().filter_map(|row| hint(state, row)).collect();
    let at = key_at(room(state), &hints, position)?;
    rows.get(at).map(|row| row.action)
}

fn hints(state: &State) -> Vec<KeyHint> {
    if let Some(dialog) = state.dialogs.last() {
        return dialog.hints();
    }
    if state.is_typing() && matches!(state.pane, Pane::Lines | Pane::Agent) {
        return vec![
            told("enter", state.logs.enters(), Class::Free),
            told("esc", "back", Class::Free),
        ];
    }
    if state.is_typing() {
        return vec![
            told("enter", "keep the filter", Class::Free),
            told("esc", "show all", Class::Free),
            told("up down", "move", Class::Free),
        ];
    }
    rows(state)
        .into_iter()
        .filter_map(|row| hint(state, row))
        .collect()
}

/// A key that only a dialog or a prompt knows.
pub(super) fn told(key: &'static str, title: &'static str, class: Class) -> KeyHint {
    KeyHint {
        key: key.into(),
        title,
        class,
        keep: 1,
    }
}

/// The actions to speak of, in their order; of those that come in pairs the first.
fn rows(state: &State) -> Vec<&'static ActionRow> {
    let has_key =
        |row: &&ActionRow| state.keymap.keys_of(row.action).next().is_some() && keep(row) > 0;
    let rows = ACTIONS.iter().filter(has_key);
    let speak =
        |row: &&ActionRow| applies_now(state, row.action) && refusal(state, row.action).is_none();
    let mut rows: Vec<&ActionRow> = rows.filter(speak).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(place(row)));
    rows
}

fn hint(state: &State, row: &ActionRow) -> Option<KeyHint> {
    let key = state.keymap.keys_of(row.action).next()?;
    let key = match shell_escape(state).filter(|_| row.action != Action::ShellEscape) {
        Some(escape) => say(format_args!("{} {}", escape.label(), key.label())),
        None => say(format_args!("{}", key.label())),
    };
    Some(KeyHint {
        key,
        title: row.title,
        class: row.class,
        keep: keep(row),
    })
}

/// What goes before every key of the dashboard, while a shell has the keys.
fn shell_escape(state: &State) -> Option<Chord> {
    let typing = state.pane == Pane::Shell;
    let mut keys = state.keymap.keys_of(Action::ShellEscape);
    keys.next().filter(|_| typing)
}

/// Help and quit stand last, where they are always found.
fn place(row: &ActionRow) -> u8 {
    match row.action {
        Action::Quit => 0,
        Action::Help => 1,
        _ => keep(row),
    }
}

/// How long a key stays in a bar that has no room; 0 = known from help only.
fn keep(row: &ActionRow) -> u8 {
    use Action::{
        ArrivalTimes, CopyAll, CopyMatch, Delete, Extend, GoToTime, LevelColours, LineNumbers,
        Mark, MarkAll, MarkInvert, MarkRange, NextError, NextStderr, OpenEditor, OpenPager,
        PipeLines, PrettyJson, PreviousError, PreviousHit, PreviousPane, PreviousStderr,
        PreviousTab, Redraw, SaveLines, SortReverse, SourceNames, StreamMarks, Suspend, Wrap,
    };
    match (row.action, row.valid) {
        (Action::RunAgain | Action::EditRun, _) => 30,
        (Delete, _) => 60,
        (Extend, _) => 58,
        (Mark | MarkRange, _) => 56,
        (MarkAll | MarkInvert, _) => 30,
        (Action::Mute | Action::Solo, _) => 71,
        (Action::MergeLogs, _) => 55,
        (Action::MergeNew, _) => 0,
        (NextError | NextStderr | PreviousError | PreviousHit | PreviousStderr, _) => 0,
        (Action::SelectLines, _) => 72,
        (CopyAll | CopyMatch | OpenEditor | OpenPager | PipeLines | SaveLines, _) => 0,
        (
            ArrivalTimes | GoToTime | LevelColours | LineNumbers | PrettyJson | SourceNames
            | StreamMarks | Wrap,
            _,
        ) => 0,
        (PreviousPane | PreviousTab | SortReverse | Redraw | Suspend, _) => 0,
        (Action::ShellEscape, _) => 98,
        (Action::ShellLeave, _) => 97,
        (Action::ShellPrevious, _) => 0,
        (_, Valid::Shell) => 35,
        (Action::Palette, _) => 85,
        (Action::Help, _) => 100,
        (Action::Quit, _) => 99,
        (Action::Open, _) => 90,
        _ if row.class > Class::Free => 80,
        (Action::Back, _) => 75,
        (
            _,
            Valid::List | Valid::Rows | Valid::Stage | Valid::Lines | Valid::Log | Valid::Reading,
        ) => 70,
        (Action::FoldTurn | Action::Kinds | Action::NextTurn | Action::CopyAnswer, _) => 65,
        (_, Valid::Agent) => 0,
        (Action::Copy, _) => 45,
        (_, Valid::Moving) => 0,
        (_, Valid::Dashboard | Valid::Lists) => 50,
        (_, Valid::Everywhere) => 40,
    }
}
