//! A log over cuts, replays, faults and switches, on a virtual clock.

mod chance;
mod states;

use super::spill::{SpillNews, SpillOrder, make_room};
use super::{StoreId, TailState, exit_answered, keep, news, next_due, retry_now, settle, spilled};
use crate::logic::testing::{at, command, network, session, settle as answered, status};
use crate::logic::{Aged, Calls, Effect, Listing, Purpose, Reply, StreamId, StreamNews, World};
use crate::model::{CommandId, CommandKey, Failure, Foreign, LogObject, StreamName};

struct Scene {
    world: World,
    calls: Calls,
    ms: u64,
}

fn key(id: &str) -> CommandKey {
    CommandKey {
        session: session("sbx_a"),
        command: CommandId::new(id),
    }
}

fn scene() -> Scene {
    Scene {
        world: World::default(),
        calls: Calls::default(),
        ms: 0,
    }
}

fn out(text: &str) -> LogObject {
    LogObject::Piece {
        stream: StreamName::Stdout,
        data: text.to_owned(),
    }
}

impl Scene {
    fn want(&mut self, id: &str) -> Vec<Effect> {
        settle(&mut self.world, Some(&key(id)), at(self.ms))
    }

    /// Wants it and gives the id of the opening that this asks for.
    fn open(&mut self, id: &str) -> StreamId {
        let effects = self.want(id);
        let opened = effects.iter().find_map(|effect| match effect {
            Effect::OpenStream(stream) => Some(stream.clone()),
            _ => None,
        });
        opened.unwrap_or_else(|| panic!("not opened: {effects:?}, {:?}", self.state(id)))
    }

    fn news(&mut self, stream: &StreamId, told: StreamNews) -> Vec<Effect> {
        news(&mut self.world, &mut self.calls, stream, told, at(self.ms))
    }

    /// The service answers, and sends these pieces of stdout.
    fn replay(&mut self, stream: &StreamId, pieces: &[&str]) {
        self.news(stream, StreamNews::Opened);
        let objects = pieces.iter().map(|piece| out(piece)).collect();
        self.news(stream, StreamNews::Objects(objects));
    }

    /// The stream ends and the command says this of itself.
    fn end(&mut self, stream: &StreamId, exit: Result<Option<i64>, Failure>) {
        let effects = self.news(stream, StreamNews::Ended);
        let result = exit.map(|exit| Reply::Command(command("cmd", exit)));
        let purpose = answered(
            &effects[0],
            result.clone(),
            &mut self.calls,
            &mut self.world,
            at(self.ms),
        );
        let Purpose::Exit(of) = purpose else { panic!() };
        exit_answered(&mut self.world, &of, &result, at(self.ms));
    }

    fn state(&self, id: &str) -> TailState {
        self.world.tails[&key(id)].follow.state.clone()
    }

    fn lines(&self, id: &str) -> Vec<String> {
        let store = &self.world.tails[&key(id)].store;
        (store.first()..store.end())
            .filter_map(|n| store.get(n).line())
            .map(|line| line.raw.to_owned())
            .collect()
    }

    fn wait_for_retry(&mut self, id: &str) {
        self.ms = next_due(&self.world, Some(&key(id))).unwrap().0;
    }
}

#[test]
fn a_cut_stream_is_opened_again_without_loss_or_repeat() {
    let mut scene = scene();
    let stream = scene.open("c");
    let ticks = "tick\n".repeat(50);
    scene.replay(&stream, &["head\n", &ticks, "half a li"]);
    scene.ms = 20_000;
    let cut = crate::model::FailureKind::Network {
        fault: crate::model::NetworkFault::Cut,
        sent: true,
    };
    scene.news(
        &stream,
        StreamNews::Failed(Failure {
            kind: cut,
            ..network(true)
        }),
    );
    let TailState::Retrying {
        attempt: 1, why, ..
    } = scene.state("c")
    else {
        panic!()
    };
    assert_eq!(why.as_str(), "the answer broke off");
    assert_eq!(scene.want("c"), [], "not before it is due");
    scene.wait_for_retry("c");
    let again = scene.open("c");
    let whole = format!("head\n{ticks}half a line\ntail\n");
    let (first, second) = whole.split_at(77);
    scene.replay(&again, &[first, second]);
    scene.end(&again, Ok(Some(0)));
    assert_eq!(scene.state("c"), TailState::Ended { exit: 0 });
    let mut wanted = vec!["head".to_owned()];
    wanted.extend(std::iter::repeat_n("tick".to_owned(), 50));
    wanted.extend(["half a line".to_owned(), "tail".to_owned()]);
    assert_eq!(scene.lines("c"), wanted);
}

