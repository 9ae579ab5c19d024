//! What comes through cleaning, and what does not.

use crate::model::Foreign;
use crate::text::{clean, clean_str, say, width};
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

fn cleaned(text: &str) -> String {
    clean(&Foreign::from(text)).as_str().to_owned()
}

#[test]
fn sequences_go_whole_and_the_text_around_them_stays() {
    let cases = [
        ("plain", "plain"),
        ("x\x1b[2Jy", "xy"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("a\x1b]52;c;aGk=\x07b", "ab"),
        ("a\x1b]0;title\x07b", "ab"),
        ("\x1b]8;;http://x.example\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("a\x1bPq#0~\x1b\\b", "ab"),
        ("a\x1b_app\x1b\\b", "ab"),
        ("a\x1b^pm\u{9c}b", "ab"),
        ("a\x1bcb", "ab"),
        ("a\x1b(Bb", "ab"),
        ("a\u{9b}2Jb", "ab"),
        ("a\u{9d}0;t\u{9c}b", "ab"),
        ("a\u{90}q\u{9c}b\u{84}c", "abc"),
        // 漢 holds the byte 0x9c, which ends no string.
        ("a\x1bP漢\x1b\\b\x1b]0;漢\x07c", "abc"),
        ("a\x1b[1\x07;3mb", "ab"),
        ("a\x1b[31\x1b[0mb", "ab"),
        ("a\x1b[31漢", "a漢"),
        ("a\x1b", "a"),
        ("a\x1b[", "a"),
        ("a\x1b漢", "a漢"),
    ];
    for (raw, want) in cases {
        assert_eq!(cleaned(raw), want, "{raw:?}");
    }
}

#[test]
fn an_unterminated_string_swallows_its_line_only() {
    let lines: String = (0..100).map(|n| format!("\nline {n}")).collect();
    for introducer in ["\x1b]", "\x1bP", "\x1b_", "\x1bX", "\u{9d}", "\u{90}"] {
        let text = cleaned(&format!("{introducer}0;no end{lines}"));
        assert_eq!(text, lines.replace('\n', " "), "{introducer:?}");
    }
}

#[test]
fn breaks_and_tabs_are_one_space_and_other_controls_are_seen() {
    assert_eq!(cleaned("a\tb\nc\r\nd\re"), "a b c d e");
    assert_eq!(cleaned("a\u{2028}b\u{2029}c"), "a b c");
    assert_eq!(
        cleaned("bo\x07x\x08\0\x7f"),
        "bo\u{fffd}x\u{fffd}\u{fffd}\u{fffd}"
    );
}

#[test]
fn direction_cannot_be_overridden() {
    assert_eq!(cleaned("a\u{202e}gpj.exe"), "a\u{fffd}gpj.exe");
    assert_eq!(
        cleaned("a\u{2066}b\u{2069}\u{200f}c\u{61c}d"),
        "a\u{fffd}b\u{fffd}cd"
    );
}

#[test]
fn emoji_keep_their_joiners_and_lose_the_presentation_selector() {
    assert_eq!(cleaned("👨‍👩‍👧"), "👨‍👩‍👧");
    assert_eq!(cleaned("🏴󠁧󠁢󠁥󠁮󠁧󠁿 👩🏽‍🚀 🇩🇪"), "🏴󠁧󠁢󠁥󠁮󠁧󠁿 👩🏽‍🚀 🇩🇪");
    assert_eq!(cleaned("⚠\u{fe0f} 1\u{fe0f}\u{20e3}"), "⚠ 1\u{20e3}");
    assert_eq!(cleaned("\u{fe0e}"), "\u{fe0e}");
}

#[test]
fn marks_do_not_pile_up() {
    let zalgo = format!("a{}b", "\u{301}".repeat(10_000));
    let text = cleaned(&zalgo);
    assert!(text.len() < 100 && text.starts_with("a\u{301}") && text.ends_with('b'));
    // A chain of joined emoji is broken up: each part takes its columns.
    let chain = "👨\u{200d}".repeat(10_000);
    let text = cleaned(&chain);
    assert!(text.graphemes(true).all(|grapheme| grapheme.len() < 200));
    assert!(width(&text) > 200);
    // A sequence between the marks does not hide them from the count.
    let split = format!("a{}", "\u{301}\x1b[m".repeat(10_000));
    assert!(cleaned(&split).len() < 100);
}

#[test]
fn a_sentence_is_safe_whatever_was_put_in() {
    let raw = "box\x1b[2J";
    assert_eq!(say(format_args!("stop {raw}?")).as_str(), "stop box?");
    assert_eq!(say(format_args!("as it is")).as_str(), "as it is");
}

/// Strings that are likely to hold the beginnings of something.
pub(super) fn nasty() -> impl Strategy<Value = String> {
    let bits = prop_oneof![
        4 => any::<char>().prop_map(String::from),
        4 => "[ -~]{0,8}",
        3 => proptest::sample::select(vec![
            "\x1b", "\x1b[", "\x1b[31m", "\x1b]", "\x1b]0;", "\x07", "\x1b\\", "\u{9b}", "\u{9d}",
            "\u{9c}", "\r", "\n", "\t", "\x08", "\0", "漢", "é", "e\u{301}", "😀", "👨‍👩‍👧", "\u{fe0f}",
            "\u{200d}", "\u{202e}", "\u{2028}", "1\u{fe0f}\u{20e3}", "ｶﾞ", "\x1b[K", "\x1b[2K",
            "\x1b[1G", "\x1b[3C", "\x1b[3D", "\x1b[38;5;", "\x1b[38;2;1;2;3m", "\x1b[8m", "m",
            "\x1b[999999999999C", "\x18", "\u{ad}", "🇩", "لا", "한",
        ]).prop_map(String::from),
    ];
    proptest::collection::vec(bits, 0..24).prop_map(|bits| bits.concat())
}

pub(super) fn is_harmless(text: &str) -> bool {
    !text.contains(|c: char| {
        c.is_control()
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
    })
}

proptest! {
    #[test]
    fn nothing_harmful_comes_through(text in nasty()) {
        let once = clean_str(&text);
        prop_assert!(is_harmless(once.as_str()), "{once:?}");
        prop_assert_eq!(clean_str(once.as_str()), once);
    }

    #[test]
    fn harmless_ascii_is_unchanged(text in "[ -~]{0,40}") {
        let cleaned = clean_str(&text);
        prop_assert_eq!(cleaned.as_str(), text.as_str());
        prop_assert_eq!(width(&text), text.len());
    }
}
