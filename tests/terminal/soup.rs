//! Anything at all, thrown at the emulator: it shows something, says something, and never breaks.

use super::terminal;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use sandtop::term::{CopyMode, Emulator, Heard, Scroll, Size, keys, mouse, paste};

/// Escape sequences with holes for numbers, and text that takes no, one or two columns.
const PIECES: &[&str] = &[
    "\x1b[#A",
    "\x1b[#B",
    "\x1b[#C",
    "\x1b[#D",
    "\x1b[#E",
    "\x1b[#F",
    "\x1b[#G",
    "\x1b[#;#H",
    "\x1b[#I",
    "\x1b[#J",
    "\x1b[#K",
    "\x1b[#L",
    "\x1b[#M",
    "\x1b[#P",
    "\x1b[#S",
    "\x1b[#T",
    "\x1b[#X",
    "\x1b[#Z",
    "\x1b[#@",
    "\x1b[#b",
    "\x1b[#d",
    "\x1b[#g",
    "\x1b[#;#r",
    "\x1b[?#h",
    "\x1b[?#l",
    "\x1b[?1049h",
    "\x1b[?1049l",
    "\x1b[?47h",
    "\x1b[?47l",
    "\x1b[?6h",
    "\x1b[?6l",
    "\x1b[?7l",
    "\x1b[?7h",
    "\x1b[4h",
    "\x1b[4l",
    "\x1b[?2026h",
    "\x1b[?2026l",
    "\x1b[#;#;#m",
    "\x1b[38;5;#m",
    "\x1b[48:2::#:#:#m",
    "\x1b[!p",
    "\x1bc",
    "\x1b7",
    "\x1b8",
    "\x1bD",
    "\x1bE",
    "\x1bM",
    "\x1bH",
    "\x1b#8",
    "\x1b(0",
    "\x1b(B",
    "\x0e",
    "\x0f",
    "\x1b[>#u",
    "\x1b[<#u",
    "\x1b[=#;#u",
    "\x1b[>4;#m",
    "\x1b[#n",
    "\x1b[>q",
    "\x1b[#t",
    "\x1b]2;t#\x07",
    "\x1b]8;;u#\x07",
    "\x1b]4;#;?\x07",
    "\x1b]52;c;aGk=\x07",
    "\x1b]7;file://h/#\x1b\\",
    "\x1bP$qm\x1b\\",
    "\x1b_G#\x1b\\",
    "\x1b[",
    "\x1b]",
    "\x1b",
    "\x18",
    "\r",
    "\n",
    "\r\n",
    "\t",
    "\x08",
    "\x07",
    "a",
    "some words ",
    "漢字",
    "가",
    "😀",
    "👩‍👩‍👧",
    "é",
    "\u{301}",
    "\u{200d}",
    "\u{fe0f}",
    "\u{ad}",
    "\u{85}",
    "######",
];

fn soup(random: &mut fastrand::Rng) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..random.usize(1..30) {
        for byte in random.choice(PIECES).unwrap().bytes() {
            match byte {
                b'#' => {
                    let most = *random.choice(&[2, 10, 100, 70_000]).unwrap();
                    bytes.extend(random.u32(0..most).to_string().bytes());
                }
                _ => bytes.push(byte),
            }
        }
        if random.u8(..) < 4 {
            bytes.push(random.u8(..));
        }
    }
    bytes
}

fn size(random: &mut fastrand::Rng) -> Size {
    let (columns, rows) = if random.bool() { (6, 4) } else { (90, 30) };
    Size {
        columns: random.u16(0..columns),
        rows: random.u16(0..rows),
    }
}

fn look(emulator: &Emulator) {
    assert!(emulator.scrolled() <= emulator.history());
    let screen = emulator.screen();
    for row in 0..=screen.rows() {
        let cells: Vec<_> = screen.row(row).collect();
        let width: u16 = cells.iter().map(|cell| cell.width).sum();
        assert_eq!(
            width,
            if row < screen.rows() {
                screen.columns()
            } else {
                0
            }
        );
        assert!(
            cells
                .iter()
                .all(|cell| !cell.first.is_control() && cell.more.len() <= 16)
        );
    }
    if let Some(cursor) = emulator.cursor() {
        assert!(cursor.row < screen.rows() && cursor.column < screen.columns());
    }
}

#[test]
fn soup_breaks_nothing() {
    for seed in 0..150 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut emulator = terminal(0, 0);
        emulator.resize(size(&mut random));
        for _ in 0..60 {
            match random.u8(..10) {
                0 => emulator.resize(size(&mut random)),
                1 => emulator.scroll(Scroll::Lines(random.i32(-40..40))),
                2 => emulator.scroll(
                    *random
                        .choice(&[Scroll::Top, Scroll::Bottom, Scroll::PageUp])
                        .unwrap(),
                ),
                3 => drop(emulator.end_sync()),
                _ => {
                    let bytes = soup(&mut random);
                    let heard = emulator.feed(&bytes);
                    let broke = heard.contains(&Heard::Restarted);
                    assert!(!broke, "seed {seed}: {}", bytes.escape_ascii());
                }
            }
            look(&emulator);
        }
        let modes = emulator.modes();
        keys::encode(
            &KeyEvent::new(KeyCode::Char('a'), KeyModifiers::CONTROL),
            modes,
        );
        paste::encode("x", modes);
        let _ = mouse::encode(
            &crossterm::event::MouseEvent {
                kind: crossterm::event::MouseEventKind::Moved,
                column: 0,
                row: 0,
                modifiers: KeyModifiers::NONE,
            },
            9,
            9,
            modes,
        );
    }
}

#[test]
fn copy_mode_bears_any_screen_and_any_keys() {
    const KEYS: &[u8] = b"hjklwbe0^$gGHMLvVonN/?";
    for seed in 0..60 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut emulator = terminal(0, 0);
        emulator.resize(size(&mut random));
        for _ in 0..20 {
            emulator.feed(&soup(&mut random));
        }
        let mut copy = CopyMode::new(&emulator);
        copy.search(if random.bool() { "a" } else { "[字가" }, true);
        for _ in 0..100 {
            match random.u8(..8) {
                0 => copy.press(random.u16(..40), random.u16(..100), random.u8(..4)),
                1 => copy.drag(random.i32(-50..50), random.u16(..100)),
                2 => {
                    let letter = char::from(*random.choice(b"udbfv").unwrap());
                    copy.key(&KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL));
                }
                _ => {
                    let letter = char::from(*random.choice(KEYS).unwrap());
                    copy.key(&KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE));
                }
            }
            let (screen, cursor) = (copy.screen(), copy.cursor());
            assert!(
                cursor.row < screen.rows() && cursor.column < screen.columns(),
                "seed {seed}"
            );
            let marks = (0..screen.columns()).map(|column| copy.mark(cursor.row, column));
            assert_eq!(marks.count(), usize::from(screen.columns()));
            let _ = copy.selected_text();
        }
    }
}
