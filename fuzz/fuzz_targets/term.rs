//! `cargo fuzz run term`: any bytes, cut anywhere, with sizes and scrolling between them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sandtop::term::{CopyMode, Emulator, Heard, Scroll, Size};

fuzz_target!(|pieces: Vec<(u8, u8, Vec<u8>)>| {
    let mut emulator = Emulator::new(Size { columns: 80, rows: 24 }, 1 << 16);
    for (what, how, bytes) in pieces {
        match what % 4 {
            0 => emulator.resize(Size { columns: how.into(), rows: (how / 4).into() }),
            1 => emulator.scroll(Scroll::Lines(i32::from(how) - 128)),
            _ => (),
        }
        assert!(!emulator.feed(&bytes).contains(&Heard::Restarted));
        let screen = emulator.screen();
        for row in 0..screen.rows() {
            let width: u16 = screen.row(row).map(|cell| cell.width).sum();
            assert_eq!(width, screen.columns());
        }
    }
    CopyMode::new(&emulator).search("a|漢", true);
});
