//! From pieces of output to a run: lines, JSON, the format, and its dialect.

use super::detect::{detect, is_openclaw_final, of_complaint};
use super::dialect::{Dialect, dialect};
use super::document::{Document, Progress, beginning, elements};
use super::framer::{Framed, Framer};
use super::ledger::Ledger;
use super::plain::Plain;
use super::value::{Object, stub};
use super::{Format, Phase, Run};
use crate::model::Timestamp;
use serde_json::Value;

/// So much of standard output is looked at for a format; then it is plain.
const LINES_LOOKED_AT: usize = 50;
const BYTES_LOOKED_AT: usize = 64 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stream {
    Stdout,
    Stderr,
}

/// A piece of a command's output: part of a line, or many.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    pub stream: Stream,
    /// The number of the line in the log that the first byte belongs to.
    pub line: u64,
    /// When it came, if it came live.
    pub arrived: Option<Timestamp>,
    pub bytes: &'a [u8],
}

#[derive(Debug)]
pub struct Reader {
    stdout: Framer,
    stderr: Framer,
    inner: Inner,
}

#[derive(Debug)]
struct Inner {
    ledger: Ledger,
    dialect: Box<dyn Dialect>,
    /// What was looked at while the format is open: lines and bytes. `None`: it is settled.
    looked: Option<(usize, usize)>,
    /// JSON over several lines that has begun, by stream.
    documents: [Option<Document>; 2],
}

impl Default for Reader {
    fn default() -> Self {
        Self::new()
    }
}

impl Reader {
    /// Finds the format out.
    pub fn new() -> Self {
        Self {
            stdout: Framer::default(),
            stderr: Framer::default(),
            inner: Inner {
                ledger: Ledger::default(),
                dialect: Box::new(Plain),
                looked: Some((0, 0)),
                documents: [None, None],
            },
        }
    }

    /// Reads that format, whatever it looks like.
    pub fn forced(format: Format) -> Self {
        let mut reader = Self::new();
        reader.inner.settle(format);
        reader
    }

    pub fn feed(&mut self, piece: Piece<'_>) {
        let inner = &mut self.inner;
        inner.ledger.arrived = piece.arrived;
        let framer = match piece.stream {
            Stream::Stdout => &mut self.stdout,
            Stream::Stderr => &mut self.stderr,
        };
        framer.push(piece.line, piece.bytes, |number, framed| {
            inner.framed(piece.stream, number, framed);
        });
        inner.pause();
    }

    /// What comes now does not go on where the last lines broke off: those end here.
    pub fn break_off(&mut self) {
        let inner = &mut self.inner;
        self.stdout
            .end(|number, framed| inner.framed(Stream::Stdout, number, framed));
        self.stderr
            .end(|number, framed| inner.framed(Stream::Stderr, number, framed));
    }

    /// What is open is read as a line, as if it had ended; the process may still run.
    pub fn flush(&mut self) {
        self.break_off();
        let inner = &mut self.inner;
        inner.flush_documents();
        let saw_something = !inner.ledger.run.steps.is_empty() || inner.ledger.run.uncounted > 0;
        if inner.looked.is_some() && saw_something {
            inner.settle(Format::Plain);
        }
        inner.pause();
    }

    /// The streams have ended, and the process with them.
    pub fn end(&mut self) {
        self.flush();
        let inner = &mut self.inner;
        if inner.looked.is_some() {
            inner.settle(Format::Plain);
        }
        inner.ledger.lines = None;
        inner.dialect.end(&mut inner.ledger);
        inner.ledger.abandon();
    }

    pub fn run(&self) -> &Run {
        &self.inner.ledger.run
    }

    /// Grows with every change of the run.
    pub fn revision(&self) -> u64 {
        self.inner.ledger.revision()
    }

    /// The first step that changed after that revision; the number of steps if none did.
    pub fn changed_since(&self, revision: u64) -> usize {
        self.inner.ledger.changed_since(revision)
    }
}

