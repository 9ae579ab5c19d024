//! Moving between views, panes and tabs.

use super::State;
use crate::logic::{Pane, Tab, View};

impl State {
    pub(super) fn open_view(&mut self, view: View) {
        if view == self.view {
            return;
        }
        match view {
            View::Activity => self.left_pane = std::mem::replace(&mut self.pane, Pane::Activity),
            View::Dashboard => self.pane = self.left_pane,
        }
        self.view = view;
        self.zoom = false;
    }

    /// Leaves the innermost thing that is open.
    pub(super) fn back(&mut self) {
        match (self.view, self.pane) {
            _ if self.zoom => self.zoom = false,
            (View::Activity, _) => self.open_view(View::Dashboard),
            (_, Pane::Lines) if self.logs.clear() => {}
            (_, Pane::Lines) => self.pane = Pane::Stage,
            (_, Pane::Stage) if self.tab == Tab::Logs && self.logs.merges() => {
                self.logs.merge(false);
            }
            (_, Pane::Stage) if !self.logs.marked().is_empty() => self.logs.clear_marks(),
            (_, Pane::Stage | Pane::Shell) => self.pane = Pane::List,
            _ if self.list.marked() > 0 => self.list.clear_marks(),
            _ => self.list.clear_filter(),
        }
    }

    /// Into what is selected.
    pub(super) fn open(&mut self) {
        match self.pane {
            Pane::List if self.list.selected().is_some() => {
                self.logs.merge(false);
                self.pane = Pane::Stage;
            }
            Pane::Stage if self.tab == Tab::Logs => self.pane = Pane::Lines,
            Pane::Stage if self.tab == Tab::Shell => self.pane = Pane::Shell,
            _ => {}
        }
    }

    pub(super) fn open_tab(&mut self, tab: Tab) {
        self.tab = tab;
        if matches!(self.pane, Pane::Lines | Pane::Shell) || self.areas.stage.is_empty() {
            self.pane = Pane::Stage;
        }
    }

    /// The next pane in this direction, around the end.
    pub(super) fn step_pane(&mut self, by: isize) {
        let panes: &[Pane] = match self.tab {
            Tab::Logs => &[Pane::List, Pane::Stage, Pane::Lines],
            Tab::Shell | Tab::Sessions | Tab::Info => &[Pane::List, Pane::Stage],
        };
        let at = panes
            .iter()
            .position(|pane| *pane == self.pane)
            .unwrap_or_default();
        let to = (at + panes.len()).saturating_add_signed(by) % panes.len();
        self.pane = panes.get(to).copied().unwrap_or_default();
    }
}
