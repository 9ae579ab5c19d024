//! Lines from pieces: bytes up to a line feed, a buffer a stream.

use memchr::memchr;

/// A longer line is not read: its size is told, and the next one goes on. More than an agent's own readers take.
pub const LONGEST_LINE: usize = 32 << 20;
/// A buffer that grew beyond this for one line is given back after it.
const KEPT: usize = 1 << 20;

/// A line without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framed<'a> {
    Line(&'a [u8]),
    /// Too long; so many bytes.
    TooLong(u64),
}

#[derive(Debug, Default)]
pub struct Framer {
    /// What came of a line that has not ended.
    open: Vec<u8>,
    /// Bytes of that line that were not kept.
    dropped: u64,
    /// The number of that line.
    line: u64,
}

impl Framer {
    /// `line`: the number of the line the first byte belongs to; it counts only where a line begins.
    pub fn push(&mut self, line: u64, bytes: &[u8], mut each: impl FnMut(u64, Framed<'_>)) {
        let mut rest = bytes;
        let mut number = line;
        while let Some(at) = memchr(b'\n', rest) {
            let (head, tail) = (&rest[..at], &rest[at + 1..]);
            if self.is_empty() {
                each(number, Framed::Line(without_return(head)));
            } else {
                self.keep(head);
                self.finish(&mut each);
            }
            rest = tail;
            number += 1;
        }
        if !rest.is_empty() {
            if self.is_empty() {
                self.line = number;
            }
            self.keep(rest);
        }
    }

    /// The stream ended: what is open is a line too.
    pub fn end(&mut self, mut each: impl FnMut(u64, Framed<'_>)) {
        if !self.is_empty() {
            self.finish(&mut each);
        }
    }

    fn is_empty(&self) -> bool {
        self.open.is_empty() && self.dropped == 0
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.dropped > 0 || self.open.len() + bytes.len() > LONGEST_LINE {
            self.dropped += (self.open.len() + bytes.len()) as u64;
            self.open = Vec::new();
        } else {
            self.open.extend_from_slice(bytes);
        }
    }

    fn finish(&mut self, each: &mut impl FnMut(u64, Framed<'_>)) {
        let framed = match self.dropped {
            0 => Framed::Line(without_return(&self.open)),
            bytes => Framed::TooLong(bytes),
        };
        each(self.line, framed);
        self.dropped = 0;
        self.open.clear();
        self.open.shrink_to(KEPT);
    }
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}
