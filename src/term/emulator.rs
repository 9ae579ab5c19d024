//! The emulator: bytes in, a screen and things heard out.

use super::cured::{Cured, Outbox};
use super::ear::{Ear, Found};
use super::guard::guarded;
use super::heard::Heard;
use super::lines;
use super::modes::{Modes, Mouse, MouseCoding};
use super::own::Own;
use super::palette::Palette;
use super::screen::{Cursor, Screen};
use super::size::Size;
use crate::model::Foreign;
use alacritty_terminal::Term;
use alacritty_terminal::event::Event;
use alacritty_terminal::grid::{self, Dimensions, Grid};
use alacritty_terminal::term::color::Colors;
use alacritty_terminal::term::{self, Config, Osc52, TermMode};
use alacritty_terminal::vte::ansi::{Processor, Timeout};
use std::fmt;
use std::sync::mpsc::{Receiver, channel};

/// What stands on the screen of an emulator that had to begin anew.
const LOST: &[u8] = b"\x1b[7m sandtop lost this screen, and began it anew \x1b[0m\r\n";
/// Ends a command so that nothing comes of it: `!` is no base64, and a title cut short harms nobody.
const SPOILT: &[u8] = b"!\x18";

/// How far the view moves over the scrollback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scroll {
    /// Towards older lines; negative: towards newer ones.
    Lines(i32),
    PageUp,
    PageDown,
    Top,
    Bottom,
}

/// Whether a synchronized update (?2026) holds bytes back. How long it may is the caller's to say.
#[derive(Debug, Default)]
pub(super) struct Holding(bool);

impl Timeout for Holding {
    fn set_timeout(&mut self, _: std::time::Duration) {
        self.0 = true;
    }

    fn clear_timeout(&mut self) {
        self.0 = false;
    }

    fn pending_timeout(&self) -> bool {
        self.0
    }
}

/// One terminal: what was printed into it, and what it would show.
pub struct Emulator {
    term: Term<Outbox>,
    parser: Processor<Holding>,
    ear: Ear,
    own: Own,
    outbox: Outbox,
    inbox: Receiver<Event>,
    palette: Palette,
    title: Option<Foreign>,
    size: Size,
    scrollback: usize,
}

impl fmt::Debug for Emulator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Emulator")
            .field("size", &self.size)
            .field("history", &self.history())
            .field("modes", &self.modes())
            .finish_non_exhaustive()
    }
}

impl Emulator {
    /// An empty screen. `scrollback`: bytes of lines that went out at the top; at most 10 000 lines.
    /// The size is brought into 2×1 to 1000×1000.
    pub fn new(size: Size, scrollback: usize) -> Self {
        let size = size.clamped();
        let (sender, inbox) = channel();
        let outbox = Outbox(sender);
        Self {
            term: Term::new(config(size.history(scrollback)), &size, outbox.clone()),
            parser: Processor::new(),
            ear: Ear::default(),
            own: Own::default(),
            outbox,
            inbox,
            palette: Palette::default(),
            title: None,
            size,
            scrollback,
        }
    }

    /// Takes what the program printed, cut anywhere. Never panics: see [`Heard::Restarted`].
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Heard> {
        let mut heard = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() {
            let listened = self.ear.listen(rest);
            let (now, later) = rest.split_at(listened.length);
            rest = later;
            if listened.passes {
                self.advance(now, &mut heard);
            }
            match listened.found {
                Some(Found::Heard(what)) => heard.push(what),
                Some(Found::Version) => {
                    let name = concat!("\x1bP>|sandtop ", env!("CARGO_PKG_VERSION"), "\x1b\\");
                    heard.push(Heard::Reply(name.into()));
                }
                Some(Found::Place) => self.work(&mut heard, |_, cured| cured.report_place("?")),
                Some(Found::SoftReset) => self.work(&mut heard, |_, cured| cured.soft_reset()),
                Some(Found::Overlong) => self.advance(SPOILT, &mut heard),
                None => (),
            }
        }
        heard
    }

    /// Shows what a synchronized update holds back: call it when the program left one open for 150 ms.
    pub fn end_sync(&mut self) -> Vec<Heard> {
        let mut heard = Vec::new();
        self.work(&mut heard, |parser, cured| parser.stop_sync(cured));
        heard
    }

    pub fn is_holding(&self) -> bool {
        self.parser.sync_timeout().pending_timeout()
    }

    /// Lines are wrapped anew, scrollback too; the alternate screen is cut. Sizes as in [`Emulator::new`]. Should that
    /// break the emulator, it begins with an empty screen, which a program told of its new size fills again.
    pub fn resize(&mut self, size: Size) {
        let size = size.clamped();
        if size == self.size {
            return;
        }
        self.size = size;
        self.own.region = None;
        let history = size.history(self.scrollback);
        let term = &mut self.term;
        let done = guarded(|| {
            term.resize(size);
            term.set_options(config(history));
        });
        // The crate tells the title again with new options: nothing new.
        while self.inbox.try_recv().is_ok() {}
        if done.is_none() {
            self.restart();
        }
    }

    pub fn size(&self) -> Size {
        self.size
    }

    /// What queries for colours are answered with from now on.
    pub fn colours(&mut self, colours: Palette) {
        self.palette = colours;
    }

