//! Copy mode: moving, selecting, searching, and what is copied.

use super::terminal;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use sandtop::term::{CopyMode, Emulator, Mark, Then};

const TEXT: &str = "first line\r\n  let x = foo(bar);\r\n\r\nab漢字cd  end\r\n";

fn shown(columns: u16, rows: u16, text: &str) -> Emulator {
    let mut emulator = terminal(columns, rows);
    emulator.feed(text.as_bytes());
    emulator
}

fn key(name: &str) -> KeyEvent {
    match name.strip_prefix("ctrl-") {
        Some(letter) => KeyEvent::new(
            KeyCode::Char(letter.parse().unwrap()),
            KeyModifiers::CONTROL,
        ),
        None if name == "esc" => KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE),
        None => KeyEvent::new(KeyCode::Char(name.parse().unwrap()), KeyModifiers::NONE),
    }
}

/// Presses keys (separated by blanks) and gives back what the last one did.
fn press(copy: &mut CopyMode, keys: &str) -> Then {
    keys.split(' ')
        .map(|name| copy.key(&key(name)))
        .last()
        .unwrap()
}

fn at(copy: &CopyMode) -> (u16, u16) {
    let cursor = copy.cursor();
    (cursor.row, cursor.column)
}

fn copied(emulator: &Emulator, keys: &str) -> String {
    match press(&mut CopyMode::new(emulator), keys) {
        Then::Copy(text) => text.as_raw().to_owned(),
        other => panic!("{keys}: {other:?}"),
    }
}

#[test]
fn the_cursor_moves_as_in_vi() {
    let emulator = shown(40, 10, TEXT);
    let table = [
        ("g", (0, 0)),
        ("g l l h", (0, 1)),
        ("g $", (0, 9)),
        ("g $ l", (0, 9)),
        ("g j", (1, 0)),
        ("g j 0", (1, 0)),
        ("g j $ ^", (1, 2)),
        ("g w", (0, 6)),
        ("g w w", (1, 2)),
        ("g w w w w w", (1, 10)),
        ("g w w w w w w", (1, 13)),
        ("g e", (0, 4)),
        ("g e e", (0, 9)),
        ("g e e e", (1, 4)),
        ("g w w b", (0, 6)),
        ("g w w b b b", (0, 0)),
        ("g $ j j", (2, 0)),
        ("g $ j j k", (1, 9)),
        ("g j j j l l", (3, 2)),
        ("g j j j l l l", (3, 4)),
        ("g j j j l l l h", (3, 2)),
        ("H", (0, 0)),
        ("M", (5, 0)),
        ("L", (9, 0)),
        ("G", (9, 0)),
    ];
    for (keys, wanted) in table {
        let mut copy = CopyMode::new(&emulator);
        press(&mut copy, keys);
        assert_eq!(at(&copy), wanted, "{keys}");
    }
}

#[test]
fn a_line_end_ends_a_word_and_a_soft_wrap_does_not() {
    let mut copy = CopyMode::new(&shown(6, 6, "one\r\ntwo words more"));
    let mut places = vec![];
    press(&mut copy, "g");
    for _ in 0..3 {
        press(&mut copy, "w");
        places.push(at(&copy));
    }
    assert_eq!(places, [(1, 0), (1, 4), (2, 4)]);
}

#[test]
fn pages_move_the_view() {
    let lines: String = (0..100).map(|line| format!("line {line}\r\n")).collect();
    let mut copy = CopyMode::new(&shown(40, 10, &lines));
    assert_eq!(
        (copy.history(), copy.scrolled(), at(&copy)),
        (91, 0, (9, 0))
    );
    press(&mut copy, "ctrl-b");
    assert_eq!((copy.scrolled(), at(&copy)), (10, (9, 0)));
    press(&mut copy, "ctrl-u");
    assert_eq!((copy.scrolled(), at(&copy)), (15, (9, 0)));
    press(&mut copy, "g");
    assert_eq!((copy.scrolled(), at(&copy)), (91, (0, 0)));
    press(&mut copy, "ctrl-f ctrl-d");
    assert_eq!((copy.scrolled(), at(&copy)), (76, (0, 0)));
    press(&mut copy, "k");
    assert_eq!(
        (copy.scrolled(), at(&copy)),
        (77, (0, 0)),
        "the view follows the cursor"
    );
    press(&mut copy, "G");
    assert_eq!((copy.scrolled(), at(&copy)), (0, (9, 0)));
}

#[test]
fn selections_are_copied_without_padding_and_soft_wraps() {
    let emulator = shown(40, 10, TEXT);
    assert_eq!(copied(&emulator, "g v e y"), "first");
    assert_eq!(copied(&emulator, "g v $ y"), "first line");
    assert_eq!(
        copied(&emulator, "g v j j y"),
        "first line\n  let x = foo(bar);\n"
    );
    assert_eq!(
        copied(&emulator, "g V j y"),
        "first line\n  let x = foo(bar);"
    );
    assert_eq!(copied(&emulator, "g l l ctrl-v j l y"), "rs\nle");
    assert_eq!(
        copied(&emulator, "g j j j l l v l y"),
        "漢字",
        "halves count for the whole"
    );
    assert_eq!(
        copied(&emulator, "g j j j v $ y"),
        "ab漢字cd  end",
        "blanks inside stay"
    );
    assert_eq!(
        copied(&emulator, "g w v b o l y"),
        "first li",
        "the other end moves"
    );
    let narrow = shown(10, 6, "a long line that wraps\r\n一二三四五六\r\nend");
    assert_eq!(copied(&narrow, "g V y"), "a long line that wraps");
    assert_eq!(copied(&narrow, "g v j j j y"), "a long line that wraps\n一");
    let odd = shown(5, 6, "一二三四");
    assert_eq!(
        copied(&odd, "g V y"),
        "一二三四",
        "the blank before the wrap is no text"
    );
}

