//! From lines to objects: JSON of one line or of many, the format, and what its dialect gets.

use super::Format;
use super::detect::{detect, is_beginning, is_openclaw_final, of_complaint};
use super::dialect::{Dialect, dialect};
use super::document::{Document, Progress, beginning, elements};
use super::framer::Framed;
use super::ledger::Ledger;
use super::plain::Plain;
use super::reader::Stream;
use super::value::{Object, stub};
use serde_json::Value;

/// So much of standard output is looked at for a format; then it is plain.
const LINES_LOOKED_AT: usize = 50;
const BYTES_LOOKED_AT: usize = 64 << 10;

#[derive(Debug)]
pub struct Intake {
    pub ledger: Ledger,
    dialect: Box<dyn Dialect>,
    /// What was looked at while the format is open: lines and bytes. `None`: it is settled.
    looked: Option<(usize, usize)>,
    /// JSON over several lines that has begun, by stream.
    documents: [Option<Document>; 2],
}

impl Default for Intake {
    fn default() -> Self {
        Self {
            ledger: Ledger::default(),
            dialect: Box::new(Plain),
            looked: Some((0, 0)),
            documents: [None, None],
        }
    }
}

impl Intake {
    /// From now on it is that format.
    pub fn settle(&mut self, format: Format) {
        self.looked = None;
        self.ledger.settle(format);
        self.dialect = dialect(format);
    }

    /// A piece is read.
    pub fn pause(&mut self) {
        self.dialect.pause(&mut self.ledger);
    }

    /// As if the streams had ended.
    pub fn flush(&mut self) {
        self.flush_documents();
        let run = &self.ledger.run;
        let saw_something = !run.steps.is_empty() || run.uncounted > 0;
        if self.looked.is_some() && saw_something {
            self.settle(Format::Plain);
        }
        self.pause();
    }

    /// They have, and the process too.
    pub fn end(&mut self) {
        if self.looked.is_some() {
            self.settle(Format::Plain);
        }
        self.ledger.lines = None;
        self.dialect.end(&mut self.ledger);
        self.ledger.abandon();
    }

    pub fn framed(&mut self, stream: Stream, number: u64, framed: Framed<'_>) {
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
            self.ledger.next_run();
            self.settle(format);
        }
        self.dialect.object(&mut self.ledger, object);
    }

    /// Another agent begins in the same log: after the one before has told its end, or with a line that only a
    /// beginning has.
    fn next_run(&self, object: &Object) -> Option<Format> {
        let known = self.ledger.run.format.filter(|known| known.is_agent())?;
        if !self.ledger.is_over() && !is_beginning(object) {
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

    fn is_plain(&self) -> bool {
        self.ledger.run.format == Some(Format::Plain)
    }

    fn reads_documents(&self) -> bool {
        self.ledger.run.format.is_some_and(Format::is_document)
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
