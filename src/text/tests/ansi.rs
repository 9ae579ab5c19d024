//! Log lines as they are drawn: styles, moves inside the line, and nothing harmful.

use super::clean::{is_harmless, nasty};
use crate::text::{Colour, Run, RunStyle, runs, stripped, width};
use proptest::prelude::*;

fn plain(raw: &str) -> String {
    drawn(raw, 200)
}

fn drawn(raw: &str, columns: usize) -> String {
    let runs = runs(raw, 8, columns);
    runs.iter().map(|run| run.text.as_str()).collect()
}

fn style_of(raw: &str) -> RunStyle {
    runs(raw, 8, 200).last().expect("a run").style
}

#[test]
fn what_a_terminal_would_show_is_shown() {
    let cases = [
        ("", ""),
        ("plain", "plain"),
        ("a\tb", "a       b"),
        ("col1\tcol22\tc", "col1    col22   c"),
        ("漢\tb", "漢      b"),
        ("x\x1b[2Jy", "xy"),
        ("ding\x07dong\0", "dingdong\u{fffd}"),
        ("a\x0bb", "a b"),
        ("a\x01b", "a\u{fffd}b"),
        ("abc\rX", "Xbc"),
        ("abc\r", "abc"),
        ("abc\x08\x08X", "aXc"),
        ("\x08\x08a", "a"),
        ("\r 1%\r 2%\r100%", "100%"),
        ("long text\r\x1b[Kshort", "short"),
        ("long text\x1b[2K\x1b[1Gshort", "short"),
        ("abcdef\x1b[3D\x1b[1KX", "   Xef"),
        ("ab\x1b[3Cc", "ab   c"),
        ("abc\x1b[2K", ""),
        ("漢字\rX", "X 字"),
        ("漢字\r\x1b[CX", " X字"),
        ("ab漢\rxx漢", "xx漢"),
        ("a\rb\tc", "b       c"),
        ("\x1b[?25lspin\x1b[?25h", "spin"),
        ("a\u{202e}b", "a\u{fffd}b"),
        ("⚠\u{fe0f} x", "⚠ x"),
        ("\x1b]8;;http://x.example\x07link\x1b]8;;\x07", "link"),
        ("\x1b]0;never ends", ""),
        ("a\x1bP漢\u{9c}b", "ab"),
    ];
    for (raw, want) in cases {
        assert_eq!(plain(raw), want, "{raw:?}");
    }
}

#[test]
fn styles_are_kept_as_data() {
    let none = RunStyle::default();
    let fg = |colour| RunStyle {
        fg: Some(colour),
        ..none
    };
    let cases = [
        ("\x1b[31mx", fg(Colour::Index(1))),
        ("\x1b[91mx", fg(Colour::Index(9))),
        ("\x1b[38;5;200mx", fg(Colour::Index(200))),
        ("\x1b[38;2;1;2;3mx", fg(Colour::Rgb(1, 2, 3))),
        ("\x1b[38:2::1:2:3mx", fg(Colour::Rgb(1, 2, 3))),
        ("\x1b[38:2:1:2:3mx", fg(Colour::Rgb(1, 2, 3))),
        ("\x1b[38:5:7mx", fg(Colour::Index(7))),
        ("\u{9b}31mx", fg(Colour::Index(1))),
        // The colour of underlines takes its numbers with it, and is no colour of text.
        ("\x1b[58;2;4;9;7;31mx", fg(Colour::Index(1))),
        ("\x1b[31;39mx", none),
        ("\x1b[1;31m\x1b[mx", none),
        ("\x1b[8mx", none),
        ("\x1b[>4;2mx", none),
        ("\x1b[38;5;300mx", none),
        ("\x1b[38;5mx", none),
        ("\x1b[99999999mx", none),
        (
            "\x1b[4:3mx",
            RunStyle {
                underline: true,
                ..none
            },
        ),
        ("\x1b[4m\x1b[4:0mx", none),
        (
            "\x1b[1;2;3;7;9m\x1b[22;23mx",
            RunStyle {
                reverse: true,
                strike: true,
                ..none
            },
        ),
        ("\x1b[1;9m\x1b[29mx", RunStyle { bold: true, ..none }),
        (
            "\x1b[47;30mx",
            RunStyle {
                fg: Some(Colour::Index(0)),
                bg: Some(Colour::Index(7)),
                ..none
            },
        ),
        ("\x1b[103;49mx", none),
    ];
    for (raw, want) in cases {
        assert_eq!(style_of(raw), want, "{raw:?}");
    }
}

