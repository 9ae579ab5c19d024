//! Which keys ask for which action: one key, or two pressed one after the other.
//!
//! The defaults are `assets/keys.toml`; [`Keymap::overlaid`] puts a user's own file over them.

mod key;
mod overlay;

pub use key::{Key, NoKey};

use super::{ACTIONS, Action, Class, Pane, Valid, View};
use crate::logic::settings::Complaint;

/// One key, or two pressed one after the other: `q`, `g e`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chord {
    pub first: Key,
    pub then: Option<Key>,
}

impl From<Key> for Chord {
    fn from(first: Key) -> Self {
        Self { first, then: None }
    }
}

impl Chord {
    /// Reads what [`Chord::label`] writes.
    ///
    /// # Errors
    /// As [`Key::parse`], and for more than two keys.
    pub fn parse(words: &str) -> Result<Self, NoKey> {
        let mut keys = words.split(' ');
        let first = Key::parse(keys.next().unwrap_or_default())?;
        let then = keys.next().map(Key::parse).transpose()?;
        if keys.next().is_some() {
            return Err(NoKey {
                why: format!("`{words}` are more than two keys"),
                nearest: None,
            });
        }
        Ok(Self { first, then })
    }

    pub fn keys(self) -> impl Iterator<Item = Key> {
        [self.first].into_iter().chain(self.then)
    }

    pub fn label(self) -> String {
        let keys: Vec<String> = self.keys().map(Key::label).collect();
        keys.join(" ")
    }

    /// Whether one of the two is reached on the way to the other, so that only one of them can be meant.
    fn is_in_the_way_of(self, other: Self) -> bool {
        self.first == other.first
            && (self.then.is_none() || other.then.is_none() || self.then == other.then)
    }

    /// Whether the same fingers type both, and only shift differs.
    fn is_one_shift_from(self, other: Self) -> bool {
        let near = |a: Key, b: Key| a == b || a.shifted() == Some(b);
        let second = match (self.then, other.then) {
            (Some(a), Some(b)) => near(a, b),
            (None, None) => true,
            _ => false,
        };
        self != other && near(self.first, other.first) && second
    }
}

/// Every chord with its action. The first chord of an action is the one the key bar shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keymap {
    bindings: Vec<(Chord, Action)>,
}

/// The default keys, written as a user would write them.
const DEFAULTS: &str = include_str!("../../../assets/keys.toml");

impl Default for Keymap {
    fn default() -> Self {
        Self::defaults().0
    }
}

impl Keymap {
    /// The default keys, and what is wrong with their table: nothing, as a test proves.
    pub(super) fn defaults() -> (Self, Vec<Complaint>) {
        let nothing = Self {
            bindings: Vec::new(),
        };
        nothing.overlaid("assets/keys.toml", DEFAULTS)
    }

    /// The action that keys ask for here, if any.
    pub fn action_for(&self, chord: impl Into<Chord>, view: View, pane: Pane) -> Option<Action> {
        let chord = chord.into();
        self.bindings
            .iter()
            .find(|(bound, action)| *bound == chord && applies(*action, view, pane))
            .map(|(_, action)| *action)
    }

    /// The keys of an action, first those to show.
    pub fn keys_of(&self, action: Action) -> impl Iterator<Item = Chord> {
        self.bindings
            .iter()
            .filter(move |(_, bound)| *bound == action)
            .map(|(chord, _)| *chord)
    }

    /// What may follow a first key here; nothing: it begins no chord.
    pub fn after(&self, first: Key, view: View, pane: Pane) -> Vec<(Key, Action)> {
        self.bindings
            .iter()
            .filter(|(chord, action)| chord.first == first && applies(*action, view, pane))
            .filter_map(|(chord, action)| Some((chord.then?, *action)))
            .collect()
    }

