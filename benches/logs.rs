//! What a log of a million lines costs: taking it in, finding lines in it, drawing it, and the memory it stays in.
//!
//! `cargo bench --bench logs`. Times of taking in and of searching are the processor's. Figures are for comparing two
//! states of the code on one machine, in one sitting.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Size;
use sandtop::app::{self, Options, State};
use sandtop::logic::settings::{Config, Remembered};
use sandtop::logic::tail::{SpillNews, SpillOrder};
use sandtop::logic::{Aged, Backend, Effect, Event, Link, Listing, Mono, Now, StreamNews};
use sandtop::model::{Command, CommandId, CommandKey, LogObject, Sandbox, SessionId, StreamName};
use sandtop::text::{
    Chunk, ChunkId, Log, LogStore, Lookup, Pattern, Query, Received, Replay, Scan, Want,
};
use sandtop::ui::{Depth, Looks};
use serde_json::json;
use std::collections::HashMap;
use std::fs::File;
use std::hint::black_box;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::time::Duration;

const OUT: StreamName = StreamName::Stdout;
const BUDGET: usize = 64 << 20;
const MILLION: usize = 1_000_000;

/// Makes the nth one.
type Line = fn(usize) -> String;

/// 120 bytes with its break.
fn plain(n: usize) -> String {
    let word = ["alpha", "beta", "gamma", "delta"][n % 4];
    let level = if n.is_multiple_of(1000) {
        "ERROR"
    } else {
        "INFO "
    };
    let line = format!(
        "2026-11-29T20:{:02}:{:02}.{:03}Z {level} worker-{} request {n:08}",
        n / 60 % 60,
        n % 60,
        n % 1000,
        n % 16
    );
    format!(
        "{:<119}\n",
        format!("{line} handled in {} ms by {word}", n * 7919 % 977)
    )
}

fn coloured(n: usize) -> String {
    format!(
        "\x1b[32mok\x1b[0m test {n} \x1b[2m… passed\x1b[0m in {} ms\n",
        n % 97
    )
}

/// Time of this thread on a processor: other programs' work does not count.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(stat.split(' ').next().unwrap().parse().unwrap())
}

fn timed<T>(times: u64, mut work: impl FnMut() -> T) -> Duration {
    let start = processor_time();
    for _ in 0..times {
        black_box(work());
    }
    processor_time() - start
}

/// In pieces of about 64 KiB, as the wire brings them.
fn pieces(lines: usize, line: impl Fn(usize) -> String) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for n in 0..lines {
        if pieces.last().unwrap().len() > 64 << 10 {
            pieces.push(String::new());
        }
        pieces.last_mut().unwrap().push_str(&line(n));
    }
    pieces
}

fn filled(pieces: &[String], budget: usize) -> LogStore {
    let mut store = LogStore::new(budget);
    for piece in pieces {
        store.push(&OUT, piece, None);
    }
    store
}

fn ingest(c: &mut Criterion) {
    let mut group = c.benchmark_group("taking in 100 000 lines");
    let kinds: [(&str, Line); 3] = [
        ("of 120 bytes", plain),
        ("coloured", coloured),
        ("of 4 bytes", |n| format!("{:03}\n", n % 1000)),
    ];
    for (name, line) in kinds {
        let pieces = pieces(100_000, line);
        group.throughput(Throughput::Bytes(
            pieces.iter().map(String::len).sum::<usize>() as u64,
        ));
        group.bench_function(name, |b| {
            b.iter_custom(|times| timed(times, || filled(&pieces, BUDGET)));
        });
    }
    group.finish();
}

fn searched(store: &LogStore, typed: &str) -> u64 {
    let any_of = vec![Want::Text(Pattern::new(typed).unwrap())];
    let mut scan = Scan::new(
        Query {
            any_of,
            ..Query::default()
        },
        0,
    );
    while !scan.advance(&Log::One(store), 1 << 20).done {}
    scan.hits().len()
}

fn search(c: &mut Criterion) {
    let mut group = c.benchmark_group("a million lines");
    group.sample_size(10);
    let kinds: [(&str, Line); 2] = [("plain", plain), ("coloured", coloured)];
    for (name, line) in kinds {
        let store = filled(&pieces(MILLION, line), usize::MAX);
        for typed in [
            "ERROR",
            "error",
            r"request \d+99 ",
            r"\w+ror\b",
            "no such text",
            r"[a-z]+ in 4\d+ ms",
        ] {
            group.bench_function(format!("{name}, search {typed}"), |b| {
                b.iter_custom(|times| timed(times, || searched(&store, typed)));
            });
        }
        group.bench_function(format!("{name}, a line at random"), |b| {
            let mut number = 0;
            b.iter(|| {
                number = (number + 618_033) % MILLION as u64;
                black_box(store.get(number))
            });
        });
    }
    group.finish();
}

/// What the keeper of the file does, without its task.
#[derive(Default)]
struct Keeper(HashMap<ChunkId, Arc<Chunk>>);

impl Keeper {
    fn carry_out(&mut self, state: &mut State, effects: Vec<Effect>) {
        for effect in effects {
            if let Effect::Spill(store, order) = effect {
                let news = self.carried_out(order);
                let more = news.map(|news| tell(state, Event::Spill(store, news)));
                self.carry_out(state, more.unwrap_or_default());
            }
        }
    }

    fn carried_out(&mut self, order: SpillOrder) -> Option<SpillNews> {
        Some(match order {
            SpillOrder::Write(chunk) => {
                let id = chunk.id();
                self.0.insert(id, chunk);
                SpillNews::Written(id)
            }
            SpillOrder::Read(id) => SpillNews::Read(Arc::clone(&self.0[&id])),
            SpillOrder::Free(_) | SpillOrder::FreeAll => return None,
        })
    }
}

