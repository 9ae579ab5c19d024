//! The states of a stream one by one: what leads there, what is kept, and what leads out of it.

use super::*;
use crate::logic::Now;
use crate::logic::tail::outlook;
use crate::model::{FailureKind, NetworkFault, SessionId, Status, Timestamp};

fn cut() -> Failure {
    Failure {
        kind: FailureKind::Network {
            fault: NetworkFault::Cut,
            sent: true,
        },
        ..network(true)
    }
}

impl Scene {
    fn fail(&mut self, stream: &StreamId, failure: Failure) {
        self.news(stream, StreamNews::Failed(failure));
    }

    /// What a reading of the session says.
    fn session_is(&mut self, status: Status) {
        let told = serde_json::from_value(serde_json::json!({ "id": "sbx_a" }));
        let mut told: crate::model::Session = told.unwrap();
        told.status = Some(status);
        let sandbox = serde_json::from_value(serde_json::json!({ "name": "a" }));
        let sandbox: crate::model::Sandbox = sandbox.unwrap();
        let mut listing = Aged::<Listing<crate::model::Session>>::default();
        listing.renew(vec![told], false, at(self.ms));
        self.world.sessions.insert(sandbox.key(), listing);
    }

    /// The list of commands says that.
    fn listed(&mut self, id: &str, exit: Option<i64>) {
        let mut listing = Aged::<Listing<crate::model::Command>>::default();
        listing.renew(vec![command(id, exit)], false, at(self.ms));
        self.world.commands.insert(session("sbx_a"), listing);
    }
}

#[test]
fn waits_grow_are_capped_and_differ_between_two_programs() {
    let waits = |wall: i64| {
        let mut scene = scene();
        let mut waits = Vec::new();
        for _ in 0..10 {
            let stream = scene.open("c");
            let now = Now {
                wall: Timestamp(wall),
                ..at(scene.ms)
            };
            let failed = StreamNews::Failed(cut());
            news(&mut scene.world, &mut scene.calls, &stream, failed, now);
            let due = next_due(&scene.world, Some(&key("c"))).unwrap().0;
            waits.push(due - scene.ms);
            scene.ms = due;
        }
        waits
    };
    let (one, other) = (waits(1_790_000_000_000), waits(1_790_000_000_001));
    for waits in [&one, &other] {
        for (attempt, wait) in waits.iter().enumerate() {
            let base = (1_000_u64 << attempt).min(60_000);
            assert!(
                (base..=base + base / 4).contains(wait),
                "{attempt}: {waits:?}"
            );
        }
    }
    assert_ne!(one, other);
}

/// What brings something new each time is never given up, and is not hammered either.
#[test]
fn a_stream_that_always_breaks_and_always_goes_on_is_followed_to_its_end() {
    let mut scene = scene();
    let mut whole = String::new();
    for turn in 0..40 {
        whole += &format!("line {turn}\n");
        let stream = scene.open("c");
        let opened = scene.ms;
        scene.replay(&stream, &[&whole]);
        scene.fail(&stream, cut());
        assert!(matches!(
            scene.state("c"),
            TailState::Retrying { attempt: 1, .. }
        ));
        scene.wait_for_retry("c");
        assert!(scene.ms >= opened + 1_000);
    }
    assert_eq!(scene.lines("c").len(), 40);
}

/// LT04: the log cannot be had for minutes. What may pass is tried again by itself, and waits visibly; what does not
/// pass says so and wants a key.
#[test]
fn a_log_that_cannot_be_had_for_minutes_comes_back_or_says_that_it_gave_up() {
    for code in [429, 500, 503] {
        let mut scene = scene();
        while scene.ms < 180_000 {
            let stream = scene.open("c");
            scene.fail(&stream, status(code));
            let TailState::Retrying { at, why, .. } = scene.state("c") else {
                panic!("{code}: {:?}", scene.state("c"))
            };
            assert!(at.0 > scene.ms && why.as_str() == code.to_string());
            scene.wait_for_retry("c");
        }
        let stream = scene.open("c");
        scene.replay(&stream, &["here\n"]);
        assert_eq!(scene.lines("c"), ["here"], "{code}");
    }
    for code in [404, 410, 409, 422] {
        let mut scene = scene();
        let stream = scene.open("c");
        scene.fail(&stream, status(code));
        match scene.state("c") {
            TailState::Unavailable { why } if matches!(code, 404 | 410) => {
                assert!(why.as_str().contains(&code.to_string()));
            }
            TailState::GaveUp { why } => assert!(why.as_str().contains(&code.to_string())),
            state => panic!("{code}: {state:?}"),
        }
        scene.ms += 180_000;
        assert_eq!(
            (scene.want("c"), next_due(&scene.world, Some(&key("c")))),
            (Vec::new(), None)
        );
        retry_now(&mut scene.world, &key("c"), at(scene.ms));
        let stream = scene.open("c");
        scene.replay(&stream, &["here\n"]);
        assert_eq!(scene.lines("c"), ["here"], "{code}");
    }
}