    /// The keys of an action as they are pressed: in a shell the escape key comes first.
    pub fn labels(&self, action: Action) -> Vec<String> {
        let follows = action.row().valid == Valid::Shell && action != Action::ShellEscape;
        let escape = self.keys_of(Action::ShellEscape).next();
        let before = match escape.filter(|_| follows) {
            Some(escape) => escape.label() + " ",
            None => String::new(),
        };
        let keys = self.keys_of(action);
        keys.map(|key| format!("{before}{}", key.label())).collect()
    }

    /// What may follow the escape key in a shell.
    pub fn in_shells(&self) -> Vec<(Key, Action)> {
        let applies = |action| applies(action, View::Dashboard, Pane::Shell);
        let rows = ACTIONS.iter().map(|row| row.action);
        let rows = rows.filter(|action| applies(*action) && *action != Action::ShellEscape);
        let (own, others): (Vec<Action>, Vec<Action>) =
            rows.partition(|action| action.row().valid == Valid::Shell);
        let all = own.into_iter().chain(others);
        all.filter_map(|action| {
            let mut keys = self.keys_of(action).filter(|chord| chord.then.is_none());
            Some((keys.next()?.first, action))
        })
        .collect()
    }

    /// Why these keys cannot be bound to that action beside what is bound already.
    fn objection(&self, chord: Chord, action: Action) -> Option<String> {
        let label = chord.label();
        if chord.then.is_some() && action.row().valid == Valid::Shell {
            return Some(format!(
                "`{label}` are two keys, and in a shell there is room for one"
            ));
        }
        self.bindings.iter().find_map(|&(bound, other)| {
            if other == action && bound == chord {
                return Some(format!("`{label}` stands here twice"));
            }
            if !meet(action, other) {
                return None;
            }
            let id = other.row().id;
            if bound.is_in_the_way_of(chord) {
                let bound = bound.label();
                return Some(match bound == label {
                    true => format!("`{label}` is a key of `{id}` already"),
                    false => format!("`{label}` and `{bound}` of `{id}` begin alike: one hides the other"),
                });
            }
            let harmless = |action: Action| action.row().class == Class::Free;
            let harmful = |action: Action| action.row().class == Class::Destructive;
            let one_of_each =
                harmful(action) && harmless(other) || harmful(other) && harmless(action);
            (one_of_each && bound.is_one_shift_from(chord)).then(|| {
                let bound = bound.label();
                format!("`{label}` is one shift away from `{bound}` of `{id}`, and one of the two destroys")
            })
        })
    }
}

/// What works in a shell beside its own keys, after the escape key, by the keys that it has elsewhere.
const IN_SHELLS: [Action; 5] = [
    Action::Help,
    Action::Zoom,
    Action::NewShell,
    Action::Shells,
    Action::Redraw,
];

/// Whether an action makes sense where the user is.
pub fn applies(action: Action, view: View, pane: Pane) -> bool {
    let valid = action.row().valid;
    if pane == Pane::Shell {
        return valid == Valid::Shell || IN_SHELLS.contains(&action);
    }
    match valid {
        Valid::Everywhere | Valid::Moving => true,
        Valid::Dashboard => view == View::Dashboard,
        Valid::Lists => view == View::Dashboard && !matches!(pane, Pane::Lines | Pane::Agent),
        Valid::List => pane == Pane::List,
        Valid::Rows => matches!(pane, Pane::List | Pane::Runs),
        Valid::Stage => pane == Pane::Stage,
        Valid::Lines => pane == Pane::Lines,
        Valid::Agent => pane == Pane::Agent,
        Valid::Reading => matches!(pane, Pane::Lines | Pane::Agent),
        Valid::Shell => false,
        Valid::Log => matches!(pane, Pane::Stage | Pane::Lines | Pane::Agent),
    }
}

/// Whether both actions apply at some place, so that they cannot share a key.
fn meet(a: Action, b: Action) -> bool {
    View::ALL.iter().any(|view| {
        let both = |pane: &Pane| applies(a, *view, *pane) && applies(b, *view, *pane);
        Pane::ALL.iter().any(both)
    })
}