fn tell(state: &mut State, event: Event) -> Vec<Effect> {
    let now = Now {
        mono: Mono(state.now.mono.0 + 1),
        ..state.now
    };
    app::update(state, now, event)
}

/// A dashboard that follows a command's log.
fn dashboard() -> (State, CommandKey) {
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
    let sandbox: Sandbox = serde_json::from_value(json!({
        "name": "web", "createdAt": 1, "status": "running", "currentSessionId": "sbx_web",
    }))
    .unwrap();
    let command: Command =
        serde_json::from_value(json!({"id": "cmd", "name": "make", "args": [], "startedAt": 1}))
            .unwrap();
    let key = CommandKey {
        session: SessionId::new("sbx_web"),
        command: CommandId::new("cmd"),
    };
    state.world.link = Link::Live { since: Mono(0) };
    state.world.saw(sandbox, state.now);
    let mut listing = Aged::<Listing<Command>>::default();
    listing.renew(vec![command], false, state.now);
    state.world.commands.insert(key.session.clone(), listing);
    tell(&mut state, Event::Due);
    tell(&mut state, Event::Due);
    (state, key)
}

fn print(state: &mut State, keeper: &mut Keeper, key: &CommandKey, lines: usize) {
    let stream = state.world.tails[key].follow.stream.clone();
    let opened = Event::Stream {
        stream: stream.clone(),
        news: StreamNews::Opened,
    };
    tell(state, opened);
    for data in pieces(lines, plain) {
        let piece = LogObject::Piece { stream: OUT, data };
        let news = StreamNews::Objects(vec![piece]);
        let effects = tell(
            state,
            Event::Stream {
                stream: stream.clone(),
                news,
            },
        );
        keeper.carry_out(state, effects);
    }
}

fn frame(c: &mut Criterion) {
    let mut group = c.benchmark_group("a piece of output and its frame");
    for lines in [1_000, 100_000, MILLION] {
        let (mut state, key) = dashboard();
        let mut keeper = Keeper::default();
        print(&mut state, &mut keeper, &key, lines);
        let mut terminal = Terminal::new(TestBackend::new(120, 40)).unwrap();
        let stream = state.world.tails[&key].follow.stream.clone();
        let mut n = lines;
        group.bench_function(format!("on {lines} lines"), |b| {
            b.iter(|| {
                n += 1;
                let piece = LogObject::Piece {
                    stream: OUT,
                    data: plain(n),
                };
                let news = StreamNews::Objects(vec![piece]);
                let effects = tell(
                    &mut state,
                    Event::Stream {
                        stream: stream.clone(),
                        news,
                    },
                );
                keeper.carry_out(&mut state, effects);
                terminal.draw(|frame| app::view(&state, frame)).unwrap();
            });
        });
    }
    group.finish();
}

fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .unwrap();
    line.trim()
        .trim_end_matches(" kB")
        .parse::<usize>()
        .unwrap()
        * 1024
}

/// Not timed: a million lines of 120 bytes stay within the budget and 20 MiB, and each of them is there.
fn memory(_: &mut Criterion) {
    let before = resident();
    let mut store = LogStore::new(BUDGET);
    store.set_limits(BUDGET, true);
    let path = std::env::temp_dir().join(format!("sandtop-bench-{}", std::process::id()));
    let file = File::options()
        .read(true)
        .write(true)
        .create_new(true)
        .open(&path)
        .unwrap();
    std::fs::remove_file(path).unwrap();
    let (mut places, mut end) = (HashMap::new(), 0);
    let mut most = 0;
    for n in 0..MILLION {
        store.push(&OUT, &plain(n), None);
        for chunk in store.spill(BUDGET) {
            let bytes = chunk.packed();
            file.write_all_at(&bytes, end).unwrap();
            places.insert(chunk.id(), (end, bytes.len()));
            end += bytes.len() as u64;
            store.written(chunk.id());
        }
        if n % 10_000 == 0 {
            most = most.max(resident());
        }
    }
    for number in 0..MILLION {
        if let Lookup::Away(id) = store.get(number as u64) {
            assert!(store.want(id));
            let (start, len) = places[&id];
            let mut bytes = vec![0; len];
            file.read_exact_at(&mut bytes, start).unwrap();
            store.read_back(Arc::new(Chunk::unpack(&bytes).unwrap()));
        }
        let line = store.get(number as u64).line().unwrap();
        assert_eq!(line.raw, plain(number).trim_end_matches('\n'));
    }
    most = most.max(resident());
    let grown = most.saturating_sub(before);
    eprintln!(
        "a million lines of 120 bytes: {} MiB resident at most, {} MiB budget",
        grown >> 20,
        BUDGET >> 20
    );
    assert!(grown <= BUDGET + (20 << 20), "{grown}");
}

/// What each piece of a stream is gone over for, so that a replay can be told from news.
fn replay(c: &mut Criterion) {
    let pieces = pieces(100_000, plain);
    let mut group = c.benchmark_group("know again");
    let bytes = pieces.iter().map(String::len).sum::<usize>();
    group.throughput(Throughput::Bytes(bytes as u64));
    let followed = |received: &Received| {
        let mut replay = Replay::new(received);
        for piece in &pieces {
            black_box(replay.take(&OUT, piece));
        }
        replay.received()
    };
    let nothing = Received::default();
    group.bench_function("new lines", |b| {
        b.iter_custom(|times| timed(times, || followed(&nothing)));
    });
    let received = followed(&nothing);
    group.bench_function("lines that are held", |b| {
        b.iter_custom(|times| timed(times, || followed(&received)));
    });
    group.finish();
}

criterion_group!(benches, memory, ingest, replay, search, frame);
criterion_main!(benches);
