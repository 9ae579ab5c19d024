//! A service that cuts, stalls, refuses and replays by chance: each line stands once, in its stream's order.

use super::*;
use crate::model::{FailureKind, NetworkFault};

const LINES: usize = 10_000;

/// Two streams; many lines are alike, so that nothing can be told by its text.
fn log(random: &mut fastrand::Rng) -> Vec<(StreamName, String)> {
    let line = |n: usize| match n % 3 {
        0 => format!("line {n} 漢😀\n"),
        _ => "tick\n".to_owned(),
    };
    let stream = |random: &mut fastrand::Rng| match random.u8(0..4) {
        0 => StreamName::Stderr,
        _ => StreamName::Stdout,
    };
    (0..LINES).map(|n| (stream(random), line(n))).collect()
}

/// The first lines, and a part of the next one, in pieces of any size.
fn pieces(log: &[(StreamName, String)], random: &mut fastrand::Rng) -> Vec<LogObject> {
    let mut pieces: Vec<(StreamName, String)> = Vec::new();
    for (stream, line) in log {
        let at = line.floor_char_boundary(random.usize(0..=line.len()));
        for part in [&line[..at], &line[at..]] {
            match pieces.last_mut() {
                Some((last, text)) if last == stream && random.u8(0..8) > 0 => text.push_str(part),
                _ => pieces.push((stream.clone(), part.to_owned())),
            }
        }
    }
    let half = random.bool().then(|| pieces.pop()).flatten();
    let half = half.map(|(stream, text)| {
        let at = text.floor_char_boundary(random.usize(0..=text.len()));
        (stream, text[..at].to_owned())
    });
    let all = pieces.into_iter().chain(half);
    all.map(|(stream, data)| LogObject::Piece { stream, data })
        .collect()
}

impl Scene {
    fn send(&mut self, stream: &StreamId, objects: Vec<LogObject>, random: &mut fastrand::Rng) {
        self.news(stream, StreamNews::Opened);
        let mut objects = objects.into_iter().peekable();
        while objects.peek().is_some() {
            let some = objects.by_ref().take(random.usize(1..500)).collect();
            self.ms += random.u64(0..400);
            self.news(stream, StreamNews::Objects(some));
        }
    }

    fn of(&self, stream: &StreamName) -> Vec<String> {
        let store = &self.world.tails[&key("cmd")].store;
        let lines = (store.first()..store.end()).filter_map(|n| store.get(n).line());
        let lines = lines.filter(|line| line.stream == Some(stream));
        lines.map(|line| line.raw.to_owned()).collect()
    }
}

#[test]
fn however_a_stream_breaks_each_line_stands_once() {
    for seed in 0..12 {
        broken_by_chance(&mut fastrand::Rng::with_seed(seed));
    }
}

fn broken_by_chance(random: &mut fastrand::Rng) {
    let seed = random.get_seed();
    let log = log(random);
    let mut scene = scene();
    let mut written = 0;
    while written < LINES {
        written = (written + random.usize(0..2_500)).min(LINES);
        let stream = scene.open("cmd");
        let told = random.usize(0..=written);
        let objects = pieces(&log[..told], random);
        match random.u8(0..5) {
            0 => {
                let failed = StreamNews::Failed(status(503));
                scene.news(&stream, failed);
            }
            1 => {
                scene.send(&stream, objects, random);
                scene.end(&stream, Ok(None));
            }
            2 => {
                // It stalls, and the machine wakes from a sleep.
                scene.send(&stream, objects, random);
                scene.ms += 100_000;
                scene.world.jumps += 1;
                continue;
            }
            _ => {
                scene.send(&stream, objects, random);
                let cut = FailureKind::Network {
                    fault: NetworkFault::Cut,
                    sent: true,
                };
                let failed = Failure {
                    kind: cut,
                    ..network(true)
                };
                scene.news(&stream, StreamNews::Failed(failed));
            }
        }
        if matches!(scene.state("cmd"), TailState::GaveUp { .. }) {
            retry_now(&mut scene.world, &key("cmd"), at(scene.ms));
        } else {
            scene.wait_for_retry("cmd");
        }
    }
    while scene.state("cmd") != (TailState::Ended { exit: 0 }) {
        let stream = scene.open("cmd");
        let whole = log.iter().map(|(stream, data)| LogObject::Piece {
            stream: stream.clone(),
            data: data.clone(),
        });
        scene.send(&stream, whole.collect(), random);
        scene.end(&stream, Ok(Some(0)));
        // An end after minutes may be the edge's.
        scene.ms += 60_000;
    }
    for stream in [StreamName::Stdout, StreamName::Stderr] {
        let wanted = log.iter().filter(|(of, _)| *of == stream);
        let wanted: Vec<&str> = wanted
            .map(|(_, line)| line.trim_end_matches('\n'))
            .collect();
        assert!(scene.of(&stream) == wanted, "{stream:?}, seed {seed}");
    }
}
