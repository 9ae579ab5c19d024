//! What a command prints, passed on: each stream to its own, every byte once.

use super::{complain, json_line};
use crate::logic::Heard;
use crate::model::{CommandId, StreamName};
use crate::text::shown;
use serde::Serialize;
use std::io::{self, IsTerminal, Write};

/// A line this long is shown in parts.
const LONGEST_LINE: usize = 64 * 1024;
const TAB: usize = 8;

pub struct Output {
    json: bool,
    out: Sink,
    err: Sink,
    unread: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase", untagged)]
enum Line<'a> {
    Piece {
        stream: &'a str,
        data: &'a str,
    },
    #[serde(rename_all = "camelCase")]
    End {
        exit_code: i64,
        command: &'a str,
    },
}

impl Output {
    pub fn new(json: bool) -> Self {
        Self {
            json,
            out: Sink::new(Box::new(io::stdout()), io::stdout().is_terminal()),
            err: Sink::new(Box::new(io::stderr()), io::stderr().is_terminal()),
            unread: false,
        }
    }

    pub fn hear(&mut self, heard: Heard<'_>) {
        match heard {
            Heard::Text { stream, text, .. } => {
                let written = self.write(stream, text);
                self.unread |= written.is_err();
            }
            Heard::Anew => self.flush(),
            Heard::Note(note) => complain(note.as_str()),
        }
    }

    /// Nobody takes it any more.
    pub fn is_unread(&self) -> bool {
        self.unread
    }

    /// What has no line's end yet goes out too.
    pub fn flush(&mut self) {
        self.unread |= self.out.flush().is_err() | self.err.flush().is_err();
    }

    pub fn end(&mut self, command: &CommandId, exit_code: i64) {
        self.flush();
        if self.json {
            let command = command.as_raw();
            let written = self.line(&Line::End { exit_code, command });
            self.unread |= written.is_err();
        }
    }

    fn write(&mut self, stream: &StreamName, data: &str) -> io::Result<()> {
        if self.json {
            let stream = stream.word();
            return self.line(&Line::Piece { stream, data });
        }
        match stream {
            StreamName::Stderr => self.err.write(data),
            StreamName::Stdout | StreamName::Other(_) => self.out.write(data),
        }
    }

    fn line(&mut self, line: &Line<'_>) -> io::Result<()> {
        let json = json_line(line)?;
        self.out.raw(&json)
    }
}

/// One stream of this program. A terminal gets whole lines, without what does something to it.
struct Sink {
    to: Box<dyn Write>,
    is_terminal: bool,
    line: String,
}

impl Sink {
    fn new(to: Box<dyn Write>, is_terminal: bool) -> Self {
        Self {
            to,
            is_terminal,
            line: String::new(),
        }
    }

    fn write(&mut self, data: &str) -> io::Result<()> {
        if !self.is_terminal {
            return self.raw(data);
        }
        for part in data.split_inclusive('\n') {
            self.line.push_str(part);
            if part.ends_with('\n') || self.line.len() > LONGEST_LINE {
                self.show(part.ends_with('\n'))?;
            }
        }
        self.to.flush()
    }

    fn show(&mut self, whole: bool) -> io::Result<()> {
        let line = self.line.trim_end_matches(['\r', '\n']);
        write!(self.to, "{}", shown(line, TAB, usize::MAX))?;
        self.line.clear();
        if whole {
            self.to.write_all(b"\n")
        } else {
            Ok(())
        }
    }

    fn raw(&mut self, data: &str) -> io::Result<()> {
        self.to.write_all(data.as_bytes())?;
        self.to.flush()
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.line.is_empty() {
            self.show(true)?;
        }
        self.to.flush()
    }
}
