//! Which sandboxes the list shows, in which order, and which one is selected: by identity, never by row.

use super::columns::{self, Contents};
use super::marks::Marks;
use crate::logic::{Column, Filter, Mono, Now, Order, World, rows};
use crate::model::SandboxKey;
use crate::panes::cursor::Cursor;
use crate::ui::{Panel, Prompt, Table};
use ratatui::layout::{Position, Rect};
use std::collections::HashMap;

#[derive(Clone, Debug)]
pub struct State {
    order: Order,
    filter: Filter,
    /// The filter as it was typed.
    typed: String,
    /// Open while the filter is edited.
    pub(super) prompt: Option<Prompt>,
    /// What was selected when the prompt opened: where Esc leads back to.
    pub(super) before: Option<SandboxKey>,
    pub(super) rows: Vec<SandboxKey>,
    pub(super) cursor: Cursor<SandboxKey>,
    pub(super) marks: Marks,
    /// What can still be taken back: the verb, and when it is sent.
    pub(super) held: HashMap<SandboxKey, (&'static str, Mono)>,
    area: Rect,
    /// What is shown of a sandbox, in this order.
    pub(super) shown: Vec<Column>,
    contents: Contents,
    columns: Vec<crate::ui::Column>,
    /// The world's revision that `rows` was computed from; `None` = to be computed anew.
    computed: Option<u64>,
    /// The world's revision that `contents` tell of, whatever the filter shows.
    followed: Option<u64>,
    /// The filter was changed by the user: the selection may move to what it shows.
    filtered_anew: bool,
    /// The selected row does not match the filter any more and is shown all the same.
    keeps: bool,
}

impl Default for State {
    fn default() -> Self {
        let (order, shown) = (Order::default(), Column::ALL.to_vec());
        Self {
            order,
            columns: columns::of(&shown, order, &Contents::default()),
            contents: Contents::default(),
            shown,
            filter: Filter::default(),
            typed: String::new(),
            prompt: None,
            before: None,
            rows: Vec::new(),
            cursor: Cursor::default(),
            marks: Marks::default(),
            held: HashMap::new(),
            area: Rect::default(),
            computed: None,
            followed: None,
            filtered_anew: false,
            keeps: false,
        }
    }
}

impl State {
    /// As it was left.
    pub fn with(filter: &str, order: Order) -> Self {
        let mut state = Self::default();
        state.set_filter(filter);
        state.set_order(order);
        state
    }

    /// Shows these columns, in this order.
    pub fn show_columns(&mut self, shown: &[Column]) {
        self.shown = shown.to_vec();
        self.lay_out();
    }

    /// The columns as they were chosen, whether or not there is room for them.
    pub fn columns(&self) -> &[Column] {
        &self.shown
    }

    fn lay_out(&mut self) {
        self.columns = columns::of(&self.shown, self.order, &self.contents);
    }

    pub fn selected(&self) -> Option<&SandboxKey> {
        self.cursor.chosen()
    }

    /// The rows in their order, the hidden ones left out.
    pub fn rows(&self) -> &[SandboxKey] {
        &self.rows
    }

    /// The rows in view.
    pub fn visible(&self) -> &[SandboxKey] {
        let visible = self.table().visible(self.body());
        self.rows.get(visible).unwrap_or_default()
    }

    pub fn order(&self) -> Order {
        self.order
    }

    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    /// The filter line as it was typed.
    pub fn typed(&self) -> &str {
        &self.typed
    }

    /// Keys are text now.
    pub fn is_typing(&self) -> bool {
        self.prompt.is_some()
    }

    pub fn is_filtered(&self) -> bool {
        !self.typed.trim().is_empty()
    }

    pub(super) fn area(&self) -> Rect {
        self.area
    }

    /// Below the filter line.
    pub(super) fn body(&self) -> Rect {
        let inner = Panel::inner(self.area);
        let line = u16::from(self.has_filter_line() && inner.height > 1);
        Rect {
            y: inner.y + line,
            height: inner.height - line,
            ..inner
        }
    }

    pub(super) fn has_filter_line(&self) -> bool {
        self.is_typing() || self.is_filtered()
    }

    pub(super) fn table(&self) -> Table<'_> {
        Table {
            columns: &self.columns,
            len: self.rows.len(),
            selected: self.cursor.at(),
            offset: self.cursor.top(),
            focused: false,
            titles: true,
        }
    }

    /// The column whose title is under the mouse; the row's own age is nothing to sort by.
    pub(super) fn title_at(&self, position: Position) -> Option<Column> {
        if self.rows.is_empty() {
            return None;
        }
        let at = self.table().title_at(self.body(), position)?;
        self.shown.get(at).copied()
    }

    /// What is to be done and can still be taken back is told on the rows.
    pub fn hold(&mut self, held: HashMap<SandboxKey, (&'static str, Mono)>) {
        self.held = held;
    }

    pub fn place(&mut self, area: Rect) {
        self.area = area;
    }

    /// Lines that it has use for, its frame included. While the filter is typed they stay what they are without it,
    /// so that the screen does not jump at each letter.
    pub fn lines(&self, world: &World) -> u16 {
        let rows = if self.is_typing() {
            world.sandboxes.len()
        } else {
            self.rows.len()
        };
        if rows == 0 {
            return u16::MAX;
        }
        let around = 3 + u16::from(self.has_filter_line());
        u16::try_from(rows)
            .unwrap_or(u16::MAX)
            .saturating_add(around)
    }

    /// Follows the world: rows, their order, and where the selection stands now.
    pub fn follow(&mut self, world: &World, now: Now) {
        if self.computed != Some(world.revision) {
            self.rows = rows(world, &self.filter, self.order, now);
            self.computed = Some(world.revision);
            self.keeps = false;
            self.marks.follow(world);
            self.mind_selected(world);
            if self.followed != Some(world.revision) {
                self.contents.follow(world, now);
                self.followed = Some(world.revision);
            }
            self.contents.measure(&self.rows);
            self.lay_out();
        }
        let height = usize::from(self.table().body(self.body()).height);
        self.cursor.settle(&self.rows, height);
    }

    /// A refresh may hide the selected row (its status changed under `status:running`): it stays where it is until
    /// the user moves on, so that no key ever acts on another one instead. A new filter starts at its first row.
    fn mind_selected(&mut self, world: &World) {
        let by_user = std::mem::take(&mut self.filtered_anew);
        let Some(selected) = self.cursor.chosen().filter(|key| !self.rows.contains(key)) else {
            return;
        };
        if by_user {
            self.cursor.choose(self.rows.first().cloned());
        } else if world.fact(selected).is_some() {
            let at = self.cursor.at().unwrap_or_default().min(self.rows.len());
            self.rows.insert(at, selected.clone());
            self.keeps = true;
        }
    }

    /// The user moved on from a row that was kept only because it was selected.
    pub(super) fn let_go_of_kept(&mut self) {
        if self.keeps {
            self.computed = None;
        }
    }

    /// The rows are computed anew, whatever changed.
    pub(super) fn anew(&mut self) {
        self.computed = None;
    }

    pub(super) fn set_filter(&mut self, line: &str) {
        if line != self.typed {
            line.clone_into(&mut self.typed);
            self.filter = Filter::parse(line);
            self.computed = None;
            self.filtered_anew = true;
        }
    }

    pub(super) fn set_order(&mut self, order: Order) {
        self.order = order;
        self.lay_out();
        self.computed = None;
    }
}
