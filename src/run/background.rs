//! Asks the terminal for its background's colour (OSC 11): after the first frame, and before anyone reads keys.
//!
//! The library that reads keys would take the answer for keys, so it is read here, a byte at a time and for a bounded
//! time only. Whatever else arrives in that time was typed: the first such thing ends the reading and is passed on.
//! A second question that every terminal answers stands behind the first: its answer says that no other comes. An
//! answer that is late all the same is taken out of the keys by [`Late`].

use super::terminal::Terminal;
use crate::logic::Event;
use crossterm::event::{Event as Read, KeyCode, KeyEvent, KeyModifiers};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::time::{Duration, Instant};

/// The background; then the terminal's kind, which ends the waiting.
const QUESTION: &[u8] = b"\x1b]11;?\x1b\\\x1b[c";
const PATIENCE: Duration = Duration::from_millis(50);
/// No sequence that is waited for is longer.
const LONGEST: usize = 64;

/// What came in time.
#[derive(Debug, Default, PartialEq)]
pub struct Asked {
    pub events: Vec<Event>,
    /// The answer may come yet.
    pub late: bool,
}

/// The terminal must be ours, and nobody else may read it.
pub fn ask(terminal: &Terminal) -> Asked {
    if terminal.write(QUESTION).is_err() {
        return Asked::default();
    }
    let deadline = Instant::now() + PATIENCE;
    listen(|| next_byte(deadline))
}

fn next_byte(deadline: Instant) -> Option<u8> {
    let stdin = rustix::stdio::stdin();
    let left = deadline.saturating_duration_since(Instant::now());
    let mut watched = [PollFd::new(&stdin, PollFlags::IN)];
    let left = Timespec::try_from(left).ok()?;
    if poll(&mut watched, Some(&left)).ok()? == 0 {
        return None;
    }
    let mut byte = [0];
    let count = rustix::io::read(stdin, &mut byte).ok()?;
    (count == 1).then_some(byte[0])
}

fn listen(mut next: impl FnMut() -> Option<u8>) -> Asked {
    let mut asked = Asked {
        events: Vec::new(),
        late: true,
    };
    loop {
        let sequence = sequence(&mut next);
        if let Some(light) = light(&sequence) {
            asked.events.push(Event::Background { light });
        } else if sequence.starts_with(b"\x1b[?") && sequence.ends_with(b"c") {
            asked.late = false;
            return asked;
        } else {
            asked.events.extend(typed(&sequence));
            return asked;
        }
    }
}

/// The bytes that belong together; none: nothing came in time.
fn sequence(next: &mut impl FnMut() -> Option<u8>) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some(byte) = next() {
        bytes.push(byte);
        let goes_on = match bytes.as_slice() {
            [0x1b] | [0x1b, b'[' | b']'] => true,
            [0x1b, b'[', .., last] => !(0x40..=0x7e).contains(last),
            [0x1b, b']', ..] => !bytes.ends_with(b"\x07") && !bytes.ends_with(b"\x1b\\"),
            [0xc0..=0xff, ..] => std::str::from_utf8(&bytes).is_err() && bytes.len() < 4,
            _ => false,
        };
        if !goes_on || bytes.len() == LONGEST {
            break;
        }
    }
    bytes
}

/// `rgb:1e1e/1e1e/1e1e`, one to four digits each: whether that is nearer to white.
fn light(sequence: &[u8]) -> Option<bool> {
    let answer = std::str::from_utf8(sequence).ok()?;
    let colour = answer
        .strip_prefix("\x1b]11;")?
        .trim_end_matches(['\x07', '\x1b', '\\']);
    let (_, parts) = colour.split_once(':')?;
    let mut parts = parts.split('/').map(|part| {
        let most = 16_u32
            .checked_pow(u32::try_from(part.len()).ok()?)?
            .checked_sub(1)?;
        let value = u32::from_str_radix(part, 16).ok()?;
        (1..=4)
            .contains(&part.len())
            .then(|| f64::from(value) / f64::from(most))
    });
    let mut part = || parts.next().flatten();
    let (red, green, blue) = (part()?, part()?, part()?);
    Some(0.299 * red + 0.587 * green + 0.114 * blue > 0.5)
}

/// What the keys' own reader would have made of it, as far as people type it in the first moment.
fn typed(sequence: &[u8]) -> Option<Event> {
    let key = |code, modifiers| Some(Event::Key(KeyEvent::new(code, modifiers)));
    let plain = |code| key(code, KeyModifiers::NONE);
    match sequence {
        [] => None,
        b"\x1b" => plain(KeyCode::Esc),
        b"\r" => plain(KeyCode::Enter),
        b"\t" => plain(KeyCode::Tab),
        b"\x7f" => plain(KeyCode::Backspace),
        [control @ 1..=26] => key(
            KeyCode::Char(char::from(control + b'a' - 1)),
            KeyModifiers::CONTROL,
        ),
        b"\x1b[A" => plain(KeyCode::Up),
        b"\x1b[B" => plain(KeyCode::Down),
        b"\x1b[C" => plain(KeyCode::Right),
        b"\x1b[D" => plain(KeyCode::Left),
        b"\x1b[H" => plain(KeyCode::Home),
        b"\x1b[F" => plain(KeyCode::End),
        b"\x1b[Z" => plain(KeyCode::BackTab),
        b"\x1b[5~" => plain(KeyCode::PageUp),
        b"\x1b[6~" => plain(KeyCode::PageDown),
        b"\x1b[I" => Some(Event::Focus(true)),
        b"\x1b[O" => Some(Event::Focus(false)),
        [0x1b, ..] => None,
        text => plain(KeyCode::Char(
            std::str::from_utf8(text).ok()?.chars().next()?,
        )),
    }
}

