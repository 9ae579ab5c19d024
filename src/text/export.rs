//! Lines of a log as they leave the program: for a clipboard, a file, another program.

use super::ansi::{shown, stripped};
use super::clean::clean_str;
use super::lines::LineRef;
use crate::model::Clean;
use serde::Serialize;

/// How lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// What is read of them: no control sequences, and of a line that overwrote itself what was left of it. Notes of
    /// ours are not the command's and stay away.
    Plain,
    /// Everything as it came, byte by byte, and nothing else: a stream's lines are the stream.
    Ansi,
    /// An object a line with the time (UTC; `null` in a replay), the source where there are several, the stream, and
    /// the text as it came; notes too.
    Jsonl,
}

/// A longer line is not laid out as on a screen, which takes many times its size.
const LAID_OUT_BYTES: usize = 1 << 20;
const TAB: usize = 8;

#[derive(Serialize)]
struct Object<'a> {
    time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
}

impl Form {
    /// As a file's name asks for it: `.ansi`, `.jsonl`; anything else is plain text.
    pub fn of_name(name: &str) -> Self {
        match name.rsplit_once('.') {
            Some((_, "ansi")) => Self::Ansi,
            Some((_, "jsonl")) => Self::Jsonl,
            _ => Self::Plain,
        }
    }

    /// Puts a line behind what is there. `source`: whose it is, where there are several. `false`: it has no place in this form.
    pub fn put(self, line: &LineRef<'_>, source: Option<&Clean>, out: &mut String) -> bool {
        match self {
            Self::Plain | Self::Ansi if line.is_note() => return false,
            Self::Plain => {
                put_plain(line.raw, out);
                out.push('\n');
            }
            Self::Ansi => {
                out.push_str(line.raw);
                out.push_str(line.ending.as_str());
            }
            Self::Jsonl => put_object(line, source, out),
        }
        true
    }
}

/// As a person would type it off, with the tabs it has.
fn put_plain(raw: &str, out: &mut String) {
    if raw.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t')) {
        out.push_str(raw);
    } else if raw.len() <= LAID_OUT_BYTES && (!raw.contains('\t') || moves(raw)) {
        out.push_str(shown(raw, TAB, usize::MAX).as_str());
    } else {
        let written = raw.trim_end_matches('\r');
        let last = written.rsplit('\r').next().unwrap_or_default();
        for (at, part) in stripped(last).split('\t').enumerate() {
            if at > 0 {
                out.push('\t');
            }
            out.push_str(clean_str(part).as_str());
        }
    }
}

/// It overwrites itself: where its tabs lead depends on what stood there.
fn moves(raw: &str) -> bool {
    raw.contains(['\r', '\u{8}'])
}

fn put_object(line: &LineRef<'_>, source: Option<&Clean>, out: &mut String) {
    let time = line
        .arrived
        .and_then(|at| jiff::Timestamp::from_millisecond(at.0).ok());
    let is_note = line.is_note();
    let object = Object {
        time: time.map(|time| format!("{time:.3}")),
        source: source.map(Clean::as_str),
        stream: line.stream.map(|stream| stream.word()),
        text: (!is_note).then(|| format!("{}{}", line.raw, line.ending.as_str())),
        note: is_note.then_some(line.raw),
    };
    // Texts and names can always be written.
    out.push_str(&serde_json::to_string(&object).unwrap_or_default());
    out.push('\n');
}
