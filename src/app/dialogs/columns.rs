//! The list's columns: which are shown, and in which order. Nothing changes before Enter.

use super::Outcome;
use crate::app::State;
use crate::app::footer::told;
use crate::logic::{Action, Class, Column};
use crate::panes::Cursor;
use crate::ui::{self, Hits, KeyHint, Panel, Role, Table, TableRow, Theme, label, layout};
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

#[derive(Clone, Debug)]
pub(in crate::app) struct ColumnChooser {
    /// All columns as they are to stand, hidden ones among them.
    order: Vec<Column>,
    shown: Vec<Column>,
    cursor: Cursor<Column>,
    /// What the settings say.
    usual: Vec<Column>,
    area: Rect,
}

const WIDTH: u16 = 66;

const TABLE: &[ui::Column] = &[
    ui::Column::of_words("", 3, 3, 3),
    ui::Column::of_words("", 8, 8, 2),
    ui::Column::of_words("", 20, 44, 1),
];

pub(super) fn hints() -> Vec<KeyHint> {
    vec![
        told("esc", "cancel", Class::Free),
        told("enter", "keep", Class::Free),
        told("space", "show or hide", Class::Free),
        told("h l", "further left, right", Class::Free),
        told("d", "as in the settings", Class::Free),
    ]
}

impl ColumnChooser {
    pub(in crate::app) fn new(state: &State) -> Self {
        let mut chooser = Self {
            order: Vec::new(),
            shown: Vec::new(),
            cursor: Cursor::default(),
            usual: state.settings.columns.clone(),
            area: Rect::default(),
        };
        chooser.show(state.list.columns().to_vec());
        chooser
    }

    /// These, and the hidden ones below.
    fn show(&mut self, shown: Vec<Column>) {
        let hidden = Column::ALL.into_iter();
        let hidden = hidden.filter(|column| !shown.contains(column));
        self.order = shown.iter().copied().chain(hidden).collect();
        self.shown = shown;
    }

    pub(super) fn place(&mut self, screen: Rect) {
        let lines = u16::try_from(self.order.len()).unwrap_or(u16::MAX);
        self.area = layout::centred(screen, WIDTH, lines.saturating_add(2));
        let height = usize::from(Panel::inner(self.area).height);
        self.cursor.settle(&self.order, height);
    }

    pub(super) fn key(&mut self, event: KeyEvent) -> Outcome {
        let held = event.kind == KeyEventKind::Repeat;
        match event.code {
            KeyCode::Enter if !held => {
                let shown = self.order.iter().copied();
                let shown = shown.filter(|column| self.shown.contains(column));
                return Outcome::Columns(shown.collect());
            }
            KeyCode::Esc | KeyCode::Char('q') if !held => return Outcome::Closed,
            KeyCode::Char(' ') if !held => self.turn(),
            KeyCode::Char('d') if !held => self.show(self.usual.clone()),
            KeyCode::Char('h') | KeyCode::Left => self.shift(-1),
            KeyCode::Char('l') | KeyCode::Right => self.shift(1),
            KeyCode::Char('k') | KeyCode::Up => self.step(Action::Up),
            KeyCode::Char('j') | KeyCode::Down => self.step(Action::Down),
            KeyCode::Char('g') | KeyCode::Home => self.step(Action::Top),
            KeyCode::Char('G') | KeyCode::End => self.step(Action::Bottom),
            KeyCode::PageUp => self.step(Action::PageUp),
            KeyCode::PageDown => self.step(Action::PageDown),
            _ => {}
        }
        Outcome::Open
    }

    /// A row was clicked.
    pub(super) fn answer(&mut self, row: usize) -> Outcome {
        self.cursor.choose(self.order.get(row).copied());
        self.turn();
        Outcome::Open
    }

    pub(super) fn step(&mut self, action: Action) {
        self.cursor.step(&self.order, action);
    }

    /// Shows the chosen one, or hides it; without names nobody would see what a key acts on.
    fn turn(&mut self) {
        let Some(column) = self.cursor.chosen().copied() else {
            return;
        };
        if !self.shown.contains(&column) {
            self.shown.push(column);
        } else if column != Column::Name {
            self.shown.retain(|shown| *shown != column);
        }
    }

    fn shift(&mut self, by: isize) {
        let Some(at) = self.cursor.at() else { return };
        let to = at.saturating_add_signed(by);
        if to < self.order.len() {
            self.order.swap(at, to);
        }
    }

    pub(super) fn draw(&self, theme: &Theme, buffer: &mut Buffer) -> Hits<usize> {
        let panel = Panel {
            title: vec![label("Columns of the list", Role::Title)],
            hint: vec![label(" enter keeps, esc cancels ", Role::Dim)],
            focused: true,
            ..Panel::default()
        };
        let inner = panel.draw(buffer, self.area, theme);
        let table = Table {
            columns: TABLE,
            len: self.order.len(),
            selected: self.cursor.at(),
            offset: self.cursor.top(),
            focused: true,
            titles: false,
        };
        table.draw(buffer, inner, theme, |row| self.row(row));
        let mut hits = Hits::default();
        for (line, row) in table.body(inner).rows().zip(table.visible(inner)) {
            hits.push(line, row);
        }
        hits
    }

    fn row(&self, row: usize) -> TableRow {
        let Some(column) = self.order.get(row) else {
            return TableRow::default();
        };
        let (tick, role) = match self.shown.contains(column) {
            true => ("(x)", Role::Text),
            false => ("( )", Role::Dim),
        };
        let cells = vec![
            label(tick, role).into(),
            label(column.title(), role).into(),
            label(column.about(), Role::Dim).into(),
        ];
        TableRow {
            marked: false,
            cells,
        }
    }
}