/// Takes a late answer out of the keys that it looks like: alt-], its characters, and alt-\ or ctrl-g at its end.
#[derive(Debug)]
pub struct Late {
    awaited: bool,
    /// Characters of the answer so far, once it began.
    within: Option<String>,
    after_esc: bool,
}

impl Late {
    pub fn new(awaited: bool) -> Self {
        Self {
            awaited,
            within: None,
            after_esc: false,
        }
    }

    /// Whether this is a piece of the answer, and nobody's key.
    pub fn takes(&mut self, read: &Read) -> bool {
        let Read::Key(KeyEvent {
            code, modifiers, ..
        }) = read
        else {
            return false;
        };
        if !self.awaited {
            return false;
        }
        let after_esc = std::mem::replace(&mut self.after_esc, *code == KeyCode::Esc);
        let alt = modifiers.contains(KeyModifiers::ALT);
        let Some(so_far) = &mut self.within else {
            let begins = *code == KeyCode::Char(']') && (alt || after_esc);
            self.within = begins.then(String::new);
            return begins;
        };
        let ends = *code == KeyCode::Char('\\') && (alt || after_esc)
            || *code == KeyCode::Char('g') && modifiers.contains(KeyModifiers::CONTROL);
        let split_end = *code == KeyCode::Esc;
        if ends {
            self.awaited = false;
            return true;
        }
        if let KeyCode::Char(c) = code {
            so_far.push(*c);
        }
        let goes_on = split_end || belongs(so_far);
        if !goes_on {
            self.within = None;
        }
        goes_on
    }
}

/// Whether an answer begins so: `11;rgb:1e1e/1e1e/1e1e`.
fn belongs(so_far: &str) -> bool {
    const HEAD: &str = "11;rgb";
    let Some(colour) = so_far.strip_prefix(HEAD) else {
        return HEAD.starts_with(so_far);
    };
    so_far.len() < LONGEST
        && colour
            .chars()
            .all(|c| c.is_ascii_hexdigit() || matches!(c, ':' | '/' | 'a'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(bytes: &[u8]) -> (Asked, usize) {
        let mut left = bytes.iter();
        let asked = listen(|| left.next().copied());
        (asked, left.len())
    }

    fn key(c: char) -> Event {
        Event::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE))
    }

    #[test]
    fn the_answer_is_read_to_its_end_and_no_further() {
        let table: &[(&[u8], bool)] = &[
            (b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?64;1c", true),
            (b"\x1b]11;rgb:1e/1e/1e\x07\x1b[?6c", false),
            (b"\x1b]11;rgba:fd/f6/e3/ff\x07\x1b[?6c", true),
        ];
        for (bytes, light) in table {
            let typed = [bytes, &b"q"[..]].concat();
            let wanted = Asked {
                events: vec![Event::Background { light: *light }],
                late: false,
            };
            assert_eq!(heard(&typed), (wanted, 1));
        }
        assert_eq!(
            heard(b"\x1b[?1;2c"),
            (Asked::default(), 0),
            "no answer to the first"
        );
    }

    #[test]
    fn what_is_typed_meanwhile_is_a_key_and_ends_the_reading() {
        let typed = |bytes: &[u8]| heard(bytes);
        let one = |event, left| {
            let events = vec![event];
            (Asked { events, late: true }, left)
        };
        assert_eq!(typed(b"qj"), one(key('q'), 1));
        assert_eq!(typed("ö".as_bytes()), one(key('ö'), 0));
        assert_eq!(typed(b"\x1b[Ij"), one(Event::Focus(true), 1));
        let up = Event::Key(KeyEvent::new(KeyCode::Up, KeyModifiers::NONE));
        assert_eq!(typed(b"\x1b[A"), one(up, 0));
        let ctrl_c = Event::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));
        assert_eq!(typed(b"\x03"), one(ctrl_c, 0));
        assert!(typed(b"").0.late && typed(b"").0.events.is_empty());
    }

    /// Characters as keys; `\x1b` before one: with alt.
    fn left_of(late: &mut Late, keys: &str, split: bool) -> String {
        let mut left = String::new();
        let mut alt = KeyModifiers::NONE;
        for c in keys.chars() {
            let code = match c {
                '\x1b' if !split => {
                    alt = KeyModifiers::ALT;
                    continue;
                }
                '\x1b' => KeyCode::Esc,
                c => KeyCode::Char(c),
            };
            let event = KeyEvent::new(code, std::mem::replace(&mut alt, KeyModifiers::NONE));
            if !late.takes(&Read::Key(event)) {
                left.push(c);
            }
        }
        left
    }

    #[test]
    fn a_late_answer_is_no_keys() {
        let answer = "\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\";
        for split in [false, true] {
            let mut late = Late::new(true);
            let left = left_of(&mut late, &format!("j{answer}x16;"), split);
            // An escape that came alone was told before anyone could know better.
            assert_eq!(left.replace('\x1b', ""), "jx16;");
        }
        let mut none = Late::new(false);
        assert_eq!(left_of(&mut none, "]11;rgb", false), "]11;rgb");
        let mut keys = Late::new(true);
        assert_eq!(left_of(&mut keys, "]1x11;r", false), "]1x11;r");
    }
}