#[test]
fn without_selection_there_is_nothing_to_copy() {
    let mut copy = CopyMode::new(&shown(40, 10, TEXT));
    assert_eq!(press(&mut copy, "y"), Then::Stay);
    assert_eq!(
        press(&mut copy, "v esc"),
        Then::Stay,
        "the first Esc ends the selection"
    );
    assert_eq!(press(&mut copy, "esc"), Then::Leave);
    assert_eq!(press(&mut copy, "v v y"), Then::Stay);
    assert_eq!(press(&mut copy, "q"), Then::Leave);
    assert_eq!(press(&mut copy, "ctrl-c"), Then::Leave);
}

#[test]
fn the_mouse_selects_characters_words_and_lines() {
    let mut copy = CopyMode::new(&shown(40, 10, TEXT));
    let text = |copy: &CopyMode| copy.selected_text().map(|text| text.as_raw().to_owned());
    copy.press(1, 2, 1);
    assert_eq!(
        (text(&copy), copy.mark(1, 2)),
        (None, Mark::Plain),
        "a click selects nothing"
    );
    copy.drag(1, 6);
    assert_eq!(text(&copy).as_deref(), Some("let x"));
    assert_eq!(
        [1, 2, 6, 7].map(|column| copy.mark(1, column)),
        [Mark::Plain, Mark::Selected, Mark::Selected, Mark::Plain]
    );
    copy.press(1, 11, 2);
    assert_eq!(text(&copy).as_deref(), Some("foo"));
    copy.drag(1, 15);
    assert_eq!(text(&copy).as_deref(), Some("foo(bar"));
    copy.drag(0, 7);
    assert_eq!(text(&copy).as_deref(), Some("line\n  let x = foo"));
    copy.press(3, 0, 3);
    assert_eq!(text(&copy).as_deref(), Some("ab漢字cd  end"));
    copy.press(3, 3, 1);
    copy.drag(3, 5);
    assert_eq!(
        text(&copy).as_deref(),
        Some("漢字"),
        "pressed on its second half"
    );
    assert_eq!(
        [1, 2, 5, 6].map(|column| copy.mark(3, column)),
        [Mark::Plain, Mark::Selected, Mark::Selected, Mark::Plain]
    );
}

#[test]
fn dragging_beyond_the_view_scrolls() {
    let lines: String = (0..100).map(|line| format!("line {line}\r\n")).collect();
    let mut copy = CopyMode::new(&shown(40, 10, &lines));
    copy.press(8, 6, 1);
    copy.drag(-5, 0);
    assert_eq!((copy.scrolled(), at(&copy)), (5, (0, 0)));
    assert_eq!(copy.selected_text().unwrap().as_raw().lines().count(), 14);
    copy.drag(40, 0);
    assert_eq!(copy.scrolled(), 0);
}

#[test]
fn search_finds_across_wraps_with_smart_case() {
    let mut copy = CopyMode::new(&shown(
        10,
        8,
        "An error and\r\nanother Error\r\nfine 漢字\r\n",
    ));
    press(&mut copy, "g");
    assert_eq!(press(&mut copy, "/"), Then::Ask { forward: true });
    copy.search("error", true);
    assert_eq!((copy.hits(), at(&copy)), ((2, Some(0)), (0, 3)));
    assert_eq!(
        [2, 3, 7, 8].map(|column| copy.mark(0, column)),
        [Mark::Plain, Mark::CurrentHit, Mark::CurrentHit, Mark::Plain]
    );
    press(&mut copy, "n");
    assert_eq!((copy.hits(), at(&copy)), ((2, Some(1)), (2, 8)));
    assert_eq!(
        [
            copy.mark(2, 9),
            copy.mark(3, 0),
            copy.mark(3, 3),
            copy.mark(0, 3)
        ],
        [Mark::CurrentHit, Mark::CurrentHit, Mark::Plain, Mark::Hit]
    );
    press(&mut copy, "n");
    assert_eq!(at(&copy), (0, 3), "around the end");
    press(&mut copy, "N");
    assert_eq!(at(&copy), (2, 8));
    copy.search("Error", true);
    assert_eq!(copy.hits(), (1, Some(0)), "a capital means it");
    copy.search("an[do]+", true);
    assert_eq!(copy.hits().0, 2, "a regular expression");
    copy.search("an[", true);
    assert_eq!(
        (copy.hits(), at(&copy)),
        ((0, None), (0, 0)),
        "back to where it began"
    );
    copy.search("漢", true);
    assert_eq!((at(&copy), copy.mark(4, 6)), ((4, 5), Mark::CurrentHit));
    copy.search("", true);
    assert_eq!(copy.hits(), (0, None));
}

#[test]
fn output_moves_nothing_under_the_cursor() {
    let mut emulator = shown(40, 4, TEXT);
    let mut copy = CopyMode::new(&emulator);
    press(&mut copy, "g v e");
    emulator.feed("more\r\n".repeat(20_000).as_bytes());
    assert_eq!(copy.selected_text().unwrap().as_raw(), "first");
}
