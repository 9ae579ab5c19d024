//! The merged output of many commands on standard output: whole lines, in the order in which they end.

use super::super::complaint::Complaint;
use super::{Trouble, complain, json_line};
use crate::agents::{Piece, Process, Stream};
use crate::app::report::Telling;
use crate::logic::Heard;
use crate::model::{Clean, CommandId, SandboxName, StreamName, Timestamp};
use crate::text::{Colour, Pattern, RunStyle, runs, shown, stripped};
use memchr::memchr;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};

/// A longer line goes out in parts.
const LONGEST_LINE: usize = 16 << 20;
const TAB: usize = 8;
/// Of the names of sources, one after the other: cyan, green, yellow, magenta, blue, red.
const COLOURS: [u8; 6] = [6, 2, 3, 5, 4, 1];

/// What lines look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Json,
    Terminal {
        colour: bool,
    },
    /// Into a file or a pipe.
    Plain,
}

impl Style {
    pub fn of(json: bool, colour: bool) -> Self {
        match (json, io::stdout().is_terminal()) {
            (true, _) => Self::Json,
            (false, true) => Self::Terminal { colour },
            (false, false) => Self::Plain,
        }
    }
}

/// Which lines are shown.
pub struct Sieve {
    include: Vec<Pattern>,
    exclude: Vec<Pattern>,
}

impl Sieve {
    /// # Errors
    /// When one of them is no regular expression.
    pub fn new(include: &[String], exclude: &[String]) -> Result<Self, Trouble> {
        let pattern = |typed: &String| {
            let pattern = Pattern::new(typed).map_err(|why| unusable(&why))?;
            match pattern.complaint() {
                Some(why) => Err(unusable(why)),
                None => Ok(pattern),
            }
        };
        Ok(Self {
            include: include.iter().map(pattern).collect::<Result<_, _>>()?,
            exclude: exclude.iter().map(pattern).collect::<Result<_, _>>()?,
        })
    }

    fn passes(&self, line: &str) -> bool {
        if self.include.is_empty() && self.exclude.is_empty() {
            return true;
        }
        let seen = shown(line, TAB, usize::MAX);
        let matches = |pattern: &Pattern| pattern.is_match(seen.as_str());
        (self.include.is_empty() || self.include.iter().any(matches))
            && !self.exclude.iter().any(matches)
    }
}

fn unusable(why: &Clean) -> Trouble {
    Trouble::Unusable(Complaint::new(why.as_str()))
}

pub struct Printer {
    style: Style,
    sieve: Sieve,
    /// Each line begins with its source.
    several: bool,
    sources: Vec<Source>,
    /// It is read as an agent's run.
    agent: Option<Telling>,
    /// Waits to be written.
    text: String,
    /// The last line that was printed has no line break: only its own stream goes on there.
    unbroken: Option<(usize, StreamName)>,
    unread: bool,
}

struct Source {
    sandbox: SandboxName,
    command: CommandId,
    label: Clean,
    /// Lines that are not finished, a stream each.
    open: Vec<Line>,
}

struct Line {
    stream: StreamName,
    text: String,
    arrived: Option<Timestamp>,
}

#[derive(Serialize)]
struct Object<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    sandbox: &'a str,
    command: &'a str,
    stream: &'a str,
    text: &'a str,
}

impl Printer {
    pub fn new(style: Style, sieve: Sieve, several: bool) -> Self {
        Self {
            style,
            sieve,
            several,
            sources: Vec::new(),
            agent: None,
            text: String::new(),
            unbroken: None,
            unread: false,
        }
    }

    /// Of one source, as an agent's run.
    pub fn telling(self, agent: Telling) -> Self {
        let agent = Some(agent);
        Self { agent, ..self }
    }

    /// Sources have the numbers 0, 1, 2 …
    pub fn add(&mut self, sandbox: SandboxName, command: CommandId, label: Clean) {
        self.sources.push(Source {
            sandbox,
            command,
            label,
            open: Vec::new(),
        });
    }

    pub fn label(&self, number: usize) -> &Clean {
        &self.sources[number].label
    }

    pub fn has_label(&self, label: &Clean) -> bool {
        self.sources.iter().any(|source| source.label == *label)
    }

    pub fn hear(&mut self, number: usize, heard: Heard<'_>) {
        match heard {
            Heard::Text {
                stream,
                text,
                arrived,
            } => self.take(number, stream, text, arrived),
            Heard::Anew => {
                self.end(number);
                if let Some(agent) = &mut self.agent {
                    agent.break_off();
                }
                if self.unbroken.take().is_some() {
                    self.text.push('\n');
                }
            }
            Heard::Note(note) => complain(&format!("{}: {note}", self.label(number))),
        }
    }

    /// The source's command line names an agent.
    pub fn is_named(&mut self) {
        if let Some(agent) = &mut self.agent {
            agent.is_named();
        }
    }

    /// The source has ended, with its command's exit code if that was told.
    pub fn ended(&mut self, number: usize, exit: Option<i64>) {
        self.end(number);
        if let Some(mut agent) = self.agent.take() {
            agent.end(exit.map_or(Process::Lost, Process::Exited));
            self.text.push_str(&agent.take());
        }
    }

    /// What of that source is not finished goes out as it is.
    fn end(&mut self, number: usize) {
        for line in std::mem::take(&mut self.sources[number].open) {
            self.line(number, &line.stream, &line.text, line.arrived);
        }
    }

    /// Writes what waits. Whether anybody takes it.
    pub fn flush(&mut self) -> bool {
        let mut out = io::stdout().lock();
        let written = out
            .write_all(self.text.as_bytes())
            .and_then(|()| out.flush());
        self.text.clear();
        self.unread |= written.is_err();
        !self.unread
    }

