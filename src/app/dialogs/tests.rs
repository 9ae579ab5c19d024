//! Questions, key by key: what an answer gives back to the whole.

use super::{DeleteQuestion, ExtendQuestion, KillQuestion, Meant, Outcome, Results, StopQuestion};
use crate::logic::{Deed, Mono, Now, Operations, Purpose, World};
use crate::model::{
    CommandId, CommandKey, Failure, Sandbox, SandboxKey, SessionId, Span, Timestamp,
};
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use serde_json::json;

fn world(names: &[&str]) -> (World, Vec<SandboxKey>) {
    let mut world = World::default();
    let keys = names.iter().map(|name| {
        let fields = json!({
            "name": name, "createdAt": 1, "status": "running", "currentSessionId": format!("sbx_{name}"),
        });
        let sandbox: Sandbox = serde_json::from_value(fields).unwrap();
        let key = sandbox.key();
        world.saw(sandbox, now());
        key
    });
    let keys = keys.collect();
    (world, keys)
}

fn now() -> Now {
    Now {
        mono: Mono(1000),
        wall: Timestamp(1000),
    }
}

fn meant(deed: &Deed, names: &[&str]) -> Meant {
    let (world, keys) = world(names);
    Meant::of(deed, &keys, &world, |_| true)
}

fn press(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, KeyModifiers::NONE)
}

/// Types the words and then presses these; what the last one gave.
fn answer(mut key: impl FnMut(KeyEvent) -> Outcome, words: &str, then: &[KeyCode]) -> Outcome {
    for c in words.chars() {
        assert_eq!(key(press(KeyCode::Char(c))), Outcome::Open, "{words}");
    }
    let outcomes: Vec<Outcome> = then.iter().map(|code| key(press(*code))).collect();
    outcomes.last().cloned().unwrap()
}

fn deed(outcome: Outcome) -> Option<Deed> {
    match outcome {
        Outcome::Confirmed(deed, _) => Some(deed),
        Outcome::Open | Outcome::Closed => None,
        other => panic!("{other:?}"),
    }
}

const TAB: KeyCode = KeyCode::Tab;
const ENTER: KeyCode = KeyCode::Enter;

#[test]
fn a_duration_is_read_as_people_write_it() {
    let minutes = |count| Some(Span::minutes(count));
    for (words, by) in [
        ("90s", Some(Span::seconds(90))),
        ("20m", minutes(20)),
        ("2 h", minutes(120)),
        ("1h30m", minutes(90)),
        (" 20 ", minutes(20)),
        ("7", minutes(7)),
        ("168h", minutes(168 * 60)),
        ("169h", None),
        ("0", None),
        ("0s", None),
        ("-5", None),
        ("5 days", None),
        ("1h30", None),
        ("m", None),
        ("1.5h", None),
        ("９m", None),
        ("9223372036854775807h", None),
        ("99999999999999999999m", None),
    ] {
        let mut question = ExtendQuestion::new(meant(&Deed::Extend { by: Span(0) }, &["box"]));
        let given = answer(|event| question.key(event), words, &[ENTER]);
        assert_eq!(deed(given), by.map(|by| Deed::Extend { by }), "{words:?}");
    }
}

#[test]
fn a_signal_is_chosen_or_named_or_numbered() {
    let command = CommandKey {
        session: SessionId::new("sbx_box"),
        command: CommandId::new("cmd_1"),
    };
    let (up, down) = (KeyCode::Up, KeyCode::Down);
    for (words, then, signal) in [
        ("", vec![TAB, ENTER], Some(15)),
        ("", vec![ENTER], None),
        ("", vec![down, down, up, TAB, ENTER], Some(2)),
        ("", vec![up, up, TAB, ENTER], Some(15)),
        ("", [vec![down; 30], vec![TAB, ENTER]].concat(), Some(12)),
        ("kill", vec![TAB, ENTER], Some(9)),
        ("SIGCONT", vec![TAB, ENTER], Some(18)),
        ("34", vec![TAB, ENTER], Some(34)),
        ("0", vec![TAB, ENTER], None),
        ("-9", vec![TAB, ENTER], None),
        ("SIGSIGKILL", vec![TAB, ENTER], None),
    ] {
        let kill = |signal| Deed::Kill {
            command: command.clone(),
            signal,
        };
        let mut question = KillQuestion::new(meant(&kill(0), &["box"]), command.clone());
        let given = answer(|event| question.key(event), words, &then);
        assert_eq!(deed(given), signal.map(kill), "{words:?} {then:?}");
    }
}

#[test]
fn what_has_to_be_typed_is_the_name_or_else_something_that_can_be() {
    for (names, words, is_deleted) in [
        (&["box"][..], "box", true),
        (&["box"], "Box", false),
        (&["box"], " box ", true),
        (&["box"], "delete", false),
        (&["a", "b"], "2 delete", true),
        (&["a", "b"], "2  delete", false),
        (&["a", "b"], "a", false),
        (&["漢字"], "delete", true),
        (&["two words"], "delete", true),
        (&["\u{1b}[2J"], "delete", true),
    ] {
        let deletion = Deed::Delete { orphans: false };
        let mut question = DeleteQuestion::new(meant(&deletion, names));
        let given = answer(|event| question.key(event), words, &[TAB, ENTER]);
        let wanted = is_deleted.then_some(deletion);
        assert_eq!(deed(given), wanted, "{names:?} {words:?}");
    }
}

/// An answer is about those that were named when the question was asked, whatever became of them.
#[test]
fn a_yes_is_about_those_that_were_named() {
    let (mut world, keys) = world(&["a", "b"]);
    let mut question = StopQuestion::new(Meant::of(&Deed::Stop, &keys, &world, |_| true));
    let named = question.meant.targets.clone();
    world.lost(&keys[0]);
    question.follow(&world);
    let given = question.key(press(KeyCode::Char('y')));
    assert_eq!(given, Outcome::Confirmed(Deed::Stop, named));
    let held =
        KeyEvent::new_with_kind(KeyCode::Char('y'), KeyModifiers::NONE, KeyEventKind::Repeat);
    assert_eq!(question.key(held), Outcome::Open);
}

/// They open by themselves: a key that was meant for something else must not send anything once more.
#[test]
fn results_send_again_only_by_their_own_key() {
    let (mut world, keys) = world(&["a", "b"]);
    let (targets, _) = Deed::Stop.targets(&keys, &world);
    let mut operations = Operations::default();
    let id = operations.confirmed(Deed::Stop, targets, Span(0), now());
    let mut results = Results::new(id);
    let mut calls = crate::logic::Calls::default();
    operations.tick(&mut calls, &mut world, now());
    let failure = Failure {
        call: "read sandbox",
        request: "GET /x".into(),
        kind: crate::model::FailureKind::Unreadable,
        causes: Vec::new(),
    };
    for at in 0..2 {
        results.follow(&operations);
        let early = results.key(press(KeyCode::Char('R')));
        assert_eq!(early, Outcome::Open, "not all are through");
        let look = Purpose::Look {
            operation: id,
            target: at,
        };
        operations.answered(&look, Err(&failure), &mut calls, &mut world, now());
    }
    results.follow(&operations);
    for code in [
        KeyCode::Char('y'),
        KeyCode::Char('r'),
        KeyCode::Char(' '),
        TAB,
    ] {
        assert_eq!(results.key(press(code)), Outcome::Open, "{code:?}");
    }
    assert_eq!(results.key(press(KeyCode::Char('R'))), Outcome::Retry(id));
}
