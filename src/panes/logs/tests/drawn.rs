//! What is drawn.

use super::{Stage, build};
use crate::logic::{Action, Link, Mono, Pane, StreamNews, TailState};
use crate::model::StreamName;
use crate::panes::logs::{draw, title};
use crate::panes::testing::{HOSTILE, Scene, assert_harmless, at, command, command_key};
use crate::ui::testing::{dump_styled, plain, screen};
use proptest::prelude::*;
use serde_json::json;

fn built(width: u16, height: u16) -> Stage {
    let mut scene = build();
    scene.now = at(103);
    Stage::new(scene, width, height)
}

#[test]
fn narrow_and_low() {
    let mut stage = built(40, 10);
    insta::assert_snapshot!("commands_40x10", stage.screen());
    stage.scene.pane = Pane::Lines;
    stage.settle();
    insta::assert_snapshot!("lines_40x10", stage.screen());
}

#[test]
fn narrow_and_high() {
    insta::assert_snapshot!("40x20", built(40, 20).screen());
    insta::assert_snapshot!("80x20", built(80, 20).screen());
}

#[test]
fn beside_each_other() {
    let mut stage = built(120, 30);
    stage.scene.pane = Pane::Lines;
    insta::assert_snapshot!("120x30", stage.screen());
}

#[test]
fn without_colour() {
    let mut stage = built(100, 8);
    stage.scene.theme = plain();
    insta::assert_snapshot!("plain_100x8", dump_styled(&stage.buffer()));
}

#[test]
fn with_colour() {
    insta::assert_snapshot!("colour_100x8", dump_styled(&built(100, 8).buffer()));
}

#[test]
fn scrolled_back() {
    let (mut stage, key) = Stage::reading(80, 10);
    stage.prints_lines(&key, 0..50);
    stage.act(Action::PageUp);
    stage.prints_lines(&key, 50..54);
    insta::assert_snapshot!("scrolled_80x10", stage.screen());
}

#[test]
fn the_titles_say_what_the_stream_does() {
    let (mut stage, key) = Stage::reading(80, 10);
    stage.scene.now = at(130);
    let states = [
        (TailState::Closed, "not followed"),
        (TailState::Connecting, "connecting · 20 s"),
        (TailState::Replaying, "replaying · 20 s"),
        (TailState::Live, "live · no output yet · 20 s"),
        (TailState::Asking, "ended · asking how"),
        (TailState::Ended { exit: 0 }, "ended · exit 0"),
        (TailState::Ended { exit: 137 }, "ended · killed 137"),
        (
            TailState::Retrying {
                at: Mono(134_000),
                attempt: 2,
                why: "the stream was cut".into(),
            },
            "dropped · retrying in 4 s",
        ),
        (
            TailState::GaveUp { why: "no".into() },
            "gave up · r retries",
        ),
        (
            TailState::Unavailable {
                why: "read logs: 410 gone".into(),
            },
            "unavailable · 20 s",
        ),
    ];
    for (state, said) in states {
        let tail = stage.scene.world.tails.get_mut(&key).unwrap();
        tail.follow.state = state;
        tail.follow.since = Mono(110_000);
        stage.settle();
        let shown: String = title::stream(&stage.scene.world.tails[&key], &stage.scene.ctx())
            .iter()
            .map(|piece| piece.as_str())
            .collect();
        assert_eq!(shown, said);
        assert!(stage.screen().contains(said), "{}", stage.screen());
    }
    assert!(stage.screen().contains("read logs: 410 gone"));
    let tail = stage.scene.world.tails.get_mut(&key).unwrap();
    (tail.follow.state, tail.follow.last_piece) = (TailState::Live, Some(Mono(127_000)));
    assert!(stage.screen().contains("live · last output 3 s ago"));
}

