//! What a program asks its terminal for, and what it hears or gets done.

use super::{replies, terminal, text};
use sandtop::model::Foreign;
use sandtop::term::{Heard, KeyboardFlags, Modes, Mouse, MouseCoding, Palette};

const VERSION: &str = concat!("\x1bP>|sandtop ", env!("CARGO_PKG_VERSION"), "\x1b\\");

#[test]
fn queries_are_answered_once_and_in_order() {
    let asked = b"\x1b[6n\x1b[>q\x1b[c\x1b[>0q\x1b[5n\x1b[?2026$p\x1b[?u";
    let wanted = format!("\x1b[1;1R{VERSION}\x1b[?6c{VERSION}\x1b[0n\x1b[?2026;2$y\x1b[?0u");
    let whole = replies(terminal(80, 24).feed(asked));
    assert_eq!(whole, wanted);
    // A reply belongs to its query, however the bytes are cut.
    let mut emulator = terminal(80, 24);
    let pieces = asked
        .chunks(1)
        .flat_map(|byte| emulator.feed(byte))
        .collect();
    assert_eq!(replies(pieces), wanted);
    assert_eq!(
        text(&emulator),
        Vec::<String>::new(),
        "nothing of it is typed on the screen"
    );
}

#[test]
fn nothing_is_answered_that_was_not_asked() {
    let quiet: &[&[u8]] = &[
        b"\x1b[>1q",
        b"\x1b[?1;2c",
        b"\x1b[24;1R",
        b"\x1b]11;rgb:0d0d/1111/1717\x07",
        b"\x1bP>|xterm(379)\x1b\\",
        b"\x1b[>\x18q",
        b"\x1b[14t",
    ];
    for bytes in quiet {
        assert_eq!(replies(terminal(80, 24).feed(bytes)), "", "{bytes:?}");
    }
}

#[test]
fn a_place_is_counted_from_the_margin_in_origin_mode() {
    let mut emulator = terminal(80, 24);
    let asked = b"\x1b[3;9r\x1b[?6h\x1b[2;5H\x1b[6n\x1b[?6n\x1b[?6l\x1b[6n\x1b[!p\x1b[6n";
    let told = "\x1b[2;5R\x1b[?2;5R\x1b[1;1R\x1b[1;1R";
    assert_eq!(replies(emulator.feed(asked)), told);
}

#[test]
fn colours_asked_for_are_those_set_or_the_palette() {
    let mut emulator = terminal(80, 24);
    let mut palette = Palette {
        background: (1, 2, 3),
        ..Palette::default()
    };
    palette.ansi[4] = (4, 5, 6);
    emulator.colours(palette);
    let heard = emulator.feed(b"\x1b]11;?\x1b\\\x1b]4;4;?\x07\x1b]4;196;?;244;?\x07");
    assert_eq!(
        replies(heard),
        "\x1b]11;rgb:0101/0202/0303\x1b\\\x1b]4;4;rgb:0404/0505/0606\x07\
         \x1b]4;196;rgb:ffff/0000/0000\x07\x1b]4;244;rgb:8080/8080/8080\x07"
    );
    let heard = emulator.feed(b"\x1b]11;#102030\x07\x1b]11;?\x07\x1b]111\x07\x1b]11;?\x07");
    assert_eq!(
        replies(heard),
        "\x1b]11;rgb:1010/2020/3030\x07\x1b]11;rgb:0101/0202/0303\x07"
    );
}

#[test]
fn what_others_must_do_is_told() {
    let foreign = |text: &str| Foreign::from(text);
    let told: &[(&[u8], &[Heard])] = &[
        (b"\x07", &[Heard::Bell]),
        (b"\x1b]2;vim\x07", &[Heard::Title(Some(foreign("vim")))]),
        (b"\x1b]0;a;b\x1b\\", &[Heard::Title(Some(foreign("a;b")))]),
        (
            b"\x1b]52;c;aMOp\x07",
            &[Heard::Clipboard {
                text: foreign("h\u{e9}"),
            }],
        ),
        (b"\x1b]52;c;?\x07", &[Heard::ClipboardAsked]),
        (
            b"\x1b]7;file://host/a%20b/%C3%A9\x07",
            &[Heard::Directory(foreign("/a b/\u{e9}"))],
        ),
        (b"\x1b]7;nonsense\x07", &[]),
        (
            b"\x1b]9;done: 3 files\x07",
            &[Heard::Notice(foreign("done: 3 files"))],
        ),
        (b"\x1b]9;4;1;50\x07", &[]),
        (
            b"\x1b]777;notify;Build;ok\x1b\\",
            &[Heard::Notice(foreign("Build: ok"))],
        ),
        (b"\x1b]133;D;2\x07", &[Heard::CommandEnded(Some(2))]),
        (b"\x1b]133;D\x1b\\", &[Heard::CommandEnded(None)]),
        (b"\x1b]133;A\x07", &[]),
        (b"\x1b]9;cancelled\x18", &[]),
    ];
    for (bytes, wanted) in told {
        assert_eq!(
            terminal(80, 24).feed(bytes),
            *wanted,
            "{}",
            bytes.escape_ascii()
        );
        let mut emulator = terminal(80, 24);
        let pieces: Vec<Heard> = bytes
            .chunks(1)
            .flat_map(|byte| emulator.feed(byte))
            .collect();
        assert_eq!(pieces, *wanted, "byte by byte: {}", bytes.escape_ascii());
    }
}

