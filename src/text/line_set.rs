//! A set of line numbers, small whether a few lines are in it or all.

use std::collections::BTreeMap;

/// Numbers are kept in blocks of 2^16, by what is below that.
const BLOCK_BITS: u32 = 16;
const WORDS: usize = (1 << BLOCK_BITS) / 64;
/// From here on a bit for every number takes less.
const MOST_LISTED: usize = WORDS * 4;

#[derive(Clone, Debug, Default)]
pub struct LineSet {
    blocks: BTreeMap<u64, Block>,
    len: u64,
}

#[derive(Clone, Debug)]
enum Block {
    Listed(Vec<u16>),
    Bits {
        words: Box<[u64; WORDS]>,
        len: usize,
    },
}

fn split(number: u64) -> (u64, u16) {
    let [low, high, ..] = number.to_le_bytes();
    (number >> BLOCK_BITS, u16::from_le_bytes([low, high]))
}

fn join(block: u64, low: u16) -> u64 {
    block << BLOCK_BITS | u64::from(low)
}

impl LineSet {
    pub fn len(&self) -> u64 {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn contains(&self, number: u64) -> bool {
        let (block, low) = split(number);
        let block = self.blocks.get(&block);
        block.is_some_and(|block| block.next(low) == Some(low))
    }

    pub fn insert(&mut self, number: u64) {
        let (block, low) = split(number);
        let block = self.blocks.entry(block);
        let is_new = block.or_insert(Block::Listed(Vec::new())).insert(low);
        self.len += u64::from(is_new);
    }

    pub fn remove(&mut self, number: u64) {
        let (block, low) = split(number);
        if let Some(block) = self.blocks.get_mut(&block) {
            self.len -= u64::from(block.remove(low));
        }
    }

    /// The first one from `number` on.
    pub fn next(&self, number: u64) -> Option<u64> {
        let (first, low) = split(number);
        self.blocks.range(first..).find_map(|(&block, within)| {
            let low = if block == first { low } else { 0 };
            within.next(low).map(|low| join(block, low))
        })
    }

    /// The last one before `number`.
    pub fn previous(&self, number: u64) -> Option<u64> {
        let (last, low) = split(number.checked_sub(1)?);
        self.blocks
            .range(..=last)
            .rev()
            .find_map(|(&block, within)| {
                let low = if block == last { low } else { u16::MAX };
                within.previous(low).map(|low| join(block, low))
            })
    }

    /// How many are before `number`.
    pub fn rank(&self, number: u64) -> u64 {
        let (last, low) = split(number);
        let whole = self.blocks.range(..last).map(|(_, block)| block.len());
        let part = self.blocks.get(&last).map_or(0, |block| block.rank(low));
        (whole.sum::<usize>() + part) as u64
    }

    /// Those that are in both.
    pub fn common(&self, other: &Self) -> Self {
        let blocks = self.blocks.iter().filter_map(|(at, block)| {
            let common = block.common(other.blocks.get(at)?);
            (common.len() > 0).then_some((*at, common))
        });
        let blocks: BTreeMap<u64, Block> = blocks.collect();
        let len = blocks.values().map(|block| block.len() as u64).sum();
        Self { blocks, len }
    }

    /// These, and `by` before and behind each.
    pub fn widened(&self, by: u64) -> Self {
        let mut wide = Self::default();
        let mut next = 0;
        while let Some(number) = self.next(next) {
            let from = number.saturating_sub(by).max(wide.end());
            (from..=number.saturating_add(by)).for_each(|number| wide.insert(number));
            next = number + 1;
        }
        wide
    }

    /// One more than the last.
    fn end(&self) -> u64 {
        self.previous(u64::MAX).map_or(0, |last| last + 1)
    }

    /// Takes out all before `number`.
    pub fn forget_before(&mut self, number: u64) {
        let (block, _) = split(number);
        if self
            .blocks
            .first_key_value()
            .is_some_and(|(&first, _)| first < block)
        {
            self.blocks = self.blocks.split_off(&block);
            self.len = self.blocks.values().map(|block| block.len() as u64).sum();
        }
        while let Some(first) = self.next(0).filter(|first| *first < number) {
            self.remove(first);
        }
    }
}

impl Block {
    fn len(&self) -> usize {
        match self {
            Self::Listed(list) => list.len(),
            Self::Bits { len, .. } => *len,
        }
    }

