//! All open shells of all sandboxes: how each stands, and a way into it.

use super::Outcome;
use crate::app::State;
use crate::app::footer::told;
use crate::app::shell::Answer;
use crate::logic::{Action, Class, Now, Shell, ShellId, World};
use crate::panes::{Cursor, shell};
use crate::text::clean;
use crate::ui::{
    Column, Hits, KeyHint, Panel, Role, Table, TableRow, Theme, label, layout, span, text,
};
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

#[derive(Clone, Debug)]
pub(in crate::app) struct ShellList {
    rows: Vec<(ShellId, TableRow)>,
    cursor: Cursor<ShellId>,
    area: Rect,
}

const WIDTH: u16 = 90;
const HIGHEST: u16 = 24;

const TABLE: &[Column] = &[
    Column::of_words("sandbox", 10, 24, 4).sharing(1),
    Column::of_words("shell", 8, 24, 3).sharing(1),
    Column::of_words("state", 12, 26, 2),
    Column::of_words("", 8, 12, 1),
];

pub(super) fn hints() -> Vec<KeyHint> {
    vec![
        told("esc", "close", Class::Free),
        told("enter", "go into it", Class::Free),
        told("up down", "move", Class::Free),
    ]
}

impl ShellList {
    pub(in crate::app) fn new(state: &State) -> Self {
        let mut list = Self {
            rows: Vec::new(),
            cursor: Cursor::default(),
            area: Rect::default(),
        };
        list.cursor
            .choose(state.shell_in_view().map(|shell| shell.id));
        list
    }

    pub(super) fn follow(&mut self, world: &World, now: Now, screen: Rect) {
        let shells = world.shells.iter();
        self.rows = shells.map(|shell| (shell.id, row(shell, now))).collect();
        let lines = u16::try_from(self.rows.len()).unwrap_or(u16::MAX);
        let height = lines.saturating_add(3).clamp(4, HIGHEST);
        self.area = layout::centred(screen, WIDTH, height);
        let ids = self.ids();
        let height = Panel::inner(self.area).height.saturating_sub(1);
        self.cursor.settle(&ids, usize::from(height));
    }

    fn ids(&self) -> Vec<ShellId> {
        self.rows.iter().map(|(id, _)| *id).collect()
    }

    pub(super) fn key(&mut self, event: KeyEvent) -> Outcome {
        let held = event.kind == KeyEventKind::Repeat;
        match event.code {
            KeyCode::Enter if !held => return self.chosen(),
            KeyCode::Esc | KeyCode::Char('q') if !held => return Outcome::Closed,
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

    fn chosen(&self) -> Outcome {
        let chosen = self.cursor.chosen();
        chosen.map_or(Outcome::Closed, |id| Outcome::Shell(Answer::GoTo(*id)))
    }

    /// A row was clicked.
    pub(super) fn answer(&mut self, row: usize) -> Outcome {
        self.cursor.choose(self.rows.get(row).map(|(id, _)| *id));
        self.chosen()
    }

    pub(super) fn step(&mut self, action: Action) {
        self.cursor.step(&self.ids(), action);
    }

    pub(super) fn draw(&self, theme: &Theme, buffer: &mut Buffer) -> Hits<usize> {
        let panel = Panel {
            title: vec![label("Shells", Role::Title)],
            hint: vec![label(" enter goes into it, esc closes ", Role::Dim)],
            focused: true,
            ..Panel::default()
        };
        let inner = panel.draw(buffer, self.area, theme);
        let mut hits = Hits::default();
        if self.rows.is_empty() {
            let words = "No shell is open. The key for a shell opens one in the selected sandbox.";
            for (line, pieces) in inner
                .rows()
                .zip(text::wrap(&[label(words, Role::Dim)], inner.width))
            {
                text::draw(buffer, line, theme, &pieces);
            }
            return hits;
        }
        let table = Table {
            columns: TABLE,
            len: self.rows.len(),
            selected: self.cursor.at(),
            offset: self.cursor.top(),
            focused: true,
            titles: true,
        };
        table.draw(buffer, inner, theme, |at| {
            let row = self.rows.get(at);
            row.map(|(_, row)| row.clone()).unwrap_or_default()
        });
        for (line, row) in table.body(inner).rows().zip(table.visible(inner)) {
            hits.push(line, row);
        }
        hits
    }
}

fn row(shell: &Shell, now: Now) -> TableRow {
    let (words, role) = shell::stands(shell, now);
    let news = match (shell.bell, shell.activity) {
        (true, _) => label("bell", Role::Warn),
        (false, true) => label("new output", Role::Info),
        _ => label("", Role::Text),
    };
    let name = clean(shell.site.key.name.as_foreign());
    let cells = vec![
        span(&name, Role::Text).into(),
        span(&shell.called(), Role::Title).into(),
        span(&words, role).into(),
        news.into(),
    ];
    TableRow {
        marked: false,
        cells,
    }
}
