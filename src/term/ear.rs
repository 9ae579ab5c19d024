//! Listens along for the sequences the emulator crate lets pass unheard, and stops strings that never end.
//!
//! Every escape sequence begins with ESC, wherever it stands, and strings end at BEL, ESC, CAN or SUB: so it is enough
//! to look at what follows an ESC, and plain output costs one search for that byte.

use super::heard::Heard;
use crate::model::Foreign;
use memchr::{memchr, memchr3};

/// Bytes of one operating system command (OSC): a clipboard of 768 KiB. The rest of a longer one is dropped.
const LONGEST_COMMAND: usize = 1 << 20;
/// Bytes of a control sequence that can be one of ours.
const LONGEST_CONTROL: usize = 16;
const BEL: u8 = 0x07;
const CAN: u8 = 0x18;
const SUB: u8 = 0x1a;
const ESC: u8 = 0x1b;

#[derive(Debug, Default)]
pub(super) struct Ear {
    state: State,
    /// What came of the sequence at hand, without its introducer.
    held: Vec<u8>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq)]
enum State {
    #[default]
    Ground,
    Escape,
    Control,
    Command,
    /// In a command that grew too long: nothing of it goes on.
    Overlong,
}

/// What became of the beginning of some bytes.
#[derive(Debug)]
pub(super) struct Listened {
    /// How many bytes this is about.
    pub length: usize,
    /// Whether they go on to the emulator.
    pub passes: bool,
    pub found: Option<Found>,
}

#[derive(Debug)]
pub(super) enum Found {
    Heard(Heard),
    /// The terminal's name and version are asked for (XTVERSION).
    Version,
    /// The cursor's place is asked for in the DEC way.
    Place,
    /// DECSTR.
    SoftReset,
    /// The command at hand is too long: it is to be cancelled.
    Overlong,
}

impl Ear {
    /// Looks at the beginning of `bytes` (not empty), up to the next thing to be done.
    pub(super) fn listen(&mut self, bytes: &[u8]) -> Listened {
        let mut at = 0;
        while at < bytes.len() {
            let state = self.state;
            let (length, found) = match state {
                State::Ground => (self.ground(&bytes[at..]), None),
                State::Escape => (self.escape(bytes[at]), None),
                State::Control => (1, self.control(bytes[at])),
                State::Command => self.command(&bytes[at..]),
                State::Overlong => self.overlong(&bytes[at..]),
            };
            at += length;
            let turned = (state == State::Overlong) != (self.state == State::Overlong);
            if found.is_some() || turned {
                let passes = state != State::Overlong;
                return Listened {
                    length: at,
                    passes,
                    found,
                };
            }
        }
        let passes = self.state != State::Overlong;
        Listened {
            length: at,
            passes,
            found: None,
        }
    }

    fn ground(&mut self, bytes: &[u8]) -> usize {
        match memchr(ESC, bytes) {
            Some(at) => {
                self.state = State::Escape;
                at + 1
            }
            None => bytes.len(),
        }
    }

    fn escape(&mut self, byte: u8) -> usize {
        self.held.clear();
        self.state = match byte {
            b'[' => State::Control,
            b']' => State::Command,
            CAN | SUB | 0x20..0x7f => State::Ground,
            // Other controls are carried out and do not end a sequence.
            _ => State::Escape,
        };
        1
    }

    fn control(&mut self, byte: u8) -> Option<Found> {
        match byte {
            ESC => self.state = State::Escape,
            CAN | SUB => self.state = State::Ground,
            b'>' | b'?' | b'!' if self.held.is_empty() => self.held.push(byte),
            // Not one of ours: all of those begin with one of these signs and are short.
            0x20..0x40 if self.held.is_empty() || self.held.len() == LONGEST_CONTROL => {
                self.state = State::Ground;
            }
            0x20..0x40 => self.held.push(byte),
            0x40..0x7f => {
                self.state = State::Ground;
                return match (byte, self.held.as_slice()) {
                    (b'q', b">" | b">0") => Some(Found::Version),
                    (b'n', b"?6") => Some(Found::Place),
                    (b'p', b"!") => Some(Found::SoftReset),
                    _ => None,
                };
            }
            _ => (),
        }
        None
    }

    fn command(&mut self, bytes: &[u8]) -> (usize, Option<Found>) {
        let end = end_of_string(bytes);
        let text = &bytes[..end.unwrap_or(bytes.len())];
        let room = LONGEST_COMMAND - self.held.len();
        if text.len() > room {
            self.state = State::Overlong;
            return (room.max(1), Some(Found::Overlong));
        }
        self.held.extend_from_slice(text);
        let Some(end) = end else {
            return (bytes.len(), None);
        };
        self.state = after_string(bytes[end]);
        let is_whole = matches!(bytes[end], BEL | ESC);
        let heard = is_whole.then(|| meaning(&self.held)).flatten();
        self.held.clear();
        (end + 1, heard.map(Found::Heard))
    }

    /// The byte that ends the command goes on with what follows: to the emulator it is a new sequence or nothing.
    fn overlong(&mut self, bytes: &[u8]) -> (usize, Option<Found>) {
        let Some(end) = end_of_string(bytes) else {
            return (bytes.len(), None);
        };
        self.held = Vec::new();
        self.state = State::Ground;
        if bytes[end] == ESC {
            (end, None)
        } else {
            (end + 1, None)
        }
    }
}

fn after_string(end: u8) -> State {
    if end == ESC {
        State::Escape
    } else {
        State::Ground
    }
}

fn end_of_string(bytes: &[u8]) -> Option<usize> {
    let end = memchr3(BEL, ESC, CAN, bytes);
    let before = end.map_or(bytes, |end| &bytes[..end]);
    memchr(SUB, before).or(end)
}

/// What a command means to sandtop, if it is one of those the emulator crate does not know.
fn meaning(command: &[u8]) -> Option<Heard> {
    let (number, rest) = command.split_at(command.iter().position(|byte| *byte == b';')?);
    let rest = String::from_utf8_lossy(&rest[1..]);
    match number {
        b"7" => directory(&rest).map(Heard::Directory),
        // `9;4;…` is a progress bar: no words in it.
        b"9" if rest.starts_with("4;") || rest.is_empty() => None,
        b"9" => Some(Heard::Notice(Foreign::from(rest.as_ref()))),
        b"777" => {
            let words = rest.strip_prefix("notify;")?;
            Some(Heard::Notice(Foreign::from(words.replacen(';', ": ", 1))))
        }
        b"133" => {
            let mut parts = rest.split(';');
            (parts.next() == Some("D"))
                .then(|| Heard::CommandEnded(parts.next().and_then(|code| code.parse().ok())))
        }
        _ => None,
    }
}

/// The path of a `file://host/path` address.
fn directory(address: &str) -> Option<Foreign> {
    let place = address.strip_prefix("file://")?;
    let path = &place.as_bytes()[place.find('/')?..];
    let mut plain = Vec::with_capacity(path.len());
    let mut at = 0;
    while at < path.len() {
        let code = path.get(at + 1..at + 3).filter(|_| path[at] == b'%');
        let code = code.and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                plain.push(byte);
                at += 3;
            }
            None => {
                plain.push(path[at]);
                at += 1;
            }
        }
    }
    Some(Foreign::from(String::from_utf8_lossy(&plain).into_owned()))
}
