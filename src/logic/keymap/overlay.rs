//! A file of keys over those that are bound: `quit = ["q", "ctrl-c"]`, `sort = "g s"`, `copy = []`.
//!
//! What is wrong in it is told with its place, and changes nothing: such a key is left out, and an action that would
//! be left without a key that way keeps those it had, as far as nobody took them.

use super::{Chord, Keymap};
use crate::logic::settings::{Complaint, Complaints, document};
use crate::logic::{ACTIONS, Action};
use crate::text::nearest;
use toml::Spanned;
use toml::de::DeValue;

/// An action of the file, and its keys as far as they are keys.
struct Wish {
    action: Action,
    chords: Vec<Spanned<Chord>>,
    /// The list was empty on purpose.
    unbinds: bool,
}

impl Keymap {
    /// These keys with the file's over them, and what is wrong in the file.
    pub fn overlaid(&self, file: &str, text: &str) -> (Self, Vec<Complaint>) {
        let mut complaints = Complaints::new(file, text);
        let wishes = wishes(&mut complaints);
        let mut map = self.clone();
        map.bindings
            .retain(|(_, action)| wishes.iter().all(|wish| wish.action != *action));
        for wish in &wishes {
            for chord in &wish.chords {
                match map.objection(*chord.get_ref(), wish.action) {
                    None => map.bindings.push((*chord.get_ref(), wish.action)),
                    Some(why) => complaints.add(chord.span(), why, None),
                }
            }
        }
        for wish in wishes.iter().filter(|wish| !wish.unbinds) {
            if map.keys_of(wish.action).next().is_none() {
                map.restore(wish.action, self);
            }
        }
        (map, complaints.in_order())
    }

    fn restore(&mut self, action: Action, before: &Self) {
        for chord in before.keys_of(action) {
            if self.objection(chord, action).is_none() {
                self.bindings.push((chord, action));
            }
        }
    }
}

fn wishes(complaints: &mut Complaints<'_>) -> Vec<Wish> {
    let mut wishes = Vec::new();
    for (id, value) in document::entries(complaints) {
        let row = ACTIONS.iter().find(|row| row.id == id.get_ref());
        let Some(row) = row else {
            let ids = ACTIONS.iter().map(|row| row.id);
            let near = nearest(id.get_ref(), ids);
            let what = format!("there is no action `{}`", id.get_ref());
            complaints.add(id.span(), what, near);
            continue;
        };
        if let Some(wish) = wish(row.action, &value, complaints) {
            wishes.push(wish);
        }
    }
    wishes
}

fn wish(
    action: Action,
    value: &Spanned<DeValue<'_>>,
    complaints: &mut Complaints<'_>,
) -> Option<Wish> {
    let alone = std::slice::from_ref(value);
    let words = match value.get_ref() {
        DeValue::String(_) => alone,
        DeValue::Array(words) => words,
        _ => {
            let what = "keys are written as a list: [\"q\", \"ctrl-c\"]";
            complaints.add(value.span(), what.to_owned(), None);
            return None;
        }
    };
    let unbinds = words.is_empty();
    if unbinds && matches!(action, Action::Quit | Action::ShellEscape) {
        let id = action.row().id;
        let what = format!("`{id}` needs a key, or there is no way out");
        complaints.add(value.span(), what, None);
        return None;
    }
    let mut chords = Vec::new();
    for word in words {
        let Some(text) = word.get_ref().as_str() else {
            let what = format!(
                "a key is a word in quotes, not {}",
                document::kind(word.get_ref())
            );
            complaints.add(word.span(), what, None);
            continue;
        };
        match Chord::parse(text) {
            Ok(chord) => chords.push(Spanned::new(word.span(), chord)),
            Err(no) => complaints.add(word.span(), no.why, no.nearest),
        }
    }
    Some(Wish {
        action,
        chords,
        unbinds,
    })
}