#[test]
fn what_the_command_told_of_itself_is_in_the_list_of_commands_at_once() {
    let mut scene = scene();
    let listing = Listing {
        entries: vec![command("cmd", None)],
        ..Default::default()
    };
    scene
        .world
        .commands
        .insert(session("sbx_a"), Aged::new(listing, at(0)));
    let stream = scene.open("cmd");
    scene.replay(&stream, &["one\n"]);
    scene.end(&stream, Ok(Some(4)));
    let known = &scene.world.commands[&session("sbx_a")].value.entries[0];
    assert_eq!(known.exit_code.map(|exit| exit.0), Some(4));
}

#[test]
fn an_end_without_exit_code_is_a_cut() {
    let mut scene = scene();
    let stream = scene.open("c");
    scene.replay(&stream, &["one\n"]);
    scene.end(&stream, Ok(None));
    assert!(matches!(scene.state("c"), TailState::Retrying { .. }));
}

#[test]
fn lines_of_a_replay_have_no_time_and_live_ones_have() {
    let mut scene = scene();
    let stream = scene.open("c");
    assert_eq!(scene.state("c"), TailState::Connecting);
    scene.replay(&stream, &["old\n"]);
    assert_eq!(scene.state("c"), TailState::Replaying);
    scene.ms = next_due(&scene.world, Some(&key("c"))).unwrap().0;
    scene.want("c");
    assert_eq!(scene.state("c"), TailState::Live, "silence ends the burst");
    scene.news(&stream, StreamNews::Objects(vec![out("new\n")]));
    let store = &scene.world.tails[&key("c")].store;
    assert_eq!(store.get(0).line().unwrap().arrived, None);
    assert_eq!(
        store.get(1).line().unwrap().arrived,
        Some(at(scene.ms).wall)
    );
}

/// A build that prints all the time is not "replaying" for as long as it runs.
#[test]
fn steady_output_is_live_and_a_long_burst_is_not() {
    let mut scene = scene();
    let stream = scene.open("c");
    scene.news(&stream, StreamNews::Opened);
    let burst = "x".repeat(10_000);
    for (piece, until, state) in [
        (burst.as_str(), 3_000, TailState::Replaying),
        ("a line\n", 6_000, TailState::Live),
    ] {
        while scene.ms < until {
            scene.ms += 100;
            scene.news(&stream, StreamNews::Objects(vec![out(piece)]));
        }
        assert_eq!(scene.state("c"), state);
    }
}

#[test]
fn a_flood_without_end_is_live_in_the_end() {
    let mut scene = scene();
    let stream = scene.open("c");
    scene.news(&stream, StreamNews::Opened);
    let flood = "y\n".repeat(16_000);
    while scene.ms < 60_000 {
        assert_eq!(scene.state("c"), TailState::Replaying, "{}", scene.ms);
        scene.ms += 200;
        scene.news(&stream, StreamNews::Objects(vec![out(&flood)]));
    }
    assert_eq!(scene.state("c"), TailState::Live);
}

#[test]
fn another_telling_is_marked_and_both_are_kept() {
    let mut scene = scene();
    let stream = scene.open("c");
    scene.replay(&stream, &["first telling\n"]);
    scene.end(&stream, Ok(None));
    scene.wait_for_retry("c");
    let again = scene.open("c");
    scene.replay(&again, &["other telling\n", "more\n"]);
    let lines = scene.lines("c");
    assert_eq!(lines[0], "first telling");
    assert!(lines[1].contains("both are kept"), "{lines:?}");
    assert_eq!(lines[2..], ["other telling", "more"]);
}

