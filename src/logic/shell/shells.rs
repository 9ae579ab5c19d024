//! All shells: opened, fed, and closed, wherever the eye is.

use super::{Shell, ShellId, ShellNews, ShellOrder, ShellStart, ShellState};
use crate::logic::{Effect, Mono, Now, Site};
use crate::model::SandboxKey;
use crate::term::{Emulator, Size};

/// What the settings say of every shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShellOptions {
    /// Give a session more time while somebody types in its shell.
    pub keep_alive: bool,
    /// Bytes for the lines above the screen, a shell.
    pub scrollback: usize,
}

impl Default for ShellOptions {
    fn default() -> Self {
        Self {
            keep_alive: false,
            scrollback: 10 << 20,
        }
    }
}

/// In the order of their opening.
#[derive(Debug, Default)]
pub struct Shells {
    pub options: ShellOptions,
    next: u64,
    all: Vec<Shell>,
    watched: Option<ShellId>,
}

impl Shells {
    /// Only a wish so far: [`Shells::resize`] sends it, with the size of the pane.
    pub fn open(&mut self, site: Site, start: ShellStart, now: Now) -> ShellId {
        let id = self.number();
        let taken = |number: &u32| self.of(&site.key).any(|shell| shell.number == *number);
        let number = (1..).find(|number| !taken(number)).unwrap_or(u32::MAX);
        let size = Size {
            columns: start.columns,
            rows: start.rows,
        };
        let emulator = Emulator::new(size, self.options.scrollback);
        let mut shell = Shell::new(id, site, number, start, emulator, now);
        shell.keep_alive.on = self.options.keep_alive;
        self.all.push(shell);
        id
    }

    /// A shell that is over begins again, in its place.
    pub fn reopen(&mut self, id: ShellId, site: Site, now: Now) -> Option<ShellId> {
        let again = self.number();
        let shell = self.get_mut(id).filter(|shell| shell.state.is_over())?;
        shell.again(again, site, now);
        if self.watched == Some(id) {
            self.watched = Some(again);
        }
        Some(again)
    }

    /// Never used twice: news of an earlier opening finds nobody.
    fn number(&mut self) -> ShellId {
        self.next += 1;
        ShellId(self.next)
    }

    pub fn get(&self, id: ShellId) -> Option<&Shell> {
        self.all.iter().find(|shell| shell.id == id)
    }

    pub fn get_mut(&mut self, id: ShellId) -> Option<&mut Shell> {
        self.all.iter_mut().find(|shell| shell.id == id)
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Shell> {
        self.all.iter()
    }

    pub fn of(&self, key: &SandboxKey) -> impl DoubleEndedIterator<Item = &Shell> {
        self.all.iter().filter(move |shell| shell.site.key == *key)
    }

    /// Which one is on the screen: what it says there needs no mark.
    pub fn watch(&mut self, id: Option<ShellId>) {
        self.watched = id;
        if let Some(shell) = id.and_then(|id| self.get_mut(id)) {
            (shell.activity, shell.bell) = (false, false);
        }
    }

    pub fn resize(&mut self, id: ShellId, size: Size, now: Now) -> Option<Effect> {
        self.get_mut(id)?.resize(size, now)
    }

    pub fn type_in(&mut self, id: ShellId, bytes: Vec<u8>) -> Vec<Effect> {
        let shell = self.get_mut(id);
        shell.map_or(Vec::new(), |shell| shell.type_in(bytes))
    }

    pub fn news(&mut self, id: ShellId, news: &ShellNews, now: Now) -> Vec<Effect> {
        let watched = self.watched == Some(id);
        let shell = self.get_mut(id);
        shell.map_or(Vec::new(), |shell| shell.news(news, watched, now))
    }

    /// What was put off and is due.
    pub fn tick(&mut self, now: Now) -> Vec<Effect> {
        let watched = self.watched;
        let shells = self.all.iter_mut();
        shells
            .flat_map(|shell| shell.tick(watched == Some(shell.id), now))
            .collect()
    }

    pub fn next_due(&self) -> Option<Mono> {
        self.all.iter().filter_map(Shell::next_due).min()
    }

    /// Ends it on our side.
    pub fn close(&mut self, id: ShellId) -> Option<Effect> {
        let at = self.all.iter().position(|shell| shell.id == id)?;
        let shell = self.all.remove(at);
        let has_task = shell.state != ShellState::Wanted;
        has_task.then_some(Effect::Shell(id, ShellOrder::Close))
    }
}
