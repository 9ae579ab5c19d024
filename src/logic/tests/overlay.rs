//! A user's keys over the defaults: what applies, and what is said of the rest.

use crate::logic::{Action, Key, Keymap, Pane, View};
use crossterm::event::KeyCode;

/// The keys of an action, as they are written.
fn keys(keymap: &Keymap, action: Action) -> Vec<String> {
    keymap.keys_of(action).map(|chord| chord.label()).collect()
}

fn overlaid(text: &str) -> (Keymap, Vec<String>) {
    let (keymap, complaints) = Keymap::default().overlaid("keys.toml", text);
    let said = complaints
        .iter()
        .map(|complaint| complaint.sentence().as_str().to_owned());
    (keymap, said.collect())
}

#[test]
fn what_is_named_is_replaced_and_the_rest_stays() {
    let (keymap, said) = overlaid("quit = [\"Q\", \"ctrl-c\"]\nsample = []\nrefresh = 'f5'\n");
    assert_eq!(said, Vec::<String>::new());
    assert_eq!(keys(&keymap, Action::Quit), ["Q", "ctrl-c"]);
    assert_eq!(keys(&keymap, Action::Sample), Vec::<String>::new());
    assert_eq!(keys(&keymap, Action::Refresh), ["f5"]);
    assert_eq!(keys(&keymap, Action::Help), ["?", "f1"]);
}

#[test]
fn keys_may_change_places() {
    let (keymap, said) = overlaid("sort = ['O']\nsort-reverse = ['o']\n");
    assert_eq!(said, Vec::<String>::new());
    assert_eq!(keys(&keymap, Action::Sort), ["O"]);
}

#[test]
fn a_chord_waits_for_its_second_key_where_it_applies() {
    let (keymap, said) = overlaid("top = ['g g', 'home']\nsort = ['g s']\nfollow = ['ö', 'g f']\n");
    assert_eq!(said, Vec::<String>::new());
    let g = Key::plain(KeyCode::Char('g'));
    let after = |pane| {
        let after = keymap.after(g, View::Dashboard, pane);
        after
            .into_iter()
            .map(|(key, action)| (key.label(), action))
            .collect::<Vec<_>>()
    };
    let named = |key: &str, action| (key.to_owned(), action);
    assert_eq!(
        after(Pane::List),
        [named("g", Action::Top), named("s", Action::Sort)]
    );
    assert_eq!(
        after(Pane::Lines),
        [named("g", Action::Top), named("f", Action::Follow)]
    );
    assert_eq!(keymap.action_for(g, View::Dashboard, Pane::List), None);
}

/// A line of a file, and all that is said of it.
const WRONG: &[(&str, &str)] = &[
    (
        "quti = ['Q']",
        "1:1: there is no action `quti`; did you mean `quit`?",
    ),
    ("frobnicate = ['Q']", "1:1: there is no action `frobnicate`"),
    (
        "sort = ['']",
        "1:9: an empty key; `[]` leaves the action without one",
    ),
    (
        "sort = ['disabled']",
        "1:9: `disabled` is no key; `[]` leaves the action without one",
    ),
    (
        "sort = ['<c-S-x>']",
        "1:9: `<c-S-x>` is no key; keys are written like `q`, `G`, `ctrl-x`, `alt-x`, `f5`",
    ),
    (
        "sort = ['entre']",
        "1:9: `entre` is no key; keys are written like `q`, `G`, `ctrl-x`, `enter`, `f5`; did you mean `enter`?",
    ),
    ("sort = ['a b c']", "1:9: `a b c` are more than two keys"),
    (
        "sort = ['ctrl-X']",
        "1:9: terminals cannot tell `ctrl-X` from `ctrl-x`; write that",
    ),
    (
        "sort = ['ctrl-i']",
        "1:9: terminals send `tab` for `ctrl-i`; write that",
    ),
    ("sort = ['q']", "1:9: `q` is a key of `quit` already"),
    (
        "sort = ['g s']",
        "1:9: `g s` and `g` of `top` begin alike: one hides the other",
    ),
    (
        "sort = ['X']",
        "1:9: `X` is one shift away from `x` of `stop`, and one of the two destroys",
    ),
    (
        "stop = ['F']",
        "1:9: `F` is one shift away from `f` of `follow`, and one of the two destroys",
    ),
    ("sort = [7]", "1:9: a key is a word in quotes, not a number"),
    (
        "sort = true",
        "1:8: keys are written as a list: [\"q\", \"ctrl-c\"]",
    ),
    (
        "quit = []",
        "1:8: `quit` needs a key, or there is no way out",
    ),
];

/// The defaults of the action remain.
#[test]
fn what_is_wrong_is_told_with_its_place_and_changes_nothing() {
    for (line, wanted) in WRONG {
        let (keymap, said) = overlaid(line);
        assert_eq!(said, [format!("keys.toml:{wanted}")], "{line}");
        let before = Keymap::default();
        for action in [Action::Quit, Action::Sort, Action::Stop] {
            assert_eq!(keys(&keymap, action), keys(&before, action), "{line}");
        }
    }
}

#[test]
fn the_same_key_twice_is_told_and_bound_once() {
    let (keymap, said) = overlaid("# mine\nsort = ['K', 'K']\n");
    assert_eq!(said, ["keys.toml:2:14: `K` stands here twice"]);
    assert_eq!(keys(&keymap, Action::Sort), ["K"]);
}

/// Where the first of two wrong lines breaks the syntax, what follows still applies.
#[test]
fn a_fault_of_syntax_spoils_only_its_line() {
    let (keymap, said) = overlaid("\u{feff}sort = ['s'\r\nzoom = ['Z']\r\n");
    assert!(
        !said.is_empty() && said.iter().all(|line| line.starts_with("keys.toml:")),
        "{said:?}"
    );
    assert_eq!(keys(&keymap, Action::Quit), ["q", "ctrl-c"]);
    let (keymap, said) = overlaid("sort = [s]\nzoom = ['Z']\n");
    assert!(said[0].starts_with("keys.toml:1:"), "{said:?}");
    assert_eq!(keys(&keymap, Action::Zoom), ["Z"]);
    assert_eq!(keys(&keymap, Action::Sort), ["o"]);
}
