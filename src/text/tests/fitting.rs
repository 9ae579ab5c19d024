//! Widths, cutting, padding and rows, at every length.

use super::clean::nasty;
use crate::text::{Side, clean_str, cut, pad, row_count, rows, width};
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

const SIDES: [Side; 3] = [Side::Start, Side::Middle, Side::End];
const SAMPLES: [&str; 6] = [
    "é漢😀éé漢😀éé漢😀é",
    "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧 families",
    "⚠\u{fe0f} ℹ\u{fe0f} ⚙\u{fe0f} 1\u{fe0f}\u{20e3} ♻\u{fe0f} end",
    "e\u{301}e\u{301}ｶﾞｶﾞ🇩🇪🇫🇷",
    "plain ascii text",
    "",
];

#[test]
fn a_text_is_as_wide_as_its_graphemes() {
    let cases = [
        ("", 0),
        ("abc", 3),
        ("a\tb\x1b", 2),
        ("é", 1),
        ("e\u{301}", 1),
        ("漢", 2),
        ("😀", 2),
        ("👨‍👩‍👧", 2),
        ("🇩🇪", 2),
        ("\u{200d}", 0),
        // As the service's names may come, before cleaning.
        ("⚠\u{fe0f}", 2),
    ];
    for (text, columns) in cases {
        assert_eq!(width(text), columns, "{text:?}");
    }
    for sign in [
        "⚠\u{fe0f}",
        "ℹ\u{fe0f}",
        "⚙\u{fe0f}",
        "1\u{fe0f}\u{20e3}",
        "♻\u{fe0f}",
    ] {
        assert_eq!(width(clean_str(sign).as_str()), 1, "{sign:?}");
    }
}

#[test]
fn what_is_cut_says_so_at_its_place() {
    let text = clean_str("0123456789");
    let cases = [
        (10, Side::End, "0123456789"),
        (6, Side::End, "01234…"),
        (6, Side::Start, "…56789"),
        (6, Side::Middle, "012…89"),
        (5, Side::Middle, "01…89"),
        (1, Side::End, "…"),
        (0, Side::End, ""),
    ];
    for (columns, side, want) in cases {
        assert_eq!(cut(&text, columns, side).as_str(), want);
    }
    let wide = clean_str("漢字漢字");
    assert_eq!(cut(&wide, 4, Side::End).as_str(), "漢…");
    assert_eq!(cut(&wide, 2, Side::End).as_str(), "…");
}

#[test]
fn padding_fills_the_named_side_and_never_cuts() {
    let text = clean_str("漢é");
    assert_eq!(pad(&text, 6, Side::End).as_str(), "漢é   ");
    assert_eq!(pad(&text, 6, Side::Start).as_str(), "   漢é");
    assert_eq!(pad(&text, 6, Side::Middle).as_str(), " 漢é  ");
    assert_eq!(pad(&text, 2, Side::End).as_str(), "漢é");
}

fn check_cut(text: &str) {
    let text = clean_str(text);
    let whole: Vec<&str> = text.as_str().graphemes(true).collect();
    for columns in 0..=width(text.as_str()) + 1 {
        for side in SIDES {
            let short = cut(&text, columns, side);
            assert!(
                width(short.as_str()) <= columns,
                "{text:?} {columns} {side:?}"
            );
            if let Some((first, last)) = short.as_str().split_once('…')
                && !text.as_str().contains('…')
            {
                let first: Vec<&str> = first.graphemes(true).collect();
                let last: Vec<&str> = last.graphemes(true).collect();
                assert!(
                    whole.starts_with(&first) && whole.ends_with(&last),
                    "{short:?}"
                );
            }
            let padded = pad(&short, columns, side);
            assert_eq!(width(padded.as_str()), columns, "{padded:?}");
        }
    }
}

fn check_rows(text: &str) {
    for columns in 0..12 {
        let parts: Vec<&str> = rows(text, columns).map(|row| &text[row]).collect();
        assert_eq!(parts.concat(), text);
        assert_eq!(row_count(text, columns), parts.len());
        for part in &parts {
            let single = part.graphemes(true).count() == 1;
            assert!(
                width(part) <= columns.max(1) || single,
                "{part:?} {columns}"
            );
            assert!(!part.is_empty() || text.is_empty());
        }
        let cut_up: Vec<&str> = parts.iter().flat_map(|part| part.graphemes(true)).collect();
        assert_eq!(cut_up, text.graphemes(true).collect::<Vec<_>>());
    }
}

#[test]
fn every_length_of_awkward_text_fits() {
    for text in SAMPLES {
        check_cut(text);
        check_rows(clean_str(text).as_str());
    }
}

#[test]
fn rows_break_where_the_width_ends() {
    let row_texts = |text: &'static str, columns| -> Vec<&str> {
        rows(text, columns).map(|row| &text[row]).collect()
    };
    assert_eq!(row_texts("abcdefg", 3), ["abc", "def", "g"]);
    assert_eq!(row_texts("abcdef", 3), ["abc", "def"]);
    assert_eq!(row_texts("ab漢c", 3), ["ab", "漢c"]);
    assert_eq!(row_texts("a漢", 1), ["a", "漢"]);
    assert_eq!(row_texts("abe\u{301}d", 3), ["abe\u{301}", "d"]);
    assert_eq!(row_texts("", 5), [""]);
}

proptest! {
    #[test]
    fn any_text_fits(text in nasty()) {
        check_cut(&text);
        check_rows(clean_str(&text).as_str());
    }
}
