//! Text that is found stands out: that text, all of it, and nothing else.

use super::super::text::marked;
use super::super::{Piece, Role, span};
use crate::text::clean_str;
use proptest::prelude::*;
use std::ops::Range;

fn pieces(texts: &[&str]) -> Vec<Piece> {
    let piece = |text: &&str| span(&clean_str(text), Role::Text);
    texts.iter().map(piece).collect()
}

/// `[` and `]` around what stands out.
fn shown(texts: &[&str], ranges: &[(usize, usize)]) -> String {
    let ranges: Vec<Range<usize>> = ranges.iter().map(|(from, to)| *from..*to).collect();
    let out = marked(&pieces(texts), &ranges, Role::Match);
    let piece = |piece: &Piece| match piece.is_in(Role::Match) {
        true => format!("[{}]", piece.as_str()),
        false => piece.as_str().to_owned(),
    };
    out.iter().map(piece).collect()
}

#[test]
fn what_is_found_stands_out_within_and_across_pieces() {
    assert_eq!(shown(&["abc", "def"], &[]), "abcdef");
    assert_eq!(shown(&["abcdef"], &[(1, 3)]), "a[bc]def");
    assert_eq!(shown(&["abcdef"], &[(0, 6)]), "[abcdef]");
    assert_eq!(shown(&["abc", "def"], &[(2, 4)]), "ab[c][d]ef");
    assert_eq!(
        shown(&["a", "b", "c", "d"], &[(0, 1), (1, 3)]),
        "[a][b][c]d"
    );
    assert_eq!(shown(&["abcdef"], &[(1, 2), (4, 5)]), "a[b]cd[e]f");
    assert_eq!(shown(&["漢字é"], &[(3, 6)]), "漢[字]é");
    assert_eq!(shown(&["abc"], &[(1, 1)]), "abc", "nothing was found there");
    assert_eq!(shown(&["abc"], &[(2, 9)]), "ab[c]", "beyond the end");
    assert_eq!(shown(&[], &[(0, 1)]), "");
}

proptest! {
    /// The text stays, and each byte stands out exactly where a range has it.
    #[test]
    fn every_byte_is_where_it_was(
        texts in prop::collection::vec("[a-c]{0,6}", 0..6),
        cuts in prop::collection::vec(0..30_usize, 0..8),
    ) {
        let mut cuts = cuts;
        cuts.sort_unstable();
        let ranges: Vec<Range<usize>> = cuts.chunks_exact(2).map(|pair| pair[0]..pair[1]).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let out = marked(&pieces(&texts), &ranges, Role::Match);
        let whole: String = out.iter().map(Piece::as_str).collect();
        prop_assert_eq!(whole, texts.concat());
        let mut at = 0;
        for piece in &out {
            for _ in piece.as_str().bytes() {
                let is_found = ranges.iter().any(|range| range.contains(&at));
                prop_assert_eq!(piece.is_in(Role::Match), is_found, "byte {}", at);
                at += 1;
            }
        }
    }
}
