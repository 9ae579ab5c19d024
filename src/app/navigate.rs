//! Moving between views, panes and tabs.

use super::State;
use super::message::Tone;
use crate::logic::{Pane, Tab, View};
use crate::panes::logs;

impl State {
    pub(super) fn open_view(&mut self, view: View) {
        if view == self.view {
            return;
        }
        if self.view == View::Dashboard {
            self.left_pane = self.pane;
        }
        self.pane = match view {
            View::Dashboard => self.left_pane,
            View::Runs => Pane::Runs,
            View::Activity => Pane::Activity,
        };
        self.view = view;
        self.zoom = false;
    }

    /// Leaves the innermost thing that is open.
    pub(super) fn back(&mut self) {
        match (self.view, self.pane) {
            _ if self.zoom => self.zoom = false,
            (View::Runs, _) if self.runs.clear_filter() => {}
            (View::Runs | View::Activity, _) => self.open_view(View::Dashboard),
            (_, Pane::Lines) if self.logs.clear() => {}
            (_, Pane::Lines) => self.pane = Pane::Stage,
            (_, Pane::Agent) if self.agent.clear() => {}
            (_, Pane::Stage) if self.tab == Tab::Logs && self.logs.merges() => {
                self.logs.merge(false);
            }
            (_, Pane::Stage) if !self.logs.marked().is_empty() => self.logs.clear_marks(),
            (_, Pane::Stage | Pane::Agent | Pane::Shell) => self.pane = Pane::List,
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
            Pane::Runs => self.open_run(),
            _ => {}
        }
    }

    /// The selected run, where it belongs: on its sandbox's stage.
    fn open_run(&mut self) {
        let Some(run) = self.runs.selected().cloned() else {
            return;
        };
        let owner = self.world.agent_runs.owner(&run.session).cloned();
        let Some(owner) = owner.filter(|owner| self.world.fact(owner).is_some()) else {
            self.say("Its sandbox is deleted.", Tone::Refused);
            return;
        };
        logs::choose_new(&mut self.logs, &owner, run);
        self.logs.merge(false);
        self.open_view(View::Dashboard);
        self.list.go_to(owner);
        self.tab = Tab::Agent;
        self.pane = Pane::Agent;
    }

    /// On the stage, the pane that has the keys is one of the tab's.
    pub(super) fn hold_pane(&mut self) {
        self.pane = match (self.pane, self.tab) {
            (Pane::Stage, Tab::Agent) => Pane::Agent,
            (Pane::Agent, tab) if tab != Tab::Agent => Pane::Stage,
            (pane, _) => pane,
        };
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
            Tab::Agent => &[Pane::List, Pane::Agent],
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