    /// The rows in view, scrolled or not.
    pub fn screen(&self) -> Screen<'_> {
        Screen::new(self.term.grid(), self.term.colors(), self.scrolled())
    }

    pub fn modes(&self) -> Modes {
        let mode = *self.term.mode();
        let alternate_screen = mode.contains(TermMode::ALT_SCREEN);
        Modes {
            app_cursor: mode.contains(TermMode::APP_CURSOR),
            app_keypad: mode.contains(TermMode::APP_KEYPAD),
            newline: mode.contains(TermMode::LINE_FEED_NEW_LINE),
            bracketed_paste: mode.contains(TermMode::BRACKETED_PASTE),
            focus: mode.contains(TermMode::FOCUS_IN_OUT),
            mouse: mouse(mode),
            mouse_coding: if mode.contains(TermMode::SGR_MOUSE) {
                MouseCoding::Sgr
            } else if mode.contains(TermMode::UTF8_MOUSE) {
                MouseCoding::Utf8
            } else {
                MouseCoding::Bytes
            },
            keyboard: self.own.keyboard(alternate_screen),
            other_keys: self.own.other_keys,
            alternate_screen,
            alternate_scroll: mode.contains(TermMode::ALTERNATE_SCROLL),
        }
    }

    /// `None` if the program hides it or the view is scrolled away from it.
    pub fn cursor(&self) -> Option<Cursor> {
        let is_shown = self.term.mode().contains(TermMode::SHOW_CURSOR) && self.scrolled() == 0;
        let point = self.term.grid().cursor.point;
        is_shown.then(|| Cursor::new(point, self.term.cursor_style()))
    }

    pub fn title(&self) -> Option<&Foreign> {
        self.title.as_ref()
    }

    pub fn scroll(&mut self, by: Scroll) {
        self.term.scroll_display(match by {
            // Beyond what there can be, so that the crate's sum cannot overflow.
            Scroll::Lines(lines) => grid::Scroll::Delta(lines.clamp(-100_000, 100_000)),
            Scroll::PageUp => grid::Scroll::PageUp,
            Scroll::PageDown => grid::Scroll::PageDown,
            Scroll::Top => grid::Scroll::Top,
            Scroll::Bottom => grid::Scroll::Bottom,
        });
    }

    /// Lines between the view and the newest one: 0 when it follows the output.
    pub fn scrolled(&self) -> usize {
        self.term.grid().display_offset()
    }

    /// Lines of scrollback.
    pub fn history(&self) -> usize {
        self.term.grid().history_size()
    }

    /// Lines of scrollback and screen together. They are counted from the oldest, 0.
    pub fn line_count(&self) -> usize {
        self.term.grid().total_lines()
    }

    /// The characters of a line, without the blanks at its end; empty if there is no such line.
    pub fn text_of(&self, line: usize) -> String {
        lines::text(self.term.grid(), line, 0..usize::MAX)
    }

    /// Whether the next line goes on with this one: it was broken because the terminal was too narrow.
    pub fn is_wrapped(&self, line: usize) -> bool {
        lines::is_wrapped(self.term.grid(), line)
    }

    /// All there is to see, as it is now.
    pub(super) fn picture(&self) -> (Grid<term::cell::Cell>, Colors) {
        (self.term.grid().clone(), *self.term.colors())
    }

    fn advance(&mut self, bytes: &[u8], heard: &mut Vec<Heard>) {
        self.work(heard, |parser, cured| parser.advance(cured, bytes));
    }

    /// Lets the crate work and takes what it has to say; if it breaks, everything begins anew.
    pub(super) fn work(
        &mut self,
        heard: &mut Vec<Heard>,
        work: impl FnOnce(&mut Processor<Holding>, &mut Cured<'_>),
    ) {
        let Self {
            term,
            parser,
            own,
            outbox,
            palette,
            ..
        } = self;
        let done = guarded(|| {
            work(
                parser,
                &mut Cured {
                    term: &mut *term,
                    own,
                    outbox,
                    palette,
                },
            );
            // The crate lets the offset grow beyond the history when a region scrolls: this brings it back.
            term.scroll_display(grid::Scroll::Delta(0));
        });
        while let Ok(event) = self.inbox.try_recv() {
            heard.extend(self.told(event));
        }
        if done.is_none() {
            self.restart();
            heard.push(Heard::Restarted);
        }
    }

    fn told(&mut self, event: Event) -> Option<Heard> {
        match event {
            Event::PtyWrite(text) => Some(Heard::Reply(text.into_bytes())),
            Event::Bell => Some(Heard::Bell),
            Event::Title(title) => self.titled(Some(title)),
            Event::ResetTitle => self.titled(None),
            Event::ClipboardStore(_, text) => Some(Heard::Clipboard { text: text.into() }),
            Event::ClipboardLoad(..) => Some(Heard::ClipboardAsked),
            // A size in pixels is nothing we know; the rest is for programs with a window or a child of their own.
            _ => None,
        }
    }

    fn titled(&mut self, title: Option<String>) -> Option<Heard> {
        let title = title.map(Foreign::from);
        if title == self.title {
            return None;
        }
        self.title.clone_from(&title);
        Some(Heard::Title(title))
    }

    fn restart(&mut self) {
        let palette = self.palette;
        *self = Self::new(self.size, self.scrollback);
        self.palette = palette;
        // Whoever looks should not take the empty screen for the program's.
        self.parser.advance(&mut self.term, LOST);
    }
}

fn config(history: usize) -> Config {
    Config {
        scrolling_history: history,
        osc52: Osc52::CopyPaste,
        ..Config::default()
    }
}

fn mouse(mode: TermMode) -> Mouse {
    if mode.contains(TermMode::MOUSE_MOTION) {
        Mouse::Moves
    } else if mode.contains(TermMode::MOUSE_DRAG) {
        Mouse::Drags
    } else if mode.contains(TermMode::MOUSE_REPORT_CLICK) {
        Mouse::Clicks
    } else {
        Mouse::Off
    }
}
