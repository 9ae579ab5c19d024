//! Five logs read as one, at 10 000 lines a second each: what a second of it costs the dashboard, and whether
//! `sandtop tail` loses none of it on a real engine.
//!
//! `cargo bench --bench merged`. To see it: `sandtop serve`, five commands `while :; do seq 1000; sleep 0.1; done`, and
//! `M` in a dashboard.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::print_stdout)] // it tells figures

#[path = "../tests/engine/bench.rs"]
#[allow(dead_code)]
mod bench;
#[path = "../tests/engine/program.rs"]
#[allow(dead_code)]
mod program;

use bench::{Api, TOKEN, session_of};
use program::Program;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Size;
use rustix::process::Signal;
use sandtop::app::{self, Options, State};
use sandtop::logic::settings::{Config, Remembered};
use sandtop::logic::{
    Aged, Backend, Effect, Event, Link, Listing, Mono, Now, Scope, StreamId, StreamNews, merged,
};
use sandtop::model::{Command, LogObject, Sandbox, SandboxKey, SessionId, StreamName, Timestamp};
use sandtop::ui::{Depth, Looks};
use serde_json::json;
use std::fmt::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

const SOURCES: usize = 5;
/// A second of one source: a piece every 10 ms.
const LINES: usize = 10_000;
const PIECES: usize = 100;
/// Pieces between two frames, of all sources: a frame every 16 ms.
const TO_A_FRAME: usize = SOURCES * 16 / 10;
const SECONDS: usize = 5;
const SCOPE: [&str; 2] = ["team_conformance", "prj_conformance"];

#[tokio::main]
async fn main() {
    // As a test it would only take time.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    dashboard();
    engine().await;
}

fn tell(what: &str, figure: String) {
    println!("{what:<58} {figure}");
}

/// Time of this thread on a processor: other programs' work does not count.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(stat.split(' ').next().unwrap().parse().unwrap())
}

fn happens(state: &mut State, event: Event) -> Vec<Effect> {
    let now = Now {
        mono: Mono(state.now.mono.0 + 2),
        wall: Timestamp(state.now.wall.0 + 2),
    };
    app::update(state, now, event)
}

/// A dashboard that reads as one what runs in five sandboxes, and their streams.
fn merging() -> (State, Vec<StreamId>) {
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
    state.world.link = Link::Live { since: Mono(0) };
    let keys: Vec<SandboxKey> = (0..SOURCES).map(|n| add(&mut state, n)).collect();
    merged::open(&mut state.world, Scope::Running(keys), state.now);
    state.logs.merge(true);
    let effects = happens(&mut state, Event::Due);
    let opened = effects.into_iter().filter_map(|effect| match effect {
        Effect::OpenStream(stream) => Some(stream),
        _ => None,
    });
    let streams: Vec<StreamId> = opened.collect();
    assert_eq!(streams.len(), SOURCES);
    for stream in streams.clone() {
        let news = StreamNews::Opened;
        happens(&mut state, Event::Stream { stream, news });
    }
    (state, streams)
}

fn add(state: &mut State, n: usize) -> SandboxKey {
    let session = format!("sbx_{n}");
    let sandbox: Sandbox = serde_json::from_value(json!({
        "name": format!("box-{n}"), "createdAt": 1, "status": "running", "currentSessionId": session,
    }))
    .unwrap();
    let command = json!({"id": "cmd", "name": "make", "args": [], "startedAt": 1});
    let command: Command = serde_json::from_value(command).unwrap();
    let key = sandbox.key();
    state.world.saw(sandbox, state.now);
    let mut listing = Aged::<Listing<Command>>::default();
    listing.renew(vec![command], false, state.now);
    let session = SessionId::new(session);
    state.world.commands.insert(session, listing);
    key
}

fn dashboard() {
    let (mut state, streams) = merging();
    let mut terminal = Terminal::new(TestBackend::new(120, 40)).unwrap();
    let mut spent = Vec::new();
    let (mut came, mut slowest) = (0, Duration::ZERO);
    for _ in 0..SECONDS {
        let began = processor_time();
        for piece in 0..PIECES * SOURCES {
            let mut data = String::new();
            for _ in 0..LINES / PIECES {
                came += 1;
                writeln!(data, "{came:08} GET /api/things/{came} 200 in 12 ms").unwrap();
            }
            let at = Instant::now();
            let stream = streams[piece % SOURCES].clone();
            let object = LogObject::Piece {
                stream: StreamName::Stdout,
                data,
            };
            let news = StreamNews::Objects(vec![object]);
            happens(&mut state, Event::Stream { stream, news });
            if piece % TO_A_FRAME == 0 {
                terminal.draw(|frame| app::view(&state, frame)).unwrap();
            }
            slowest = slowest.max(at.elapsed());
        }
        spent.push(processor_time() - began);
    }
    let held = state.world.merged.as_ref().unwrap().order().end();
    assert_eq!(held, came, "nothing is lost");
    let spent: Vec<String> = spent
        .iter()
        .map(|spent| spent.as_millis().to_string())
        .collect();
    tell("CPU of each second, ms", spent.join(" "));
    tell(
        "longest that a key waits for a piece and its frame",
        format!("{slowest:.1?}"),
    );
}

async fn engine() {
    let dir = tempfile::tempdir().unwrap();
    let mut serve = std::process::Command::new(env!("CARGO_BIN_EXE_sandtop"));
    serve.arg("serve");
    let mut program = Program::start_by(serve, dir.path());
    let api: Api = program.api.clone();
    let script = format!(
        "for n in $(seq {}); do seq 1000; sleep 0.1; done",
        SECONDS * LINES / 1000
    );
    let mut tail = std::process::Command::new(env!("CARGO_BIN_EXE_sandtop"));
    tail.arg("tail");
    for n in 0..SOURCES {
        let name = format!("box-{n}");
        let made = api
            .create(&json!({"name": name, "projectId": SCOPE[1]}))
            .await;
        api.start(&session_of(&made), &script).await;
        tail.arg(name);
    }
    tail.args(["--api-url", &api.url, "--token", TOKEN]);
    tail.args(["--team", SCOPE[0], "--project", SCOPE[1]]);
    let began = Instant::now();
    let output = tail.stderr(Stdio::inherit()).output().unwrap();
    let lines = output.stdout.iter().filter(|byte| **byte == b'\n').count();
    assert_eq!(lines, SOURCES * SECONDS * LINES, "nothing is lost");
    let wall = began.elapsed().as_secs_f64();
    tell(
        "sandtop tail: lines, and lines a second",
        format!("{lines}, {:.0}", lines as f64 / wall),
    );
    program.signal(Signal::TERM);
}
