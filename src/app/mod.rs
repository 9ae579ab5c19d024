//! Level 7, pure: the whole. An event comes in, [`update`] changes the [`State`] and says what is to be done,
//! [`view`] draws it.

mod answers;
mod ask;
mod conversation;
mod dialogs;
mod due;
mod footer;
mod header;
mod keys;
mod launch;
mod layout;
mod merge;
mod message;
mod mouse;
mod navigate;
pub mod player;
pub mod report;
mod sent;
mod settings;
mod shell;
mod summary;
mod tabs;
mod told;
mod update;
mod view;
mod watch;
mod which_key;

#[cfg(test)]
mod tests;

pub use due::next_due;
pub use update::{start, update};
pub use view::view;

use crate::logic::settings::{Config, Remembered, Settings};
use crate::logic::{
    Backend, Calls, Deadlines, Key, Keymap, Launches, Now, Operations, Pane, Pick, Plan, Sample,
    Tab, View, World,
};
use crate::model::{CommandKey, SandboxKey};
use crate::panes::{self, Ctx, activity, agent, detail, list, logs, runs};
use crate::ui::{Looks, Theme};
use dialogs::Dialog;
use jiff::tz::TimeZone;
use layout::Areas;
use message::Message;
use ratatui::layout::Size;
use std::collections::VecDeque;
use summary::Summary;

/// What the dashboard is told at its start.
#[derive(Clone, Debug)]
pub struct Options {
    /// Leaves only actions of the class *free*, whatever the settings say.
    pub read_only: bool,
    /// Create the sample sandboxes at once, as the welcome key does.
    pub sample: bool,
    /// What the environment tells of the terminal.
    pub looks: Looks,
    /// This machine's.
    pub zone: TimeZone,
    pub config: Config,
    pub remembered: Remembered,
    pub backend: Backend,
    pub size: Size,
}

/// Everything that is not on the screen by itself: what is known, where the user is, what is under way.
#[derive(Debug)]
pub struct State {
    pub now: Now,
    pub world: World,
    pub view: View,
    /// The pane that has the keys when no dialog is open.
    pub pane: Pane,
    pub tab: Tab,
    pub zoom: bool,
    pub list: list::State,
    pub logs: logs::State,
    pub agent: agent::State,
    pub detail: detail::State,
    pub runs: runs::State,
    pub activity: activity::State,
    pub shell: panes::shell::State,
    shelling: shell::Shelling,
    pub size: Size,
    calls: Calls,
    plan: Plan,
    operations: Operations,
    launches: Launches,
    deadlines: Deadlines,
    /// Logs that are open since an agent may be at work there.
    agent_logs: Vec<CommandKey>,
    /// Operations on many that ended and are not told yet.
    results: VecDeque<u64>,
    sample: Sample,
    /// What was picked in the palette, the latest first.
    picked: Vec<Pick>,
    dialogs: Vec<Dialog>,
    message: Option<Message>,
    areas: Areas,
    summary: Summary,
    /// Revision, selection and number of dialogs at the last look for deleted sandboxes.
    tidied: Option<(u64, Option<SandboxKey>, usize)>,
    /// Where the keys go when the dashboard is opened again.
    left_pane: Pane,
    theme: Theme,
    settings: Settings,
    /// In which times of day are told.
    zone: TimeZone,
    /// What `settings` decide on, before they do.
    given: Given,
    keymap: Keymap,
    /// The first key of a chord, while the second is awaited.
    prefix: Option<Key>,
    read_only: bool,
    /// The terminal window has the focus.
    focused: bool,
    /// Clicks come to us.
    mouse: bool,
    /// The list's part of the dashboard, in percent.
    list_share: u16,
    /// The line between list and stage is being dragged.
    drags: bool,
    /// The last event changed nothing on screen but ages, which count by themselves.
    unchanged: bool,
}

/// What the program was started with, and what the terminal told of itself.
#[derive(Clone, Debug)]
struct Given {
    looks: Looks,
    zone: TimeZone,
    read_only: bool,
    /// The terminal's background is light, as far as it answered.
    light: Option<bool>,
}

impl State {
    /// Whether there is something to draw since the event before: not after an answer that told what was known.
    pub fn shows_news(&self) -> bool {
        !self.unchanged
    }

    fn ctx(&self) -> Ctx<'_> {
        Ctx {
            theme: &self.theme,
            keymap: &self.keymap,
            zone: &self.zone,
            local: &self.given.zone,
            now: self.now,
            pane: self.pane,
            subject: self.list.selected(),
        }
    }
}
