//! One shell: what it shows, how it stands, and what of it somebody should see.

use super::{KeepAlive, ShellId, ShellNews, ShellOrder, ShellStart, ShellState, Typed};
use crate::logic::{Effect, Mono, Now, Site};
use crate::model::{Clean, Foreign, Span};
use crate::term::{Emulator, Heard, Size};
use crate::text::{clean, say};

/// Typed before the shell is open, in bytes: more is dropped.
const AHEAD: usize = 64 << 10;
/// A dragged border changes the size many times: the program hears of the last one in as long.
const SETTLES: Span = Span(20);
/// Between two times that a program rings the terminal's bell.
const RINGS: Span = Span(500);
/// Programs that hold the screen back for longer have forgotten it.
const HOLDS: Span = Span(150);
/// The terminal as a new program expects it, below what the last one left: no modes, no colours.
const AFRESH: &[u8] =
    b"\x1b[!p\x1b[?1;9;1000;1002;1003;1004;1005;1006;1015;2004l\x1b[<9u\x1b[>4m\x1b[?25h\x1b[0m\r\n";
const MAIN_SCREEN: &[u8] = b"\x1b[?1049l";

#[derive(Debug)]
pub struct Shell {
    pub id: ShellId,
    /// The sandbox, and the session it was opened in.
    pub site: Site,
    /// Counts the shells of one sandbox.
    pub number: u32,
    /// What the user calls it.
    pub name: Option<Clean>,
    pub state: ShellState,
    /// When it came to stand so.
    pub since: Mono,
    pub emulator: Emulator,
    /// It said something while nobody looked.
    pub activity: bool,
    /// It rang while nobody looked.
    pub bell: bool,
    pub copying: Copying,
    pub keep_alive: KeepAlive,
    /// The file that it is being recorded to.
    pub recording: Option<Foreign>,
    pub(super) start: ShellStart,
    /// Input from before it was open.
    ahead: Vec<u8>,
    /// The pane has another size than was ordered, since then.
    resized: Option<Mono>,
    /// When it was last passed on that it rang.
    rang: Option<Mono>,
    /// The program holds the screen back (`?2026`), since then.
    held: Option<Mono>,
}

/// What becomes of texts that programs inside want in the clipboard (OSC 52).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Copying {
    #[default]
    Asks,
    /// This one waits for an answer.
    Asked(Foreign),
    Allowed,
}

impl Shell {
    pub(super) fn new(
        id: ShellId,
        site: Site,
        number: u32,
        start: ShellStart,
        emulator: Emulator,
        now: Now,
    ) -> Self {
        Self {
            id,
            site,
            number,
            name: None,
            state: ShellState::default(),
            since: now.mono,
            emulator,
            activity: false,
            bell: false,
            copying: Copying::default(),
            keep_alive: KeepAlive::default(),
            recording: None,
            start,
            ahead: Vec::new(),
            resized: None,
            rang: None,
            held: None,
        }
    }

    /// What it is called: by its user, or by its number and what runs in it.
    pub fn called(&self) -> Clean {
        match (&self.name, self.emulator.title()) {
            (Some(name), _) => name.clone(),
            (None, Some(title)) => say(format_args!("{} {}", self.number, clean(title))),
            (None, None) => say(format_args!("{}", self.number)),
        }
    }

    /// What it was started as.
    pub fn start(&self) -> &ShellStart {
        &self.start
    }

    /// Once more, in that session: what is on the screen stays above what comes.
    pub(super) fn again(&mut self, id: ShellId, site: Site, now: Now) {
        self.id = id;
        self.start.session = site.session.clone();
        self.site = site;
        // Where it is left already, leaving it would move the cursor.
        if self.emulator.modes().alternate_screen {
            self.emulator.feed(MAIN_SCREEN);
        }
        self.emulator.feed(AFRESH);
        self.ahead.clear();
        (self.resized, self.held) = (None, None);
        self.recording = None;
        self.turn(ShellState::Wanted, now);
    }

    fn turn(&mut self, state: ShellState, now: Now) {
        self.state = state;
        self.since = now.mono;
    }

    fn order(&self, order: ShellOrder) -> Effect {
        Effect::Shell(self.id, order)
    }

