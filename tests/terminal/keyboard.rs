//! Keys to bytes, against the tables of xterm and of the kitty keyboard protocol.

use crossterm::event::{
    KeyCode::{self, *},
    KeyEvent, KeyEventKind, KeyEventState, KeyModifiers as Held, MediaKeyCode, ModifierKeyCode,
};
use proptest::prelude::*;
use sandtop::term::{KeyboardFlags, Modes, keys};

const NONE: Held = Held::NONE;
const SHIFT: Held = Held::SHIFT;
const ALT: Held = Held::ALT;
const CTRL: Held = Held::CONTROL;

fn encoded(code: KeyCode, held: Held, modes: Modes) -> String {
    String::from_utf8(keys::encode(&KeyEvent::new(code, held), modes)).unwrap()
}

fn hold(table: &[(KeyCode, Held, &str)], modes: Modes) {
    for (code, held, wanted) in table {
        assert_eq!(
            encoded(*code, *held, modes),
            *wanted,
            "{held:?} {code:?} {modes:?}"
        );
    }
}

#[test]
fn the_old_encoding() {
    #[rustfmt::skip]
    let table: &[(KeyCode, Held, &str)] = &[
        (Char('a'), NONE, "a"), (Char('A'), SHIFT, "A"), (Char('é'), NONE, "é"), (Char('漢'), ALT, "\x1b漢"),
        (Char('a'), CTRL, "\x01"), (Char('c'), CTRL, "\x03"), (Char('z'), CTRL, "\x1a"), (Char('A'), CTRL | SHIFT, "\x01"),
        (Char('d'), ALT, "\x1bd"), (Char('a'), CTRL | ALT, "\x1b\x01"), (Char(' '), CTRL, "\0"), (Char(' '), CTRL | ALT, "\x1b\0"),
        (Char('@'), CTRL, "\0"), (Char('['), CTRL, "\x1b"), (Char('\\'), CTRL, "\x1c"), (Char(']'), CTRL, "\x1d"),
        (Char('^'), CTRL, "\x1e"), (Char('_'), CTRL, "\x1f"), (Char('/'), CTRL, "\x1f"), (Char('?'), CTRL, "\x7f"),
        (Char('2'), CTRL, "\0"), (Char('3'), CTRL, "\x1b"), (Char('4'), CTRL, "\x1c"), (Char('5'), CTRL, "\x1d"),
        (Char('6'), CTRL, "\x1e"), (Char('7'), CTRL, "\x1f"), (Char('8'), CTRL, "\x7f"), (Char('1'), CTRL, "1"), (Char('é'), CTRL, "é"),
        (Enter, NONE, "\r"), (Enter, ALT, "\x1b\r"), (Enter, CTRL, "\r"), (Esc, NONE, "\x1b"), (Esc, ALT, "\x1b\x1b"),
        (Tab, NONE, "\t"), (BackTab, SHIFT, "\x1b[Z"), (Tab, SHIFT, "\x1b[Z"), (Tab, ALT, "\x1b\t"), (BackTab, SHIFT | ALT, "\x1b\x1b[Z"),
        (Backspace, NONE, "\x7f"), (Backspace, CTRL, "\x08"), (Backspace, ALT, "\x1b\x7f"), (Null, NONE, "\0"),
        (Up, NONE, "\x1b[A"), (Down, NONE, "\x1b[B"), (Right, NONE, "\x1b[C"), (Left, NONE, "\x1b[D"),
        (Home, NONE, "\x1b[H"), (End, NONE, "\x1b[F"), (KeypadBegin, NONE, "\x1b[E"),
        (Up, SHIFT, "\x1b[1;2A"), (Left, ALT, "\x1b[1;3D"), (Right, CTRL, "\x1b[1;5C"), (End, CTRL | SHIFT | ALT, "\x1b[1;8F"),
        (Insert, NONE, "\x1b[2~"), (Delete, NONE, "\x1b[3~"), (PageUp, NONE, "\x1b[5~"), (PageDown, NONE, "\x1b[6~"),
        (Delete, CTRL, "\x1b[3;5~"), (PageUp, SHIFT, "\x1b[5;2~"),
        (F(1), NONE, "\x1bOP"), (F(2), NONE, "\x1bOQ"), (F(3), NONE, "\x1bOR"), (F(4), NONE, "\x1bOS"),
        (F(5), NONE, "\x1b[15~"), (F(6), NONE, "\x1b[17~"), (F(7), NONE, "\x1b[18~"), (F(8), NONE, "\x1b[19~"),
        (F(9), NONE, "\x1b[20~"), (F(10), NONE, "\x1b[21~"), (F(11), NONE, "\x1b[23~"), (F(12), NONE, "\x1b[24~"),
        (F(13), NONE, "\x1b[25~"), (F(14), NONE, "\x1b[26~"), (F(15), NONE, "\x1b[28~"), (F(16), NONE, "\x1b[29~"),
        (F(17), NONE, "\x1b[31~"), (F(20), NONE, "\x1b[34~"), (F(21), NONE, ""),
        (F(1), SHIFT, "\x1b[1;2P"), (F(3), ALT, "\x1b[1;3R"), (F(4), CTRL, "\x1b[1;5S"), (F(5), CTRL, "\x1b[15;5~"), (F(12), SHIFT | ALT, "\x1b[24;4~"),
        (Menu, NONE, "\x1b[29~"), (CapsLock, NONE, ""), (PrintScreen, NONE, ""), (Modifier(ModifierKeyCode::LeftShift), SHIFT, ""),
        (Media(MediaKeyCode::Play), NONE, ""), (Char('a'), Held::SUPER, "a"),
    ];
    hold(table, Modes::default());
    let app = Modes {
        app_cursor: true,
        ..Modes::default()
    };
    #[rustfmt::skip]
    let table: &[(KeyCode, Held, &str)] = &[
        (Up, NONE, "\x1bOA"), (Left, NONE, "\x1bOD"), (Home, NONE, "\x1bOH"), (End, NONE, "\x1bOF"),
        (Up, CTRL, "\x1b[1;5A"), (Delete, NONE, "\x1b[3~"), (F(1), NONE, "\x1bOP"),
    ];
    hold(table, app);
    hold(
        &[(Enter, NONE, "\r\n")],
        Modes {
            newline: true,
            ..Modes::default()
        },
    );
}

