//! Markdown as agents write it, and as nobody should.

use super::markdown;
use crate::model::Foreign;
use crate::ui::{Role, text};
use proptest::prelude::*;

fn laid(source: &str, columns: u16) -> String {
    let lines = markdown(&Foreign::new(source), columns);
    let text = |line: &Vec<_>| -> String { line.iter().map(text::Piece::as_str).collect() };
    let lines: Vec<String> = lines
        .iter()
        .map(|line| text(line).trim_end().to_owned())
        .collect();
    lines.join("\n")
}

#[test]
fn blocks_stand_apart_and_lists_stay_together() {
    let source =
        "# Plan\nFirst *this*.\n\n- one\n- two\n  1. inner\n  2. more\n\n> said\n\n---\nend";
    assert_eq!(
        laid(source, 40),
        "Plan\n\nFirst this.\n\n• one\n• two\n  1. inner\n  2. more\n\n│ said\n\n────────────────────────\n\nend"
    );
}

#[test]
fn an_entry_that_is_wrapped_goes_on_below_its_text() {
    assert_eq!(
        laid("- alpha beta gamma delta", 14),
        "• alpha beta\n  gamma delta"
    );
}

#[test]
fn code_keeps_its_blanks_and_loses_nothing_at_the_edge() {
    let source = "```rust\nfn main() {\n\tlet value = 1;\n}\n```";
    assert_eq!(
        laid(source, 40),
        "▏ rust\n▏ fn main() {\n▏     let value = 1;\n▏ }"
    );
    assert_eq!(
        laid("```\nabcdefghijklmnop\n```", 12),
        "▏ abcdefghij\n▏ klmnop"
    );
}

#[test]
fn a_table_takes_the_room_there_is() {
    let source = "| file | change |\n|---|---|\n| a.rs | made the reader simple |\n| b | x |";
    assert_eq!(
        laid(source, 60),
        "file │ change\n─────┼───────────────────────\na.rs │ made the reader simple\nb    │ x"
    );
    assert_eq!(laid(source, 20).lines().count(), 5);
    assert!(laid(source, 6).contains("file"));
}

#[test]
fn a_link_tells_where_it_leads_unless_it_says_so_itself() {
    assert_eq!(
        laid("[docs](https://x.example/a)", 60),
        "docs (https://x.example/a)"
    );
    assert_eq!(laid("<https://x.example/a>", 60), "https://x.example/a");
}

#[test]
fn emphasis_and_code_have_looks_of_their_own() {
    let lines = markdown(&Foreign::new("## Head\n`code`"), 20);
    assert!(lines[0][0].is_in(Role::Title));
    assert!(lines[2][0].is_in(Role::Info));
}

#[test]
fn escapes_in_the_source_do_not_survive() {
    let text = laid(
        "a \u{1b}]52;c;aGk=\u{7}b `\u{1b}[2Jc`\n\n```\n\u{9b}2Jd\n```",
        40,
    );
    assert!(!text.contains(['\u{1b}', '\u{7}', '\u{9b}']), "{text:?}");
}

#[test]
fn a_thousand_levels_are_no_deeper_than_the_page() {
    let source = format!("{}deep", "> ".repeat(1000));
    assert!(laid(&source, 30).contains("deep"));
    let source = (0..200)
        .map(|n| format!("{}- e{n}\n", "  ".repeat(n)))
        .collect::<String>();
    assert!(laid(&source, 30).contains("e0"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_line_is_wider_than_the_page(
        source in "([a-z漢é😀|`*_>#\\-\\[\\]() \n\t1.]|\\| a \\| b \\|\n|\\|---\\|---\\|\n|```\n){0,60}",
        columns in 1u16..50,
    ) {
        for line in markdown(&Foreign::new(source.as_str()), columns) {
            prop_assert!(text::width(&line) <= usize::from(columns.max(2)), "{line:?}");
        }
    }
}
