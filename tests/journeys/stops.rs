//! Stopping: only what a dialog named, only after a yes, and never in read-only mode.

use super::scene::{EPOCH, Scene, of_kind, options};
use super::{LEFT, at_row, stops, twenty};
use crossterm::event::KeyEventKind;
use sandtop::app::Options;
use sandtop::logic::{ACTIONS, Call, Class, Event, Keymap, Valid};
use sandtop::model::{SessionId, Status};
use serde_json::json;

#[test]
fn stop_right_after_a_reorder_hits_what_the_dialog_named() {
    let mut scene = at_row(twenty(), 5);
    scene
        .service
        .set_status("box-15", Status::Stopped, scene.now);
    (0..3).for_each(|n| scene.service.add(&format!("new-{n}"), json!({})));
    scene.refresh();
    scene.press("x");
    assert!(scene.shows("Stop box-05 now?"), "{}", scene.screen());
    scene.service.add("newer", json!({}));
    scene.refresh().press("y").answer();
    assert_eq!(stops(&scene), ["sbx_box-05"]);
}

#[test]
fn every_key_at_every_place_changes_nothing_without_a_yes() {
    for place in ["1", "1 enter", "1 enter enter", "1 enter ]", "6"] {
        every_key_changes_nothing_at(place);
    }
}

fn every_key_changes_nothing_at(place: &str) {
    let mut service = twenty();
    service.runs("box-03", "cmd_1", "npm run dev", None);
    let mut scene = at_row(service, 3);
    let plain = (' '..='~').map(|c| c.to_string().replace(' ', "space"));
    let named = [
        "enter",
        "esc",
        "tab",
        "shift-tab",
        "up",
        "down",
        "left",
        "right",
        "pgup",
        "pgdn",
        "home",
        "end",
        "delete",
    ];
    let ctrl = ('a'..='z').map(|c| format!("ctrl-{c}"));
    scene.press(place).answer();
    for name in plain
        .chain(named.map(str::to_owned))
        .chain(ctrl)
        .filter(|name| name != "+")
    {
        // Each from a quiet dashboard, held for a while, and the dialog left by esc.
        for kind in [
            KeyEventKind::Press,
            KeyEventKind::Repeat,
            KeyEventKind::Press,
            KeyEventKind::Release,
        ] {
            scene.send(of_kind(&name, kind)).answer();
        }
        scene.press("esc esc esc esc esc").press(place).answer();
    }
    assert_eq!(scene.changes(), Vec::<&Call>::new(), "{place}");
}

/// Held, a key opens one dialog, and what it types there or repeats is no answer.
#[test]
fn a_held_key_opens_one_dialog_and_answers_none() {
    for name in ["x", "delete", "ctrl-k", "e", "!", "n", ".", "t"] {
        let mut service = twenty();
        service.runs("box-03", "cmd_1", "npm run dev", None);
        let mut scene = at_row(service, 3);
        scene.press("enter").answer();
        let calm = scene.screen();
        for kind in [KeyEventKind::Press, KeyEventKind::Repeat].repeat(30) {
            scene.send(of_kind(name, kind)).answer();
        }
        assert_ne!(scene.screen(), calm, "{name}");
        assert_eq!(scene.changes(), Vec::<&Call>::new(), "{name}");
        scene.press("esc").answer();
        assert_eq!(scene.screen(), calm, "{name}: one dialog");
    }
}

/// What cannot be read cannot be answered.
#[test]
fn a_question_that_nobody_can_see_is_not_answered() {
    for (width, height) in [(20, 5), (1, 1)] {
        for keys in ["y", "tab enter", "right enter", "down down enter"] {
            let mut scene = at_row(twenty(), 3);
            scene.press("x").resize(width, height).press(keys).answer();
            assert_eq!(stops(&scene).len(), 0, "{keys} at {width}x{height}");
            scene.mouse(LEFT, 0, 0).answer();
            scene.resize(80, 24);
            scene.press("esc").answer();
            assert!(!scene.shows("Stop box-03 now?"), "{}", scene.screen());
            assert_eq!(stops(&scene).len(), 0);
        }
    }
}

