//! What a shell in the dashboard costs beside its emulator: output through the whole update, a frame, a key.
//!
//! `cargo bench --bench shells`. The emulator alone is fed the same in the same run: what counts is the ratio.
#![allow(clippy::unwrap_used)]

use bytes::Bytes;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use jiff::tz::TimeZone;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Size;
use sandtop::app::{self, Options, State};
use sandtop::logic::settings::{Config, Remembered};
use sandtop::logic::{Backend, Effect, Event, Mono, Now, ShellId, ShellNews};
use sandtop::model::Sandbox;
use sandtop::term::{self, Emulator};
use sandtop::ui::{Depth, Looks};
use serde_json::json;
use std::fmt::Write as _;
use std::hint::black_box;

const EPOCH: i64 = 1_790_000_000_000;
/// What arrives from the socket at once.
const PIECE: usize = 64 << 10;

fn now(ms: u64) -> Now {
    Now {
        mono: Mono(ms),
        ..Now::default()
    }
}

fn key(c: char) -> Event {
    Event::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE))
}

/// A dashboard of twenty sandboxes, in the shell of one.
fn in_a_shell() -> (State, ShellId) {
    let options = Options {
        read_only: false,
        sample: false,
        looks: Looks {
            depth: Depth::True,
            light: false,
            ascii: false,
        },
        zone: TimeZone::UTC,
        config: Config::default(),
        remembered: Remembered::default(),
        backend: Backend::default(),
        size: Size::new(120, 40),
    };
    let (mut state, _) = app::start(options, now(0));
    for n in 0..20 {
        let sandbox: Sandbox = serde_json::from_value(json!({
            "name": format!("box-{n}"), "createdAt": EPOCH + n, "status": "running", "memory": 4096,
            "currentSessionId": format!("sbx_{n}"),
        }))
        .unwrap();
        state.world.saw(sandbox, now(0));
    }
    app::update(&mut state, now(1), Event::Due);
    let effects = app::update(&mut state, now(2), key('s'));
    let id = effects.iter().find_map(|effect| match effect {
        Effect::Shell(id, _) => Some(*id),
        _ => None,
    });
    let id = id.unwrap();
    app::update(&mut state, now(3), Event::Shell(id, ShellNews::Open));
    (state, id)
}

fn output() -> Bytes {
    let mut text = String::new();
    let mut n = 0;
    while text.len() < PIECE {
        n += 1;
        let _ = write!(text, "\x1b[{}m{n}\x1b[0m a line of a log\r\n", 31 + n % 6);
    }
    text.truncate(PIECE);
    text.into()
}

fn flood(c: &mut Criterion) {
    let output = output();
    let mut group = c.benchmark_group("64 KiB of output");
    group.throughput(Throughput::Bytes(PIECE as u64));
    let (mut state, id) = in_a_shell();
    group.bench_function("through the dashboard", |b| {
        b.iter(|| {
            let news = ShellNews::Output(output.clone());
            black_box(app::update(&mut state, now(4), Event::Shell(id, news)))
        });
    });
    let size = term::Size {
        columns: 118,
        rows: 29,
    };
    let mut emulator = Emulator::new(size, 10 << 20);
    group.bench_function("the emulator alone", |b| {
        b.iter(|| black_box(emulator.feed(&output)));
    });
    group.finish();
}

fn hands(c: &mut Criterion) {
    let (mut state, id) = in_a_shell();
    let news = ShellNews::Output(output());
    app::update(&mut state, now(4), Event::Shell(id, news));
    c.bench_function("a key for the program", |b| {
        b.iter(|| black_box(app::update(&mut state, now(5), key('x'))));
    });
    let mut terminal = Terminal::new(TestBackend::new(120, 40)).unwrap();
    c.bench_function("a frame of 120x40", |b| {
        b.iter(|| {
            terminal.draw(|frame| app::view(&state, frame)).unwrap();
        });
    });
}

criterion_group!(benches, flood, hands);
criterion_main!(benches);
