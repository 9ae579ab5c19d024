//! Level 7, pure: the whole. An event comes in, [`update`] changes the [`State`] and says what is to be done,
//! [`view`] draws it.

mod answers;
mod dialogs;
mod due;
mod footer;
mod header;
mod keys;
mod launch;
mod layout;
mod message;
mod mouse;
mod navigate;
pub mod report;
mod summary;
mod tabs;
mod update;
mod view;
mod which_key;

#[cfg(test)]
mod tests;

pub use due::next_due;
pub use update::{start, update};
pub use view::view;

use crate::logic::{
    Backend, Calls, Key, Keymap, Launches, Now, Operations, Pane, Plan, Sample, Tab, View, World,
};
use crate::model::SandboxKey;
use crate::panes::{Ctx, activity, detail, list, logs};
use crate::ui::{Looks, Theme};
use dialogs::{Dialog, Pick};
use layout::Areas;
use message::Message;
use ratatui::layout::Size;
use summary::Summary;

/// What the dashboard is told at its start.
#[derive(Clone, Debug)]
pub struct Options {
    /// Leaves only actions of the class *free*.
    pub read_only: bool,
    /// Create the sample sandboxes at once, as the welcome key does.
    pub sample: bool,
    pub looks: Looks,
    /// The mouse is ours at the start.
    pub mouse: bool,
    pub filter: Option<String>,
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
    pub detail: detail::State,
    pub activity: activity::State,
    pub size: Size,
    calls: Calls,
    plan: Plan,
    operations: Operations,
    launches: Launches,
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
}

impl State {
    fn ctx(&self) -> Ctx<'_> {
        Ctx {
            theme: &self.theme,
            keymap: &self.keymap,
            now: self.now,
            pane: self.pane,
            subject: self.list.selected(),
        }
    }
}