#[test]
fn the_services_error_line_is_shown_once_and_lines_stay() {
    let mut scene = scene();
    let stream = scene.open("c");
    scene.replay(&stream, &["one\n"]);
    let error = LogObject::Error {
        code: Foreign::from("stream_failed"),
        message: Foreign::from("backend gone"),
    };
    let odd = LogObject::Piece {
        stream: StreamName::Other(Foreign::from("system")),
        data: "odd\n".into(),
    };
    scene.news(&stream, StreamNews::Objects(vec![odd, error]));
    scene.end(&stream, Err(status(410)));
    assert!(matches!(scene.state("c"), TailState::Unavailable { .. }));
    assert_eq!(
        scene.lines("c"),
        [
            "one",
            "odd",
            "the service ended the stream: backend gone (stream_failed)"
        ]
    );
}

#[test]
fn what_the_service_no_longer_has_is_unavailable_and_can_be_asked_for_again() {
    for code in [404, 410] {
        let mut scene = scene();
        let stream = scene.open("c");
        scene.news(&stream, StreamNews::Failed(status(code)));
        assert!(
            matches!(scene.state("c"), TailState::Unavailable { .. }),
            "{code}"
        );
        assert_eq!(scene.want("c"), [], "not by itself");
        retry_now(&mut scene.world, &key("c"), at(scene.ms));
        scene.open("c");
    }
}

#[test]
fn a_server_that_closes_at_once_is_not_hammered_and_in_the_end_given_up() {
    let mut scene = scene();
    let mut waits = Vec::new();
    while !matches!(
        scene.world.tails.get(&key("c")).map(|t| &t.follow.state),
        Some(TailState::GaveUp { .. })
    ) {
        let stream = scene.open("c");
        scene.news(&stream, StreamNews::Opened);
        scene.end(&stream, Ok(None));
        if let Some(due) = next_due(&scene.world, Some(&key("c"))) {
            waits.push(due.0 - scene.ms);
            scene.ms = due.0;
        }
    }
    assert_eq!(waits.len(), 10);
    assert!(waits[0] >= 1_000 && waits[9] >= 60_000, "{waits:?}");
    retry_now(&mut scene.world, &key("c"), at(scene.ms));
    scene.open("c");
}

#[test]
fn switching_to_and_fro_never_mixes_sources() {
    let mut scene = scene();
    let mut late = Vec::new();
    for turn in 0..10 {
        for id in ["a", "b"] {
            let effects = scene.want(id);
            let closed = effects
                .iter()
                .filter(|effect| matches!(effect, Effect::CloseStream(_)))
                .count();
            assert_eq!(closed, usize::from(turn > 0 || id == "b"), "{effects:?}");
            let Some(Effect::OpenStream(stream)) = effects.last() else {
                panic!("{effects:?}")
            };
            let stream = stream.clone();
            for old in &late {
                scene.news(old, StreamNews::Objects(vec![out("late\n")]));
            }
            let lines: Vec<String> = (0..=turn).map(|n| format!("{id}{n}\n")).collect();
            scene.replay(
                &stream,
                &lines.iter().map(String::as_str).collect::<Vec<_>>(),
            );
            late.push(stream);
            scene.ms += 50;
        }
    }
    for id in ["a", "b"] {
        let wanted: Vec<String> = (0..10).map(|n| format!("{id}{n}")).collect();
        assert_eq!(scene.lines(id), wanted);
    }
}

#[test]
fn a_half_open_stream_of_a_command_that_ended_is_closed() {
    let mut scene = scene();
    let stream = scene.open("cmd");
    scene.replay(&stream, &["one\n"]);
    scene.ms = 1_000;
    scene.want("cmd");
    assert_eq!(scene.state("cmd"), TailState::Live);
    let listing = Listing {
        entries: vec![command("cmd", Some(3))],
        ..Default::default()
    };
    scene
        .world
        .commands
        .insert(session("sbx_a"), Aged::new(listing, at(scene.ms)));
    scene.ms = next_due(&scene.world, Some(&key("cmd"))).unwrap().0;
    let effects = scene.want("cmd");
    assert_eq!(effects[0], Effect::CloseStream(stream));
    let Effect::OpenStream(again) = &effects[1] else {
        panic!("{effects:?}")
    };
    scene.replay(again, &["one\nthe rest\n"]);
    assert_eq!(scene.lines("cmd"), ["one", "the rest"]);
    // Dead once more: nothing more is to be had.
    scene.ms += 1_000;
    scene.want("cmd");
    scene.ms = next_due(&scene.world, Some(&key("cmd"))).unwrap().0;
    assert_eq!(scene.want("cmd"), [Effect::CloseStream(again.clone())]);
    assert_eq!(scene.state("cmd"), TailState::Ended { exit: 3 });
}

