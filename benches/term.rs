//! What a terminal in a pane costs: eating output, and reading the screen for drawing it.
//!
//! `cargo bench --bench term`. The bare emulator crate is fed the same in the same run: what counts is the ratio.

use alacritty_terminal::Term;
use alacritty_terminal::event::VoidListener;
use alacritty_terminal::term::Config;
use alacritty_terminal::term::test::TermSize;
use alacritty_terminal::vte::ansi::{Processor, StdSyncHandler};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sandtop::term::{CopyMode, Emulator, Size};
use std::hint::black_box;

const COLUMNS: u16 = 120;
const ROWS: u16 = 40;
/// What arrives from the socket at once.
const PIECE: usize = 32 << 10;

/// Makes the nth one.
type Line = fn(usize) -> String;

fn plain(n: usize) -> String {
    format!(
        "2026-01-02T03:04:05Z INFO request {n} served in {} ms by worker {}\r\n",
        n % 97,
        n % 7
    )
}

fn coloured(n: usize) -> String {
    let level = 31 + n % 6;
    format!(
        "\x1b[2m03:04:05\x1b[0m \x1b[{level};1mINFO\x1b[0m 件名 {n} \x1b[38;5;{}mdone\x1b[m\r\n",
        n % 256
    )
}

/// A program that paints the whole screen again and again.
fn painted(n: usize) -> String {
    let row = n % usize::from(ROWS) + 1;
    format!(
        "\x1b[{row};1H\x1b[48;2;10;20;{}m{:>width$}\x1b[K",
        n % 256,
        n,
        width = usize::from(COLUMNS) - 1
    )
}

fn megabytes(line: Line) -> Vec<u8> {
    let mut bytes = Vec::new();
    for n in 0.. {
        bytes.extend(line(n).bytes());
        if bytes.len() >= 4 << 20 {
            break;
        }
    }
    bytes
}

fn emulator() -> Emulator {
    Emulator::new(
        Size {
            columns: COLUMNS,
            rows: ROWS,
        },
        10 << 20,
    )
}

fn feeding(criterion: &mut Criterion) {
    let kinds: [(&str, Line); 3] = [
        ("plain", plain),
        ("coloured", coloured),
        ("painted", painted),
    ];
    let mut group = criterion.benchmark_group("feed");
    group.sample_size(10);
    for (name, line) in kinds {
        let bytes = megabytes(line);
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(format!("{name}/sandtop"), |bencher| {
            let mut emulator = emulator();
            bencher.iter(|| {
                for piece in bytes.chunks(PIECE) {
                    black_box(emulator.feed(piece));
                }
            });
        });
        group.bench_function(format!("{name}/crate"), |bencher| {
            let size = TermSize::new(COLUMNS.into(), ROWS.into());
            let config = Config {
                scrolling_history: 3600,
                ..Config::default()
            };
            let mut term = Term::new(config, &size, VoidListener);
            let mut parser: Processor<StdSyncHandler> = Processor::new();
            bencher.iter(|| {
                for piece in bytes.chunks(PIECE) {
                    parser.advance(&mut term, piece);
                }
            });
        });
    }
    group.finish();
}

fn looking(criterion: &mut Criterion) {
    let mut emulator = emulator();
    emulator.feed(&megabytes(coloured));
    criterion.bench_function("screen/cells", |bencher| {
        let mut text = String::new();
        bencher.iter(|| {
            text.clear();
            let screen = emulator.screen();
            for row in 0..screen.rows() {
                for cell in screen.row(row) {
                    cell.write(&mut text);
                    black_box(cell.style);
                }
            }
            text.len()
        });
    });
    criterion.bench_function("copy/begin", |bencher| {
        bencher.iter(|| CopyMode::new(&emulator));
    });
    criterion.bench_function("copy/search", |bencher| {
        let mut copy = CopyMode::new(&emulator);
        bencher.iter(|| copy.search("done$", false));
    });
}

criterion_group!(benches, feeding, looking);
criterion_main!(benches);
