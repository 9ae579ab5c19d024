//! Chunks as bytes: the same comes back, and garbage is refused.

use crate::model::{StreamName, Timestamp};
use crate::text::{Chunk, Garbled, LogStore};
use proptest::prelude::*;
use std::sync::Arc;

/// A chunk with everything in it: times, late lines, lines without breaks, notes.
fn chunks(text: &str) -> Vec<Arc<Chunk>> {
    let mut store = LogStore::new(0);
    store.set_limits(1 << 20, true);
    store.push(&StreamName::Stdout, "half ", None);
    store.push(&StreamName::Stderr, "an error: ", Some(Timestamp(-5)));
    store.push(&StreamName::Stdout, text, Some(Timestamp(i64::MAX)));
    store.end_open_lines();
    store.note(&"— a note —".into());
    store.push(
        &StreamName::Stdout,
        &"ERROR \u{1b}[1m漢\r\n".repeat(40_000),
        None,
    );
    store.spill(0)
}

#[test]
fn what_is_packed_comes_back() {
    let chunks = chunks("of it\nand\n");
    assert!(!chunks.is_empty());
    for chunk in chunks {
        let bytes = chunk.packed();
        assert_eq!(bytes.len(), chunk.packed_len());
        let back = Chunk::unpack(&bytes).unwrap();
        assert!(back == *chunk);
        assert_eq!(format!("{back:?}"), format!("{chunk:?}"));
        assert!(
            !format!("{chunk:?}").contains("ERROR"),
            "text of others is not printed"
        );
    }
    assert!(Chunk::unpack(&Chunk::default().packed()).is_ok());
}

proptest! {
    #[test]
    fn garbage_is_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert_eq!(Chunk::unpack(&bytes), Err(Garbled));
    }

    /// Whatever is changed in it: an error, or a chunk of which every line can be asked for.
    #[test]
    fn what_was_changed_is_an_error_or_sound(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut chunk = Chunk::default();
        for (line, broken) in [("one", true), ("漢", false), ("", true)] {
            chunk.push(line, broken, crate::text::chunk::Source::STDERR, Some(Timestamp(7)));
        }
        chunk.reserve(crate::text::chunk::Source::NOTE, None);
        chunk.fill(3, "late\r".into(), true);
        let mut bytes = chunk.packed();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(chunk) = Chunk::unpack(&bytes) {
            for number in chunk.first()..chunk.end() {
                prop_assert!(chunk.get(number).is_some());
            }
            prop_assert!(chunk.get(chunk.end()).is_none());
        }
    }
}
