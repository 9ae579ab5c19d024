//! Reading a shell without its keys: the view moves over what was printed.

use super::State;
use crate::logic::{Action, ShellId, Shells};
use crate::model::SandboxKey;
use crate::term::Scroll;

/// Scrolls, if the action is a movement, or goes to a neighbour; tells which shell is in view then.
pub fn update(
    state: &mut State,
    shells: &mut Shells,
    subject: Option<&SandboxKey>,
    action: Action,
) -> Option<ShellId> {
    let shown = state.shown(shells, subject)?;
    let (id, key) = (shown.id, shown.site.key.clone());
    match action {
        Action::ShellNext | Action::ShellPrevious => {
            let all: Vec<ShellId> = shells.of(&key).map(|shell| shell.id).collect();
            let at = all.iter().position(|other| *other == id)?;
            let by = if action == Action::ShellNext {
                1
            } else {
                all.len() - 1
            };
            let next = all.get((at + by) % all.len()).copied()?;
            state.choose(shells.get(next)?);
            return Some(next);
        }
        Action::Up => scroll(shells, id, Scroll::Lines(1)),
        Action::Down => scroll(shells, id, Scroll::Lines(-1)),
        Action::PageUp => scroll(shells, id, Scroll::PageUp),
        Action::PageDown => scroll(shells, id, Scroll::PageDown),
        Action::Top => scroll(shells, id, Scroll::Top),
        Action::Bottom => scroll(shells, id, Scroll::Bottom),
        _ => {}
    }
    Some(id)
}

fn scroll(shells: &mut Shells, id: ShellId, by: Scroll) {
    if let Some(shell) = shells.get_mut(id) {
        shell.emulator.scroll(by);
    }
}