    /// Nothing more comes of any.
    pub fn close(&mut self) -> bool {
        (0..self.sources.len()).for_each(|number| self.end(number));
        if self.unbroken.take().is_some() && self.style != Style::Plain {
            self.text.push('\n');
        }
        self.flush()
    }

    fn take(&mut self, number: usize, stream: &StreamName, text: &str, arrived: Option<Timestamp>) {
        if let Some(agent) = &mut self.agent {
            agent.hear(Piece {
                stream: match stream {
                    StreamName::Stdout => Stream::Stdout,
                    StreamName::Stderr | StreamName::Other(_) => Stream::Stderr,
                },
                line: 0,
                arrived,
                bytes: text.as_bytes(),
            });
            return self.text.push_str(&agent.take());
        }
        let mut rest = text;
        while let Some(at) = memchr(b'\n', rest.as_bytes()) {
            let (line, after) = rest.split_at(at + 1);
            let open = &mut self.sources[number].open;
            match open.iter().position(|open| open.stream == *stream) {
                None => self.line(number, stream, line, arrived),
                Some(at) => {
                    let begun = open.swap_remove(at);
                    let whole = begun.text + line;
                    self.line(number, stream, &whole, begun.arrived);
                }
            }
            rest = after;
        }
        if !rest.is_empty() {
            self.begin(number, stream, rest, arrived);
        }
    }

    fn begin(
        &mut self,
        number: usize,
        stream: &StreamName,
        text: &str,
        arrived: Option<Timestamp>,
    ) {
        let open = &mut self.sources[number].open;
        let at = match open.iter().position(|open| open.stream == *stream) {
            Some(at) => at,
            None => {
                open.push(Line {
                    stream: stream.clone(),
                    text: String::new(),
                    arrived,
                });
                open.len() - 1
            }
        };
        open[at].text.push_str(text);
        if open[at].text.len() > LONGEST_LINE {
            let part = open.swap_remove(at);
            self.line(number, stream, &part.text, part.arrived);
        }
    }

    /// A line with its line break, or a part of one.
    fn line(&mut self, number: usize, stream: &StreamName, line: &str, arrived: Option<Timestamp>) {
        let body = line.strip_suffix('\n').unwrap_or(line);
        let body = body.strip_suffix('\r').unwrap_or(body);
        if !self.sieve.passes(body) {
            return;
        }
        if self.style == Style::Json {
            return self.object(number, stream, line, arrived);
        }
        let goes_on = matches!(&self.unbroken, Some((of, name)) if *of == number && name == stream);
        if !goes_on {
            self.start_line(number);
        }
        let broken = line.ends_with('\n');
        match self.style {
            Style::Terminal { colour: true } => styled(&mut self.text, body),
            Style::Terminal { colour: false } => {
                self.text.push_str(shown(body, TAB, usize::MAX).as_str());
            }
            Style::Plain | Style::Json => self
                .text
                .push_str(&stripped(&line[..line.len() - usize::from(broken)])),
        }
        if broken {
            self.text.push('\n');
        }
        self.unbroken = (!broken).then(|| (number, stream.clone()));
    }

    fn start_line(&mut self, number: usize) {
        if self.unbroken.is_some() {
            self.text.push('\n');
        }
        if !self.several {
            return;
        }
        let label = &self.sources[number].label;
        // Writing to a text cannot fail.
        let _ = match self.style {
            Style::Terminal { colour: true } => {
                let colour = COLOURS[number % COLOURS.len()];
                write!(self.text, "\u{1b}[3{colour}m{label}\u{1b}[0m | ")
            }
            _ => write!(self.text, "{label} | "),
        };
    }

    fn object(
        &mut self,
        number: usize,
        stream: &StreamName,
        text: &str,
        arrived: Option<Timestamp>,
    ) {
        let source = &self.sources[number];
        let time = arrived.and_then(|at| jiff::Timestamp::from_millisecond(at.0).ok());
        let object = Object {
            time: time.map(|time| format!("{time:.3}")),
            sandbox: source.sandbox.as_raw(),
            command: source.command.as_raw(),
            stream: stream.word(),
            text,
        };
        // Texts and names can always be written.
        if let Ok(line) = json_line(&object) {
            self.text.push_str(&line);
        }
    }
}

/// As a terminal shows it, each line by itself.
fn styled(to: &mut String, line: &str) {
    for run in runs(line, TAB, usize::MAX) {
        let codes = codes(&run.style);
        let _ = match codes.is_empty() {
            true => write!(to, "{}", run.text),
            false => write!(to, "\u{1b}[{}m{}\u{1b}[0m", codes.join(";"), run.text),
        };
    }
}

/// The numbers of SGR that make a style of none.
fn codes(style: &RunStyle) -> Vec<String> {
    let flags = [
        (style.bold, "1"),
        (style.dim, "2"),
        (style.italic, "3"),
        (style.underline, "4"),
        (style.reverse, "7"),
        (style.strike, "9"),
    ];
    let set = flags.iter().filter(|(set, _)| *set);
    let mut codes: Vec<String> = set.map(|(_, code)| (*code).to_owned()).collect();
    for (place, colour) in [(38, style.fg), (48, style.bg)] {
        codes.extend(colour.map(|colour| match colour {
            Colour::Index(index) => format!("{place};5;{index}"),
            Colour::Rgb(red, green, blue) => format!("{place};2;{red};{green};{blue}"),
        }));
    }
    codes
}
