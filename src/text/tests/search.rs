//! Patterns, and sets of line numbers.

use crate::text::ansi::shown;
use crate::text::line_set::LineSet;
use crate::text::seen::seen;
use crate::text::{Pattern, say};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn pattern(typed: &str) -> Pattern {
    Pattern::new(typed).unwrap()
}

/// A pattern, and of these lines those that it matches.
const TABLE: &[(&str, &[&str], &[&str])] = &[
    ("error", &["an ERROR", "error", "Errors"], &["err or"]),
    ("Error", &["Error", "TypeErrors"], &["error", "ERROR"]),
    (r"\Werr", &["a ERR", "-err"], &["err", "xerr"]),
    (r"\p{Greek}", &["Ω", "a ω"], &["o"]),
    ("^a.c$", &["abc", "aéc", "a漢c"], &["abcd", "ac", "xabc"]),
    ("é", &["É", "caf\u{e9}"], &["e"]),
    (r"\bw\w+d\b", &["a word", "wörd"], &["words", "sword"]),
    ("a|b", &["xb", "a"], &["c"]),
    ("", &["", "anything"], &[]),
    (r"\d{3}", &["a 123", "4567"], &["12"]),
];

#[test]
fn patterns_match_as_people_mean_them() {
    for (typed, hits, others) in TABLE {
        let pattern = pattern(typed);
        assert_eq!((pattern.typed(), pattern.complaint()), (*typed, None));
        for hit in *hits {
            assert!(pattern.is_match(hit), "{typed} in {hit}");
        }
        for other in *others {
            assert!(!pattern.is_match(other), "{typed} in {other}");
        }
    }
}

#[test]
fn what_is_no_regular_expression_is_a_text() {
    for (typed, line) in [
        ("[ERROR", "x [ERROR] y"),
        ("a(b", "A(B"),
        ("*", "2*3"),
        ("\\", "a\\b"),
    ] {
        let pattern = pattern(typed);
        assert!(pattern.is_match(line), "{typed}");
        assert!(!pattern.is_match("ERROR ab 23"), "{typed}");
        let said = pattern.complaint().unwrap().as_str();
        assert!(
            said.starts_with("No regular expression (") && said.ends_with("): searched as a text."),
            "{said}"
        );
    }
    assert_eq!(
        pattern("(").complaint(),
        Some(&say(format_args!(
            "No regular expression (unclosed group): searched as a text."
        )))
    );
    // Too large as an expression, and no text of anybody.
    assert!(pattern(r"\w{1000}{1000}").complaint().is_some());
    assert!(Pattern::new(&"x".repeat(5000)).is_err());
}

#[test]
fn matches_are_whole_characters() {
    let found = |typed: &str, line: &'static str| -> Vec<&'static str> {
        pattern(typed)
            .matches(line)
            .map(|range| &line[range])
            .collect()
    };
    assert_eq!(found("o", "foo Boo"), ["o", "o", "o", "o"]);
    assert_eq!(found(".", "é漢"), ["é", "漢"]);
    assert_eq!(found("x*", "axxb"), ["xx"], "nothing empty");
    assert_eq!(found(r"(?-u:\xa9)", "é"), ["é"]);
}

proptest! {
    #[test]
    fn a_set_of_lines_is_a_set(
        steps in prop::collection::vec((0..4_u8, 0..300_000_u64), 1..60),
        stretch in prop::option::of((0..140_000_u64, 1..20_000_u64)),
        asked in prop::collection::vec(0..300_000_u64, 20),
    ) {
        let (mut set, mut model) = (LineSet::default(), BTreeSet::new());
        if let Some((start, len)) = stretch {
            (start..start + len).for_each(|number| set.insert(number));
            model.extend(start..start + len);
        }
        for (step, number) in steps {
            match step {
                0 => { set.remove(number); model.remove(&number); }
                1 if number % 8 == 0 => { set.forget_before(number); model = model.split_off(&number); }
                _ => { set.insert(number); model.insert(number); }
            }
        }
        prop_assert_eq!(set.len(), model.len() as u64);
        prop_assert_eq!(set.is_empty(), model.is_empty());
        let near = model.iter().flat_map(|n| [n.saturating_sub(1), *n, *n + 1]).take(60).collect::<Vec<_>>();
        let mut other = LineSet::default();
        asked.iter().chain(&near).for_each(|number| other.insert(*number));
        let wide = other.widened(2);
        let (common, around) = (set.common(&other), set.common(&wide));
        prop_assert_eq!(common.len(), model.iter().filter(|n| other.contains(**n)).count() as u64);
        for number in asked.into_iter().chain(near) {
            prop_assert_eq!(common.contains(number), model.contains(&number));
            prop_assert_eq!(around.contains(number + 2), model.contains(&(number + 2)));
            prop_assert_eq!(wide.previous(number + 3), Some(number + 2));
            prop_assert_eq!(set.contains(number), model.contains(&number));
            prop_assert_eq!(set.next(number), model.range(number..).next().copied());
            prop_assert_eq!(set.previous(number), model.range(..number).next_back().copied());
            prop_assert_eq!(set.rank(number), model.range(..number).count() as u64);
        }
    }

    #[test]
    fn what_scans_see_is_what_is_shown(line in "([ -~]{0,6}|\t|\r|\u{8}|\u{1b}\\[[0-9;]{0,3}[a-zA-Z]|\u{1b}\\]0;t\u{7}|\u{0}|[漢é😀🇩🇪\u{301}\u{200d}\u{202e}\u{200b}가\u{9b}]){0,12}") {
        let shown = shown(&line, 8, usize::MAX);
        prop_assert_eq!(seen(&line), shown.as_str(), "{:?}", line);
    }
}
