//! A stretch of consecutive log lines: one text, and five bytes a line.

use super::level::{Level, guess};
use super::lines::Ending;
use crate::model::Timestamp;
use std::fmt;

/// A chunk is full at about this size.
pub(super) const CHUNK_BYTES: usize = 256 * 1024;

/// Which stream a line came from (a place in the store's table), or that it is one of our notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Source(u8);

impl Source {
    pub(super) const NOTE: Self = Self(0x80);
    /// The second one of every store's table.
    pub(super) const STDERR: Self = Self(1);
    pub(super) const STREAMS: usize = 8;

    /// `stream` is below [`Self::STREAMS`].
    pub(super) fn stream(stream: usize) -> Self {
        Self(u8::try_from(stream).unwrap_or(0) & STREAM)
    }

    /// The stream, or `None` for a note.
    pub(super) fn as_stream(self) -> Option<usize> {
        (self != Self::NOTE).then_some(usize::from(self.0))
    }
}

/// A line's byte of flags: its source, [`LATE`], and in between its level.
const STREAM: u8 = 0x07;
const LEVEL_SHIFT: u32 = 3;
/// Flag of a place whose text came when other lines already stood behind it; see [`Chunk::fill`].
const LATE: u8 = 0x40;

/// What lines a chunk holds, so that it need not be read back to know that nothing in it is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Traits {
    /// A bit for each stream.
    streams: u8,
    /// A bit for each level.
    levels: u8,
    pub(super) notes: bool,
    /// What is seen of every line is its text: only ASCII, no controls, no late lines.
    pub(super) plain: bool,
}

impl Traits {
    pub(super) fn has_level(self, least: Level) -> bool {
        self.levels >> least as u8 != 0
    }

    pub(super) fn has_source(self, source: Source) -> bool {
        self.streams & (1 << (source.0 & STREAM)) != 0
    }

    pub(super) fn saw(&mut self, flags: u8) {
        if flags & Source::NOTE.0 == 0 {
            self.streams |= 1 << (flags & STREAM);
        } else {
            self.notes = true;
        }
        self.levels |= 1 << level(flags) as u8;
    }
}

fn level(flags: u8) -> Level {
    Level::of_bits((flags >> LEVEL_SHIFT) & 7)
}

/// A line as it lies in a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record<'a> {
    pub(super) raw: &'a str,
    pub(super) ending: Ending,
    pub(super) source: Source,
    pub(super) level: Level,
    pub(super) arrived: Option<Timestamp>,
}

#[derive(Clone, Default, PartialEq, Eq)]
pub struct Chunk {
    /// Number of the first line.
    pub(super) first: u64,
    /// Each line and a line break, whether one came or not.
    pub(super) text: String,
    /// Where each line ends in `text`, its break included; it begins where the one before ends.
    pub(super) ends: Vec<u32>,
    pub(super) flags: Vec<u8>,
    /// Lines that come together share their time: (first line with it, the time).
    pub(super) arrivals: Vec<(u32, Option<Timestamp>)>,
    /// Texts of reserved places, by line, in the order of the lines.
    pub(super) late: Vec<(u32, Box<str>)>,
    /// Lines that came without a line break, in their order.
    pub(super) unbroken: Vec<u32>,
    pub(super) traits: Traits,
    pub(super) late_bytes: usize,
}

/// Text of others is printed nowhere.
impl fmt::Debug for Chunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.first..self.end();
        f.debug_struct("Chunk").field("lines", &lines).finish()
    }
}

impl Chunk {
    /// An empty one that goes on where this ends, with room for about as much.
    pub(super) fn next(&self) -> Self {
        Self {
            first: self.end(),
            text: String::with_capacity(self.text.len().min(CHUNK_BYTES)),
            ends: Vec::with_capacity(self.ends.len()),
            flags: Vec::with_capacity(self.flags.len()),
            ..Self::default()
        }
    }

    pub(super) fn first(&self) -> u64 {
        self.first
    }

