//! A box with fields to fill in: text, yes or no, one of a few. What is wrong stands beside the field.
//!
//! Tab and the arrows go through the fields and the two answers, round. Enter goes on to the next field, and from
//! the last one sends; a modified Enter or ctrl-s sends from anywhere, Esc cancels.

use super::{Buttons, Prompt};
use crate::model::Clean;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

#[derive(Clone)]
pub struct Field {
    pub name: &'static str,
    /// What may be typed: shown while the field has the keys and nothing is wrong with it.
    pub hint: &'static str,
    pub entry: Entry,
    pub(super) wrong: Option<Clean>,
    /// An empty form is not full of complaints: a field is judged once it was edited.
    pub(super) edited: bool,
}

#[derive(Clone)]
pub enum Entry {
    Text(Box<Prompt>),
    Toggle(bool),
    Choice {
        of: &'static [&'static str],
        at: usize,
    },
}

/// What was typed may be secret.
impl std::fmt::Debug for Field {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Field").field("name", &self.name).finish()
    }
}

impl Field {
    pub fn text(name: &'static str, hint: &'static str, text: &str) -> Self {
        Self::new(name, hint, Entry::Text(Box::new(Prompt::with(text))))
    }

    pub fn toggle(name: &'static str, hint: &'static str, on: bool) -> Self {
        Self::new(name, hint, Entry::Toggle(on))
    }

    pub fn choice(name: &'static str, hint: &'static str, of: &'static [&'static str]) -> Self {
        Self::new(name, hint, Entry::Choice { of, at: 0 })
    }

    fn new(name: &'static str, hint: &'static str, entry: Entry) -> Self {
        Self {
            name,
            hint,
            entry,
            wrong: None,
            edited: false,
        }
    }

    fn turn(&mut self, by: isize) {
        match &mut self.entry {
            Entry::Text(_) => return,
            Entry::Toggle(on) => *on = !*on,
            Entry::Choice { of, at } => {
                let count = of.len().max(1);
                *at = (*at + count).saturating_add_signed(by) % count;
            }
        }
        self.edited = true;
    }
}

/// What a key or a click led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormNews {
    Nothing,
    /// Something was filled in: it is to be judged again.
    Changed,
    Send,
    Cancel,
}

#[derive(Clone, Debug)]
pub struct Form {
    pub fields: Vec<Field>,
    /// A field's number, or the number of fields for the answers.
    focus: usize,
    pub(super) buttons: Buttons,
    /// It was to be sent: everything is judged from now on.
    pub(super) tried: bool,
    /// Enter may send.
    armed: bool,
}

const SEND: usize = 1;