    /// The pane's inside has that size. Opens a shell that waited for it.
    pub(super) fn resize(&mut self, size: Size, now: Now) -> Option<Effect> {
        let size = Size {
            columns: size.columns.max(1),
            rows: size.rows.max(1),
        };
        if self.emulator.size() != size {
            self.emulator.resize(size);
        }
        if self.state == ShellState::Wanted {
            (self.start.columns, self.start.rows) = (size.columns, size.rows);
            self.turn(ShellState::Asking, now);
            return Some(self.order(ShellOrder::Open(Box::new(self.start.clone()))));
        }
        let is_told = (self.start.columns, self.start.rows) == (size.columns, size.rows);
        self.resized = match self.resized {
            _ if is_told || self.state.is_over() => None,
            since => since.or(Some(now.mono)),
        };
        None
    }

    /// Bytes for the program. Before it is open they wait; after its end there is nobody to have them.
    pub fn type_in(&mut self, bytes: Vec<u8>) -> Vec<Effect> {
        if bytes.is_empty() {
            return Vec::new();
        }
        if self.state.is_open() {
            // Who types sees the new size already: the program learns of it first.
            let size = self.resized.take().map(|_| self.order_size());
            let input = self.order(ShellOrder::Input(Typed(bytes)));
            return size.into_iter().chain([input]).collect();
        }
        if !self.state.is_over() && self.ahead.len() + bytes.len() <= AHEAD {
            self.ahead.extend(bytes);
        }
        Vec::new()
    }

    fn order_size(&mut self) -> Effect {
        let Size { columns, rows } = self.emulator.size();
        (self.start.columns, self.start.rows) = (columns, rows);
        self.order(ShellOrder::Resize { columns, rows })
    }

    pub(super) fn news(&mut self, news: &ShellNews, watched: bool, now: Now) -> Vec<Effect> {
        match news {
            ShellNews::Output(bytes) => {
                self.activity |= !watched;
                let heard = self.emulator.feed(bytes);
                return self.heard(heard, watched, now);
            }
            ShellNews::Recording(file) => self.recording = Some(file.clone()),
            ShellNews::RecordingEnded(_) => self.recording = None,
            _ => {}
        }
        let Some(state) = self.state.after(news) else {
            return Vec::new();
        };
        self.turn(state, now);
        self.activity |= !watched && self.state.is_over();
        let ahead = std::mem::take(&mut self.ahead);
        self.type_in(ahead)
    }

    fn heard(&mut self, heard: Vec<Heard>, watched: bool, now: Now) -> Vec<Effect> {
        self.held = match self.emulator.is_holding() {
            true => self.held.or(Some(now.mono)),
            false => None,
        };
        let (mut replies, mut effects) = (Vec::new(), Vec::new());
        for heard in heard {
            match heard {
                Heard::Reply(bytes) => replies.extend(bytes),
                Heard::Bell | Heard::Notice(_) => {
                    self.bell |= !watched;
                    let quiet = self.rang.is_none_or(|rang| rang.after(RINGS) <= now.mono);
                    if quiet {
                        self.rang = Some(now.mono);
                        effects.push(Effect::Bell);
                    }
                }
                Heard::Clipboard { text } => match self.copying {
                    Copying::Allowed => effects.push(Effect::CopyText(text)),
                    _ => {
                        self.copying = Copying::Asked(text);
                        self.bell |= !watched;
                    }
                },
                // What is in the clipboard is told to nobody inside; the rest is read from the emulator.
                _ => {}
            }
        }
        effects.extend(self.type_in(replies));
        effects
    }

    /// What was put off and is due.
    pub(super) fn tick(&mut self, watched: bool, now: Now) -> Vec<Effect> {
        let mut effects = Vec::new();
        if is_due(self.held, HOLDS, now) {
            let heard = self.emulator.end_sync();
            effects = self.heard(heard, watched, now);
        }
        if is_due(self.resized, SETTLES, now) && self.state.is_open() {
            self.resized = None;
            effects.push(self.order_size());
        }
        effects
    }

    pub(super) fn next_due(&self) -> Option<Mono> {
        let held = self.held.map(|since| since.after(HOLDS));
        let resized = self.resized.filter(|_| self.state.is_open());
        let resized = resized.map(|since| since.after(SETTLES));
        held.into_iter().chain(resized).min()
    }
}

fn is_due(since: Option<Mono>, wait: Span, now: Now) -> bool {
    since.is_some_and(|since| since.after(wait) <= now.mono)
}