    fn insert(&mut self, low: u16) -> bool {
        match self {
            Self::Listed(list) => {
                let Err(at) = list.binary_search(&low) else {
                    return false;
                };
                list.insert(at, low);
                if list.len() > MOST_LISTED {
                    *self = Self::of(list);
                }
                true
            }
            Self::Bits { words, len } => {
                let (word, bit) = place(low);
                let is_new = words[word] & bit == 0;
                words[word] |= bit;
                *len += usize::from(is_new);
                is_new
            }
        }
    }

    fn common(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Bits { words: a, .. }, Self::Bits { words: b, .. }) => {
                let mut words = a.clone();
                words.iter_mut().zip(b.iter()).for_each(|(a, b)| *a &= b);
                let len = words.iter().map(|bits| bits.count_ones() as usize).sum();
                Self::Bits { words, len }
            }
            (Self::Listed(list), other) | (other, Self::Listed(list)) => {
                let both = |low: &u16| other.next(*low) == Some(*low);
                Self::Listed(list.iter().copied().filter(both).collect())
            }
        }
    }

    fn of(list: &[u16]) -> Self {
        let mut words = Box::new([0; WORDS]);
        for low in list {
            let (word, bit) = place(*low);
            words[word] |= bit;
        }
        let len = list.len();
        Self::Bits { words, len }
    }

    fn remove(&mut self, low: u16) -> bool {
        match self {
            Self::Listed(list) => match list.binary_search(&low) {
                Ok(at) => {
                    list.remove(at);
                    true
                }
                Err(_) => false,
            },
            Self::Bits { words, len } => {
                let (word, bit) = place(low);
                let was_there = words[word] & bit != 0;
                words[word] &= !bit;
                *len -= usize::from(was_there);
                was_there
            }
        }
    }

    /// The first one, not before `low`.
    fn next(&self, low: u16) -> Option<u16> {
        match self {
            Self::Listed(list) => list
                .get(list.partition_point(|other| *other < low))
                .copied(),
            Self::Bits { words, .. } => {
                let (word, bit) = place(low);
                let within = (words[word] & !(bit - 1), word);
                let later = words[word + 1..].iter().copied().zip(word + 1..);
                let (bits, word) = std::iter::once(within)
                    .chain(later)
                    .find(|(bits, _)| *bits != 0)?;
                low_of(word, bits.trailing_zeros())
            }
        }
    }

    /// The last one, not behind `low`.
    fn previous(&self, low: u16) -> Option<u16> {
        match self {
            Self::Listed(list) => {
                let after = list.partition_point(|other| *other <= low);
                list.get(after.checked_sub(1)?).copied()
            }
            Self::Bits { words, .. } => {
                let (word, bit) = place(low);
                let within = (words[word] & (bit | (bit - 1)), word);
                let earlier = (0..word).rev().map(|word| (words[word], word));
                let (bits, word) = std::iter::once(within)
                    .chain(earlier)
                    .find(|(bits, _)| *bits != 0)?;
                low_of(word, 63 - bits.leading_zeros())
            }
        }
    }

    /// How many are before `low`.
    fn rank(&self, low: u16) -> usize {
        match self {
            Self::Listed(list) => list.partition_point(|other| *other < low),
            Self::Bits { words, .. } => {
                let (word, bit) = place(low);
                let whole = words[..word].iter().map(|bits| bits.count_ones());
                let part = (words[word] & (bit - 1)).count_ones();
                (whole.sum::<u32>() + part) as usize
            }
        }
    }
}

fn place(low: u16) -> (usize, u64) {
    (usize::from(low / 64), 1 << (low % 64))
}

fn low_of(word: usize, bit: u32) -> Option<u16> {
    let word = u16::try_from(word).ok()?;
    Some(word * 64 + u16::try_from(bit).ok()?)
}
