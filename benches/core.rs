//! What the dashboard does on every key and every piece of output, at sizes beyond daily use.
//!
//! `cargo bench`. Figures are for comparing two states of the code on one machine, in one sitting.
#![allow(clippy::unwrap_used)]

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Size;
use sandtop::api::Decoder;
use sandtop::app::{self, Options, State};
use sandtop::logic::settings::{Config, Remembered};
use sandtop::logic::{Backend, Column, Event, Filter, Mono, Now, Order, World, rows};
use sandtop::model::{Sandbox, StreamName};
use sandtop::text::{LogStore, clean_str, runs};
use sandtop::ui::{Depth, Looks};
use serde_json::json;
use std::hint::black_box;

fn world(sandboxes: usize) -> World {
    let mut world = World::default();
    for n in 0..sandboxes {
        let sandbox: Sandbox = serde_json::from_value(json!({
            "name": format!("agent-{}-{n}", n * 7919 % 104_729), "createdAt": 1_790_000_000_000_u64 + n as u64,
            "status": if n % 40 == 0 { "running" } else { "stopped" }, "memory": 4096,
            "tags": {"env": if n % 3 == 0 { "ci" } else { "dev" }},
        }))
        .unwrap();
        world.saw(sandbox, Now::default());
    }
    world
}

fn list(c: &mut Criterion) {
    let world = world(10_000);
    let mut group = c.benchmark_group("list of 10 000");
    for (name, filter) in [
        ("all", ""),
        ("fuzzy", "agt9"),
        ("terms", "status:running tag:env=ci"),
    ] {
        let filter = Filter::parse(filter);
        for column in [Column::Created, Column::Name] {
            let order = Order {
                column,
                reverse: false,
            };
            group.bench_function(format!("{name} by {}", column.title()), |b| {
                b.iter(|| black_box(rows(&world, &filter, order, Now::default())));
            });
        }
    }
    group.finish();
}

fn dashboard(sandboxes: usize) -> State {
    let options = Options {
        read_only: false,
        sample: false,
        looks: Looks {
            depth: Depth::True,
            light: false,
            ascii: false,
        },
        zone: jiff::tz::TimeZone::UTC,
        config: Config::default(),
        remembered: Remembered::default(),
        backend: Backend::default(),
        size: Size::new(120, 40),
    };
    let (mut state, _) = app::start(options, Now::default());
    state.world.sandboxes = world(sandboxes).sandboxes;
    state.world.revision += 1;
    press(&mut state, 'g');
    state
}

fn press(state: &mut State, key: char) {
    let now = Now {
        mono: Mono(state.now.mono.0 + 1),
        ..state.now
    };
    let key = KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE);
    black_box(app::update(state, now, Event::Key(key)));
}

fn key(c: &mut Criterion) {
    for sandboxes in [20, 10_000] {
        let mut group = c.benchmark_group(format!("a key on {sandboxes} sandboxes"));
        let mut state = dashboard(sandboxes);
        group.bench_function("down", |b| b.iter(|| press(&mut state, 'j')));
        group.bench_function("sort", |b| b.iter(|| press(&mut state, 'O')));
        group.bench_function("frame", |b| {
            let mut terminal = Terminal::new(TestBackend::new(120, 40)).unwrap();
            b.iter(|| {
                terminal.draw(|frame| app::view(&state, frame)).unwrap();
            });
        });
        press(&mut state, '/');
        let keys: Vec<char> = "agt9".chars().collect();
        group.bench_function("four of a filter, and back", |b| {
            b.iter(|| {
                keys.iter().for_each(|key| press(&mut state, *key));
                (0..4).for_each(|_| backspace(&mut state));
            });
        });
        group.finish();
    }
}

fn backspace(state: &mut State) {
    let key = KeyEvent::new(KeyCode::Backspace, KeyModifiers::NONE);
    black_box(app::update(state, state.now, Event::Key(key)));
}

fn log(c: &mut Criterion) {
    let plain = |n: usize| format!("{n} GET /assets/app.js 200 in {} ms\n", n % 97);
    let coloured = |n: usize| format!("\x1b[32mok\x1b[0m test {n} \x1b[2m… passed\x1b[0m\n");
    let plain: String = (0..10_000).map(plain).collect();
    let coloured: String = (0..10_000).map(coloured).collect();
    let mut group = c.benchmark_group("log of 10 000 lines");
    for (name, text) in [("plain", &plain), ("coloured", &coloured)] {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(format!("store {name}"), |b| {
            let push = |mut store: LogStore| {
                store.push(&StreamName::Stdout, text, None);
                store
            };
            b.iter_batched(|| LogStore::new(64 << 20), push, BatchSize::LargeInput);
        });
        let wire = |line: &str| {
            json!({"stream": "stdout", "data": format!("{line}\n")}).to_string() + "\n"
        };
        let wire: String = text.lines().map(wire).collect();
        group.bench_function(format!("decode {name}"), |b| {
            b.iter(|| {
                let mut decoder = Decoder::default();
                wire.as_bytes()
                    .chunks(16 << 10)
                    .map(|chunk| decoder.feed(chunk).len())
                    .sum::<usize>()
            });
        });
        let screen: Vec<&str> = text.lines().take(50).collect();
        group.throughput(Throughput::Elements(50));
        group.bench_function(format!("runs of a screen, {name}"), |b| {
            b.iter(|| {
                screen
                    .iter()
                    .map(|line| runs(line, 8, 200).len())
                    .sum::<usize>()
            });
        });
    }
    group.finish();
}

fn cleaning(c: &mut Criterion) {
    c.bench_function("clean a plain name", |b| {
        b.iter(|| clean_str(black_box("build-agent-7")));
    });
    let odd = "b\u{1b}[31müild-\u{202e}agent-漢字-7";
    c.bench_function("clean an odd name", |b| {
        b.iter(|| clean_str(black_box(odd)));
    });
}

criterion_group!(benches, list, key, log, cleaning);
criterion_main!(benches);
