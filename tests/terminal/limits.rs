//! Sizes, scrollback and memory at their edges.

use super::{terminal, text};
use sandtop::term::{Emulator, Heard, Scroll, Size};

fn lines(range: std::ops::Range<u32>) -> Vec<u8> {
    range
        .map(|line| format!("line {line}\r\n"))
        .collect::<String>()
        .into_bytes()
}

#[test]
fn one_row_bears_long_lines() {
    for columns in [0, 1, 2, 10, 80] {
        let mut emulator = terminal(columns, 0);
        let heard = emulator.feed(&[b'a'; 281]);
        assert_eq!(heard, []);
        assert_eq!(
            emulator.size(),
            Size {
                columns: columns.max(2),
                rows: 1
            }
        );
        emulator.resize(Size {
            columns: 1,
            rows: 1,
        });
        emulator.feed("漢字".as_bytes());
        emulator.resize(Size {
            columns: u16::MAX,
            rows: u16::MAX,
        });
        assert_eq!(
            emulator.size(),
            Size {
                columns: 1000,
                rows: 1000
            }
        );
        emulator.feed(b"\x1b[999;999Hx");
        assert_eq!(
            emulator.cursor().map(|cursor| (cursor.row, cursor.column)),
            Some((998, 999))
        );
    }
}

#[test]
fn wide_characters_bear_every_width() {
    let full = "가😀".repeat(24 * 20 * 3);
    let mut emulator = terminal(80, 24);
    emulator.feed(full.as_bytes());
    for columns in [79, 80, 79, 3, 2, 81, 80] {
        emulator.resize(Size { columns, rows: 24 });
        for bytes in [
            "\x1b[5;1H\x1b[K",
            "\x1b[5;79Hx",
            "\x1b[?1049h\x1b[2J가\x1b[?1049l",
            "\x1b[1;1H\x1b[P",
        ] {
            let heard = emulator.feed(bytes.as_bytes());
            assert!(!heard.contains(&Heard::Restarted), "{columns} {bytes:?}");
        }
        let screen = emulator.screen();
        for row in 0..screen.rows() {
            let width: u16 = screen.row(row).map(|cell| cell.width).sum();
            assert_eq!(width, columns, "every column is in one cell");
        }
    }
}

#[test]
fn scrollback_holds_still_while_more_comes() {
    let mut emulator = terminal(80, 24);
    emulator.feed(&lines(0..5000));
    for _ in 0..100 {
        emulator.scroll(Scroll::PageUp);
    }
    assert_eq!(emulator.scrolled(), 2400);
    assert_eq!(emulator.cursor(), None, "the cursor is not in this view");
    let seen = text(&emulator);
    emulator.feed(&lines(5000..5100));
    assert_eq!(text(&emulator), seen);
    // Output in a region that does not begin at the top does not push the view beyond the history.
    emulator.scroll(Scroll::Top);
    for _ in 0..50 {
        emulator.feed(b"\x1b[5;24r\x1b[24;1H\n\n\n\x1b[r");
        assert!(emulator.scrolled() <= emulator.history());
        assert_eq!(text(&emulator).len(), 24);
    }
    emulator.resize(Size {
        columns: 60,
        rows: 10,
    });
    assert!(emulator.scrolled() <= emulator.history());
    emulator.feed(b"\x1b[3J");
    assert_eq!((emulator.scrolled(), emulator.history()), (0, 0));
    emulator.scroll(Scroll::Lines(i32::MAX));
    emulator.scroll(Scroll::Lines(i32::MIN));
    assert!(emulator.cursor().is_some());
}