#[test]
fn r_tries_at_once_what_waits() {
    let mut scene = scene();
    let stream = scene.open("c");
    scene.fail(&stream, cut());
    assert_eq!(scene.want("c"), []);
    retry_now(&mut scene.world, &key("c"), at(scene.ms));
    scene.open("c");
}

/// A connection that nobody closed, of a session that is over.
#[test]
fn a_silent_stream_of_an_ended_session_is_unavailable_and_keeps_its_lines() {
    let mut scene = scene();
    let stream = scene.open("c");
    scene.replay(&stream, &["kept\n"]);
    scene.session_is(Status::Running);
    scene.ms += 60_000;
    assert_eq!(scene.want("c"), [], "silence alone is no fault");
    scene.session_is(Status::Stopped);
    scene.news(&stream, StreamNews::Objects(vec![out("still comes\n")]));
    assert_eq!(scene.want("c"), []);
    scene.ms += 5_000;
    assert_eq!(scene.want("c"), [Effect::CloseStream(stream)]);
    let TailState::Unavailable { why } = scene.state("c") else {
        panic!()
    };
    assert!(why.as_str().contains("session has ended"));
    assert_eq!(scene.lines("c"), ["kept", "still comes"]);
    assert_eq!(next_due(&scene.world, Some(&key("c"))), None);
    retry_now(&mut scene.world, &key("c"), at(scene.ms));
    scene.open("c");
}

#[test]
fn another_session_s_end_is_none_of_ours() {
    let mut scene = scene();
    scene.session_is(Status::Stopped);
    let other = CommandKey {
        session: SessionId::new("sbx_b"),
        command: CommandId::new("c"),
    };
    assert!(!outlook(&scene.world, &other, true).session_over);
    assert!(outlook(&scene.world, &key("c"), true).session_over);
}

/// The edge may have cut the stream, and the command have written more before it was asked.
#[test]
fn an_end_that_may_be_a_cut_is_followed_by_one_more_reading() {
    let mut scene = scene();
    let stream = scene.open("c");
    scene.replay(&stream, &["one\n"]);
    scene.ms = 300_000;
    scene.end(&stream, Ok(Some(4)));
    assert!(matches!(scene.state("c"), TailState::Retrying { .. }));
    scene.wait_for_retry("c");
    let again = scene.open("c");
    scene.replay(&again, &["one\nthe last\n"]);
    scene.end(&again, Ok(Some(4)));
    assert_eq!(scene.state("c"), TailState::Ended { exit: 4 });
    assert_eq!(scene.lines("c"), ["one", "the last"]);
}

#[test]
fn the_end_of_a_log_whose_command_had_ended_before_is_its_end() {
    let mut scene = scene();
    scene.listed("c", Some(4));
    let stream = scene.open("c");
    scene.replay(&stream, &["one\n"]);
    scene.ms = 300_000;
    scene.end(&stream, Ok(Some(4)));
    assert_eq!(scene.state("c"), TailState::Ended { exit: 4 });
}

/// LT09: the service's own fault is no end of the command's output.
#[test]
fn after_a_fault_of_the_service_the_rest_is_read() {
    let mut scene = scene();
    let stream = scene.open("c");
    scene.replay(&stream, &["one\n"]);
    let error = LogObject::Error {
        code: Foreign::from("stream_failed"),
        message: Foreign::from("backend gone"),
    };
    scene.news(&stream, StreamNews::Objects(vec![error]));
    scene.end(&stream, Ok(Some(0)));
    scene.wait_for_retry("c");
    let again = scene.open("c");
    scene.replay(&again, &["one\ntwo\n"]);
    scene.end(&again, Ok(Some(0)));
    assert_eq!(scene.state("c"), TailState::Ended { exit: 0 });
    assert_eq!(scene.lines("c")[2], "two");
}

/// As the stream of a command that was just run: it tells the exit code itself.
#[test]
fn a_stream_that_told_the_exit_code_is_over_however_it_ends() {
    for end in [StreamNews::Ended, StreamNews::Failed(cut())] {
        let mut scene = scene();
        let stream = scene.open("c");
        scene.replay(&stream, &["one\n"]);
        let told = LogObject::Command(Box::new(command("c", Some(6))));
        scene.news(&stream, StreamNews::Objects(vec![told]));
        assert_eq!(scene.news(&stream, end), [], "nobody need be asked");
        assert_eq!(scene.state("c"), TailState::Ended { exit: 6 });
    }
}
