//! A stretch of consecutive log lines: one text, and five bytes a line.

use crate::model::Timestamp;

/// A chunk is full at about this size.
pub(super) const CHUNK_BYTES: usize = 256 * 1024;

/// Which stream a line came from (a place in the store's table), or that it is one of our notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Source(u8);

impl Source {
    pub(super) const NOTE: Self = Self(0x80);
    /// Flag of a place whose text came when other lines already stood behind it; see [`Chunk::fill`].
    const LATE: u8 = 0x40;
    pub(super) const STREAMS: usize = 16;

    /// `stream` is below [`Self::STREAMS`].
    pub(super) fn stream(stream: usize) -> Self {
        Self(u8::try_from(stream).unwrap_or(0))
    }

    /// The stream, or `None` for a note.
    pub(super) fn as_stream(self) -> Option<usize> {
        (self != Self::NOTE).then_some(usize::from(self.0))
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Chunk {
    /// Number of the first line.
    first: u64,
    text: String,
    /// Where each line ends in `text`; it begins where the one before ends.
    ends: Vec<u32>,
    sources: Vec<u8>,
    /// Lines that come together share their time: (first line with it, the time).
    arrivals: Vec<(u32, Option<Timestamp>)>,
    /// Texts of reserved places, by line, in the order of the lines.
    late: Vec<(u32, Box<str>)>,
    late_bytes: usize,
}

impl Chunk {
    /// An empty one that goes on where this ends, with room for about as much.
    pub(super) fn next(&self) -> Self {
        Self {
            first: self.end(),
            text: String::with_capacity(self.text.len().min(CHUNK_BYTES)),
            ends: Vec::with_capacity(self.ends.len()),
            sources: Vec::with_capacity(self.sources.len()),
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

    /// Bytes of text.
    pub(super) fn text_bytes(&self) -> usize {
        self.text.len() + self.late_bytes
    }

    /// Bytes of memory, but for slack.
    pub(super) fn size(&self) -> usize {
        self.text_bytes() + self.ends.len() * 5 + self.late.len() * 24
    }

    pub(super) fn push(&mut self, line: &str, source: Source, arrived: Option<Timestamp>) {
        self.place(line, source.0, arrived);
    }

    /// Takes a place for a line that is not complete yet while the next one comes.
    pub(super) fn reserve(&mut self, source: Source, arrived: Option<Timestamp>) {
        self.place("", source.0 | Source::LATE, arrived);
    }

    fn place(&mut self, line: &str, source: u8, arrived: Option<Timestamp>) {
        if self.arrivals.last().map(|&(_, at)| at) != Some(arrived) {
            self.arrivals.push((self.next_index(), arrived));
        }
        self.text.push_str(line);
        // Chunks are closed long before 4 GiB; a single line is limited to 16 MiB.
        self.ends
            .push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
        self.sources.push(source);
    }

    fn next_index(&self) -> u32 {
        u32::try_from(self.ends.len()).unwrap_or(u32::MAX)
    }

    /// The text of a reserved place.
    pub(super) fn fill(&mut self, number: u64, line: Box<str>) {
        let Some(index) = self.index(number) else {
            return;
        };
        if let Err(at) = self.late.binary_search_by_key(&index, |&(index, _)| index) {
            self.late_bytes += line.len();
            self.late.insert(at, (index, line));
        }
    }

    pub(super) fn get(&self, number: u64) -> Option<(&str, Source, Option<Timestamp>)> {
        let index = self.index(number)?;
        let at = index as usize;
        let source = *self.sources.get(at)?;
        let line = if source & Source::LATE != 0 {
            let found = self.late.binary_search_by_key(&index, |&(index, _)| index);
            found.map_or("", |at| &self.late[at].1)
        } else {
            let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
            self.text.get(start as usize..self.ends[at] as usize)?
        };
        let run = self.arrivals.partition_point(|&(first, _)| first <= index);
        let arrived = run.checked_sub(1).and_then(|run| self.arrivals[run].1);
        Some((line, Source(source & !Source::LATE), arrived))
    }

    fn index(&self, number: u64) -> Option<u32> {
        u32::try_from(number.checked_sub(self.first)?).ok()
    }

    /// Gives back what was reserved for growing.
    pub(super) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.sources.shrink_to_fit();
        self.arrivals.shrink_to_fit();
    }
}
