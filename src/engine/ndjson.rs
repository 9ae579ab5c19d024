//! Lines of the NDJSON streams (api.md §3.4, §6.2). Everything beyond ASCII is escaped: the official client
//! decodes each network chunk by itself, which would break a character that two chunks share.

use crate::model::{Command, StreamName};
use serde::Serialize;
use serde_json::json;
use serde_json::ser::{Formatter, Serializer};
use std::io::{self, Write};

/// Keys in the order in which the service writes them.
#[derive(Serialize)]
struct Piece<'a, D> {
    stream: &'a str,
    data: D,
}

pub(super) fn piece(stream: &StreamName, data: &str) -> Vec<u8> {
    let stream = stream.word();
    line(&Piece { stream, data })
}

pub(super) fn command(command: &Command) -> Vec<u8> {
    line(&json!({"command": command}))
}

/// The end of a stream whose session was stopped.
pub(super) fn closed() -> Vec<u8> {
    let message = "the session was stopped while the command ran";
    error("sandbox_stream_closed", message)
}

/// The end of a stream that lacks some of the output. The service has no code for this.
pub(super) fn incomplete(lost: u64) -> Vec<u8> {
    let message = format!(
        "{lost} bytes of the output could not be kept: the local engine's data directory is full or cannot be written"
    );
    error("output_incomplete", &message)
}

fn error(code: &str, message: &str) -> Vec<u8> {
    let data = json!({"code": code, "message": message});
    let stream = "error";
    line(&Piece { stream, data })
}

fn line(value: &impl Serialize) -> Vec<u8> {
    let mut line = Vec::new();
    // Writing values made here into memory cannot fail.
    let _ = value.serialize(&mut Serializer::with_formatter(&mut line, Ascii));
    line.push(b'\n');
    line
}

struct Ascii;

impl Formatter for Ascii {
    fn write_string_fragment<W>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + Write,
    {
        let mut rest = fragment;
        while let Some(start) = rest.find(|letter: char| !letter.is_ascii()) {
            let (plain, other) = rest.split_at(start);
            writer.write_all(plain.as_bytes())?;
            let end = other.find(|letter: char| letter.is_ascii());
            let (other, after) = other.split_at(end.unwrap_or(other.len()));
            for unit in other.encode_utf16() {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = after;
        }
        writer.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_one_ascii_line_that_reads_back() {
        let text = "żółw\n👩‍👧 \u{2028}\u{7} \"quoted\" \\ end";
        let line = piece(&StreamName::Stderr, text);
        assert!(line.is_ascii());
        assert_eq!(line.iter().filter(|byte| **byte == b'\n').count(), 1);
        let read: serde_json::Value = serde_json::from_slice(&line).unwrap();
        assert_eq!(read, json!({"stream": "stderr", "data": text}));
    }
}