#[test]
fn releases_and_repeats_do_not_act_twice() {
    let mut scene = at_row(twenty(), 0);
    scene
        .send(of_kind("j", KeyEventKind::Press))
        .send(of_kind("j", KeyEventKind::Release));
    assert_eq!(scene.selected(), Some("box-01"));
    scene.send(of_kind("j", KeyEventKind::Repeat));
    assert_eq!(scene.selected(), Some("box-02"));
    scene.send(of_kind("x", KeyEventKind::Repeat));
    assert!(!scene.shows("Stop box-02"));
    scene
        .send(of_kind("x", KeyEventKind::Press))
        .send(of_kind("x", KeyEventKind::Release));
    (0..20).for_each(|_| {
        scene
            .send(of_kind("x", KeyEventKind::Repeat))
            .send(of_kind("x", KeyEventKind::Press));
    });
    scene
        .send(of_kind("y", KeyEventKind::Repeat))
        .send(of_kind("y", KeyEventKind::Release))
        .answer();
    assert!(scene.shows("Stop box-02"));
    scene.press("esc");
    assert!(!scene.shows("Stop box-02"), "one dialog was opened");
    assert_eq!(scene.changes().len(), 0);
}

#[test]
fn stop_dialog_answers_to_every_way() {
    let harmless = [
        "esc",
        "n",
        "q",
        "enter",
        "tab tab enter",
        "right left enter",
        "shift-tab shift-tab enter",
    ];
    for keys in harmless {
        let mut scene = at_row(twenty(), 2);
        scene.press("x").press(keys).answer();
        assert!(!scene.shows("Stop box-02 now?"), "{keys}");
        assert_eq!(stops(&scene).len(), 0, "{keys}");
    }
    for keys in [
        "y",
        "right enter",
        "tab enter",
        "down enter",
        "shift-tab enter",
        "l enter",
    ] {
        let mut scene = at_row(twenty(), 2);
        scene.press("x").press(keys).answer();
        assert_eq!(stops(&scene), ["sbx_box-02"], "{keys}");
    }
}

#[test]
fn stop_dialog_answers_to_the_mouse() {
    for (button, stopped) in [("[ Stop ]", 1), ("Cancel ]", 0)] {
        let mut scene = at_row(twenty(), 2);
        scene.press("x").answer();
        let (column, row) = scene.find(button).unwrap();
        scene.mouse(LEFT, 3, 3);
        assert!(
            scene.shows("Stop box-02 now?"),
            "a click beside the dialog does nothing"
        );
        scene.mouse(LEFT, column + 2, row).answer();
        assert!(!scene.shows("Stop box-02 now?"));
        assert_eq!(stops(&scene).len(), stopped);
    }
}

#[test]
fn stop_tells_what_is_lost_and_what_was_asked_for() {
    let mut service = twenty();
    service.runs("box-01", "cmd_1", "npm run dev", None);
    service.runs("box-01", "cmd_2", "npm ci", Some(0));
    service.get("box-01").persistent = Some(false);
    let mut scene = at_row(service, 1);
    scene.press("x").answer();
    let screen = scene.screen();
    for words in [
        "destructive",
        "Stop box-01 now?",
        "npm run dev",
        "lost: this sandbox is not persistent",
    ] {
        assert!(screen.contains(words), "{words}\n{screen}");
    }
    // The second look is under way, then the stop; only its answer is the truth.
    scene.press("y");
    assert_eq!(stops(&scene).len(), 0);
    assert_eq!(
        scene.calls.last(),
        Some(&Call::GetSandbox(sandtop::model::SandboxName::new(
            "box-01"
        )))
    );
    scene.answer();
    assert!(
        scene.shows("box-01 is stopped") && scene.shows("○ stopped"),
        "{}",
        scene.screen()
    );
}

