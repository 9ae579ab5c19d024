//! What a command prints, passed on: each stream to its own, every byte once.

use super::json_line;
use crate::model::{Command, StreamName};
use crate::text::{Received, Replay, Verdict, shown};
use serde::Serialize;
use std::io::{self, IsTerminal, Write};

/// A line this long is shown in parts.
const LONGEST_LINE: usize = 64 * 1024;
const TAB: usize = 8;

pub struct Output {
    json: bool,
    replay: Replay,
    out: Sink,
    err: Sink,
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
            replay: Replay::new(&Received::default()),
            out: Sink::new(Box::new(io::stdout()), io::stdout().is_terminal()),
            err: Sink::new(Box::new(io::stderr()), io::stderr().is_terminal()),
        }
    }

    /// The log is told from its first byte once more: what is passed on already is not again.
    pub fn again(&mut self) {
        self.replay = Replay::new(&self.replay.received());
    }

    /// Whether there was something new in it.
    ///
    /// # Errors
    /// When nobody reads any more.
    pub fn piece(&mut self, stream: &StreamName, data: &str) -> io::Result<bool> {
        match self.replay.take(stream, data) {
            Verdict::Held => return Ok(false),
            Verdict::New(data) => {
                let data = data.to_owned();
                self.write(stream, &data)?;
            }
            Verdict::Differs(texts) => texts
                .iter()
                .try_for_each(|(stream, data)| self.write(stream, data))?,
        }
        Ok(true)
    }

    /// What has no line's end yet goes out too.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()?;
        self.err.flush()
    }

    pub fn ended(&mut self, command: &Command, exit_code: i64) -> io::Result<()> {
        self.flush()?;
        if !self.json {
            return Ok(());
        }
        let command = command.id.as_raw();
        self.line(&Line::End { exit_code, command })
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
