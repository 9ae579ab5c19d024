//! Command lines: what is split is joined again, whatever it holds.

use crate::logic::words::{joined, split};
use proptest::prelude::*;

#[test]
fn quotes_are_read_as_a_shell_reads_them() {
    let table: &[(&str, &[&str])] = &[
        ("", &[]),
        ("  a  b\t c ", &["a", "b", "c"]),
        ("'a b' \"c d\" e\\ f", &["a b", "c d", "e f"]),
        ("a'b'\"c\"d", &["abcd"]),
        ("'' \"\"", &["", ""]),
        (r#""say \"hi\" \n $X""#, &[r#"say "hi" \n $X"#]),
        (r"$'a\tb\n\x41\'' $x", &["a\tb\nA'", "$x"]),
        ("--flag='x y' é漢😀é", &["--flag=x y", "é漢😀é"]),
    ];
    for (line, words) in table {
        assert_eq!(split(line).unwrap(), *words, "{line}");
    }
    for open in [
        "'a", "\"a", "$'a", "a\\", "$'\\q'", "$'\\x9'", "$'\\xff'", "\"a\\",
    ] {
        assert!(split(open).is_err(), "{open}");
    }
}

proptest! {
    #[test]
    fn joined_words_split_into_themselves(words in prop::collection::vec(".{0,12}|[ '\"\\\\$\n\t\u{1b}]{0,6}", 0..6)) {
        let line = joined(words.iter().map(String::as_str));
        prop_assert!(!line.contains(|c: char| c.is_ascii_control()), "{line:?}");
        prop_assert_eq!(split(&line).unwrap(), words);
    }

    #[test]
    fn any_line_is_read_or_refused(line in ".{0,40}") {
        let _ = split(&line);
    }
}
