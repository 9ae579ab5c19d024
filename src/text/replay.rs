//! What is new in the output of a command that was asked for once more.
//!
//! The service has no "go on from here": each connection replays the log from its first byte. What is already
//! held is skipped by counting bytes and comparing a running hash, stream by stream; texts are never compared,
//! so equal neighbours stay. The hash is compared at marks along the way, at most [`MARKS`] of them, so a log that
//! differs is noticed soon and only what lies behind the last equal mark has to be kept for showing it.

use crate::model::StreamName;

/// First distance of marks, in bytes; it doubles when there are too many of them.
const STEP: u64 = 16 * 1024;
const MARKS: usize = 2048;

/// What was received of a log so far.
#[derive(Clone, Debug, Default)]
pub struct Received(Vec<(StreamName, Trail)>);

impl Received {
    /// Bytes of one stream.
    pub fn bytes(&self, stream: &StreamName) -> u64 {
        self.trail(stream).map_or(0, |trail| trail.bytes)
    }

    fn trail(&self, stream: &StreamName) -> Option<&Trail> {
        let found = self.0.iter().find(|(name, _)| name == stream);
        found.map(|(_, trail)| trail)
    }
}

/// What a piece of a new connection is.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict<'a> {
    /// Held already.
    Held,
    /// New from here on; the rest of the piece.
    New(&'a str),
    /// This connection tells another log than the last one did. The text is what it told since both were last
    /// known to agree, stream by stream, this piece included: show it behind a mark, and keep what was there.
    Differs(Vec<(StreamName, String)>),
}

/// One connection, from its first byte on. The first connection of all is a replay of nothing.
#[derive(Debug)]
pub struct Replay {
    streams: Vec<Progress>,
    differs: bool,
}

#[derive(Debug)]
struct Progress {
    name: StreamName,
    held: Trail,
    seen: Trail,
    /// Seen since the last equal mark.
    unproved: String,
}

impl Replay {
    pub fn new(received: &Received) -> Self {
        let progress = |(name, held): &(StreamName, Trail)| Progress::new(name, held.clone());
        Self {
            streams: received.0.iter().map(progress).collect(),
            differs: false,
        }
    }

    /// What is new in the next piece.
    pub fn take<'a>(&mut self, stream: &StreamName, data: &'a str) -> Verdict<'a> {
        let at = match self.streams.iter().position(|known| known.name == *stream) {
            Some(at) => at,
            None => {
                self.streams.push(Progress::new(stream, Trail::default()));
                self.streams.len() - 1
            }
        };
        let progress = &mut self.streams[at];
        if self.differs || !progress.behind() {
            progress.seen.add(data.as_bytes());
            return if data.is_empty() {
                Verdict::Held
            } else {
                Verdict::New(data)
            };
        }
        match progress.compare(data) {
            Some("") => Verdict::Held,
            Some(new) => Verdict::New(new),
            None => Verdict::Differs(self.part()),
        }
    }

    /// Whether something that is held has not been told again yet.
    pub fn behind(&self) -> bool {
        !self.differs && self.streams.iter().any(Progress::behind)
    }

    /// For when it is known that nothing more will be replayed although [`Self::behind`]: the log has become
    /// shorter. As [`Verdict::Differs`], with the text that cannot be said to be held.
    pub fn give_up(&mut self) -> Vec<(StreamName, String)> {
        self.part()
    }

    /// What is held now, for the next connection to skip. A replay that broke off takes nothing away.
    pub fn received(&self) -> Received {
        let trail = |progress: &Progress| {
            let held = !self.differs && progress.behind();
            let trail = if held { &progress.held } else { &progress.seen };
            (progress.name.clone(), trail.clone())
        };
        Received(self.streams.iter().map(trail).collect())
    }

    fn part(&mut self) -> Vec<(StreamName, String)> {
        self.differs = true;
        let told = self.streams.iter_mut().map(|progress| {
            let text = std::mem::take(&mut progress.unproved);
            (progress.name.clone(), text)
        });
        told.filter(|(_, text)| !text.is_empty()).collect()
    }
}

impl Progress {
    fn new(name: &StreamName, held: Trail) -> Self {
        Self {
            name: name.clone(),
            seen: Trail::with_step(held.step),
            held,
            unproved: String::new(),
        }
    }

    fn behind(&self) -> bool {
        self.seen.bytes < self.held.bytes
    }