#[test]
fn beyond_the_memory_for_all_logs_the_one_looked_at_longest_ago_goes_and_says_so() {
    let mut scene = scene();
    for id in ["a", "b", "c"] {
        let stream = scene.open(id);
        scene.replay(&stream, &["line\n".repeat(4_000).as_str()]);
        scene.end(&stream, Ok(Some(0)));
        scene.ms += 1_000;
    }
    let held = |scene: &Scene, id: &str| scene.world.tails[&key(id)].store.bytes();
    scene.world.keeping.limits.file = 0;
    let room = held(&scene, "a") + held(&scene, "b") + held(&scene, "c") - 1;
    make_room(&mut scene.world, &[&key("c")], room, &mut Vec::new());
    assert_eq!(
        scene.lines("a"),
        ["4000 lines were let go: too many logs in memory"]
    );
    assert_eq!(scene.lines("b").len(), 4_000);
    make_room(&mut scene.world, &[&key("c")], 0, &mut Vec::new());
    assert_eq!(scene.lines("c").len(), 4_000, "never the one on screen");
    let again = scene.open("a");
    scene.replay(&again, &["line\n"]);
    assert_eq!(
        scene.lines("a").last().unwrap(),
        "line",
        "it can be read again"
    );
}

#[test]
fn after_a_clock_jump_an_open_stream_is_opened_anew() {
    let mut scene = scene();
    let stream = scene.open("c");
    scene.replay(&stream, &["one\n"]);
    scene.world.jumps += 1;
    let effects = scene.want("c");
    assert_eq!(effects[0], Effect::CloseStream(stream));
    assert!(matches!(effects[1], Effect::OpenStream(_)));
}

#[test]
fn what_ended_is_not_opened_again_by_looking() {
    let mut scene = scene();
    let stream = scene.open("c");
    scene.replay(&stream, &["one\n"]);
    scene.end(&stream, Ok(Some(1)));
    scene.want("d");
    assert_eq!(
        scene
            .want("c")
            .iter()
            .filter(|effect| matches!(effect, Effect::OpenStream(_)))
            .count(),
        0
    );
    assert_eq!(scene.state("c"), TailState::Ended { exit: 1 });
    assert_eq!(scene.lines("c"), ["one"]);
}

const MIB: usize = 1 << 20;

impl Scene {
    /// Carries out what the file's keeper is told to write, and returns all that it is told.
    fn keep(&mut self, wanted: &str) -> Vec<(StoreId, SpillOrder)> {
        let effects = keep(&mut self.world, Some(&key(wanted)), &[]);
        let orders = effects.into_iter().map(|effect| match effect {
            Effect::Spill(store, order) => (store, order),
            effect => panic!("{effect:?}"),
        });
        let orders: Vec<_> = orders.collect();
        for (store, order) in &orders {
            if let SpillOrder::Write(chunk) = order {
                spilled(&mut self.world, *store, SpillNews::Written(chunk.id()));
            }
        }
        orders
    }

    fn bytes(&self, id: &str) -> usize {
        self.world.tails[&key(id)].store.bytes()
    }

    fn away(&self, id: &str) -> u64 {
        self.world.tails[&key(id)].store.away()
    }

    /// Looks at a log that prints that much.
    fn print(&mut self, id: &str, bytes: usize) {
        self.ms += 1_000;
        let stream = self.open(id);
        self.keep(id);
        self.replay(&stream, &[&"0123456789abcde\n".repeat(bytes / 16)]);
    }
}

