//! Which shell of each sandbox is in view, and which one has the keys.

use super::copy::{Copy, Press};
use crate::logic::{Shell, ShellId, Shells};
use crate::model::SandboxKey;
use crate::term::Size;
use crate::ui::Panel;
use ratatui::layout::{Position, Rect};
use std::collections::HashMap;

#[derive(Debug, Default)]
pub struct State {
    chosen: HashMap<SandboxKey, ShellId>,
    /// It has the keys, whatever becomes of the list's selection.
    held: Option<ShellId>,
    pub(super) copy: Option<Copy>,
    pub(super) press: Press,
    area: Rect,
}

impl State {
    pub fn place(&mut self, area: Rect) {
        self.area = area;
    }

    /// Where the program's screen stands.
    pub fn inner(&self) -> Rect {
        Panel::inner(self.area)
    }

    /// What a program in view is told of its size; `None`: there is no room for one.
    pub fn size(&self) -> Option<Size> {
        let inner = self.inner();
        (!inner.is_empty()).then_some(Size {
            columns: inner.width,
            rows: inner.height,
        })
    }

    /// The shell in view: the one with the keys, else the one chosen last among those of the list's selection.
    pub fn shown<'a>(&self, shells: &'a Shells, subject: Option<&SandboxKey>) -> Option<&'a Shell> {
        let held = self.held.and_then(|id| shells.get(id));
        held.or_else(|| {
            let key = subject?;
            let chosen = self.chosen.get(key).and_then(|id| shells.get(*id));
            chosen.or_else(|| shells.of(key).next_back())
        })
    }

    /// Shows that shell whenever its sandbox is looked at.
    pub fn choose(&mut self, shell: &Shell) {
        self.chosen.insert(shell.site.key.clone(), shell.id);
    }

    /// It has the keys from now on; `None`: the dashboard has them.
    pub fn hold(&mut self, id: Option<ShellId>) {
        self.held = id;
    }

    pub fn held(&self) -> Option<ShellId> {
        self.held
    }

    /// The place inside the program's screen, by column and row.
    pub(super) fn inside(&self, position: Position) -> Option<(u16, u16)> {
        let inner = self.inner();
        let within = inner.contains(position);
        within.then(|| (position.x - inner.x, position.y - inner.y))
    }
}