#[test]
fn a_title_is_kept_told_once_and_restored() {
    let mut emulator = terminal(80, 24);
    emulator.feed(b"\x1b]2;shell\x07\x1b[22t");
    let heard = emulator.feed(b"\x1b]2;vim\x07\x1b]2;vim\x07\x1b[23t");
    let [vim, shell] = ["vim", "shell"].map(|title| Heard::Title(Some(Foreign::from(title))));
    assert_eq!(heard, [vim, shell]);
    emulator.resize(sandtop::term::Size {
        columns: 90,
        rows: 24,
    });
    assert_eq!(emulator.title(), Some(&Foreign::from("shell")));
}

#[test]
fn modes_follow_the_program() {
    let mut emulator = terminal(80, 24);
    let start = Modes {
        alternate_scroll: true,
        ..Modes::default()
    };
    assert_eq!(emulator.modes(), start);
    emulator
        .feed(b"\x1b[?1h\x1b=\x1b[?2004h\x1b[?1004h\x1b[?1002;1006h\x1b[?1049h\x1b[>4;2m\x1b[>5u");
    let vim = Modes {
        app_cursor: true,
        app_keypad: true,
        newline: false,
        bracketed_paste: true,
        focus: true,
        mouse: Mouse::Drags,
        mouse_coding: MouseCoding::Sgr,
        keyboard: KeyboardFlags(5),
        other_keys: 2,
        alternate_screen: true,
        alternate_scroll: true,
    };
    assert_eq!(emulator.modes(), vim);
    emulator.feed(b"\x1b[?1049l");
    assert_eq!(
        emulator.modes().keyboard,
        KeyboardFlags(0),
        "each screen has its own"
    );
    emulator.feed(b"\x1b[?1049h");
    assert_eq!(emulator.modes().keyboard, KeyboardFlags(5));
    emulator.feed(b"\x1bc");
    assert_eq!(emulator.modes(), start);
}

#[test]
fn keyboard_flags_are_a_stack() {
    let mut emulator = terminal(80, 24);
    let mut flags = |bytes: &[u8]| {
        emulator.feed(bytes);
        emulator.modes().keyboard.0
    };
    assert_eq!(flags(b"\x1b[=1;1u"), 1);
    assert_eq!(flags(b"\x1b[=2;2u"), 3);
    assert_eq!(flags(b"\x1b[=1;3u"), 2);
    assert_eq!(flags(b"\x1b[>31u"), 31);
    assert_eq!(flags(b"\x1b[>8u"), 8);
    assert_eq!(flags(b"\x1b[<u"), 31);
    assert_eq!(flags(b"\x1b[<9u"), 0);
    assert_eq!(flags(&b"\x1b[>1u".repeat(10_000)), 1, "no depth breaks it");
    assert_eq!(flags(b"\x1b[<9999u"), 0);
}

#[test]
fn the_old_alternate_screens_work() {
    for (enter, leave) in [("\x1b[?47h", "\x1b[?47l"), ("\x1b[?1047h", "\x1b[?1047l")] {
        let mut emulator = terminal(20, 4);
        emulator.feed(b"shell");
        emulator.feed(enter.as_bytes());
        let asked = emulator.feed(b"\x1b[Hprogram\x1b[?47$p\x1b[?1047$p");
        assert_eq!(replies(asked), "\x1b[?47;1$y\x1b[?1047;1$y");
        assert_eq!(text(&emulator), ["program"], "{enter:?}");
        emulator.feed(leave.as_bytes());
        assert_eq!(text(&emulator), ["shell"], "{leave:?}");
    }
}

#[test]
fn a_synchronized_update_shows_at_its_end() {
    let mut emulator = terminal(20, 4);
    emulator.feed(b"old\x1b[?2026h\x1b[2J\x1b[Hnew");
    assert!(emulator.is_holding());
    assert_eq!(text(&emulator), ["old"]);
    emulator.feed(b"er\x1b[?2026l");
    assert!(!emulator.is_holding());
    assert_eq!(text(&emulator), ["newer"]);
    emulator.feed(b"\x1b[?2026h\x1b[2J\x1b[Hleft open\x1b[6n");
    assert_eq!(replies(emulator.end_sync()), "\x1b[1;10R");
    assert!(!emulator.is_holding());
    assert_eq!(text(&emulator), ["left open"]);
}

#[test]
fn a_link_is_marked_and_leads_somewhere() {
    let mut emulator = terminal(40, 4);
    emulator.feed(b"a\x1b]8;id=1;https://example.com/x;y\x1b\\bc\x1b]8;;\x1b\\d");
    let screen = emulator.screen();
    let linked: Vec<bool> = screen.row(0).take(4).map(|cell| cell.is_link).collect();
    assert_eq!(linked, [false, true, true, false]);
    assert_eq!(
        screen.link(0, 2),
        Some(Foreign::from("https://example.com/x;y"))
    );
    assert_eq!(
        (screen.link(0, 3), screen.link(9, 0), screen.link(0, 99)),
        (None, None, None)
    );
}
