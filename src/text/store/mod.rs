//! The log of one command: lines out of pieces, in memory up to a budget of bytes and beyond it in a file.
//!
//! Complete lines lie in chunks ([`Chunk`]); full ones are shared by clones. When the budget is over the oldest are
//! handed out to be written ([`LogStore::spill`]), or dropped where nobody writes. A line takes its place (its number)
//! when it starts. Each stream may have one line open. The newest open line has its place still to itself; as soon as
//! another line starts behind it, its place is reserved in the chunk and filled in when it is complete. So lines of
//! two streams never mix and never move.

mod spill;

pub(super) use spill::Stretch;

use super::chunk::{CHUNK_BYTES, Chunk, Source};
use super::level::guess;
use super::lines::{Ending, LineRef, Lookup};
use super::shelf::{Loss, Shelf};
use crate::model::{Clean, StreamName, Timestamp};
use memchr::{memchr, memrchr};
use std::ops::Range;

const LINE_BYTES: usize = 16 * 1024 * 1024;
/// A line that overwrites itself without end (a progress bar) goes on in another one from this size on.
const OVERWRITTEN_BYTES: usize = 4 * 1024 * 1024;
/// So far back a line that overwrites itself is looked at.
const LAST_STATES: usize = 128 * 1024;
/// With less, chunks would be too small to hold the places of all streams' open lines.
const LEAST_BUDGET: usize = 4096;

/// So far beyond the budget memory may go while a writer is behind; what comes then is dropped.
const MOST_BEHIND: usize = 64 * 1024 * 1024;

/// Cheap to clone: a clone shares the full chunks and stays as it is while the original goes on.
#[derive(Clone, Debug)]
pub struct LogStore {
    budget: usize,
    /// Somebody writes what is handed out; else what is over the budget is dropped.
    spills: bool,
    sealed: Shelf,
    /// Where new lines go.
    tip: Chunk,
    streams: Vec<Stream>,
    /// The stream whose open line is the newest line of all, and has no place in `tip` yet.
    floating: Option<usize>,
    dropped_lines: u64,
    dropped_bytes: u64,
}

#[derive(Clone, Debug)]
struct Stream {
    name: StreamName,
    open: Option<Open>,
}

/// A line without its line break yet.
#[derive(Clone, Debug)]
struct Open {
    number: u64,
    text: String,
    arrived: Option<Timestamp>,
}

impl LogStore {
    /// `budget`: bytes of memory to keep, about; a single piece and the open lines may go beyond it. The oldest lines
    /// beyond it are dropped, unless somebody writes them: see [`Self::set_limits`].
    pub fn new(budget: usize) -> Self {
        let stream = |name| Stream { name, open: None };
        Self {
            budget: budget.max(LEAST_BUDGET),
            spills: false,
            sealed: Shelf::default(),
            tip: Chunk::default(),
            streams: vec![stream(StreamName::Stdout), stream(StreamName::Stderr)],
            floating: None,
            dropped_lines: 0,
            dropped_bytes: 0,
        }
    }

    /// Takes a piece of output: a part of a line, or many lines. `arrived` is `None` in a replay.
    pub fn push(&mut self, stream: &StreamName, data: &str, arrived: Option<Timestamp>) {
        let stream = self.stream(stream);
        let mut rest = data;
        while let Some(at) = memchr(b'\n', rest.as_bytes()) {
            self.finish_line(stream, &rest[..at], arrived);
            rest = &rest[at + 1..];
        }
        if !rest.is_empty() {
            self.extend(stream, rest, arrived);
        }
        self.evict();
    }

    /// Adds a line of our own: `— reconnected —`.
    pub fn note(&mut self, note: &Clean) {
        self.add(note.as_str(), true, Source::NOTE, None);
        self.evict();
    }

    /// Ends the open lines as they are: nothing more comes, or what comes does not continue them.
    pub fn end_open_lines(&mut self) {
        for stream in 0..self.streams.len() {
            self.close(stream, false);
        }
        self.evict();
    }

