//! All shells: opened, fed, and closed.

use super::{ShellId, ShellNews, ShellOrder, ShellStart, ShellState, Typed};
use crate::logic::{Effect, Mono, Now, Site};
use std::collections::BTreeMap;

/// Typed before the shell is open, in bytes: more is dropped.
const AHEAD: usize = 64 << 10;

#[derive(Debug)]
pub struct Shell {
    pub id: ShellId,
    /// The sandbox, and the session it was opened in.
    pub site: Site,
    pub state: ShellState,
    /// When it came to stand so.
    pub since: Mono,
    start: ShellStart,
    /// Input from before it was open.
    ahead: Vec<u8>,
}

/// In the order of their opening.
#[derive(Debug, Default)]
pub struct Shells {
    next: u64,
    all: BTreeMap<ShellId, Shell>,
}

impl Shells {
    /// Only a wish so far: [`Shells::resize`] sends it, with the size of the pane.
    pub fn open(&mut self, site: Site, start: ShellStart, now: Now) -> ShellId {
        self.next += 1;
        let id = ShellId(self.next);
        let shell = Shell {
            id,
            site,
            state: ShellState::default(),
            since: now.mono,
            start,
            ahead: Vec::new(),
        };
        self.all.insert(id, shell);
        id
    }

    pub fn get(&self, id: ShellId) -> Option<&Shell> {
        self.all.get(&id)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Shell> {
        self.all.values()
    }

    /// The pane's inside has that size. Opens a shell that waited for it.
    pub fn resize(&mut self, id: ShellId, columns: u16, rows: u16, now: Now) -> Option<Effect> {
        let shell = self.all.get_mut(&id)?;
        let (columns, rows) = (columns.max(1), rows.max(1));
        let wanted = shell.state == ShellState::Wanted;
        let same = (shell.start.columns, shell.start.rows) == (columns, rows);
        if shell.state.is_over() || same && !wanted {
            return None;
        }
        (shell.start.columns, shell.start.rows) = (columns, rows);
        let order = if wanted {
            shell.turn(ShellState::Asking, now);
            ShellOrder::Open(Box::new(shell.start.clone()))
        } else {
            ShellOrder::Resize { columns, rows }
        };
        Some(Effect::Shell(id, order))
    }

    /// Bytes for the program. Before it is open they wait; after its end there is nobody to have them.
    pub fn type_in(&mut self, id: ShellId, bytes: Vec<u8>) -> Option<Effect> {
        let shell = self.all.get_mut(&id)?;
        if shell.state.is_open() {
            return Some(Effect::Shell(id, ShellOrder::Input(Typed(bytes))));
        }
        if !shell.state.is_over() && shell.ahead.len() + bytes.len() <= AHEAD {
            shell.ahead.extend(bytes);
        }
        None
    }

    pub fn news(&mut self, id: ShellId, news: &ShellNews, now: Now) -> Vec<Effect> {
        let Some(shell) = self.all.get_mut(&id) else {
            return Vec::new();
        };
        let Some(state) = shell.state.after(news) else {
            return Vec::new();
        };
        shell.turn(state, now);
        let ahead = std::mem::take(&mut shell.ahead);
        if !shell.state.is_open() || ahead.is_empty() {
            return Vec::new();
        }
        vec![Effect::Shell(id, ShellOrder::Input(Typed(ahead)))]
    }

    /// Ends it on our side.
    pub fn close(&mut self, id: ShellId) -> Option<Effect> {
        let shell = self.all.remove(&id)?;
        let has_task = shell.state != ShellState::Wanted;
        has_task.then_some(Effect::Shell(id, ShellOrder::Close))
    }
}

impl Shell {
    fn turn(&mut self, state: ShellState, now: Now) {
        self.state = state;
        self.since = now.mono;
    }
}
