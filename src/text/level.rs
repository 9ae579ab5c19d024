//! How grave a line says it is: a guess from its beginning.
//!
//! Known: JSON with a `level`, logfmt, words in capitals or brackets, `error:` of compilers, syslog priorities,
//! klog's `E0102`, npm's, and the first lines of what Python, Java, Rust, Go and Node print when they fail. A word
//! in a sentence (`0 errors found`) says nothing.

use memchr::memmem;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// It does not say.
    #[default]
    Unknown,
    Trace,
    Debug,
    Info,
    Warn,
    Error,
    Fatal,
}

impl Level {
    const ALL: [Self; 7] = [
        Self::Unknown,
        Self::Trace,
        Self::Debug,
        Self::Info,
        Self::Warn,
        Self::Error,
        Self::Fatal,
    ];

    pub(super) fn of_bits(bits: u8) -> Self {
        Self::ALL
            .get(usize::from(bits))
            .copied()
            .unwrap_or_default()
    }

    /// Syslog's, 0 (emergency) to 7 (debug).
    fn of_severity(severity: u32) -> Self {
        match severity & 7 {
            0..=2 => Self::Fatal,
            3 => Self::Error,
            4 => Self::Warn,
            5 | 6 => Self::Info,
            _ => Self::Debug,
        }
    }

    /// In any case; what programs use in the place of a level.
    fn of_word(word: &[u8]) -> Option<Self> {
        let mut lower = [0; 13];
        let lower = lower.get_mut(..word.len())?;
        lower.copy_from_slice(word);
        lower.make_ascii_lowercase();
        Some(match &*lower {
            b"fatal" | b"ftl" | b"critical" | b"crit" | b"panic" => Self::Fatal,
            b"emerg" | b"emergency" | b"alert" => Self::Fatal,
            b"error" | b"err" | b"eror" | b"severe" => Self::Error,
            b"warn" | b"warning" | b"wrn" => Self::Warn,
            b"info" | b"inf" | b"information" | b"informational" | b"notice" => Self::Info,
            b"debug" | b"dbug" | b"dbg" => Self::Debug,
            b"trace" | b"trc" | b"verbose" => Self::Trace,
            _ => return None,
        })
    }
}

/// Further on nobody says how grave it is.
const LOOKED_AT: usize = 120;
/// A JSON object says it anywhere.
const LOOKED_AT_IN_JSON: usize = 1024;

/// `line`: as it came, colours and all.
pub(super) fn guess(line: &str) -> Level {
    let bytes = line.as_bytes();
    let start = bytes.iter().position(|byte| !matches!(byte, b' ' | b'\t'));
    let bytes = &bytes[start.unwrap_or(bytes.len())..];
    let beginning = &bytes[..bytes.len().min(LOOKED_AT)];
    let found = match beginning {
        [] => None,
        [b'{', ..] => return in_json(&bytes[..bytes.len().min(LOOKED_AT_IN_JSON)]),
        [b'<', digits @ ..] => priority(digits),
        [letter @ (b'I' | b'W' | b'E' | b'F'), rest @ ..] => klog(*letter, rest),
        [b'n', b'p', b'm', b' ', rest @ ..] => Level::of_word(word(rest)),
        _ => None,
    };
    found.or_else(|| in_words(beginning)).unwrap_or_default()
}

/// The word that a text begins with.
fn word(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|byte| !is_word(*byte));
    &text[..end.unwrap_or(text.len())]
}

