//! Keys and clicks in the list.

use super::State;
use crate::logic::{Action, Effect, Order, World};
use crate::model::SandboxKey;
use crate::panes::Ctx;
use crate::text::clean;
use crate::ui::Prompt;
use crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Position;

pub fn update(state: &mut State, world: &World, action: Action, _ctx: &Ctx<'_>) -> Vec<Effect> {
    let order = state.order();
    match action {
        Action::Filter => state.open_prompt(),
        Action::Sort => {
            state.set_order(Order {
                column: order.column.next_sortable(),
                reverse: false,
            });
        }
        Action::SortReverse => state.set_order(Order {
            reverse: !order.reverse,
            ..order
        }),
        Action::Mark | Action::MarkRange | Action::MarkAll | Action::MarkInvert => {
            state.mark(action);
        }
        Action::Copy => {
            return state
                .selected()
                .map(|key| Effect::Copy(clean(key.name.as_foreign())))
                .into_iter()
                .collect();
        }
        _ => state.step(world, action),
    }
    Vec::new()
}

/// A key while the filter line is open: text, or the end of it.
pub fn key(state: &mut State, world: &World, key: KeyEvent) {
    let Some(prompt) = &mut state.prompt else {
        return;
    };
    match key.code {
        KeyCode::Esc => state.close_prompt_and_clear(),
        KeyCode::Enter | KeyCode::Tab | KeyCode::BackTab => state.prompt = None,
        KeyCode::Up => state.step(world, Action::Up),
        KeyCode::Down => state.step(world, Action::Down),
        _ => {
            if prompt.key(key) {
                state.take_typed();
            }
        }
    }
}

pub fn paste(state: &mut State, text: &str) {
    if state
        .prompt
        .as_mut()
        .is_some_and(|prompt| prompt.paste(text))
    {
        state.take_typed();
    }
}

/// Selects the row under the mouse, or sorts by the column whose title is there, and the other way round when it is
/// sorted by that one already; a click elsewhere ends the typing.
pub fn click(state: &mut State, position: Position) {
    if !state.area().contains(position) {
        state.prompt = None;
        return;
    }
    if let Some(column) = state.title_at(position) {
        let order = state.order();
        let reverse = column == order.column && !order.reverse;
        state.set_order(Order { column, reverse });
        return;
    }
    let row = state.table().row_at(state.body(), position);
    if let Some(key) = row.and_then(|row| state.rows().get(row)).cloned() {
        state.cursor.choose(Some(key));
    }
}

impl State {
    /// Selects that sandbox, also where the filter hides it.
    pub fn go_to(&mut self, key: SandboxKey) {
        self.prompt = None;
        self.before = None;
        self.anew();
        self.cursor.choose(Some(key));
    }

    fn step(&mut self, world: &World, action: Action) {
        let before = self.cursor.chosen().cloned();
        self.cursor.step(&self.rows, action);
        let moved = self.cursor.chosen() != before.as_ref();
        let is_gone = |key| world.fact(key).is_none_or(|fact| fact.gone);
        if moved {
            self.before = None;
            self.let_go_of_kept();
        } else if before.as_ref().is_some_and(is_gone) {
            // A deleted sandbox that stands alone is let go.
            self.cursor.choose(None);
        }
    }

    fn open_prompt(&mut self) {
        self.prompt = Some(Prompt::with(self.typed()));
        self.before = self.selected().cloned();
    }

    fn take_typed(&mut self) {
        if let Some(prompt) = &self.prompt {
            let line = prompt.text().to_owned();
            self.set_filter(&line);
        }
    }

    /// All rows again, and the selection where it was before the filter.
    fn close_prompt_and_clear(&mut self) {
        self.prompt = None;
        self.clear_filter();
    }

    pub fn clear_filter(&mut self) {
        self.set_filter("");
        if let Some(before) = self.before.take() {
            self.cursor.choose(Some(before));
        }
    }
}
