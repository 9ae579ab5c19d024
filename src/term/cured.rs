//! Stands between the parser and the emulator crate's screen, and puts right what the crate does otherwise than the
//! terminals programs are written for.

use super::own::Own;
use super::palette::Palette;
use alacritty_terminal::Term;
use alacritty_terminal::event::{Event, EventListener};
use alacritty_terminal::grid::{self, Dimensions};
use alacritty_terminal::index::Column;
use alacritty_terminal::term::TermMode;
use alacritty_terminal::term::cell::Flags;
use alacritty_terminal::vte::ansi::{
    Attr, CharsetIndex, ClearMode, CursorShape, CursorStyle, Handler, Hyperlink, KeyboardModes,
    KeyboardModesApplyBehavior, LineClearMode, Mode, ModifyOtherKeys, NamedMode, NamedPrivateMode,
    PrivateMode, Rgb, StandardCharset, TabulationClearMode,
};
use std::sync::mpsc::Sender;
use unicode_width::UnicodeWidthChar;

/// Marks (combining characters, joiners) kept on one cell: without a limit one cell could hold all memory.
const MOST_MARKS: usize = 16;
/// Characters of a window title, bytes of a link's address and of its name: longer ones are cut or dropped.
const LONGEST_TITLE: usize = 1000;
const LONGEST_LINK: usize = 2083;
const LONGEST_LINK_NAME: usize = 250;
const ORIGIN: u16 = 6;
/// Modes of the alternate screen: all but the last are unknown to the crate.
const OLD_ALTERNATE: u16 = 47;
const ALTERNATE: u16 = 1047;
const SAVE_CURSOR: u16 = 1048;
const BOTH: u16 = 1049;

/// Takes the crate's messages; `Event`s nobody needs stop here.
#[derive(Debug, Clone)]
pub(super) struct Outbox(pub Sender<Event>);

impl EventListener for Outbox {
    fn send_event(&self, event: Event) {
        if !matches!(
            event,
            Event::MouseCursorDirty | Event::CursorBlinkingChange | Event::Wakeup
        ) {
            // The receiver lives in the same `Emulator`.
            let _ = self.0.send(event);
        }
    }
}

pub(super) struct Cured<'a> {
    pub term: &'a mut Term<Outbox>,
    pub own: &'a mut Own,
    pub outbox: &'a Outbox,
    pub palette: &'a Palette,
}

impl Cured<'_> {
    fn is_alternate(&self) -> bool {
        self.term.mode().contains(TermMode::ALT_SCREEN)
    }

    fn reply(&self, text: String) {
        self.outbox.send_event(Event::PtyWrite(text));
    }

    /// Whether the cell that a mark would go to has as many as it may have.
    fn is_full(&self) -> bool {
        let grid = self.term.grid();
        let cursor = &grid.cursor;
        let row = &grid[cursor.point.line];
        let mut column = cursor.point.column.0;
        if !cursor.input_needs_wrap {
            column = column.saturating_sub(1);
        }
        if row[Column(column)].flags.contains(Flags::WIDE_CHAR_SPACER) {
            column = column.saturating_sub(1);
        }
        let marks = row[Column(column)].zerowidth();
        marks.is_some_and(|marks| marks.len() >= MOST_MARKS)
    }

    /// First and last row the cursor may reach by moving up and down from where it is.
    fn reach(&self) -> (i32, i32) {
        let last = self.term.bottommost_line().0;
        let (top, end) = self.own.region.unwrap_or((0, last + 1));
        let row = self.term.grid().cursor.point.line.0;
        let from = if row >= top { top } else { 0 };
        let to = if row < end { end - 1 } else { last };
        (from, to)
    }

    /// Reports the cursor's place as `CSI [?] row ; column R`; in origin mode it is counted from the margin.
    pub fn report_place(&self, private: &str) {
        let point = self.term.grid().cursor.point;
        let has_origin = self.term.mode().contains(TermMode::ORIGIN);
        let top = self
            .own
            .region
            .filter(|_| has_origin)
            .map_or(0, |(top, _)| top);
        let (row, column) = (point.line.0 - top + 1, point.column.0 + 1);
        self.reply(format!("\x1b[{private}{row};{column}R"));
    }

    /// DECSTR: modes and attributes as at the start; the text and the cursor's place stay.
    pub fn soft_reset(&mut self) {
        let place = self.term.grid().cursor.point;
        self.set_private_mode(NamedPrivateMode::ShowCursor.into());
        self.set_private_mode(NamedPrivateMode::LineWrap.into());
        self.unset_private_mode(NamedPrivateMode::Origin.into());
        self.unset_private_mode(NamedPrivateMode::CursorKeys.into());
        self.unset_mode(NamedMode::Insert.into());
        self.unset_keypad_application_mode();
        self.set_scrolling_region(1, None);
        self.terminal_attribute(Attr::Reset);
        self.set_active_charset(CharsetIndex::G0);
        for index in [CharsetIndex::G0, CharsetIndex::G1] {
            self.configure_charset(index, StandardCharset::Ascii);
        }
        let grid = self.term.grid_mut();
        grid.saved_cursor = grid::Cursor::default();
        grid.cursor.point = place;
    }

    /// Moves the cursor by rows as far as the margins let it, to `column`.
    fn climb(&mut self, rows: i32, column: Option<usize>) {
        let (from, to) = self.reach();
        let cursor = &mut self.term.grid_mut().cursor;
        let row = cursor.point.line.0.saturating_add(rows);
        cursor.point.line.0 = row.clamp(from, to);
        if let Some(column) = column {
            cursor.point.column = Column(column);
        }
        cursor.input_needs_wrap = false;
    }
}