#[test]
fn scrollback_is_bounded_in_bytes() {
    let megabyte = |columns| {
        let mut emulator = Emulator::new(Size { columns, rows: 24 }, 1 << 20);
        emulator.feed(&lines(0..20_000));
        emulator.history()
    };
    assert!((500..=550).contains(&megabyte(80)), "{}", megabyte(80));
    assert!((210..=220).contains(&megabyte(200)), "{}", megabyte(200));
    let mut emulator = Emulator::new(
        Size {
            columns: 80,
            rows: 24,
        },
        1 << 20,
    );
    emulator.feed(&lines(0..20_000));
    emulator.resize(Size {
        columns: 200,
        rows: 24,
    });
    assert!(emulator.history() <= 220, "a wider line costs more");
    let mut endless = Emulator::new(
        Size {
            columns: 80,
            rows: 24,
        },
        usize::MAX,
    );
    endless.feed(&lines(0..20_000));
    assert_eq!(endless.history(), 10_000);
    let mut none = Emulator::new(
        Size {
            columns: 80,
            rows: 24,
        },
        0,
    );
    none.feed(&lines(0..100));
    assert_eq!(none.history(), 0);
}

#[test]
fn text_by_line_knows_soft_wraps() {
    let mut emulator = terminal(10, 3);
    emulator.feed("one\r\ntwelve letters\r\n一二三四五六\r\n".as_bytes());
    let all: Vec<_> = (0..emulator.line_count())
        .map(|line| (emulator.text_of(line), emulator.is_wrapped(line)))
        .collect();
    let wanted = [
        ("one", false),
        ("twelve let", true),
        ("ters", false),
        ("一二三四五", true),
        ("六", false),
        ("", false),
    ];
    assert_eq!(all, wanted.map(|(text, wraps)| (text.to_owned(), wraps)));
    assert_eq!(
        (emulator.text_of(99), emulator.is_wrapped(usize::MAX)),
        (String::new(), false)
    );
    emulator.resize(Size {
        columns: 20,
        rows: 3,
    });
    let joined: Vec<_> = (0..emulator.line_count())
        .map(|line| emulator.text_of(line))
        .collect();
    assert_eq!(joined, ["one", "twelve letters", "一二三四五六", ""]);
}

#[test]
fn strings_that_never_end_are_let_go() {
    let mut emulator = terminal(80, 24);
    let flood = vec![b'x'; 1 << 16];
    emulator.feed(b"\x1b]52;c;");
    for _ in 0..64 {
        assert_eq!(emulator.feed(&flood), []);
    }
    assert_eq!(
        emulator.feed(b"\x07after"),
        [],
        "nothing of it reaches the clipboard"
    );
    assert_eq!(text(&emulator), ["after"]);
    let mut emulator = terminal(80, 24);
    emulator.feed(b"\x1b]2;");
    for _ in 0..64 {
        emulator.feed(&flood);
    }
    emulator.feed(b"\x1b[1mbold");
    assert_eq!(text(&emulator), ["bold"], "an escape ends it too");
    assert!(emulator.screen().row(0).next().unwrap().style.bold);
}

#[test]
fn nothing_a_program_says_grows_without_end() {
    let mut emulator = terminal(80, 24);
    let title = format!("\x1b]2;{}\x07", "t".repeat(5000));
    emulator.feed(title.as_bytes());
    assert_eq!(emulator.title().unwrap().as_raw().len(), 1000);
    emulator.feed(
        format!(
            "\x1b]8;;https://example.com/{}\x07x\x1b]8;;\x07",
            "p".repeat(5000)
        )
        .as_bytes(),
    );
    assert!(!emulator.screen().row(0).next().unwrap().is_link);
    emulator.feed(format!("\x1b[He{}", "\u{301}".repeat(5000)).as_bytes());
    assert_eq!(emulator.screen().row(0).next().unwrap().more.len(), 16);
}

#[test]
fn a_colour_the_program_changes_is_the_one_shown() {
    use sandtop::term::Colour;
    let mut emulator = terminal(80, 24);
    emulator.feed(b"\x1b[31mx\x1b]4;1;#010203\x07");
    let red = |emulator: &Emulator| emulator.screen().row(0).next().unwrap().style.fg;
    assert_eq!(red(&emulator), Colour::Rgb(1, 2, 3));
    emulator.feed(b"\x1b]104\x07");
    assert_eq!(red(&emulator), Colour::Index(1));
}
