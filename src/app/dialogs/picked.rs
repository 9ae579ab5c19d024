//! What a pick from the palette leads to.

use super::{Dialog, Subject};
use crate::app::message::Tone;
use crate::app::{State, keys};
use crate::logic::{Effect, Pane, Pick, View};
use crate::text::{clean, say};

/// Picks kept, to be on top the next time.
const KEPT: usize = 20;

/// A pick goes the way of a key, if what the palette was about is still the same.
pub(super) fn picked(state: &mut State, pick: Pick, subject: &Subject) -> Vec<Effect> {
    let effects = match &pick {
        Pick::GoTo(key) if state.world.fact(key).is_none_or(|fact| fact.gone) => {
            let name = clean(key.name.as_foreign());
            state.say(say(format_args!("{name} is deleted")), Tone::Refused);
            return Vec::new();
        }
        Pick::GoTo(key) => {
            state.open_view(View::Dashboard);
            state.pane = Pane::List;
            state.list.go_to(key.clone());
            Vec::new()
        }
        Pick::Do(action) => {
            let is_same = Subject::of(state) == *subject;
            if !is_same || !keys::applies_now(state, *action) {
                let sentence =
                    "What is selected has changed while the palette was open: nothing was done.";
                state.say(sentence, Tone::Refused);
                return Vec::new();
            }
            keys::act(state, *action)
        }
    };
    state.picked.retain(|known| *known != pick);
    state.picked.insert(0, pick);
    state.picked.truncate(KEPT);
    // Enter opened it, and may still be held.
    if let Some(form) = state.dialogs.last_mut().and_then(Dialog::form) {
        form.disarm();
    }
    effects
}