/// What goes to the crate's screen as it comes.
macro_rules! passed_on {
    ($($name:ident($($arg:ident: $type:ty),*);)*) => {
        $(#[inline] fn $name(&mut self, $($arg: $type),*) { Handler::$name(self.term, $($arg),*); })*
    };
}

#[rustfmt::skip]
impl Handler for Cured<'_> {
    passed_on! {
        set_cursor_style(style: Option<CursorStyle>);
        set_cursor_shape(shape: CursorShape);
        goto(line: i32, column: usize);
        goto_line(line: i32);
        goto_col(column: usize);
        insert_blank(count: usize);
        identify_terminal(intermediate: Option<char>);
        move_forward(columns: usize);
        move_backward(columns: usize);
        put_tab(count: u16);
        backspace();
        carriage_return();
        linefeed();
        bell();
        substitute();
        newline();
        set_horizontal_tabstop();
        scroll_up(count: usize);
        scroll_down(count: usize);
        insert_blank_lines(count: usize);
        delete_lines(count: usize);
        erase_chars(count: usize);
        delete_chars(count: usize);
        move_backward_tabs(count: u16);
        move_forward_tabs(count: u16);
        save_cursor_position();
        restore_cursor_position();
        clear_line(mode: LineClearMode);
        clear_screen(mode: ClearMode);
        clear_tabs(mode: TabulationClearMode);
        set_tabs(interval: u16);
        reverse_index();
        set_mode(mode: Mode);
        unset_mode(mode: Mode);
        report_mode(mode: Mode);
        set_keypad_application_mode();
        unset_keypad_application_mode();
        set_active_charset(index: CharsetIndex);
        configure_charset(index: CharsetIndex, charset: StandardCharset);
        set_color(index: usize, colour: Rgb);
        reset_color(index: usize);
        clipboard_store(clipboard: u8, base64: &[u8]);
        clipboard_load(clipboard: u8, terminator: &str);
        decaln();
        push_title();
        pop_title();
        text_area_size_chars();
    }

    fn set_title(&mut self, title: Option<String>) {
        let title = title.map(|title| title.chars().take(LONGEST_TITLE).collect());
        Handler::set_title(self.term, title);
    }

    #[inline]
    fn input(&mut self, c: char) {
        match c {
            // A soft hyphen takes a column in a terminal; it is drawn as what it looks like.
            '\u{ad}' => self.term.input('-'),
            '\u{300}'.. if c.width() == Some(0) && self.is_full() => (),
            _ => self.term.input(c),
        }
    }

    fn move_up(&mut self, rows: usize) {
        self.climb(-whole(rows), None);
    }

    fn move_down(&mut self, rows: usize) {
        self.climb(whole(rows), None);
    }

    fn move_up_and_cr(&mut self, rows: usize) {
        self.climb(-whole(rows), Some(0));
    }

    fn move_down_and_cr(&mut self, rows: usize) {
        self.climb(whole(rows), Some(0));
    }

    fn set_scrolling_region(&mut self, top: usize, bottom: Option<usize>) {
        let rows = self.term.screen_lines();
        let end = bottom.unwrap_or(rows).min(rows);
        // A region of one row is none, as in every other terminal.
        if top >= end {
            return;
        }
        self.own.region = Some((whole(top) - 1, whole(end)));
        Handler::set_scrolling_region(self.term, top, Some(end));
    }

    fn reset_state(&mut self) {
        *self.own = Own::default();
        Handler::reset_state(self.term);
    }

    fn terminal_attribute(&mut self, attribute: Attr) {
        // SGR 21 is a double underline in xterm and all who follow it.
        let attribute = match attribute {
            Attr::CancelBold => Attr::DoubleUnderline,
            other => other,
        };
        Handler::terminal_attribute(self.term, attribute);
    }

    fn set_private_mode(&mut self, mode: PrivateMode) {
        match mode.raw() {
            OLD_ALTERNATE | ALTERNATE if !self.is_alternate() => self.term.swap_alt(),
            SAVE_CURSOR => self.save_cursor_position(),
            _ => Handler::set_private_mode(self.term, mode),
        }
    }

    fn unset_private_mode(&mut self, mode: PrivateMode) {
        match mode.raw() {
            OLD_ALTERNATE | ALTERNATE if self.is_alternate() => {
                let cursor = self.term.grid().cursor.clone();
                self.term.swap_alt();
                self.term.grid_mut().cursor = cursor;
            }
            SAVE_CURSOR => self.restore_cursor_position(),
            BOTH if !self.is_alternate() => self.restore_cursor_position(),
            ORIGIN => {
                Handler::unset_private_mode(self.term, mode);
                self.goto(0, 0);
            }
            _ => Handler::unset_private_mode(self.term, mode),
        }
    }

    fn report_private_mode(&mut self, mode: PrivateMode) {
        match mode.raw() {
            mode @ (OLD_ALTERNATE | ALTERNATE) => {
                let state = if self.is_alternate() { 1 } else { 2 };
                self.reply(format!("\x1b[?{mode};{state}$y"));
            }
            _ => Handler::report_private_mode(self.term, mode),
        }
    }

    fn device_status(&mut self, what: usize) {
        match what {
            6 => self.report_place(""),
            _ => Handler::device_status(self.term, what),
        }
    }

    fn set_hyperlink(&mut self, link: Option<Hyperlink>) {
        let fits = |link: &Hyperlink| {
            link.uri.len() <= LONGEST_LINK
                && link.id.as_ref().is_none_or(|id| id.len() <= LONGEST_LINK_NAME)
        };
        Handler::set_hyperlink(self.term, link.filter(fits));
    }

    fn dynamic_color_sequence(&mut self, prefix: String, index: usize, terminator: &str) {
        let set = self.term.colors()[index].map(|rgb| (rgb.r, rgb.g, rgb.b));
        let (r, g, b) = set.unwrap_or_else(|| self.palette.colour(index));
        let colour = format!("{r:02x}{r:02x}/{g:02x}{g:02x}/{b:02x}{b:02x}");
        self.reply(format!("\x1b]{prefix};rgb:{colour}{terminator}"));
    }

    fn report_keyboard_mode(&mut self) {
        let flags = self.own.keyboard(self.is_alternate()).0;
        self.reply(format!("\x1b[?{flags}u"));
    }

    fn push_keyboard_mode(&mut self, flags: KeyboardModes) {
        self.own.push_keyboard(self.is_alternate(), flags);
    }

    fn pop_keyboard_modes(&mut self, count: u16) {
        self.own.pop_keyboards(self.is_alternate(), count);
    }

    fn set_keyboard_mode(&mut self, flags: KeyboardModes, how: KeyboardModesApplyBehavior) {
        self.own.set_keyboard(self.is_alternate(), flags, how);
    }

    fn set_modify_other_keys(&mut self, level: ModifyOtherKeys) {
        self.own.set_other_keys(level);
    }

    fn report_modify_other_keys(&mut self) {
        self.reply(format!("\x1b[>4;{}m", self.own.other_keys));
    }
}

/// Counts in escape sequences have at most 16 bits.
fn whole(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
