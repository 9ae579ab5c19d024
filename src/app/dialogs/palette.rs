//! The palette: what can be done here and now, and every sandbox to go to, found by typing a part of its name.
//!
//! What it lists is decided when it opens: nothing moves under Enter. What it is about is remembered, and a pick is
//! refused when that has changed since.

use super::Outcome;
use crate::app::State;
use crate::app::footer::told;
use crate::app::keys::{applies_now, refusal};
use crate::logic::{
    ACTIONS, Action, ActionRow, Class, Keymap, Pane, Pick, Ranking, Tab, Valid, View,
};
use crate::model::{Clean, CommandKey, SandboxKey, SessionId};
use crate::panes::Cursor;
use crate::text::{clean, say};
use crate::ui::{
    Column, Hits, KeyHint, Panel, Piece, Prompt, Role, Table, TableRow, Theme, class_word, label,
    layout, span, text,
};
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// What actions act on: where the user is, and what is selected there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::app) struct Subject {
    place: (View, Pane, Tab),
    sandbox: Option<SandboxKey>,
    session: Option<SessionId>,
    command: Option<CommandKey>,
}

impl Subject {
    pub(in crate::app) fn of(state: &State) -> Self {
        let sandbox = state.list.selected().cloned();
        let fact = sandbox.as_ref().and_then(|key| state.world.fact(key));
        Self {
            place: (state.view, state.pane, state.tab),
            session: fact.and_then(|fact| fact.sandbox.current_session_id.clone()),
            sandbox,
            command: state.logs.chosen().cloned(),
        }
    }
}

#[derive(Clone, Debug)]
struct Entry {
    pick: Pick,
    name: Clean,
    keys: Clean,
    class: Class,
    about: Clean,
}

impl Entry {
    fn action(row: &'static ActionRow, keymap: &Keymap) -> Self {
        let keys = keymap.labels(row.action);
        Self {
            pick: Pick::Do(row.action),
            name: row.title.into(),
            keys: say(format_args!("{}", keys.join(" "))),
            class: row.class,
            about: row.help.into(),
        }
    }

    fn sandbox(key: &SandboxKey) -> Self {
        Self {
            pick: Pick::GoTo(key.clone()),
            name: clean(key.name.as_foreign()),
            keys: Clean::default(),
            class: Class::Free,
            about: "Go to this sandbox.".into(),
        }
    }
}

#[derive(Clone, Debug)]
pub(in crate::app) struct Palette {
    subject: Subject,
    entries: Vec<Entry>,
    /// Numbers of entries, the best first.
    shown: Vec<usize>,
    cursor: Cursor<usize>,
    prompt: Prompt,
    area: Rect,
}

const COLUMNS: &[Column] = &[
    Column::of_words("", 14, 20, 9).sharing(2),
    Column::of_words("", 6, 16, 6),
    Column::of_words("", 11, 11, 8),
    Column::of_words("", 20, 40, 5).sharing(5),
];

const WIDEST: u16 = 100;
const HIGHEST: u16 = 24;

/// What belongs to this place first, what only moves, which the fingers know, last.
fn place(pick: &Pick) -> u8 {
    match pick {
        Pick::GoTo(_) => 2,
        Pick::Do(action) => match action.row().valid {
            Valid::List
            | Valid::Rows
            | Valid::Stage
            | Valid::Lines
            | Valid::Log
            | Valid::Agent
            | Valid::Reading
            | Valid::Lists
            | Valid::Dashboard
            | Valid::Shell => 0,
            Valid::Everywhere => 1,
            Valid::Moving => 3,
        },
    }
}

impl Palette {
    pub(in crate::app) fn new(state: &State) -> Self {
        let applies = |row: &&ActionRow| {
            row.action != Action::Palette
                && applies_now(state, row.action)
                && refusal(state, row.action).is_none()
        };
        let actions = ACTIONS
            .iter()
            .filter(applies)
            .map(|row| Entry::action(row, &state.keymap));
        let living = state.world.sandboxes.iter().filter(|(_, fact)| !fact.gone);
        let sandboxes = living.map(|(key, _)| Entry::sandbox(key));
        let mut entries: Vec<Entry> = actions.chain(sandboxes).collect();
        // The last picks first, the latest on top.
        let order = |entry: &Entry| {
            let recent = state.picked.iter().position(|pick| *pick == entry.pick);
            (recent.unwrap_or(usize::MAX), place(&entry.pick))
        };
        entries.sort_by_key(order);
        let mut palette = Self {
            subject: Subject::of(state),
            shown: (0..entries.len()).collect(),
            entries,
            cursor: Cursor::default(),
            prompt: Prompt::default(),
            area: Rect::default(),
        };
        palette.cursor.choose(palette.shown.first().copied());
        palette
    }

    /// What it is about has to stay known while it is open.
    pub(super) fn subject(&self) -> Option<&SandboxKey> {
        self.subject.sandbox.as_ref()
    }