#[test]
fn empty_states_say_why() {
    let mut stage = Stage::new(Scene::default(), 80, 10);
    assert!(stage.screen().contains("No sandbox is selected."));
    stage
        .scene
        .sandbox("web", &json!({"currentSessionId": null}));
    stage.settle();
    assert!(stage.screen().contains("It has no session yet."));
    let mut stage = Stage::new(Scene::default(), 100, 10);
    stage.scene.sandbox("web", &json!({}));
    stage.settle();
    assert!(stage.screen().contains("Reading the commands…"));
    stage.scene.world.link = Link::Retrying {
        at: Mono(104_000),
        attempt: 1,
        why: "429".into(),
        offline: false,
    };
    assert!(
        stage.screen().contains("retry in 4 s · 429"),
        "{}",
        stage.screen()
    );
    stage.scene.commands("web", &[]);
    stage.settle();
    assert!(
        stage
            .screen()
            .contains("No command was run in this session")
    );
    assert!(stage.screen().contains("No command is chosen."));
}

/// NT01: clocks that disagree, times that cannot be.
#[test]
fn odd_times_are_told_as_they_are() {
    let mut scene = Scene::default();
    scene.sandbox("web", &json!({}));
    let commands = [
        json!({"id": "c1", "name": "future", "startedAt": 1_790_000_700_000_i64, "exitCode": null}),
        json!({"id": "c2", "name": "absurd", "startedAt": 9e15, "exitCode": 0, "durationMs": -5}),
        json!({"id": "c3", "name": "huge", "startedAt": -1, "exitCode": 1.5e300, "durationMs": 9e18}),
        json!({"id": "c4"}),
    ];
    scene.commands("web", &commands);
    insta::assert_snapshot!("odd_times", Stage::new(scene, 120, 9).screen());
}

fn hostile() -> Scene {
    let mut scene = Scene {
        pane: Pane::Lines,
        ..Scene::default()
    };
    scene.sandbox(HOSTILE, &json!({}));
    let name = HOSTILE.to_owned();
    scene.commands(&name, &[command(HOSTILE, HOSTILE, 1, None)]);
    let key = command_key(HOSTILE, HOSTILE);
    scene.open(&key);
    scene.prints(
        &key,
        &StreamName::Other(HOSTILE.into()),
        &format!("{HOSTILE}\n"),
    );
    scene.prints(&key, &StreamName::Stderr, "\u{1b}]0;no end\nvisible\n");
    let words = "\u{1b}P+q\u{1b}\\\u{1b}_x\u{1b}\\\u{1b}cx\u{8}\u{8}\u{b}\u{9b}2J";
    scene.prints(&key, &StreamName::Stdout, words);
    scene
        .world
        .commands
        .values_mut()
        .for_each(|listing| listing.trouble(crate::text::clean(&HOSTILE.into()), at(1)));
    scene.news(&key, StreamNews::Ended);
    scene
}

/// LR02: nothing of it reaches a cell; what follows is there.
#[test]
fn hostile_text_is_harmless() {
    let stage = Stage::new(hostile(), 100, 14);
    let screen = stage.screen();
    assert!(screen.contains("visible"), "{screen}");
    assert!(
        !screen.contains("[31m") && !screen.contains("52;c") && !screen.contains("2J"),
        "{screen}"
    );
    insta::assert_snapshot!("hostile", screen);
}

proptest! {
    /// RS05, UW01, UW03.
    #[test]
    fn any_size_is_safe(width in 0..30_u16, height in 0..10_u16, lines in any::<bool>(), right in 0..3_usize) {
        let mut stage = Stage::new(hostile(), width, height);
        if !lines {
            stage.scene.pane = Pane::Stage;
        }
        stage.settle();
        for _ in 0..right {
            stage.act(Action::Right);
        }
        // Drawn into the middle of a screen, it stays in its area.
        let buffer = screen(40, 14, |buffer, _| {
            let area = ratatui::layout::Rect::new(3, 2, width, height);
            draw(&stage.state, &stage.scene.world, &stage.scene.ctx(), area, buffer);
        });
        assert_harmless(&buffer);
        for y in 0..14 {
            for x in 0..40 {
                let inside = (3..3 + width).contains(&x) && (2..2 + height).contains(&y);
                prop_assert!(inside || buffer[(x, y)].symbol() == " ", "{x} {y}");
            }
        }
    }
}
