//! Which stretches of a file are free.

use std::collections::BTreeMap;
use std::ops::Range;

#[derive(Debug, Default)]
pub struct Space {
    /// Start and end of each hole; no two touch, and none touches the end.
    holes: BTreeMap<u64, u64>,
    end: u64,
}

impl Space {
    /// The first hole that is large enough, else the end.
    pub fn take(&mut self, len: u64) -> Range<u64> {
        let hole = self.holes.iter().find(|(start, end)| *end - *start >= len);
        let Some((&start, &end)) = hole else {
            self.end += len;
            return self.end - len..self.end;
        };
        self.holes.remove(&start);
        if start + len < end {
            self.holes.insert(start + len, end);
        }
        start..start + len
    }

    /// A stretch that was taken is free again.
    pub fn give(&mut self, stretch: Range<u64>) {
        let Range { mut start, mut end } = stretch;
        if let Some((&before, &touches)) = self.holes.range(..start).next_back()
            && touches == start
        {
            self.holes.remove(&before);
            start = before;
        }
        if let Some(after) = self.holes.remove(&end) {
            end = after;
        }
        if end == self.end {
            self.end = start;
        } else if start < end {
            self.holes.insert(start, end);
        }
    }

    /// Nothing is kept from here on.
    pub fn end(&self) -> u64 {
        self.end
    }
}

#[cfg(test)]
mod tests {
    use super::Space;
    use proptest::prelude::*;

    #[test]
    fn holes_are_filled_and_join() {
        let mut space = Space::default();
        let taken: Vec<_> = [10, 20, 30, 40].map(|len| space.take(len)).into();
        assert_eq!((taken[3].clone(), space.end()), (60..100, 100));
        space.give(taken[0].clone());
        space.give(taken[2].clone());
        assert_eq!(space.take(25), 30..55, "the first hole is too small");
        space.give(taken[1].clone());
        assert_eq!(space.take(30), 0..30, "two holes became one");
        space.give(30..55);
        space.give(taken[3].clone());
        assert_eq!(space.end(), 30);
    }

    proptest! {
        #[test]
        fn nothing_is_given_to_two(steps in prop::collection::vec((1..50_u64, any::<bool>(), any::<prop::sample::Index>()), 1..200)) {
            let (mut space, mut taken) = (Space::default(), Vec::<std::ops::Range<u64>>::new());
            for (len, gives, at) in steps {
                if gives && !taken.is_empty() {
                    space.give(taken.swap_remove(at.index(taken.len())));
                } else {
                    let stretch = space.take(len);
                    prop_assert_eq!(stretch.end - stretch.start, len);
                    prop_assert!(taken.iter().all(|other| other.end <= stretch.start || stretch.end <= other.start));
                    taken.push(stretch);
                }
                let end = taken.iter().map(|stretch| stretch.end).max().unwrap_or(0);
                prop_assert_eq!(space.end(), end, "the file is no longer than it has to be");
            }
        }
    }
}
