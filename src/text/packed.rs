//! A chunk as bytes, for a file, and back. Whatever the bytes are, unpacking them gives a sound chunk or an error.
//!
//! All numbers are little-endian: magic, first line (8 bytes), then the counts of lines, bytes of text, arrivals,
//! late lines and unbroken lines (4 each), then these themselves.

use super::chunk::Chunk;
use crate::model::Timestamp;
use std::fmt;

const MAGIC: &[u8; 4] = b"stc1";
const HEAD: usize = 4 + 8 + 5 * 4;
/// (first line, whether there is a time, the time)
const ARRIVAL: usize = 4 + 1 + 8;

/// The bytes are no chunk, or not a whole one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Garbled;

impl fmt::Display for Garbled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("what was read back is not what was written")
    }
}

impl std::error::Error for Garbled {}

impl Chunk {
    /// Bytes of [`Self::packed`].
    pub(super) fn packed_len(&self) -> usize {
        let late = self.late.iter().map(|(_, line)| 8 + line.len());
        HEAD + self.text.len()
            + self.ends.len() * 5
            + self.arrivals.len() * ARRIVAL
            + late.sum::<usize>()
            + self.unbroken.len() * 4
    }

    pub fn packed(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.packed_len());
        out.extend(MAGIC);
        out.extend(self.first.to_le_bytes());
        let counts = [
            self.ends.len(),
            self.text.len(),
            self.arrivals.len(),
            self.late.len(),
            self.unbroken.len(),
        ];
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes();
        out.extend(counts.into_iter().flat_map(number));
        out.extend(self.ends.iter().flat_map(|end| end.to_le_bytes()));
        out.extend(&self.flags);
        out.extend(self.text.as_bytes());
        for (line, at) in &self.arrivals {
            out.extend(line.to_le_bytes());
            out.push(u8::from(at.is_some()));
            out.extend(at.unwrap_or_default().0.to_le_bytes());
        }
        for (line, text) in &self.late {
            out.extend(line.to_le_bytes());
            out.extend(number(text.len()));
            out.extend(text.as_bytes());
        }
        out.extend(self.unbroken.iter().flat_map(|line| line.to_le_bytes()));
        out
    }

    /// # Errors
    /// When the bytes are not what [`Self::packed`] gives.
    pub fn unpack(bytes: &[u8]) -> Result<Self, Garbled> {
        let chunk = read(&mut Bytes(bytes)).ok_or(Garbled)?;
        if is_sound(&chunk) {
            Ok(chunk)
        } else {
            Err(Garbled)
        }
    }
}

struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn number(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn count(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    fn numbers(&mut self, count: usize) -> Option<Vec<u32>> {
        let bytes = self.take(count.checked_mul(4)?)?;
        let (numbers, _) = bytes.as_chunks::<4>();
        Some(numbers.iter().copied().map(u32::from_le_bytes).collect())
    }

    fn text(&mut self, len: usize) -> Option<&'a str> {
        std::str::from_utf8(self.take(len)?).ok()
    }
}

fn read(bytes: &mut Bytes<'_>) -> Option<Chunk> {
    if bytes.take(MAGIC.len())? != MAGIC {
        return None;
    }
    let first = u64::from_le_bytes(bytes.array()?);
    let lines = bytes.count()?;
    let text = bytes.count()?;
    let arrivals = bytes.count()?;
    let late = bytes.count()?;
    let unbroken = bytes.count()?;
    let mut chunk = Chunk {
        first,
        ends: bytes.numbers(lines)?,
        flags: bytes.take(lines)?.to_vec(),
        text: bytes.text(text)?.to_owned(),
        ..Chunk::default()
    };
    for _ in 0..arrivals {
        let line = bytes.number()?;
        let [known] = bytes.array()?;
        let at = Timestamp(i64::from_le_bytes(bytes.array()?));
        chunk.arrivals.push((line, (known != 0).then_some(at)));
    }
    for _ in 0..late {
        let line = bytes.number()?;
        let len = bytes.count()?;
        chunk.late.push((line, bytes.text(len)?.into()));
    }
    chunk.unbroken = bytes.numbers(unbroken)?;
    chunk.study();
    bytes.0.is_empty().then_some(chunk)
}

/// Whether every line can be found as [`Chunk::get`] does it.
fn is_sound(chunk: &Chunk) -> bool {
    let mut start = 0;
    let breaks = chunk.ends.iter().all(|&end| {
        let end = end as usize;
        let line = chunk.text.get(start..end);
        start = end;
        line.is_some_and(|line| line.ends_with('\n'))
    });
    let ascending = |lines: &mut dyn Iterator<Item = u32>| {
        let lines: Vec<u32> = lines.collect();
        lines.is_sorted()
            && lines
                .last()
                .is_none_or(|&last| (last as usize) < chunk.ends.len())
    };
    breaks
        && start == chunk.text.len()
        && chunk.first.checked_add(chunk.ends.len() as u64).is_some()
        && ascending(&mut chunk.arrivals.iter().map(|(line, _)| *line))
        && ascending(&mut chunk.late.iter().map(|(line, _)| *line))
        && ascending(&mut chunk.unbroken.iter().copied())
}
