//! When something is due by itself: the loop sleeps until then.

use super::State;
use super::dialogs::Dialog;
use crate::logic::{Gaze, Mono, Tab, View, tail};
use crate::model::CommandKey;

const SECOND: u64 = 1000;
/// Of the sandboxes of a dialog, those whose commands are read for it.
const MOST_ASKED: usize = 50;

/// The next moment at which an update would do something, or the screen would show another figure. `None`: only
/// an event can change anything.
pub fn next_due(state: &State) -> Option<Mono> {
    let plan = state
        .plan
        .next_due(&state.world, &state.calls, &state.gaze(), state.now);
    let tail = tail::next_due(&state.world, &state.open_logs());
    let message = state.message.as_ref().map(|message| message.until);
    let held = state.operations.next_due(state.now);
    let deadline = state.deadlines.next_due(&state.world, state.now);
    let search = state
        .logs
        .is_searching(&state.world)
        .then_some(state.now.mono);
    [
        plan,
        tail,
        search,
        message,
        held,
        deadline,
        countdown(state),
        state.world.shells.next_due(),
    ]
    .into_iter()
    .flatten()
    .min()
}

/// Times left, ages and waits count in seconds, while somebody looks.
fn countdown(state: &State) -> Option<Mono> {
    let counts = !state.world.sandboxes.is_empty() || state.world.link.held_until().is_some();
    let next = (state.now.mono.0 / SECOND + 1) * SECOND;
    (state.focused && counts).then_some(Mono(next))
}

impl State {
    /// The logs that are read: those looked at, and those of agents at work.
    pub(super) fn open_logs(&self) -> Vec<CommandKey> {
        let mut open = self.logs.wanted(&self.world);
        let selected = self.runs.selected().filter(|_| self.view == View::Runs);
        for log in self.agent_logs.iter().chain(selected) {
            if !open.contains(log) {
                open.push(log.clone());
            }
        }
        open
    }

    /// What is looked at, for the plan.
    pub(super) fn gaze(&self) -> Gaze {
        let on_stage = !self.areas.stage.is_empty();
        let top = self.dialogs.last();
        let mut asked = top.map(Dialog::subjects).unwrap_or_default();
        asked.truncate(MOST_ASKED);
        let first = asked.first().cloned();
        let sessions = top.is_some_and(Dialog::tells_sessions);
        Gaze {
            focused: self.focused,
            commands: first.is_some() || on_stage && matches!(self.tab, Tab::Logs | Tab::Agent),
            followed: self.followed(),
            sessions: sessions || on_stage && self.tab == Tab::Sessions,
            selected: first.or_else(|| self.list.selected().cloned()),
            asked,
            agents: self.world.agent_runs.asked(),
            visible: if self.view == View::Dashboard {
                self.list.visible().to_vec()
            } else {
                Vec::new()
            },
        }
    }
}