impl Inner {
    fn framed(&mut self, stream: Stream, number: u64, framed: Framed<'_>) {
        self.ledger.lines = Some(number..=number);
        self.ledger.told = None;
        match framed {
            Framed::TooLong(bytes) => {
                let told = stub(
                    "a line of",
                    usize::try_from(bytes).unwrap_or(usize::MAX) / 3 * 4,
                );
                self.ledger.raw(&told);
            }
            Framed::Line(bytes) => {
                let line = String::from_utf8_lossy(bytes);
                match stream {
                    Stream::Stdout => self.stdout_line(number, &line),
                    Stream::Stderr => self.stderr_line(number, &line),
                }
            }
        }
    }

    fn stdout_line(&mut self, number: u64, line: &str) {
        let json = start(line);
        if self.continued(Stream::Stdout, number, line) || json.is_empty() {
            return;
        }
        let may_span = self.looked.is_some() || self.is_plain() || self.reads_documents();
        match json.as_bytes()[0] {
            b'{' => match serde_json::from_str::<Value>(json) {
                Ok(Value::Object(object)) => self.object(&object),
                Err(error) if error.is_eof() && may_span => {
                    self.documents[0] = Some(Document::begin(json, number));
                }
                _ => self.line(line),
            },
            b'[' if may_span && (json.trim_end() == "[" || json.starts_with("[{")) => {
                let mut document = Document::begin("", number);
                if document.add(json, number) == Progress::Complete {
                    self.array(&document.text, line);
                } else {
                    self.documents[0] = Some(document);
                }
            }
            _ => self.line(line),
        }
    }

    /// Standard error is for people, but for the one object that an agent prints there.
    fn stderr_line(&mut self, number: u64, line: &str) {
        let json = start(line);
        if self.continued(Stream::Stderr, number, line) {
            return;
        }
        let may_hold = self.looked.is_some() || self.is_plain() || self.reads_documents();
        if may_hold && json.starts_with('{') {
            match serde_json::from_str::<Value>(json) {
                Ok(Value::Object(object)) => {
                    if let Some(format) = of_complaint(&object) {
                        return self.final_object(format, &object);
                    }
                }
                Err(error) if error.is_eof() => {
                    self.documents[1] = Some(Document::begin(json, number));
                    return;
                }
                _ => {}
            }
        }
        self.complain(line);
    }

    fn complain(&mut self, line: &str) {
        self.ledger.complaint(line);
        self.dialect.complaint(&mut self.ledger, line);
    }

    /// Goes on with JSON that has begun on an earlier line. Whether the line is used up.
    fn continued(&mut self, stream: Stream, number: u64, line: &str) -> bool {
        let slot = stream as usize;
        let Some(mut document) = self.documents[slot].take() else {
            return false;
        };
        // What belongs to it is indented.
        let is_own = line.starts_with("{\"")
            && !document.is_array()
            && serde_json::from_str::<serde::de::IgnoredAny>(line).is_ok();
        if is_own {
            self.give_up(stream, &document);
            self.ledger.lines = Some(number..=number);
            return false;
        }
        match document.add(line, number) {
            Progress::Open => self.documents[slot] = Some(document),
            Progress::Complete => self.whole(stream, &document),
            Progress::Hopeless => {
                self.give_up(stream, &document);
                self.ledger.lines = Some(number..=number);
                // A line that would have made it too long is not in it.
                return document.last_line == number;
            }
        }
        true
    }

    fn whole(&mut self, stream: Stream, document: &Document) {
        self.ledger.lines = Some(document.first_line..=document.last_line);
        if document.is_array() && stream == Stream::Stdout {
            return self.array(&document.text, &document.text);
        }
        match serde_json::from_str::<Value>(&document.text) {
            Ok(Value::Object(object)) => match of_complaint(&object) {
                Some(format) => self.final_object(format, &object),
                None if stream == Stream::Stdout && self.takes(&object) => self.object(&object),
                None => self.give_up(stream, document),
            },
            _ => self.give_up(stream, document),
        }
    }

    /// It was no JSON after all, or is cut: its lines as they are.
    fn give_up(&mut self, stream: Stream, document: &Document) {
        for (number, line) in (document.first_line..).zip(document.text.lines()) {
            self.ledger.lines = Some(number..=number);
            match stream {
                Stream::Stdout => self.line(line),
                Stream::Stderr => self.complain(line),
            }
        }
    }

