//! How a program wants its terminal to behave: what the encoders of keys, paste and mouse go by.

/// Read from [`super::Emulator::modes`] at the moment something is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Modes {
    /// DECCKM (?1): cursor keys send `ESC O …`.
    pub app_cursor: bool,
    /// DECKPAM: the keypad sends `ESC O …`.
    pub app_keypad: bool,
    /// LNM (20): Enter sends CR and LF.
    pub newline: bool,
    /// ?2004: a paste is put between marks.
    pub bracketed_paste: bool,
    /// ?1004: wants to know of focus gained and lost.
    pub focus: bool,
    pub mouse: Mouse,
    pub mouse_coding: MouseCoding,
    /// The kitty keyboard protocol's flags in force.
    pub keyboard: KeyboardFlags,
    /// xterm's modifyOtherKeys: 0, 1 or 2.
    pub other_keys: u8,
    /// Full-screen programs run here; it has no scrollback.
    pub alternate_screen: bool,
    /// ?1007: on the alternate screen the wheel moves the cursor.
    pub alternate_scroll: bool,
}

/// Which mouse events a program wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub enum Mouse {
    #[default]
    Off,
    /// ?1000: buttons and wheel.
    Clicks,
    /// ?1002: also moves with a button held.
    Drags,
    /// ?1003: every move.
    Moves,
}

/// How it wants them written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MouseCoding {
    /// One byte a number: nothing beyond column and row 223.
    #[default]
    Bytes,
    /// ?1005: one UTF-8 character a number.
    Utf8,
    /// ?1006: decimal.
    Sgr,
}

/// Progressive enhancements of the kitty keyboard protocol, as its bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KeyboardFlags(pub u8);

impl KeyboardFlags {
    /// 1: keys that are ambiguous in the old encoding come as `CSI … u`.
    pub fn disambiguates(self) -> bool {
        self.0 & 1 != 0
    }

    /// 2: repeats and releases are told apart from presses.
    pub fn tells_events(self) -> bool {
        self.0 & 2 != 0
    }

    /// 4: the shifted key is told too.
    pub fn tells_alternates(self) -> bool {
        self.0 & 4 != 0
    }

    /// 8: every key comes as an escape sequence, text too.
    pub fn escapes_all(self) -> bool {
        self.0 & 8 != 0
    }

    /// 16: with 8, the text a key makes is told too.
    pub fn tells_text(self) -> bool {
        self.0 & 16 != 0
    }
}