#[test]
fn the_keypad_in_application_mode() {
    let on_keypad = |code, modes| {
        let key = KeyEvent::new_with_kind_and_state(
            code,
            NONE,
            KeyEventKind::Press,
            KeyEventState::KEYPAD,
        );
        String::from_utf8(keys::encode(&key, modes)).unwrap()
    };
    let app = Modes {
        app_keypad: true,
        ..Modes::default()
    };
    for (code, wanted) in [
        (Char('0'), "\x1bOp"),
        (Char('9'), "\x1bOy"),
        (Char('+'), "\x1bOk"),
        (Enter, "\x1bOM"),
    ] {
        assert_eq!(on_keypad(code, app), wanted);
    }
    assert_eq!(on_keypad(Char('5'), Modes::default()), "5");
    assert_eq!(encoded(Char('5'), NONE, app), "5", "the other 5");
}

#[test]
fn modify_other_keys() {
    let level = |other_keys| Modes {
        other_keys,
        ..Modes::default()
    };
    #[rustfmt::skip]
    let one: &[(KeyCode, Held, &str)] = &[
        (Char('a'), NONE, "a"), (Char('A'), SHIFT, "A"), (Char('a'), CTRL, "\x01"), (Char('a'), ALT, "\x1ba"), (Char(' '), CTRL, "\0"),
        (Char('1'), CTRL, "\x1b[27;5;49~"), (Char('.'), CTRL, "\x1b[27;5;46~"), (Char('a'), CTRL | ALT, "\x1b[27;7;97~"),
        (Enter, NONE, "\r"), (Enter, SHIFT, "\x1b[27;2;13~"), (Enter, CTRL, "\x1b[27;5;13~"), (Tab, CTRL, "\x1b[27;5;9~"),
        (BackTab, SHIFT, "\x1b[Z"), (BackTab, CTRL | SHIFT, "\x1b[27;6;9~"), (Backspace, CTRL, "\x08"), (Esc, NONE, "\x1b"), (Up, CTRL, "\x1b[1;5A"),
    ];
    hold(one, level(1));
    #[rustfmt::skip]
    let two: &[(KeyCode, Held, &str)] = &[
        (Char('a'), NONE, "a"), (Char('A'), SHIFT, "A"), (Char('!'), SHIFT, "!"), (Char('a'), CTRL, "\x1b[27;5;97~"),
        (Char('A'), CTRL | SHIFT, "\x1b[27;6;65~"), (Char('a'), ALT, "\x1ba"), (Char(':'), ALT, "\x1b:"), (Char(' '), CTRL, "\x1b[27;5;32~"),
        (Enter, SHIFT, "\x1b[27;2;13~"), (Esc, ALT, "\x1b\x1b"), (Backspace, CTRL, "\x1b[27;5;127~"), (F(1), CTRL, "\x1b[1;5P"),
    ];
    hold(two, level(2));
}

