//! Which key asks for which action, and how keys are written.

use super::{Action, Pane, Valid, View};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key with its modifiers, as the table writes it: `q`, `G`, `ctrl-c`, `enter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    pub code: KeyCode,
    pub modifiers: KeyModifiers,
}

impl Key {
    pub const fn plain(code: KeyCode) -> Self {
        Self {
            code,
            modifiers: KeyModifiers::NONE,
        }
    }

    pub const fn ctrl(letter: char) -> Self {
        Self {
            code: KeyCode::Char(letter),
            modifiers: KeyModifiers::CONTROL,
        }
    }

    /// Terminals differ in whether a capital letter carries SHIFT, and report back-tab both ways: one form here.
    pub fn of(event: &KeyEvent) -> Self {
        let shift = KeyModifiers::SHIFT;
        match event.code {
            KeyCode::Char(c) => Self {
                code: KeyCode::Char(c),
                modifiers: event.modifiers - shift,
            },
            KeyCode::BackTab => Self::plain(KeyCode::BackTab),
            KeyCode::Tab if event.modifiers.contains(shift) => Self::plain(KeyCode::BackTab),
            code => Self {
                code,
                modifiers: event.modifiers,
            },
        }
    }

    /// How help and key bar show it.
    pub fn label(self) -> String {
        let name = match self.code {
            KeyCode::Char(' ') => "space".to_owned(),
            KeyCode::Char(c) => c.to_string(),
            KeyCode::BackTab => "shift-tab".to_owned(),
            KeyCode::PageUp => "pgup".to_owned(),
            KeyCode::PageDown => "pgdn".to_owned(),
            KeyCode::F(n) => format!("f{n}"),
            code => format!("{code:?}").to_lowercase(),
        };
        let mut label = String::new();
        if self.modifiers.contains(KeyModifiers::CONTROL) {
            label.push_str("ctrl-");
        }
        if self.modifiers.contains(KeyModifiers::ALT) {
            label.push_str("alt-");
        }
        label + &name
    }
}

/// The default keys. The first key of an action is the one the key bar shows.
const KEYS: &[(Key, Action)] = &[
    (Key::plain(KeyCode::Char('q')), Action::Quit),
    (Key::ctrl('c'), Action::Quit),
    (Key::plain(KeyCode::Char('?')), Action::Help),
    (Key::plain(KeyCode::F(1)), Action::Help),
    (Key::plain(KeyCode::Char('1')), Action::Dashboard),
    (Key::plain(KeyCode::Char('6')), Action::Activity),
    (Key::plain(KeyCode::Char('r')), Action::Refresh),
    (Key::plain(KeyCode::Esc), Action::Back),
    (Key::plain(KeyCode::Char('z')), Action::Zoom),
    (Key::plain(KeyCode::Tab), Action::NextPane),
    (Key::plain(KeyCode::BackTab), Action::PreviousPane),
    (Key::plain(KeyCode::Char(']')), Action::NextTab),
    (Key::plain(KeyCode::Char('[')), Action::PreviousTab),
    (Key::plain(KeyCode::Enter), Action::Open),
    (Key::plain(KeyCode::Char('k')), Action::Up),
    (Key::plain(KeyCode::Up), Action::Up),
    (Key::plain(KeyCode::Char('j')), Action::Down),
    (Key::plain(KeyCode::Down), Action::Down),
    (Key::plain(KeyCode::PageUp), Action::PageUp),
    (Key::ctrl('u'), Action::PageUp),
    (Key::plain(KeyCode::PageDown), Action::PageDown),
    (Key::ctrl('d'), Action::PageDown),
    (Key::plain(KeyCode::Char('g')), Action::Top),
    (Key::plain(KeyCode::Home), Action::Top),
    (Key::plain(KeyCode::Char('G')), Action::Bottom),
    (Key::plain(KeyCode::End), Action::Bottom),
    (Key::plain(KeyCode::Char('h')), Action::Left),
    (Key::plain(KeyCode::Left), Action::Left),
    (Key::plain(KeyCode::Char('l')), Action::Right),
    (Key::plain(KeyCode::Right), Action::Right),
    (Key::plain(KeyCode::Char('/')), Action::Filter),
    (Key::plain(KeyCode::Char('o')), Action::Sort),
    (Key::plain(KeyCode::Char('O')), Action::SortReverse),
    (Key::plain(KeyCode::Char('f')), Action::Follow),
    (Key::plain(KeyCode::Char('y')), Action::Copy),
    (Key::plain(KeyCode::Char('b')), Action::OpenUrl),
    (Key::plain(KeyCode::Char('x')), Action::Stop),
    (Key::plain(KeyCode::Char('+')), Action::Sample),
    (Key::plain(KeyCode::Char('m')), Action::Mouse),
    (Key::ctrl('l'), Action::Redraw),
    (Key::ctrl('z'), Action::Suspend),
];

/// The action a key asks for here, if any.
pub fn action_for(key: Key, view: View, pane: Pane) -> Option<Action> {
    KEYS.iter()
        .find(|(bound, action)| *bound == key && applies(*action, view, pane))
        .map(|(_, action)| *action)
}

/// Whether an action makes sense where the user is.
pub fn applies(action: Action, view: View, pane: Pane) -> bool {
    match action.row().valid {
        Valid::Everywhere | Valid::Moving => true,
        Valid::Dashboard => view == View::Dashboard,
        Valid::List => pane == Pane::List,
        Valid::Stage => pane == Pane::Stage,
        Valid::Lines => pane == Pane::Lines,
    }
}

/// The keys of an action, first the one to show.
pub fn keys_of(action: Action) -> impl Iterator<Item = Key> {
    KEYS.iter()
        .filter(move |(_, bound)| *bound == action)
        .map(|(key, _)| *key)
}