    fn flush_documents(&mut self) {
        for stream in [Stream::Stdout, Stream::Stderr] {
            let Some(document) = self.documents[stream as usize].take() else {
                continue;
            };
            if document.is_array() && stream == Stream::Stdout {
                self.array(&document.text, &document.text);
                continue;
            }
            let begun = beginning(&document.text).filter(|_| self.looked.is_some());
            if let Some(format) = begun.as_ref().and_then(detect) {
                self.settle(format);
            }
            self.give_up(stream, &document);
        }
    }

    /// An array of events, whole or cut. `line`: as it came.
    fn array(&mut self, array: &str, line: &str) {
        let parsed = |element: &str| match serde_json::from_str::<Value>(element) {
            Ok(Value::Object(object)) => Some(object),
            _ => None,
        };
        let events = elements(array);
        let first = events.first().and_then(|event| parsed(event));
        let is_known = first
            .as_ref()
            .and_then(detect)
            .is_some_and(|format| format == Format::Claude);
        if !is_known && self.ledger.run.format != Some(Format::ClaudeJsonArray) {
            return line.lines().for_each(|line| self.line(line));
        }
        if self.looked.is_some() {
            self.settle(Format::ClaudeJsonArray);
        }
        for event in events.into_iter().filter_map(parsed) {
            self.dialect.object(&mut self.ledger, &event);
        }
    }

    /// An object over several lines means something.
    fn takes(&self, object: &Object) -> bool {
        self.reads_documents() || self.looked.is_some() && detect(object).is_some()
    }

    fn object(&mut self, object: &Object) {
        if is_openclaw_final(object) && (self.looked.is_some() || self.is_plain()) {
            return self.final_object(Format::OpenClawFinal, object);
        }
        if self.looked.is_some() {
            match detect(object) {
                Some(format) => self.settle(format),
                None => self.look(serde_json::to_string(object).map_or(0, |json| json.len())),
            }
        } else if let Some(format) = self.next_run(object) {
            self.ledger.abandon();
            self.settle(format);
            self.ledger.phase(Phase::Silent);
        }
        self.dialect.object(&mut self.ledger, object);
    }

    /// Another agent begins in the same log, after the one before has ended.
    fn next_run(&self, object: &Object) -> Option<Format> {
        let known = self.ledger.run.format?;
        if !known.is_agent() || !self.ledger.is_over() {
            return None;
        }
        detect(object).filter(|format| format.agent() != known.agent())
    }

    fn final_object(&mut self, format: Format, object: &Object) {
        if self.ledger.run.format != Some(format) {
            self.settle(format);
        }
        self.dialect.object(&mut self.ledger, object);
    }

    fn line(&mut self, line: &str) {
        if self.looked.is_some() {
            self.look(line.len());
        }
        self.dialect.line(&mut self.ledger, line);
    }

    /// One more line that tells no format.
    fn look(&mut self, length: usize) {
        let (lines, bytes) = self.looked.unwrap_or_default();
        self.looked = Some((lines + 1, bytes + length));
        if lines + 1 >= LINES_LOOKED_AT || bytes + length >= BYTES_LOOKED_AT {
            self.settle(Format::Plain);
        }
    }

    fn settle(&mut self, format: Format) {
        self.looked = None;
        self.ledger.settle(format);
        self.dialect = dialect(format);
    }

    fn is_plain(&self) -> bool {
        self.ledger.run.format == Some(Format::Plain)
    }

    fn reads_documents(&self) -> bool {
        self.ledger.run.format.is_some_and(Format::is_document)
    }

    fn pause(&mut self) {
        self.dialect.pause(&mut self.ledger);
    }
}

/// From the first character that is seen: no byte order mark, blanks, colours.
fn start(line: &str) -> &str {
    let mut rest = line;
    loop {
        rest = rest.trim_start_matches(|c: char| c == '\u{feff}' || c.is_whitespace());
        let Some(sequence) = rest.strip_prefix("\u{1b}[") else {
            return rest;
        };
        match sequence.find(|c: char| !c.is_ascii_digit() && c != ';') {
            Some(end) if sequence[end..].starts_with('m') => rest = &sequence[end + 1..],
            _ => return rest,
        }
    }
}
