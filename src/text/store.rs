//! The log of one command: lines out of pieces, kept up to a budget of bytes.
//!
//! Complete lines lie in chunks ([`Chunk`]); full ones are shared by clones, and the oldest go whole when the
//! budget is over. A line takes its place (its number) when it starts. Each stream may have one line open. The
//! newest open line has its place still to itself; as soon as another line starts behind it, its place is
//! reserved in the chunk and filled in when it is complete. So lines of two streams never mix and never move.

use super::chunk::{CHUNK_BYTES, Chunk, Source};
use super::lines::LineRef;
use crate::model::{Clean, StreamName, Timestamp};
use memchr::memchr;
use std::collections::VecDeque;
use std::sync::Arc;

const LINE_BYTES: usize = 16 * 1024 * 1024;
/// With less, chunks would be too small to hold the places of all streams' open lines.
const LEAST_BUDGET: usize = 4096;

/// Cheap to clone: a clone shares the full chunks and stays as it is while the original goes on.
#[derive(Clone, Debug)]
pub struct LogStore {
    budget: usize,
    sealed: VecDeque<Arc<Chunk>>,
    sealed_size: usize,
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
    /// `budget`: bytes of memory to keep, about; a single piece and the open lines may go beyond it.
    pub fn new(budget: usize) -> Self {
        let stream = |name| Stream { name, open: None };
        Self {
            budget: budget.max(LEAST_BUDGET),
            sealed: VecDeque::new(),
            sealed_size: 0,
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
        self.add(note.as_str(), Source::NOTE, None);
        self.evict();
    }

    /// Ends the open lines as they are: nothing more comes, or what comes does not continue them.
    pub fn end_open_lines(&mut self) {
        for stream in 0..self.streams.len() {
            self.close(stream);
        }
        self.evict();
    }

    /// Number of the oldest line that is still held.
    pub fn first(&self) -> u64 {
        self.sealed
            .front()
            .map_or(self.tip.first(), |chunk| chunk.first())
    }

    /// One more than the number of the newest line, open ones included.
    pub fn end(&self) -> u64 {
        self.tip.end() + u64::from(self.floating.is_some())
    }

    pub fn get(&self, number: u64) -> Option<LineRef<'_>> {
        for Stream { name, open } in &self.streams {
            if let Some(open) = open
                && open.number == number
            {
                return Some(LineRef {
                    number,
                    stream: Some(name),
                    raw: &open.text,
                    arrived: open.arrived,
                    open: true,
                });
            }
        }
        let (raw, source, arrived) = self.chunk(number)?.get(number)?;
        let stream = source.as_stream().and_then(|at| self.streams.get(at));
        Some(LineRef {
            number,
            stream: stream.map(|stream| &stream.name),
            raw,
            arrived,
            open: false,
        })
    }

    /// Bytes of memory for what is held, but for slack.
    pub fn bytes(&self) -> usize {
        let open = self
            .streams
            .iter()
            .filter_map(|stream| stream.open.as_ref());
        self.sealed_size + self.tip.size() + open.map(|open| open.text.len()).sum::<usize>()
    }

    /// How many lines the budget has cost, all of them older than [`Self::first`].
    pub fn dropped_lines(&self) -> u64 {
        self.dropped_lines
    }

    /// How many bytes of text the budget has cost.
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

    fn finish_line(&mut self, stream: usize, rest: &str, arrived: Option<Timestamp>) {
        if self.streams[stream].open.is_none() && rest.len() <= self.line_bytes() {
            self.add(without_return(rest), Source::stream(stream), arrived);
        } else {
            self.extend(stream, rest, arrived);
            self.close(stream);
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
                return;
            }
            self.close(stream);
            self.add("— a very long line, split here —", Source::NOTE, None);
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

    fn close(&mut self, stream: usize) {
        let Some(open) = self.streams[stream].open.take() else {
            return;
        };
        let line = without_return(&open.text);
        if self.floating == Some(stream) {
            self.floating = None;
            self.add(line, Source::stream(stream), open.arrived);
        } else if open.number >= self.tip.first() {
            self.tip.fill(open.number, line.into());
        } else if let Some(chunk) = sealed_at(&self.sealed, open.number)
            && let Some(chunk) = self.sealed.get_mut(chunk)
        {
            let before = chunk.size();
            Arc::make_mut(chunk).fill(open.number, line.into());
            self.sealed_size += chunk.size() - before;
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

    fn add(&mut self, line: &str, source: Source, arrived: Option<Timestamp>) {
        self.settle();
        self.seal_if_full(line.len());
        self.tip.push(line, source, arrived);
    }

    fn seal_if_full(&mut self, more: usize) {
        let most = CHUNK_BYTES.min(self.budget / 8);
        if !self.tip.is_empty() && self.tip.size() + more > most {
            let next = self.tip.next();
            let mut full = std::mem::replace(&mut self.tip, next);
            full.shrink();
            self.sealed_size += full.size();
            self.sealed.push_back(Arc::new(full));
        }
    }

    fn evict(&mut self) {
        while self.bytes() > self.budget
            && let Some(chunk) = self.sealed.pop_front()
        {
            self.sealed_size -= chunk.size();
            self.dropped_lines += chunk.end() - chunk.first();
            self.dropped_bytes += chunk.text_bytes() as u64;
            self.move_open_lines();
        }
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

    fn chunk(&self, number: u64) -> Option<&Chunk> {
        if number >= self.tip.first() {
            return Some(&self.tip);
        }
        sealed_at(&self.sealed, number).map(|at| &*self.sealed[at])
    }

    /// Longer lines are split, so that one line can never be the whole budget.
    fn line_bytes(&self) -> usize {
        LINE_BYTES.min(self.budget / 4)
    }
}

fn sealed_at(sealed: &VecDeque<Arc<Chunk>>, number: u64) -> Option<usize> {
    sealed
        .partition_point(|chunk| chunk.first() <= number)
        .checked_sub(1)
}

fn without_return(line: &str) -> &str {
    line.strip_suffix('\r').unwrap_or(line)
}