fn is_word(byte: u8) -> bool {
    const WORD: [bool; 256] = {
        let mut word = [false; 256];
        let mut byte = 0;
        while byte < 128_u8 {
            word[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_';
            byte += 1;
        }
        word
    };
    WORD[usize::from(byte)]
}

fn in_json(object: &[u8]) -> Level {
    const KEYS: &[&str] = &[
        "\"level\"",
        "\"severity\"",
        "\"lvl\"",
        "\"levelname\"",
        "\"log.level\"",
        "\"loglevel\"",
    ];
    let found = KEYS.iter().find_map(|key| {
        let value = &object[memmem::find(object, key.as_bytes())? + key.len()..];
        let value = value
            .trim_ascii_start()
            .strip_prefix(b":")?
            .trim_ascii_start();
        match value.strip_prefix(b"\"") {
            Some(text) => Level::of_word(word(text)),
            None => number(value),
        }
    });
    found.unwrap_or_default()
}

/// From 10 on as pino and bunyan count, below as syslog does.
fn number(value: &[u8]) -> Option<Level> {
    Some(match digits(value)? {
        severity @ 0..=7 => Level::of_severity(severity),
        0..=19 => Level::Trace,
        20..=29 => Level::Debug,
        30..=39 => Level::Info,
        40..=49 => Level::Warn,
        50..=59 => Level::Error,
        _ => Level::Fatal,
    })
}

fn digits(text: &[u8]) -> Option<u32> {
    let digits = word(text);
    let short = (1..=3).contains(&digits.len());
    std::str::from_utf8(digits)
        .ok()
        .filter(|_| short)?
        .parse()
        .ok()
}

/// `<13>`, without the first sign.
fn priority(text: &[u8]) -> Option<Level> {
    let priority = digits(text)?;
    (text.get(word(text).len()) == Some(&b'>')).then(|| Level::of_severity(priority))
}

/// `E0102 15:04:05.678 …`
fn klog(letter: u8, rest: &[u8]) -> Option<Level> {
    let (date, rest) = rest.split_at_checked(4)?;
    let is_klog = date.iter().all(u8::is_ascii_digit) && rest.first() == Some(&b' ');
    is_klog.then_some(match letter {
        b'I' => Level::Info,
        b'W' => Level::Warn,
        b'E' => Level::Error,
        _ => Level::Fatal,
    })
}

fn in_words(text: &[u8]) -> Option<Level> {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        if is_word(byte) {
            let word = word(&text[at..]);
            let place = Place {
                before: at.checked_sub(1).map(|before| text[before]),
                word,
                after: &text[at + word.len()..],
            };
            if let Some(level) = place.level() {
                return Some(level);
            }
            at += word.len();
        } else {
            at += colour(&text[at..]).max(1);
        }
    }
    None
}

/// Bytes of the `ESC [ … m` that a text begins with.
fn colour(text: &[u8]) -> usize {
    let end = |text: &[u8]| text.iter().position(u8::is_ascii_alphabetic);
    let body = text.strip_prefix(b"\x1b[").and_then(end);
    body.map_or(0, |body| body + 3)
}

/// A word and what stands around it.
struct Place<'a> {
    before: Option<u8>,
    word: &'a [u8],
    after: &'a [u8],
}

impl Place<'_> {
    fn level(&self) -> Option<Level> {
        let mut after = self.after;
        while colour(after) > 0 {
            after = &after[colour(after)..];
        }
        let next = after.first().copied();
        match self.word {
            b"level" | b"lvl" | b"severity" if next == Some(b'=') => {
                let value = &self.after[1..];
                return Level::of_word(word(value.strip_prefix(b"\"").unwrap_or(value)));
            }
            b"Traceback" if self.after.starts_with(b" (most recent call") => {
                return Some(Level::Error);
            }
            b"panicked" if self.after.starts_with(b" at ") => return Some(Level::Error),
            name if next == Some(b':') && is_failure(name) => return Some(Level::Error),
            _ => {}
        }
        // Most words are out here, before they are compared with any.
        let capitals = self.word.iter().all(u8::is_ascii_uppercase);
        let enclosed = matches!(self.before, Some(b'[' | b'(' | b'<' | b'|'))
            && matches!(next, Some(b']' | b')' | b'>' | b'|'));
        let begins = matches!(self.before, None | Some(b' ' | b'\t' | b'm'));
        let announced = begins && matches!(next, Some(b':' | b'['));
        let is_meant = capitals || enclosed || announced;
        is_meant.then(|| Level::of_word(self.word))?
    }
}

/// `ValueError`, `NullPointerException`.
fn is_failure(name: &[u8]) -> bool {
    name.first().is_some_and(u8::is_ascii_uppercase)
        && (name.ends_with(b"Error") || name.ends_with(b"Exception"))
}
