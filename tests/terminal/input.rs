//! Paste, mouse and focus: the bytes a program gets, and those it never gets.

use crossterm::event::MouseButton::{Left, Middle, Right};
use crossterm::event::MouseEventKind::{self, Down, Drag, Moved, ScrollDown, ScrollUp, Up};
use crossterm::event::{KeyModifiers, MouseEvent};
use proptest::prelude::*;
use sandtop::term::{Modes, Mouse, MouseCoding, focus, mouse, paste};

const HELD: KeyModifiers = KeyModifiers::NONE;
const BRACKETED: Modes = Modes {
    bracketed_paste: true,
    ..NONE
};
const NONE: Modes = Modes {
    app_cursor: false,
    app_keypad: false,
    newline: false,
    bracketed_paste: false,
    focus: false,
    mouse: Mouse::Off,
    mouse_coding: MouseCoding::Bytes,
    keyboard: sandtop::term::KeyboardFlags(0),
    other_keys: 0,
    alternate_screen: false,
    alternate_scroll: false,
};

fn pasted(text: &str, modes: Modes) -> String {
    String::from_utf8(paste::encode(text, modes)).unwrap()
}

#[test]
fn a_paste_has_marks_only_if_asked_for() {
    assert_eq!(pasted("a\nb\n", NONE), "a\rb\r");
    assert_eq!(pasted("a\nb\n", BRACKETED), "\x1b[200~a\rb\r\x1b[201~");
    assert_eq!(
        pasted("a\r\nb\rc\n\nd\t\u{e9}", NONE),
        "a\rb\rc\r\rd\t\u{e9}"
    );
}

#[test]
fn a_paste_cannot_break_out() {
    let evil = "x\x1b[201~rm\x03\x04\x7f\u{9b}201~\0y";
    assert_eq!(pasted(evil, BRACKETED), "\x1b[200~x[201~rm201~y\x1b[201~");
    assert_eq!(pasted(evil, NONE), "x[201~rm201~y");
}

#[test]
fn a_large_paste_is_whole_and_in_order() {
    let text: String = (0..200_000).map(|n| format!("{n}\n")).collect();
    assert!(text.len() > 1_000_000);
    assert_eq!(pasted(&text, NONE), text.replace('\n', "\r"));
}

proptest! {
    #[test]
    fn a_paste_holds_no_control_but_tab_and_return(text in any::<String>()) {
        let bytes = pasted(&text, NONE);
        let odd = bytes.chars().find(|c| c.is_control() && !matches!(c, '\t' | '\r'));
        prop_assert_eq!(odd, None);
    }
}

fn event(kind: MouseEventKind, modifiers: KeyModifiers) -> MouseEvent {
    MouseEvent {
        kind,
        column: 0,
        row: 0,
        modifiers,
    }
}

type Told = (
    MouseEventKind,
    KeyModifiers,
    u16,
    Mouse,
    MouseCoding,
    Option<&'static str>,
);

/// Event, modifiers, column (the row is always 2), what the program wants and how, what it gets.
#[rustfmt::skip]
const TOLD: &[Told] = &[
    (Down(Left), HELD, 4, Mouse::Clicks, MouseCoding::Sgr, Some("\x1b[<0;5;3M")),
    (Up(Left), HELD, 4, Mouse::Clicks, MouseCoding::Sgr, Some("\x1b[<0;5;3m")),
    (Down(Right), HELD, 999, Mouse::Clicks, MouseCoding::Sgr, Some("\x1b[<2;1000;3M")),
    (Down(Middle), KeyModifiers::CONTROL, 4, Mouse::Clicks, MouseCoding::Sgr, Some("\x1b[<17;5;3M")),
    (ScrollUp, KeyModifiers::SHIFT, 4, Mouse::Clicks, MouseCoding::Sgr, Some("\x1b[<68;5;3M")),
    (ScrollDown, HELD, 4, Mouse::Moves, MouseCoding::Sgr, Some("\x1b[<65;5;3M")),
    (Drag(Left), HELD, 4, Mouse::Clicks, MouseCoding::Sgr, None),
    (Drag(Left), HELD, 4, Mouse::Drags, MouseCoding::Sgr, Some("\x1b[<32;5;3M")),
    (Moved, HELD, 4, Mouse::Drags, MouseCoding::Sgr, None),
    (Moved, KeyModifiers::ALT, 4, Mouse::Moves, MouseCoding::Sgr, Some("\x1b[<43;5;3M")),
    (Down(Left), HELD, 4, Mouse::Off, MouseCoding::Sgr, None),
    (Down(Left), HELD, 4, Mouse::Clicks, MouseCoding::Bytes, Some("\x1b[M %#")),
    (Up(Right), HELD, 4, Mouse::Clicks, MouseCoding::Bytes, Some("\x1b[M#%#")),
    (Down(Left), HELD, 300, Mouse::Clicks, MouseCoding::Bytes, None),
    (Down(Left), HELD, 300, Mouse::Clicks, MouseCoding::Utf8, Some("\x1b[M \u{14d}#")),
];

#[test]
fn the_mouse_is_told_as_asked() {
    for (kind, modifiers, column, mouse, mouse_coding, wanted) in TOLD {
        let modes = Modes {
            mouse: *mouse,
            mouse_coding: *mouse_coding,
            ..NONE
        };
        let bytes = mouse::encode(&event(*kind, *modifiers), *column, 2, modes);
        let wanted = wanted.map(|wanted| wanted.as_bytes().to_vec());
        assert_eq!(
            bytes, wanted,
            "{kind:?} at {column}, {mouse:?} {mouse_coding:?}"
        );
    }
}

#[test]
fn the_wheel_moves_the_cursor_of_a_program_without_mouse() {
    let wheel = |modes| mouse::encode(&event(ScrollUp, KeyModifiers::NONE), 0, 0, modes);
    let less = Modes {
        alternate_screen: true,
        alternate_scroll: true,
        ..NONE
    };
    assert_eq!(wheel(less), Some(b"\x1b[A\x1b[A\x1b[A".to_vec()));
    assert_eq!(
        wheel(Modes {
            app_cursor: true,
            ..less
        }),
        Some(b"\x1bOA\x1bOA\x1bOA".to_vec())
    );
    assert_eq!(
        wheel(Modes {
            alternate_screen: false,
            ..less
        }),
        None,
        "there it scrolls"
    );
}

#[test]
fn focus_is_told_if_asked_for() {
    let asked = Modes {
        focus: true,
        ..NONE
    };
    assert_eq!(focus::encode(true, asked), Some(&b"\x1b[I"[..]));
    assert_eq!(focus::encode(false, asked), Some(&b"\x1b[O"[..]));
    assert_eq!(focus::encode(true, NONE), None);
}