fn kitty(flags: u8) -> Modes {
    // The old modes hold no more where the new protocol does.
    Modes {
        keyboard: KeyboardFlags(flags),
        app_cursor: true,
        ..Modes::default()
    }
}

#[test]
fn kitty_disambiguates() {
    #[rustfmt::skip]
    let table: &[(KeyCode, Held, &str)] = &[
        (Char('a'), NONE, "a"), (Char('A'), SHIFT, "A"), (Char('a'), CTRL, "\x1b[97;5u"), (Char('A'), CTRL | SHIFT, "\x1b[97;6u"),
        (Char('d'), ALT, "\x1b[100;3u"), (Char(' '), CTRL, "\x1b[32;5u"), (Char('a'), Held::SUPER, "\x1b[97;9u"), (Char('é'), CTRL, "\x1b[233;5u"),
        (Esc, NONE, "\x1b[27u"), (Esc, ALT, "\x1b[27;3u"), (Enter, NONE, "\r"), (Tab, NONE, "\t"), (Backspace, NONE, "\x7f"),
        (Enter, SHIFT, "\x1b[13;2u"), (Tab, CTRL, "\x1b[9;5u"), (BackTab, SHIFT, "\x1b[9;2u"), (Backspace, ALT, "\x1b[127;3u"),
        (Up, NONE, "\x1b[A"), (Up, CTRL, "\x1b[1;5A"), (Home, NONE, "\x1b[H"), (Delete, NONE, "\x1b[3~"), (PageUp, CTRL, "\x1b[5;5~"),
        (F(1), NONE, "\x1b[P"), (F(3), NONE, "\x1b[13~"), (F(3), CTRL, "\x1b[13;5~"), (F(5), NONE, "\x1b[15~"), (F(12), SHIFT, "\x1b[24;2~"),
        (F(13), NONE, "\x1b[57376u"), (F(35), NONE, "\x1b[57398u"), (Menu, NONE, "\x1b[57363u"), (CapsLock, NONE, "\x1b[57358u"),
        (PrintScreen, NONE, "\x1b[57361u"), (Media(MediaKeyCode::MuteVolume), NONE, "\x1b[57440u"), (Modifier(ModifierKeyCode::LeftShift), SHIFT, ""),
    ];
    hold(table, kitty(1));
}

#[test]
fn kitty_tells_all_keys_and_their_text() {
    #[rustfmt::skip]
    let all: &[(KeyCode, Held, &str)] = &[
        (Char('a'), NONE, "\x1b[97u"), (Char('A'), SHIFT, "\x1b[97;2u"), (Enter, NONE, "\x1b[13u"), (Tab, NONE, "\x1b[9u"),
        (Backspace, NONE, "\x1b[127u"), (Esc, NONE, "\x1b[27u"), (Modifier(ModifierKeyCode::RightAlt), ALT, "\x1b[57449;3u"),
    ];
    hold(all, kitty(8));
    #[rustfmt::skip]
    let rich: &[(KeyCode, Held, &str)] = &[
        (Char('a'), NONE, "\x1b[97;;97u"), (Char('A'), SHIFT, "\x1b[97:65;2;65u"), (Char('!'), SHIFT, "\x1b[33;2;33u"),
        (Char('a'), CTRL, "\x1b[97;5u"), (Up, NONE, "\x1b[A"),
    ];
    hold(rich, kitty(1 | 4 | 8 | 16));
}