#[test]
fn what_is_over_a_log_s_memory_goes_to_the_file() {
    let mut scene = scene();
    scene.world.keeping.limits.memory = 2 * MIB;
    scene.print("a", 3 * MIB);
    let orders = scene.keep("a");
    assert!(
        orders
            .iter()
            .all(|(_, order)| matches!(order, SpillOrder::Write(_)))
    );
    assert!(scene.bytes("a") <= 2 * MIB && scene.away("a") > MIB as u64);
    assert_eq!(scene.world.tails[&key("a")].store.dropped_lines(), 0);
    assert_eq!(scene.keep("a"), []);
}

#[test]
fn beyond_the_memory_for_all_logs_the_one_looked_at_longest_ago_goes_to_the_file() {
    let mut scene = scene();
    for id in ["a", "b", "c"] {
        scene.print(id, 3 * MIB);
    }
    scene.world.keeping.limits.memory_in_all = scene.bytes("b") + scene.bytes("c") + MIB;
    scene.keep("c");
    assert!(scene.away("a") > 0 && scene.away("b") == 0 && scene.away("c") == 0);
    assert_eq!(
        scene.world.tails[&key("a")].store.first(),
        0,
        "nothing is lost"
    );
    scene.world.keeping.limits.memory_in_all = scene.bytes("c");
    scene.keep("c");
    assert!(scene.away("b") > 2 * MIB as u64 && scene.away("c") == 0);
}

#[test]
fn a_full_file_gives_up_the_oldest_of_the_log_looked_at_longest_ago() {
    let mut scene = scene();
    scene.world.keeping.limits.memory = MIB;
    scene.print("a", 3 * MIB);
    scene.keep("a");
    scene.print("b", 3 * MIB);
    scene.keep("b");
    let (a, b) = (scene.away("a"), scene.away("b"));
    scene.world.keeping.limits.file = a / 2 + b;
    let orders = scene.keep("b");
    let of_a = scene.world.tails[&key("a")].store_id;
    let frees = |(store, order): &(StoreId, SpillOrder)| {
        *store == of_a && matches!(order, SpillOrder::Free(_))
    };
    assert!(!orders.is_empty() && orders.iter().all(frees), "{orders:?}");
    assert!(scene.away("a") <= a / 2 && scene.away("b") == b);
    assert!(
        scene.world.tails[&key("a")].store.dropped_lines() > 0,
        "counted"
    );
    // Without a file nothing is kept there.
    scene.world.keeping.limits.file = 0;
    scene.keep("b");
    assert_eq!((scene.away("a"), scene.away("b")), (0, 0));
    assert!(scene.bytes("b") <= MIB);
}

#[test]
fn a_full_disk_is_said_once_and_what_is_dropped_is_counted() {
    let mut scene = scene();
    scene.world.keeping.limits.memory = MIB;
    scene.print("a", 3 * MIB);
    let mut said = Vec::new();
    for _ in 0..3 {
        for effect in keep(&mut scene.world, Some(&key("a")), &[]) {
            let Effect::Spill(store, SpillOrder::Write(chunk)) = effect else {
                panic!("{effect:?}")
            };
            let news = SpillNews::NotWritten(chunk.id(), "no room".into());
            said.extend(spilled(&mut scene.world, store, news));
        }
    }
    assert_eq!(said.len(), 1);
    assert!(said[0].as_str().contains("no room"), "{}", said[0]);
    let store = &scene.world.tails[&key("a")].store;
    assert!(store.dropped_lines() > 0 && store.dropped_lines() == store.first());
    assert!(store.bytes() <= MIB);
}

#[test]
fn news_of_a_log_that_was_let_go_change_nothing() {
    let mut scene = scene();
    scene.world.keeping.limits.memory = MIB;
    scene.print("a", 3 * MIB);
    let orders = scene.keep("a");
    let (old, SpillOrder::Write(chunk)) = orders[0].clone() else {
        panic!()
    };
    scene.print("b", 16);
    let mut effects = Vec::new();
    scene.world.keeping.limits.file = 0;
    make_room(&mut scene.world, &[&key("b")], 0, &mut effects);
    assert_eq!(
        effects.last(),
        Some(&Effect::Spill(old, SpillOrder::FreeAll))
    );
    assert_eq!(scene.lines("a").len(), 1);
    spilled(&mut scene.world, old, SpillNews::Read(chunk));
    assert_eq!(scene.lines("a").len(), 1);
}