    pub(super) fn end(&self) -> u64 {
        self.first + self.ends.len() as u64
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes of lines and their breaks.
    pub(super) fn text_bytes(&self) -> usize {
        self.text.len() + self.late_bytes
    }

    /// Bytes of memory, but for slack.
    pub(super) fn size(&self) -> usize {
        self.text_bytes()
            + self.ends.len() * 5
            + (self.arrivals.len() + self.late.len()) * 24
            + self.unbroken.len() * 4
    }

    /// `line`: without its `\n`; its `\r` belongs to the break if there is one.
    pub(super) fn push(
        &mut self,
        line: &str,
        broken: bool,
        source: Source,
        arrived: Option<Timestamp>,
    ) {
        if !broken {
            self.unbroken.push(self.next_index());
        }
        let level = match source {
            Source::NOTE => Level::Unknown,
            _ => guess(line),
        };
        self.place(line, source.0 | (level as u8) << LEVEL_SHIFT, arrived);
    }

    /// Takes a place for a line that is not complete yet while the next one comes.
    pub(super) fn reserve(&mut self, source: Source, arrived: Option<Timestamp>) {
        self.place("", source.0 | LATE, arrived);
    }

    fn place(&mut self, line: &str, flags: u8, arrived: Option<Timestamp>) {
        if self.arrivals.last().map(|&(_, at)| at) != Some(arrived) {
            self.arrivals.push((self.next_index(), arrived));
        }
        self.text.push_str(line);
        self.text.push('\n');
        // Chunks are closed long before 4 GiB; a single line is limited to 16 MiB.
        self.ends
            .push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
        self.flags.push(flags);
        self.traits.saw(flags);
    }

    fn next_index(&self) -> u32 {
        u32::try_from(self.ends.len()).unwrap_or(u32::MAX)
    }

    /// The text of a reserved place.
    pub(super) fn fill(&mut self, number: u64, line: Box<str>, broken: bool) {
        let Some(index) = self.index(number) else {
            return;
        };
        let Err(at) = self.late.binary_search_by_key(&index, |&(index, _)| index) else {
            return;
        };
        if let Some(flags) = self.flags.get_mut(index as usize) {
            *flags |= (guess(&line) as u8) << LEVEL_SHIFT;
            self.traits.saw(*flags);
        }
        if !broken {
            let at = self.unbroken.partition_point(|&other| other < index);
            self.unbroken.insert(at, index);
        }
        self.late_bytes += line.len();
        self.late.insert(at, (index, line));
    }

    pub(super) fn get(&self, number: u64) -> Option<Record<'_>> {
        let index = self.index(number)?;
        let at = index as usize;
        let flags = *self.flags.get(at)?;
        let line = if flags & LATE != 0 {
            let found = self.late.binary_search_by_key(&index, |&(index, _)| index);
            found.map_or("", |at| &self.late[at].1)
        } else {
            let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
            let line = self.text.get(start as usize..self.ends[at] as usize)?;
            line.strip_suffix('\n')?
        };
        let (raw, ending) = if self.unbroken.binary_search(&index).is_ok() {
            (line, Ending::None)
        } else {
            Ending::of(line)
        };
        let run = self.arrivals.partition_point(|&(first, _)| first <= index);
        Some(Record {
            raw,
            ending,
            source: Source(flags & (Source::NOTE.0 | STREAM)),
            level: level(flags),
            arrived: run.checked_sub(1).and_then(|run| self.arrivals[run].1),
        })
    }

    fn index(&self, number: u64) -> Option<u32> {
        u32::try_from(number.checked_sub(self.first)?).ok()
    }

    /// Nothing is pushed any more: gives back what was reserved for growing, and learns what there is.
    pub(super) fn seal(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.flags.shrink_to_fit();
        self.arrivals.shrink_to_fit();
        self.unbroken.shrink_to_fit();
        self.study();
    }

    /// Works out what follows from the lines.
    pub(super) fn study(&mut self) {
        self.late_bytes = self.late.iter().map(|(_, line)| line.len()).sum();
        let mut traits = Traits::default();
        self.flags.iter().for_each(|flags| traits.saw(*flags));
        // Over everything, without a way out: that is done many bytes at once.
        let odd =
            |byte: u8| u8::from(byte.wrapping_sub(b' ') > b'~' - b' ') & u8::from(byte != b'\n');
        let odd = self.text.bytes().fold(0, |odds, byte| odds | odd(byte));
        let late = self.flags.iter().fold(0, |all, flags| all | flags) & LATE;
        traits.plain = odd | late == 0;
        self.traits = traits;
    }
}