#[test]
fn kitty_tells_presses_from_releases() {
    let event = |code, held, kind, flags| {
        let key = KeyEvent::new_with_kind(code, held, kind);
        String::from_utf8(keys::encode(&key, kitty(flags))).unwrap()
    };
    let (press, repeat, release) = (
        KeyEventKind::Press,
        KeyEventKind::Repeat,
        KeyEventKind::Release,
    );
    #[rustfmt::skip]
    let table = [
        (Char('a'), CTRL, press, 3, "\x1b[97;5u"), (Char('a'), CTRL, repeat, 3, "\x1b[97;5:2u"), (Char('a'), CTRL, release, 3, "\x1b[97;5:3u"),
        (Char('a'), NONE, repeat, 3, "a"), (Char('a'), NONE, release, 3, ""), (Enter, NONE, release, 3, ""), (Esc, NONE, release, 3, "\x1b[27;1:3u"),
        (Up, NONE, release, 3, "\x1b[1;1:3A"), (Delete, SHIFT, repeat, 3, "\x1b[3;2:2~"), (Up, NONE, release, 1, ""), (Up, NONE, repeat, 1, "\x1b[A"),
        (Char('a'), NONE, release, 11, "\x1b[97;1:3u"), (Char('a'), NONE, repeat, 27, "\x1b[97;1:2;97u"), (Char('a'), NONE, release, 27, "\x1b[97;1:3u"),
        (Esc, NONE, press, 2, "\x1b"), (Char('a'), CTRL, press, 2, "\x01"), (Char('a'), CTRL, release, 2, ""),
    ];
    for (code, held, kind, flags, wanted) in table {
        assert_eq!(
            event(code, held, kind, flags),
            wanted,
            "{held:?} {code:?} {kind:?} {flags}"
        );
    }
}

#[test]
fn kitty_tells_the_keypad_and_locks() {
    let key = |code, state, flags| {
        let key = KeyEvent::new_with_kind_and_state(code, NONE, KeyEventKind::Press, state);
        String::from_utf8(keys::encode(&key, kitty(flags))).unwrap()
    };
    let (keypad, caps) = (KeyEventState::KEYPAD, KeyEventState::CAPS_LOCK);
    assert_eq!(key(Char('5'), keypad, 1), "5");
    assert_eq!(key(Char('5'), keypad, 8), "\x1b[57404u");
    assert_eq!(key(Up, keypad, 1), "\x1b[57419u");
    assert_eq!(key(Up, caps, 1), "\x1b[1;65A");
    assert_eq!(key(Char('A'), caps, 1), "A", "text is not told of locks");
    let control = KeyEvent::new_with_kind_and_state(Char('a'), CTRL, KeyEventKind::Press, caps);
    assert_eq!(
        keys::encode(&control, kitty(1)),
        b"\x1b[97;5u",
        "nor is what would be text"
    );
    assert_eq!(
        key(Char('a'), caps | KeyEventState::NUM_LOCK, 8),
        "\x1b[97;193u"
    );
}

fn any_code() -> impl Strategy<Value = KeyCode> {
    prop_oneof![
        any::<char>().prop_map(Char),
        any::<u8>().prop_map(F),
        prop::sample::select(vec![
            Backspace,
            Enter,
            Left,
            Right,
            Up,
            Down,
            Home,
            End,
            PageUp,
            PageDown,
            Tab,
            BackTab,
            Delete,
            Insert,
            Null,
            Esc,
            CapsLock,
            ScrollLock,
            NumLock,
            PrintScreen,
            Pause,
            Menu,
            KeypadBegin,
            Media(MediaKeyCode::Reverse),
            Modifier(ModifierKeyCode::IsoLevel5Shift),
        ]),
    ]
}

proptest! {
    #[test]
    fn any_key_in_any_mode(
        code in any_code(),
        (held, state, flags, other_keys) in (0u8..64, 0u8..16, 0u8..32, 0u8..3),
        (app_cursor, app_keypad, newline) in any::<(bool, bool, bool)>(),
    ) {
        let held = Held::from_bits_truncate(held);
        let state = KeyEventState::from_bits_truncate(state);
        let modes = Modes { app_cursor, app_keypad, newline, other_keys, keyboard: KeyboardFlags(flags), ..Modes::default() };
        let of = |kind| keys::encode(&KeyEvent::new_with_kind_and_state(code, held, kind, state), modes);
        let [press, repeat, release] = [KeyEventKind::Press, KeyEventKind::Repeat, KeyEventKind::Release].map(of);
        prop_assert!(press.len() <= 40);
        if flags & 2 == 0 {
            prop_assert_eq!(&release, &Vec::<u8>::new(), "a release is nothing unless asked for");
            prop_assert_eq!(&repeat, &press, "a repeat is a press unless asked for");
        }
        prop_assert!(release.is_empty() || release != press, "a release is never taken for a press");
        // What a pane forwards must come back as nothing printed: a sequence is whole.
        prop_assert!(!press.starts_with(b"\x1b[") || press.last().is_some_and(u8::is_ascii_graphic));
    }
}