    /// That stream's last line has not ended: what comes next goes on with it.
    pub fn is_open(&self, stream: &StreamName) -> bool {
        let known = self.streams.iter().find(|known| known.name == *stream);
        known.is_some_and(|known| known.open.is_some())
    }

    /// Number of the oldest line that is not dropped.
    pub fn first(&self) -> u64 {
        self.sealed.first().unwrap_or(self.tip.first())
    }

    /// One more than the number of the newest line, open ones included.
    pub fn end(&self) -> u64 {
        self.tip.end() + u64::from(self.floating.is_some())
    }

    pub fn get(&self, number: u64) -> Lookup<'_> {
        for Stream { name, open } in &self.streams {
            if let Some(open) = open
                && open.number == number
            {
                return Lookup::Line(LineRef {
                    number,
                    stream: Some(name),
                    raw: &open.text,
                    ending: Ending::None,
                    arrived: open.arrived,
                    level: guess(&open.text),
                    open: true,
                });
            }
        }
        let chunk = match self.stretch(number) {
            Some(Stretch::Here(chunk)) => chunk,
            Some(Stretch::Away(sealed)) => return Lookup::Away(sealed.id()),
            None => return Lookup::Gone,
        };
        let Some(record) = chunk.get(number) else {
            return Lookup::Gone;
        };
        let stream = record
            .source
            .as_stream()
            .and_then(|at| self.streams.get(at));
        Lookup::Line(LineRef {
            number,
            stream: stream.map(|stream| &stream.name),
            raw: record.raw,
            ending: record.ending,
            arrived: record.arrived,
            level: record.level,
            open: false,
        })
    }

    /// The lines that are gone around this one, which is gone.
    pub fn gap(&self, number: u64) -> Range<u64> {
        if number < self.first() {
            return 0..self.first();
        }
        let lost = self.sealed.at(number).filter(|sealed| sealed.is_lost());
        lost.map_or(number..number, |sealed| sealed.first..sealed.end)
    }

    /// It was there, and was dropped or could not be read back.
    pub fn is_gone(&self, number: u64) -> bool {
        self.gap(number).contains(&number)
    }

    /// Bytes of memory for what is held, but for slack.
    pub fn bytes(&self) -> usize {
        let open = self.open_lines();
        self.sealed.memory() + self.tip.size() + open.map(|open| open.text.len()).sum::<usize>()
    }

    /// How many lines are gone. All of them are older than [`Self::first`], but for what could not be read back.
    pub fn dropped_lines(&self) -> u64 {
        self.dropped_lines
    }

    /// How many bytes are gone, line breaks included.
    pub fn dropped_bytes(&self) -> u64 {
        self.dropped_bytes
    }

    /// Streams are few; should a service ever name very many, the last ones share a name.
    fn stream(&mut self, name: &StreamName) -> usize {
        match self.streams.iter().position(|stream| stream.name == *name) {
            Some(at) => at,
            None if self.streams.len() < Source::STREAMS => {
                let name = name.clone();
                self.streams.push(Stream { name, open: None });
                self.streams.len() - 1
            }
            None => Source::STREAMS - 1,
        }
    }

    fn open_lines(&self) -> impl Iterator<Item = &Open> {
        self.streams
            .iter()
            .filter_map(|stream| stream.open.as_ref())
    }

    fn finish_line(&mut self, stream: usize, rest: &str, arrived: Option<Timestamp>) {
        if self.streams[stream].open.is_none() && rest.len() <= self.line_bytes() {
            self.add(rest, true, Source::stream(stream), arrived);
        } else {
            self.extend(stream, rest, arrived);
            self.close(stream, true);
        }
    }

    /// Adds to the stream's open line, or opens one. A line that gets too long is ended with a note.
    fn extend(&mut self, stream: usize, text: &str, arrived: Option<Timestamp>) {
        let most = self.line_bytes();
        let mut rest = text;
        loop {
            self.open(stream, arrived);
            let Some(open) = &mut self.streams[stream].open else {
                return;
            };
            let room = rest.floor_char_boundary(most.saturating_sub(open.text.len()));
            open.text.push_str(&rest[..room]);
            rest = &rest[room..];
            if rest.is_empty() {
                return self.cut_overwritten(stream);
            }
            self.close(stream, false);
            self.add("— a very long line, split here —", true, Source::NOTE, None);
        }
    }

    /// What a very long open line has overwritten becomes a line of its own.
    fn cut_overwritten(&mut self, stream: usize) {
        let Some(open) = &mut self.streams[stream].open else {
            return;
        };
        if open.text.len() < OVERWRITTEN_BYTES {
            return;
        }
        let start = open.text.len() - LAST_STATES;
        // A return at the very end may belong to the line break.
        let states = &open.text.as_bytes()[start..open.text.len() - 1];
        if let Some(at) = memrchr(b'\r', states) {
            let rest = open.text.split_off(start + at);
            let arrived = open.arrived;
            self.close(stream, false);
            self.open(stream, arrived);
            if let Some(open) = &mut self.streams[stream].open {
                open.text = rest;
            }
        }
    }

    fn open(&mut self, stream: usize, arrived: Option<Timestamp>) {
        if self.streams[stream].open.is_none() {
            self.settle();
            self.floating = Some(stream);
            self.streams[stream].open = Some(Open {
                number: self.tip.end(),
                text: String::new(),
                arrived,
            });
        }
    }

    /// `broken`: by a line break.
    fn close(&mut self, stream: usize, broken: bool) {
        let Some(open) = self.streams[stream].open.take() else {
            return;
        };
        if self.floating == Some(stream) {
            self.floating = None;
            self.add(&open.text, broken, Source::stream(stream), open.arrived);
        } else if open.number >= self.tip.first() {
            self.tip.fill(open.number, open.text.into(), broken);
        } else {
            self.sealed.fill(open.number, open.text.into(), broken);
        }
    }

    /// Reserves the place of the floating line: another line starts behind it.
    fn settle(&mut self) {
        if let Some(stream) = self.floating.take() {
            self.seal_if_full(0);
            let arrived = self.streams[stream]
                .open
                .as_ref()
                .and_then(|open| open.arrived);
            self.tip.reserve(Source::stream(stream), arrived);
        }
    }

    fn add(&mut self, line: &str, broken: bool, source: Source, arrived: Option<Timestamp>) {
        self.settle();
        self.seal_if_full(line.len());
        self.tip.push(line, broken, source, arrived);
    }

    fn seal_if_full(&mut self, more: usize) {
        let most = CHUNK_BYTES.min(self.budget / 8);
        if self.tip.size() + more > most {
            self.seal();
        }
    }

    fn seal(&mut self) {
        if !self.tip.is_empty() {
            let next = self.tip.next();
            self.sealed.push(std::mem::replace(&mut self.tip, next));
        }
    }

    fn evict(&mut self) {
        let most = self.budget + if self.spills { MOST_BEHIND } else { 0 };
        while self.bytes() - self.sealed.back() > most && self.drop_oldest() {}
    }

    /// Drops the oldest full chunk, in memory or away. `false`: there is none.
    pub fn drop_oldest(&mut self) -> bool {
        let Some(loss) = self.sealed.drop_oldest() else {
            return false;
        };
        self.count(loss);
        self.move_open_lines();
        true
    }

    fn count(&mut self, loss: Loss) {
        self.dropped_lines += loss.lines;
        self.dropped_bytes += loss.bytes;
    }

    /// An open line whose place has gone starts anew at the end: what it still gets must not be lost.
    fn move_open_lines(&mut self) {
        for stream in 0..self.streams.len() {
            let first = self.first();
            let Some(open) = self.streams[stream]
                .open
                .take_if(|open| open.number < first)
            else {
                continue;
            };
            self.dropped_lines -= 1;
            self.settle();
            self.floating = Some(stream);
            self.streams[stream].open = Some(Open {
                number: self.tip.end(),
                ..open
            });
        }
    }

    /// Longer lines are split, so that one line can never be the whole budget.
    fn line_bytes(&self) -> usize {
        LINE_BYTES.min(self.budget / 2)
    }
}