#[test]
fn stop_dialog_keeps_its_answers_in_sight() {
    let mut service = twenty();
    for n in 0..9 {
        let script = format!("sh -c {}", "while true; do sleep 1; done; ".repeat(100));
        service.runs("box-01", &format!("cmd_{n}"), &script, None);
    }
    let mut scene = at_row(service, 1);
    scene.resize(80, 24).press("x").answer();
    for words in [
        "Stop box-01 now?",
        "files",
        "runs",
        "[▸Cancel ]",
        "[ Stop ]",
    ] {
        assert!(scene.shows(words), "{words}\n{}", scene.screen());
    }
    assert!(scene.shows("and 5 more"), "{}", scene.screen());
}

#[test]
fn stop_is_drawn_as_requested_until_confirmed() {
    let mut scene = at_row(twenty(), 1);
    scene.press("x y").answer_once();
    assert_eq!(stops(&scene).len(), 1);
    assert!(scene.shows("stop requested"), "{}", scene.screen());
    scene.press("x");
    assert!(scene.shows("being stopped already"), "{}", scene.screen());
    scene.answer();
    assert!(!scene.shows("stop requested"), "{}", scene.screen());
}

#[test]
fn stop_is_refused_when_the_target_is_another_one_by_now() {
    type Change = fn(&mut Scene);
    let changes: [(Change, &str); 4] = [
        (|scene| scene.service.remove("box-03"), "not found"),
        (
            |scene| {
                scene.service.remove("box-03");
                scene.service.add(
                    "box-03",
                    json!({"createdAt": EPOCH + 5, "currentSessionId": "sbx_other"}),
                );
            },
            "another sandbox of that name",
        ),
        (
            |scene| {
                scene.service.get("box-03").current_session_id = Some(SessionId::new("sbx_new"));
            },
            "another session",
        ),
        (
            |scene| {
                let now = scene.now;
                scene.service.set_status("box-03", Status::Stopped, now);
            },
            "it is stopped already",
        ),
    ];
    for (change, why) in changes {
        let mut scene = at_row(twenty(), 3);
        scene.press("x").answer();
        change(&mut scene);
        scene.press("y").answer();
        assert_eq!(stops(&scene).len(), 0, "{why}");
        assert!(scene.shows(why), "{why}\n{}", scene.screen());
    }
}

#[test]
fn stop_of_a_session_that_is_gone_is_told_and_read_again() {
    let mut scene = at_row(twenty(), 3);
    scene.service.stop_is_gone = true;
    scene.press("x y");
    let before = scene.reads_of("box-03");
    scene.answer();
    assert!(
        scene.shows("that session had ended already"),
        "{}",
        scene.screen()
    );
    assert!(
        scene.reads_of("box-03") > before,
        "read again after the 410"
    );
    assert!(scene.shows("○ stopped"), "{}", scene.screen());
}

#[test]
fn read_only_sends_nothing_but_reads_and_hides_the_rest() {
    let read_only = Options {
        read_only: true,
        ..options(200, 60)
    };
    let mut scene = Scene::new(read_only, twenty());
    scene.press("?");
    let mut help = scene.screen();
    for further in ["pgdn", "pgdn", "G"] {
        scene.press(further);
        help += &scene.screen();
    }
    scene.press("esc");
    for row in ACTIONS {
        for bound in Keymap::default().keys_of(row.action) {
            for start in ["1", "1 enter", "1 enter enter", "6"] {
                scene.press("esc esc esc esc").press(start);
                for key in bound.keys() {
                    let event = crossterm::event::KeyEvent::new(key.code, key.modifiers);
                    scene.send(Event::Key(event)).answer();
                }
                let in_lines = start == "1 enter enter";
                let has_key = start != "6"
                    && row.valid != Valid::Shell
                    && !(row.valid == Valid::Lists && in_lines);
                if row.class > Class::Free && has_key {
                    assert!(scene.shows("Read-only"), "{}\n{}", row.id, scene.screen());
                }
                scene.press("y").answer();
            }
        }
        let hidden = row.class > Class::Free;
        assert_eq!(
            help.contains(&row.help[..30.min(row.help.len())]),
            !hidden,
            "{} in help\n{help}",
            row.id
        );
    }
    assert_eq!(scene.changes(), Vec::<&Call>::new());
    scene.press("esc esc esc esc 1");
    assert!(
        !scene.shows("stop!") && !scene.shows("sample$"),
        "{}",
        scene.screen()
    );
}