    /// Goes on to the border of what is held. Returns what lies beyond it, or `None` when the two differ;
    /// `unproved` then reaches to the end of the piece.
    fn compare<'a>(&mut self, data: &'a str) -> Option<&'a str> {
        let mut rest = data.as_bytes();
        // Bytes of `unproved` and `data` together that no mark has covered.
        let mut open = self.unproved.len() + data.len();
        while self.behind() && !rest.is_empty() {
            let stop = self.held.next_mark(self.seen.bytes);
            let len =
                usize::try_from(stop - self.seen.bytes).map_or(rest.len(), |n| n.min(rest.len()));
            self.seen.add(&rest[..len]);
            rest = &rest[len..];
            if self.seen.bytes == stop {
                if self.held.digest_at(stop) != Some(self.seen.digest()) {
                    self.seen.add(rest);
                    self.keep(data, open);
                    return None;
                }
                open = rest.len();
            }
        }
        if self.behind() {
            self.keep(data, open);
            return Some("");
        }
        self.seen.add(rest);
        self.unproved = String::new();
        // Equal bytes end on a character; this only keeps a chance collision of hashes from a panic.
        Some(&data[data.ceil_char_boundary(data.len() - rest.len())..])
    }

    /// Keeps the last `open` bytes of what was kept and `data`, or a little more, to start with a character.
    fn keep(&mut self, data: &str, open: usize) {
        if let Some(more) = data.len().checked_sub(open) {
            self.unproved.clear();
            self.unproved
                .push_str(&data[data.floor_char_boundary(more)..]);
        } else {
            self.unproved.push_str(data);
        }
    }
}

/// A count of bytes and their running hash, with the hash at every `step` bytes.
#[derive(Clone, Debug)]
struct Trail {
    bytes: u64,
    /// Of all whole words.
    hash: u64,
    /// What came of the next word, its first byte lowest.
    word: u64,
    step: u64,
    marks: Vec<u64>,
}

impl Default for Trail {
    fn default() -> Self {
        Self::with_step(STEP)
    }
}

/// Bytes that are hashed at once; marks stand between two.
const WORD: u64 = 8;

/// Enough to notice that a log is another one. The turn brings every bit to where the product spreads it.
fn mixed(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Trail {
    fn with_step(step: u64) -> Self {
        Self {
            bytes: 0,
            hash: 0,
            word: 0,
            step,
            marks: Vec::new(),
        }
    }

    /// However the bytes were cut, the hash is the same.
    fn add(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let to_mark = self.step - self.bytes % self.step;
            let len = usize::try_from(to_mark).map_or(bytes.len(), |n| n.min(bytes.len()));
            self.hash_in(&bytes[..len]);
            bytes = &bytes[len..];
            if self.bytes.is_multiple_of(self.step) {
                self.mark();
            }
        }
    }

    fn hash_in(&mut self, bytes: &[u8]) {
        let begun = (WORD - self.bytes % WORD) % WORD;
        let begun = usize::try_from(begun).map_or(bytes.len(), |n| n.min(bytes.len()));
        let (first, rest) = bytes.split_at(begun);
        self.bytewise(first);
        let (words, last) = rest.as_chunks::<8>();
        for word in words {
            self.hash = mixed(self.hash, u64::from_le_bytes(*word));
        }
        self.bytes += (rest.len() - last.len()) as u64;
        self.bytewise(last);
    }

    fn bytewise(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.word |= u64::from(*byte) << (self.bytes % WORD * 8);
            self.bytes += 1;
            if self.bytes.is_multiple_of(WORD) {
                self.hash = mixed(self.hash, std::mem::take(&mut self.word));
            }
        }
    }

    /// Of all bytes so far.
    fn digest(&self) -> u64 {
        match self.bytes % WORD {
            0 => self.hash,
            _ => mixed(self.hash, self.word),
        }
    }

    fn mark(&mut self) {
        self.marks.push(self.hash);
        if self.marks.len() == MARKS {
            // Every second one stays: those at even multiples of the old step.
            let mut at = 0;
            self.marks.retain(|_| {
                at += 1;
                at % 2 == 0
            });
            self.step *= 2;
        }
    }

    /// The first mark behind `bytes`, or the end.
    fn next_mark(&self, bytes: u64) -> u64 {
        ((bytes / self.step + 1) * self.step).min(self.bytes)
    }

    fn digest_at(&self, bytes: u64) -> Option<u64> {
        if bytes == self.bytes {
            return Some(self.digest());
        }
        let mark = usize::try_from(bytes / self.step).ok()?.checked_sub(1)?;
        self.marks.get(mark).copied()
    }
}