#[test]
fn runs_are_split_where_the_style_changes_and_only_there() {
    let red = RunStyle {
        fg: Some(Colour::Index(1)),
        ..RunStyle::default()
    };
    let texts = |raw| -> Vec<(String, RunStyle)> {
        let part = |run: &Run| (run.text.to_string(), run.style);
        runs(raw, 8, 200).iter().map(part).collect()
    };
    let plain = RunStyle::default();
    assert_eq!(
        texts("a\x1b[31mb\x1b[31mc\x1b[0md"),
        [("a".into(), plain), ("bc".into(), red), ("d".into(), plain)]
    );
    // Overwritten text takes its style along.
    assert_eq!(
        texts("\x1b[31mabc\x1b[0m\rX"),
        [("X".into(), plain), ("bc".into(), red)]
    );
    // A style left open stays in its line.
    assert_eq!(texts("\x1b[47;30mtext").len(), 1);
    assert_eq!(texts("plain"), [("plain".into(), plain)]);
}

#[test]
fn a_line_is_capped_in_columns() {
    assert_eq!(drawn("abcdef", 3), "abc");
    assert_eq!(drawn("ab漢", 3), "ab");
    assert_eq!(drawn("ab\x1b[1mcdef", 3), "abc");
    // A wide one that does not fit still covers what stood there.
    assert_eq!(drawn("abc\rab漢", 3), "ab");
    assert_eq!(drawn("anything\x1b[0m", 0), "");
    // What moves back from out of sight lands where it should.
    assert_eq!(drawn("0123456789\x08\x08\x08\x08X\x1b[m", 8), "012345X7");
    assert_eq!(drawn("é123456789\rX", 4), "X123");
    assert_eq!(drawn("é漢漢漢漢\x1b[6DX", 5), "é漢X");
}

#[test]
fn huge_lines_do_not_cost_more_than_they_show() {
    let long = "x".repeat(1 << 20) + "\x1b[31m" + &"é".repeat(1 << 20) + "\rY";
    assert_eq!(drawn(&long, 5), "Yxxxx");
    let far = "\x1b[65535CX".repeat(1000);
    assert!(
        runs(&far, 8, usize::MAX)
            .iter()
            .map(|run| width(run.text.as_str()))
            .sum::<usize>()
            < 6000
    );
}

#[test]
fn concealed_text_is_shown() {
    assert_eq!(plain("\x1b[8mhidden\x1b[0m"), "hidden");
}

#[test]
fn a_move_back_from_beyond_the_edge_counts_the_columns_of_each_character() {
    // Together the two letters take one column, laid out one by one they take two.
    let raw = "Aa A0\u{644}\u{627}\u{1b}[3Dx";
    assert_eq!(drawn(raw, 4), "Aa A");
    assert_eq!(drawn(raw, 100), "Aa Ax\u{644}\u{627}");
}

#[test]
fn stripped_of_its_sequences_a_line_is_as_it_came() {
    for (raw, wanted) in [
        ("", ""),
        ("a\tb\r\n", "a\tb\r\n"),
        ("\x1b[31mré\x1b[0md\0\n", "réd\0\n"),
        ("x\x1b]0;t\x07y\u{9b}2Jz", "xyz"),
        ("Â\u{a0}\u{85}b", "Â\u{a0}b"),
        ("\x1b", ""),
        ("a\x1b]never ends\n", "a\n"),
    ] {
        assert_eq!(stripped(raw), wanted, "{raw:?}");
    }
}

proptest! {
    #[test]
    fn no_sequence_is_left_and_nothing_else_is_taken(raw in nasty()) {
        let text = stripped(&raw);
        let introduces = |c: char| c == '\x1b' || ('\u{80}'..='\u{9f}').contains(&c);
        prop_assert!(!text.contains(introduces), "{text:?}");
        let plain: String = raw.chars().filter(|c| !introduces(*c)).collect();
        prop_assert_eq!(stripped(&plain), plain.as_str());
    }

    #[test]
    fn nothing_harmful_is_drawn(raw in nasty(), columns in 0usize..40, tab in 0usize..9) {
        let runs = runs(&raw, tab, columns);
        let text: String = runs.iter().map(|run| run.text.as_str()).collect();
        prop_assert!(is_harmless(&text), "{text:?}");
        prop_assert!(width(&text) <= columns, "{text:?}");
        prop_assert!(runs.iter().all(|run| !run.text.as_str().is_empty()));
        prop_assert!(runs.windows(2).all(|pair| pair[0].style != pair[1].style));
    }

    #[test]
    fn a_narrow_view_is_the_beginning_of_a_wide_one(raw in nasty(), columns in 1usize..40) {
        let (narrow, wide) = (drawn(&raw, columns), drawn(&raw, 10_000));
        // A wide character that does not fit, and blanks at the end, are left out of the narrow one.
        let common: String = wide.chars().zip(narrow.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
        prop_assert!(common == narrow || narrow[common.len()..].trim().is_empty(), "{narrow:?} {wide:?}");
    }
}
