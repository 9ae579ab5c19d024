//! A panic inside the emulator crate, made on purpose: who notices, and what is left.

use super::emulator::{Emulator, Scroll};
use super::guard::{guarded, is_expected_panic};
use super::heard::Heard;
use super::palette::Palette;
use super::size::Size;

#[test]
fn a_panic_inside_is_expected_and_one_outside_is_not() {
    assert!(!is_expected_panic());
    assert_eq!(guarded(is_expected_panic), Some(true));
    assert_eq!(guarded(|| -> bool { panic!("on purpose") }), None);
    assert!(!is_expected_panic());
    let elsewhere = guarded(|| std::thread::spawn(is_expected_panic).join().ok());
    assert_eq!(
        elsewhere,
        Some(Some(false)),
        "another thread's panic is nobody's to catch"
    );
}

#[test]
fn a_broken_emulator_begins_anew_and_works() {
    let size = Size {
        columns: 20,
        rows: 4,
    };
    let mut emulator = Emulator::new(size, 1 << 20);
    let palette = Palette {
        background: (1, 2, 3),
        ..Palette::default()
    };
    emulator.colours(palette);
    emulator.feed(b"\x1b]2;title\x07\x1b[?1049h\x1b[?2004hold");
    let mut heard = Vec::new();
    emulator.work(&mut heard, |_, _| panic!("on purpose"));
    assert_eq!(heard, [Heard::Restarted]);
    assert_eq!(
        (emulator.size(), emulator.title(), emulator.scrolled()),
        (size, None, 0)
    );
    assert!(!emulator.modes().alternate_screen && !emulator.modes().bracketed_paste);
    let reply = Heard::Reply(b"\x1b]11;rgb:0101/0202/0303\x07".to_vec());
    assert_eq!(emulator.feed(b"new\x1b]11;?\x07"), [reply]);
    let row = |nth| {
        let mut text = String::new();
        let screen = emulator.screen();
        screen.row(nth).for_each(|cell| cell.write(&mut text));
        text.trim_end().to_owned()
    };
    assert!(row(0).starts_with(" sandtop lost"), "the loss is told");
    assert_eq!(row(3), "new");
    emulator.scroll(Scroll::Top);
}
