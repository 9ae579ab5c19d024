//! Bytes of a command's stream into its objects: one JSON object a line, cut anywhere (api.md §3.4, §6.2, §6.3).

use super::json;
use super::surrogate::{self, Halves, Loose};
use crate::model::{Command, Foreign, LogObject, StreamName};
use memchr::memchr;
use serde::Deserialize;
use serde_json::Value;
use std::borrow::Cow;

/// The longest line that is read; a longer one is left out with a sentence.
const MAX_LINE: usize = 16 << 20;
/// How much of a line that cannot be read is kept to look at, in bytes.
const MAX_SIGHT: usize = 4 << 10;

/// Feed it what arrives, in order. No input makes it fail; it holds one unfinished line at most.
#[derive(Default)]
pub struct Decoder {
    line: Vec<u8>,
    /// Bytes of the current line that were thrown away because it is too long; 0 = it is not.
    dropped: usize,
    halves: Halves,
}

impl Decoder {
    /// The objects that are complete with these bytes.
    pub fn feed(&mut self, mut bytes: &[u8]) -> Vec<LogObject> {
        let mut objects = Vec::new();
        while let Some(end) = memchr(b'\n', bytes) {
            let (head, rest) = (&bytes[..end], &bytes[end + 1..]);
            if self.line.is_empty() && self.dropped == 0 && head.len() <= MAX_LINE {
                objects.extend(self.read(head));
            } else {
                self.hold(head);
                objects.extend(self.end_line());
            }
            bytes = rest;
        }
        self.hold(bytes);
        objects
    }

    /// What was left when the stream came to its normal end: a line without a newline, half a character.
    pub fn finish(&mut self) -> Vec<LogObject> {
        let mut objects: Vec<LogObject> = self.end_line().into_iter().collect();
        objects.extend(self.halves.left().map(|stream| LogObject::Piece {
            stream,
            data: char::REPLACEMENT_CHARACTER.into(),
        }));
        objects
    }

    fn hold(&mut self, bytes: &[u8]) {
        if self.dropped > 0 || self.line.len() + bytes.len() > MAX_LINE {
            self.dropped += self.line.len() + bytes.len();
            self.line = Vec::new();
        } else {
            self.line.extend_from_slice(bytes);
        }
    }

    fn end_line(&mut self) -> Option<LogObject> {
        let line = std::mem::take(&mut self.line);
        match std::mem::take(&mut self.dropped) {
            0 => self.read(&line),
            bytes => Some(LogObject::Unreadable(Foreign::from(format!(
                "a line of {bytes} bytes was left out: it is longer than {MAX_LINE}"
            )))),
        }
    }

    fn read(&mut self, line: &[u8]) -> Option<LogObject> {
        let line = line.trim_ascii();
        if line.is_empty() {
            return None;
        }
        match serde_json::from_slice::<Piece>(line) {
            Ok(piece) => match StreamName::from_word(&piece.stream) {
                stream if is_error(&stream) => Some(error(&Value::from(piece.data.as_ref()))),
                stream => self.piece(stream, piece.data),
            },
            Err(_) => self.read_odd(line),
        }
    }

    /// What is not the plain case: commands, errors, halves of characters, nonsense.
    fn read_odd(&mut self, line: &[u8]) -> Option<LogObject> {
        if let Ok(piece) = serde_json::from_slice::<LoosePiece>(line) {
            let stream = StreamName::from_word(&surrogate::text(&piece.stream.0));
            if !is_error(&stream) {
                let data = self.halves.join(&stream, &piece.data.0);
                return (!data.is_empty()).then_some(LogObject::Piece { stream, data });
            }
        }
        let object = json::read(line).unwrap_or(Value::Null);
        if let Some(command) = object.get("command")
            && let Ok(command) = Command::deserialize(command)
        {
            return Some(LogObject::Command(Box::new(command)));
        }
        if object["stream"] == "error" {
            return Some(error(&object["data"]));
        }
        let sight = &line[..line.len().min(MAX_SIGHT)];
        Some(LogObject::Unreadable(Foreign::from(
            String::from_utf8_lossy(sight).into_owned(),
        )))
    }

    fn piece(&mut self, stream: StreamName, data: Cow<'_, str>) -> Option<LogObject> {
        let data = if self.halves.waits(&stream) {
            self.halves.join(&stream, data.as_bytes())
        } else {
            data.into_owned()
        };
        (!data.is_empty()).then_some(LogObject::Piece { stream, data })
    }
}

#[derive(Deserialize)]
struct Piece<'a> {
    #[serde(borrow)]
    stream: Cow<'a, str>,
    #[serde(borrow)]
    data: Cow<'a, str>,
}

#[derive(Deserialize)]
struct LoosePiece {
    stream: Loose,
    data: Loose,
}

fn is_error(stream: &StreamName) -> bool {
    matches!(stream, StreamName::Other(word) if word.as_raw() == "error")
}

/// `data` should be an object of code and message; a bare string is the message, anything else neither.
fn error(data: &Value) -> LogObject {
    let word = |value: &Value| Foreign::from(value.as_str().unwrap_or_default());
    LogObject::Error {
        code: word(&data["code"]),
        message: match data {
            Value::String(message) => Foreign::from(message.as_str()),
            data => word(&data["message"]),
        },
    }
}