impl Form {
    /// The answers: the harmless one, and the one that sends.
    pub fn new(fields: Vec<Field>, answers: &'static [&'static str]) -> Self {
        Self {
            fields,
            focus: 0,
            buttons: Buttons::new(answers),
            tried: false,
            armed: true,
        }
    }

    /// It was opened by Enter, which may still be held: Enter does not send before another key came.
    pub fn disarm(&mut self) {
        self.armed = false;
    }

    pub fn text(&self, field: usize) -> &str {
        match self.fields.get(field).map(|field| &field.entry) {
            Some(Entry::Text(prompt)) => prompt.text(),
            _ => "",
        }
    }

    pub fn is_on(&self, field: usize) -> bool {
        matches!(
            self.fields.get(field).map(|field| &field.entry),
            Some(Entry::Toggle(true))
        )
    }

    pub fn chosen(&self, field: usize) -> usize {
        match self.fields.get(field).map(|field| &field.entry) {
            Some(Entry::Choice { at, .. }) => *at,
            _ => 0,
        }
    }

    /// What is wrong with which field, in place of what was.
    pub fn judge(&mut self, wrong: Vec<(usize, Clean)>) {
        for field in &mut self.fields {
            field.wrong = None;
        }
        for (at, why) in wrong {
            if let Some(field) = self.fields.get_mut(at) {
                field.wrong = Some(why);
            }
        }
    }

    /// It cannot be sent like this: shows why, and goes to the first field that is wrong.
    pub fn insist(&mut self) {
        self.tried = true;
        if let Some(at) = self.fields.iter().position(|field| field.wrong.is_some()) {
            self.focus = at;
        }
    }

    /// The field with the keys; `None` while the answers have them.
    pub fn field(&self) -> Option<usize> {
        (self.focus < self.fields.len()).then_some(self.focus)
    }

    /// A held key fills in and moves, but neither sends nor cancels.
    pub fn key(&mut self, key: KeyEvent, repeated: bool) -> FormNews {
        let plain = key.modifiers.is_empty();
        self.armed |= key.code != KeyCode::Enter;
        match key.code {
            KeyCode::Enter | KeyCode::Esc if repeated => {}
            KeyCode::Esc => return FormNews::Cancel,
            KeyCode::Char('s') if key.modifiers == KeyModifiers::CONTROL && !repeated => {
                return FormNews::Send;
            }
            KeyCode::Enter if self.armed && !plain => return FormNews::Send,
            KeyCode::Enter => return self.entered(),
            KeyCode::Tab | KeyCode::Down => self.step(1),
            KeyCode::BackTab | KeyCode::Up => self.step(-1),
            _ => return self.filled(key),
        }
        FormNews::Nothing
    }

    fn entered(&mut self) -> FormNews {
        match self.field() {
            None if self.buttons.focus() != SEND => FormNews::Cancel,
            Some(at) if at + 1 < self.fields.len() => {
                self.step(1);
                FormNews::Nothing
            }
            _ if self.armed => FormNews::Send,
            _ => FormNews::Nothing,
        }
    }

    fn filled(&mut self, key: KeyEvent) -> FormNews {
        let Some(field) = self.fields.get_mut(self.focus) else {
            if matches!(key.code, KeyCode::Left | KeyCode::Right) {
                self.buttons.next();
            }
            return FormNews::Nothing;
        };
        let changed = match &mut field.entry {
            Entry::Text(prompt) => prompt.key(key),
            _ => match key.code {
                KeyCode::Char(' ') | KeyCode::Right => {
                    field.turn(1);
                    true
                }
                KeyCode::Left => {
                    field.turn(-1);
                    true
                }
                _ => false,
            },
        };
        field.edited |= changed;
        if changed {
            FormNews::Changed
        } else {
            FormNews::Nothing
        }
    }

    pub fn paste(&mut self, text: &str) -> FormNews {
        let Some(field) = self.fields.get_mut(self.focus) else {
            return FormNews::Nothing;
        };
        let changed = match &mut field.entry {
            Entry::Text(prompt) => prompt.paste(text),
            Entry::Toggle(_) | Entry::Choice { .. } => false,
        };
        field.edited |= changed;
        self.armed |= changed;
        match changed {
            true => FormNews::Changed,
            false => FormNews::Nothing,
        }
    }

    /// A click on a place that drawing told: a field, or one of the answers behind them.
    pub fn click(&mut self, place: usize) -> FormNews {
        match place.checked_sub(self.fields.len()) {
            Some(SEND) => FormNews::Send,
            Some(_) => FormNews::Cancel,
            None => {
                self.focus = place;
                let field = &mut self.fields[place];
                if matches!(field.entry, Entry::Text(_)) {
                    return FormNews::Nothing;
                }
                field.turn(1);
                FormNews::Changed
            }
        }
    }

    /// Through the fields, then the two answers, round.
    fn step(&mut self, by: isize) {
        let fields = self.fields.len();
        let places = fields + self.buttons.labels.len();
        let at = match self.field() {
            Some(at) => at,
            None => fields + self.buttons.focus(),
        };
        let to = (at + places).saturating_add_signed(by) % places.max(1);
        self.focus = to.min(fields);
        // A form that is filled in is meant to be sent.
        self.buttons
            .set_focus(to.checked_sub(fields).unwrap_or(SEND));
    }
}
