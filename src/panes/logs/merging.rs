//! Several logs as one: when that is what is shown, what is marked for it, and where the reader stays when sources are
//! muted.

use super::reading::{Reading, Spot};
use super::state::State;
use crate::logic::merged::Former;
use crate::logic::{Action, Merged, World};
use crate::model::{CommandKey, SandboxKey};
use crate::panes::Ctx;
use crate::ui::Panel;

impl State {
    /// Shows what is merged in the world, or the chosen command again.
    pub fn merge(&mut self, merges: bool) {
        self.merges = merges;
        self.note = None;
        if merges {
            self.marked.clear();
        }
    }

    /// Several logs are shown as one.
    pub fn merges(&self) -> bool {
        self.merges
    }

    /// The commands that were marked, with their sandboxes.
    pub fn marked(&self) -> &[(SandboxKey, CommandKey)] {
        &self.marked
    }

    pub fn clear_marks(&mut self) {
        self.marked.clear();
    }

    /// The source under the cursor.
    pub fn source(&self, merged: &Merged) -> Option<usize> {
        let chosen = self.sources.chosen()?;
        let mut sources = merged.sources.iter();
        sources.position(|source| source.command == *chosen)
    }

    /// The commands whose logs are on screen.
    pub fn on_screen(&self, world: &World) -> Vec<CommandKey> {
        match world.merged.as_ref().filter(|_| self.merges) {
            None => self.chosen().cloned().into_iter().collect(),
            Some(merged) => {
                let sources = merged.sources.iter();
                sources.map(|source| source.command.clone()).collect()
            }
        }
    }

    /// Those of them whose streams are to be open.
    pub fn wanted(&self, world: &World) -> Vec<CommandKey> {
        match world.merged.as_ref().filter(|_| self.merges) {
            None => self.chosen().cloned().into_iter().collect(),
            Some(merged) => {
                let wanted = merged.wanted(world);
                wanted.map(|source| source.command.clone()).collect()
            }
        }
    }

    /// Other sources are heard: the reader stays at the same line, or the next that is heard.
    pub fn renumber(&mut self, former: &Former, merged: &Merged) {
        let Some(Reading::Still { top, unseen }) = self.readings.remove(&former.id) else {
            return;
        };
        let place = |number| former.order.number_in(merged.order(), number);
        let line = place(top.line);
        if line < merged.order().end() {
            let row = if former.order.origin(top.line) == merged.order().origin(line) {
                top.row
            } else {
                0
            };
            let top = Spot { line, row };
            let unseen = place(unseen);
            self.readings
                .insert(merged.id, Reading::Still { top, unseen });
        }
    }

    pub(super) fn mark(&mut self, keys: &[CommandKey], ctx: &Ctx<'_>) {
        let Some((sandbox, command)) = ctx.subject.zip(self.cursor.chosen()) else {
            return;
        };
        let marked = (sandbox.clone(), command.clone());
        match self.marked.iter().position(|other| *other == marked) {
            Some(at) => drop(self.marked.remove(at)),
            None => self.marked.push(marked),
        }
        self.cursor.step(keys, Action::Down);
    }

    pub(super) fn is_marked(&self, command: &CommandKey) -> bool {
        self.marked.iter().any(|(_, marked)| marked == command)
    }
}

/// Follows the sources; what nobody merges any more is not shown.
pub(super) fn settle(state: &mut State, world: &World, area: ratatui::layout::Rect) {
    let Some(merged) = &world.merged else {
        state.merges = false;
        return;
    };
    let rows = Panel::inner(area).height.saturating_sub(1);
    let keys: Vec<CommandKey> = keys(merged);
    state.sources.settle(&keys, usize::from(rows));
}

pub(super) fn keys(merged: &Merged) -> Vec<CommandKey> {
    let sources = merged.sources.iter();
    sources.map(|source| source.command.clone()).collect()
}
