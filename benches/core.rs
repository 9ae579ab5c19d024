//! What the dashboard does on every key and every piece of output, at sizes beyond daily use.
//!
//! `cargo bench`. Figures are for comparing two states of the code on one machine, in one sitting.
#![allow(clippy::unwrap_used)]

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use sandtop::api::Decoder;
use sandtop::logic::{Column, Filter, Now, Order, World, rows};
use sandtop::model::{Sandbox, StreamName};
use sandtop::text::{LogStore, clean_str, runs};
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

criterion_group!(benches, list, log, cleaning);
criterion_main!(benches);