    pub(super) fn place(&mut self, screen: Rect) {
        self.area = layout::centred(screen, WIDEST, HIGHEST);
        let height = usize::from(self.list().height);
        self.cursor.settle(&self.shown, height);
    }

    /// Below the line that is typed in.
    fn list(&self) -> Rect {
        let inner = Panel::inner(self.area);
        let typed = inner.height.min(1);
        Rect {
            y: inner.y + typed,
            height: inner.height - typed,
            ..inner
        }
    }

    pub(super) fn hints(&self) -> Vec<KeyHint> {
        vec![
            told("enter", "do it", Class::Free),
            told("up down", "move", Class::Free),
            told("esc", "close", Class::Free),
        ]
    }

    pub(super) fn key(&mut self, event: KeyEvent) -> Outcome {
        let repeated = event.kind == KeyEventKind::Repeat;
        let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        match event.code {
            KeyCode::Enter | KeyCode::Esc if repeated => {}
            KeyCode::Esc => return Outcome::Closed,
            KeyCode::Enter => {
                let chosen = self.cursor.chosen().copied();
                return chosen.map_or(Outcome::Open, |entry| self.picked(entry));
            }
            KeyCode::Up => self.step(Action::Up),
            KeyCode::Down => self.step(Action::Down),
            KeyCode::Char('p') if ctrl => self.step(Action::Up),
            KeyCode::Char('n') if ctrl => self.step(Action::Down),
            KeyCode::PageUp => self.step(Action::PageUp),
            KeyCode::PageDown => self.step(Action::PageDown),
            _ => {
                if self.prompt.key(event) {
                    self.search();
                }
            }
        }
        Outcome::Open
    }

    pub(super) fn paste(&mut self, text: &str) {
        if self.prompt.paste(text) {
            self.search();
        }
    }

    pub(super) fn step(&mut self, action: Action) {
        self.cursor.step(&self.shown, action);
    }

    /// A row was clicked.
    pub(super) fn answer(&mut self, row: usize) -> Outcome {
        let entry = self.shown.get(row).copied();
        entry.map_or(Outcome::Open, |entry| self.picked(entry))
    }

    fn picked(&self, entry: usize) -> Outcome {
        let entry = self.entries.get(entry);
        entry.map_or(Outcome::Open, |entry| {
            Outcome::Picked(entry.pick.clone(), self.subject.clone())
        })
    }

    fn search(&mut self) {
        let mut ranking = Ranking::new(self.prompt.text());
        let mut found: Vec<(u32, usize)> = self
            .entries
            .iter()
            .enumerate()
            .filter_map(|(at, entry)| {
                Some((
                    ranking.score(entry.name.as_str(), entry.about.as_str())?,
                    at,
                ))
            })
            .collect();
        found.sort_by_key(|(score, at)| (std::cmp::Reverse(*score), *at));
        self.shown = found.into_iter().map(|(_, at)| at).collect();
        self.cursor.choose(self.shown.first().copied());
        let height = usize::from(self.list().height);
        self.cursor.settle(&self.shown, height);
    }

    pub(super) fn draw(&self, theme: &Theme, buffer: &mut Buffer) -> Hits<usize> {
        let panel = Panel {
            title: vec![label("Palette", Role::Title)],
            state: self.about(),
            hint: vec![label(" enter does it, esc closes ", Role::Dim)],
            focused: true,
        };
        let inner = panel.draw(buffer, self.area, theme);
        let typed = Rect {
            height: inner.height.min(1),
            ..inner
        };
        self.prompt
            .draw(buffer, typed, theme, &[label(":", Role::Key)], true);
        let list = self.list();
        let mut hits = Hits::default();
        if self.shown.is_empty() {
            text::draw(
                buffer,
                list,
                theme,
                &[label("Nothing of that name applies here.", Role::Dim)],
            );
            return hits;
        }
        let table = Table {
            columns: COLUMNS,
            len: self.shown.len(),
            selected: self.cursor.at(),
            offset: self.cursor.top(),
            focused: true,
            titles: false,
        };
        table.draw(buffer, list, theme, |row| self.row(row));
        for (line, row) in table.body(list).rows().zip(table.visible(list)) {
            hits.push(line, row);
        }
        hits
    }

    /// What the actions would act on.
    fn about(&self) -> Vec<Piece> {
        match &self.subject.sandbox {
            Some(key) => vec![
                label("on ", Role::Dim),
                span(&clean(key.name.as_foreign()), Role::Text),
            ],
            None => Vec::new(),
        }
    }

    fn row(&self, row: usize) -> TableRow {
        let entry = self
            .shown
            .get(row)
            .and_then(|entry| self.entries.get(*entry));
        let Some(entry) = entry else {
            return TableRow::default();
        };
        let cells = vec![
            span(&entry.name, Role::Text).into(),
            span(&entry.keys, Role::Key).into(),
            class_word(entry.class).into(),
            span(&entry.about, Role::Dim).into(),
        ];
        TableRow {
            marked: false,
            cells,
        }
    }
}
