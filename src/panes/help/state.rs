//! What help shows, broken to its width, and how far it is scrolled.

use crate::logic::{ACTIONS, Action, ActionRow, Class, Keymap, Pane, Valid, View, applies};
use crate::text::{Side, pad, say};
use crate::ui::{self, Panel, Piece, Role, label, span};
use ratatui::layout::Rect;

/// Columns for the keys of an action.
const KEYS: usize = 14;
const NAMES: usize = 14;
/// Before a sentence that does not fit beside its action.
const INDENT: u16 = 4;

#[derive(Clone, Debug)]
pub struct State {
    view: View,
    pane: Pane,
    read_only: bool,
    keymap: Keymap,
    lines: Vec<Vec<Piece>>,
    top: usize,
    area: Rect,
}

impl State {
    pub fn new(view: View, pane: Pane, read_only: bool, keymap: Keymap) -> Self {
        Self {
            view,
            pane,
            read_only,
            keymap,
            lines: Vec::new(),
            top: 0,
            area: Rect::default(),
        }
    }

    /// Over the whole screen, with a margin where there is room for one.
    pub fn place(&mut self, screen: Rect) {
        let (aside, above) = (screen.width / 12, screen.height / 12);
        let area = Rect {
            x: screen.x + aside,
            y: screen.y + above,
            width: screen.width - 2 * aside,
            height: screen.height - 2 * above,
        };
        if area != self.area || self.lines.is_empty() {
            self.area = area;
            self.lines = self.written(Panel::inner(area).width);
        }
        self.top = self.top.min(self.last_top());
    }

    pub fn area(&self) -> Rect {
        self.area
    }

    /// The lines in view.
    pub fn visible(&self) -> &[Vec<Piece>] {
        let end = (self.top + self.height()).min(self.lines.len());
        self.lines.get(self.top..end).unwrap_or_default()
    }

    pub fn is_all_visible(&self) -> bool {
        self.last_top() == 0
    }

    /// Scrolls, if the action is a movement.
    pub fn update(&mut self, action: Action) {
        let page = self.height().saturating_sub(1).max(1);
        self.top = match action {
            Action::Up => self.top.saturating_sub(1),
            Action::Down => self.top + 1,
            Action::PageUp => self.top.saturating_sub(page),
            Action::PageDown => self.top + page,
            Action::Top => 0,
            Action::Bottom => usize::MAX,
            _ => self.top,
        }
        .min(self.last_top());
    }

    fn height(&self) -> usize {
        usize::from(Panel::inner(self.area).height)
    }

    fn last_top(&self) -> usize {
        self.lines.len().saturating_sub(self.height())
    }

    /// All actions in groups, those that apply where the user is first.
    fn written(&self, width: u16) -> Vec<Vec<Piece>> {
        let is_shown = |row: &&ActionRow| !self.read_only || row.class == Class::Free;
        let mut groups: Vec<(&'static str, Vec<&ActionRow>)> = GROUPS
            .iter()
            .map(|(title, valid)| {
                (
                    *title,
                    ACTIONS
                        .iter()
                        .filter(|row| row.valid == *valid)
                        .filter(is_shown)
                        .collect(),
                )
            })
            .collect();
        groups.retain(|(_, rows)| !rows.is_empty());
        groups.sort_by_key(|(_, rows)| {
            !rows
                .iter()
                .any(|row| applies(row.action, self.view, self.pane))
        });
        let mut lines = Vec::new();
        for (title, rows) in groups {
            if !lines.is_empty() {
                lines.push(Vec::new());
            }
            lines.push(vec![label(title, Role::Heading)]);
            lines.extend(
                rows.into_iter()
                    .flat_map(|row| self.written_row(row, width)),
            );
        }
        lines
    }

    fn written_row(&self, row: &ActionRow, width: u16) -> Vec<Vec<Piece>> {
        let keys = self.keymap.labels(row.action);
        let mut head = vec![
            span(
                &pad(&say(format_args!("{}", keys.join(" "))), KEYS, Side::End),
                Role::Key,
            ),
            span(&pad(&row.title.into(), NAMES, Side::End), Role::Text),
        ];
        if row.class != Class::Free {
            head.extend([ui::class_word(row.class), label("  ", Role::Text)]);
        }
        let indent = ui::text::width(&head);
        let room = usize::from(width).saturating_sub(indent);
        let help = label(row.help, Role::Dim);
        if help.width() <= room {
            head.push(help);
            return vec![head];
        }
        // Too narrow for one line: the sentence goes below.
        let below = ui::text::wrap(&[help], width.saturating_sub(INDENT));
        let indented = below
            .into_iter()
            .map(|line| [vec![label("    ", Role::Dim)], line].concat());
        [head].into_iter().chain(indented).collect()
    }
}

const GROUPS: &[(&str, Valid)] = &[
    ("In the list", Valid::List),
    ("In lists of sandboxes and runs", Valid::Rows),
    ("In the stage", Valid::Stage),
    ("In the log", Valid::Lines),
    ("In the log and beside it", Valid::Log),
    ("In an agent's run", Valid::Agent),
    ("In a log or a run", Valid::Reading),
    ("In a shell, after its escape key", Valid::Shell),
    ("In the lists", Valid::Lists),
    ("Moving", Valid::Moving),
    ("On the dashboard", Valid::Dashboard),
    ("Everywhere", Valid::Everywhere),
];
