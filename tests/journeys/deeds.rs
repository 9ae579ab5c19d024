//! Marks, and what is done to the marked: each dialog driven by keys, each result told.

use super::scene::{Scene, Service, options};
use super::{at_row, stops, twenty};
use sandtop::app::Options;
use sandtop::logic::settings::Config;
use sandtop::logic::{Call, Event};
use sandtop::model::{CommandKey, FailureKind, SandboxName, Span, Status};
use serde_json::json;

fn deleted(scene: &Scene) -> Vec<(&str, bool)> {
    let calls = scene.calls.iter().filter_map(|call| match call {
        Call::DeleteSandbox { name, orphans } => Some((name.as_raw(), *orphans)),
        _ => None,
    });
    calls.collect()
}

fn extended(scene: &Scene) -> Vec<(&str, Span)> {
    let calls = scene.calls.iter().filter_map(|call| match call {
        Call::Extend(session, by) => Some((session.as_raw(), *by)),
        _ => None,
    });
    calls.collect()
}

fn signals(scene: &Scene) -> Vec<i32> {
    let calls = scene.calls.iter().filter_map(|call| match call {
        Call::Kill(_, signal) => Some(*signal),
        _ => None,
    });
    calls.collect()
}

#[track_caller]
fn assert_shows(scene: &Scene, words: &[&str]) {
    let screen = scene.screen();
    for words in words {
        assert!(screen.contains(words), "{words}\n{screen}");
    }
}

#[test]
fn marks_stay_with_their_sandboxes_through_refresh_sort_and_filter() {
    let mut scene = at_row(twenty(), 2);
    scene.press("space space");
    assert_eq!(scene.selected(), Some("box-04"), "a mark moves on");
    assert_shows(&scene, &["2 marked"]);
    scene.press("j j v");
    assert_shows(&scene, &["5 marked"]);
    scene.press("O /").type_text("box-03").press("enter");
    scene.service.remove("box-05");
    scene.service.add("new", json!({}));
    scene.wait(400_000);
    assert_shows(&scene, &["4 marked", "1 of 20"]);
    scene.press("x").answer();
    assert_shows(
        &scene,
        &[
            "Stop 4 sandboxes",
            "box-02",
            "box-06",
            "The filter hides 3 of them.",
        ],
    );
    scene.press("esc esc");
    assert!(
        !scene.shows("marked") && scene.shows("1 of 20"),
        "first the marks go"
    );
    scene.press("a i");
    assert!(!scene.shows("marked"));
    scene.press("a esc esc a");
    assert_shows(&scene, &["20 marked"]);
}

#[test]
fn sandbox_made_anew_under_a_marked_name_is_not_marked() {
    let mut scene = at_row(twenty(), 3);
    scene.press("space space");
    scene.service.remove("box-03");
    scene
        .service
        .add("box-03", json!({"currentSessionId": "sbx_other"}));
    scene.wait(400_000);
    assert_shows(&scene, &["1 marked"]);
    scene.press("x y").answer();
    assert_eq!(stops(&scene), ["sbx_box-04"]);
}

#[test]
fn many_are_stopped_and_each_has_its_result() {
    let mut service = twenty();
    service.get("box-02").status = Some(Status::Stopped);
    service.get("box-03").persistent = Some(false);
    service.runs("box-04", "cmd_1", "npm run dev", None);
    service.refuses = Some(|call| match call {
        Call::Stop(session) if session.as_raw() == "sbx_box-05" => Some(Service::status(500)),
        _ => None,
    });
    let mut scene = at_row(service, 1);
    scene.press("space space space space space x").answer();
    scene.wait(2_000);
    assert_shows(
        &scene,
        &[
            "Stop 4 sandboxes now?",
            "box-03  files lost, runs nothing",
            "box-04  files kept, runs npm run dev",
            "Not for these:",
            "box-02 does not run: it is stopped",
        ],
    );
    scene.press("y");
    assert_eq!(stops(&scene).len(), 0, "first a look at each");
    scene.answer_once();
    assert_shows(&scene, &["stopped 0 of 4"]);
    scene.answer();
    // The failed one is asked for again by itself before it is told.
    scene.wait(120_000);
    assert_shows(
        &scene,
        &[
            "Results",
            "3 of 4 stopped.",
            "box-05  failed",
            "Retry the failed",
            // What is done is marked no longer; what failed, or was not meant, still is.
            "2 marked",
        ],
    );
    assert!(scene.shows("R retry the failed!"), "{}", scene.screen());
    let before = stops(&scene).len();
    scene.service.refuses = None;
    scene.press("R").answer();
    assert_eq!(
        stops(&scene)[before..],
        ["sbx_box-05"],
        "only the failed one"
    );
    assert_shows(&scene, &["4 of 4 stopped.", "1 marked"]);
    scene.press("enter");
    assert!(!scene.shows("Results"), "{}", scene.screen());
}

#[test]
fn one_is_deleted_only_when_its_name_was_typed() {
    let mut service = twenty();
    service.runs("box-02", "cmd_1", "npm run dev", None);
    service.get("box-02").mounts =
        serde_json::from_value(json!({"/data": {"drive": "models"}})).unwrap();
    for (keys, typed, after, orphans) in [
        ("delete", "", "enter", None),
        ("delete", "box-02", "enter", None),
        ("delete", "box-02", "esc", None),
        ("delete", "box-0", "tab enter", None),
        ("delete", "box-02", "tab enter", Some(false)),
        (
            "ctrl-k",
            "box-02",
            "tab tab enter shift-tab enter",
            Some(true),
        ),
        (
            "ctrl-k",
            "box-02",
            "up enter enter tab tab enter",
            Some(false),
        ),
    ] {
        let mut scene = at_row(service.clone(), 2);
        scene.press(keys).answer();
        scene.wait(2_000);
        assert_shows(
            &scene,
            &[
                "Delete box-02 for good?",
                "type box-02 to delete:",
                "1, with their logs",
                "all stay",
                "models at /data",
                "npm run dev",
            ],
        );
        scene.type_text(typed).press(after).answer();
        let wanted: Vec<(&str, bool)> = orphans
            .map(|orphans| ("box-02", orphans))
            .into_iter()
            .collect();
        assert_eq!(deleted(&scene), wanted, "{typed:?} {after}");
        if typed == "box-0" {
            assert_shows(&scene, &["Not deleted: box-02 is not what was typed."]);
        }
        if orphans.is_some() {
            assert_shows(&scene, &["box-02 is deleted"]);
        }
    }
}

#[test]
fn many_are_deleted_only_when_their_number_was_typed() {
    for (typed, count) in [("delete", 0), ("2 delete", 0), ("3 delete", 3)] {
        let mut scene = at_row(twenty(), 4);
        scene.press("space space space delete").answer();
        assert_shows(
            &scene,
            &["Delete 3 sandboxes for good?", "type 3 delete to delete:"],
        );
        scene.send(Event::Paste(typed.to_owned()));
        scene.press("tab enter").answer();
        assert_eq!(deleted(&scene).len(), count, "{typed}");
    }
}

#[test]
fn time_is_given_by_choice_or_as_typed() {
    let minutes = Span::minutes;
    for (typed, after, by) in [
        ("", "enter", None),
        ("", "tab enter", Some(minutes(5))),
        ("", "tab tab enter", Some(minutes(60))),
        ("90s", "enter", Some(Span::seconds(90))),
        ("1h30m", "enter", Some(minutes(90))),
        ("20", "enter", Some(minutes(20))),
        ("soon", "enter", None),
        ("99999999999999999999m", "enter", None),
        ("0", "enter", None),
    ] {
        let mut scene = at_row(twenty(), 6);
        scene.press("e").answer();
        assert_shows(&scene, &["Give box-06 more time?", "left", "billable"]);
        scene.type_text(typed).press(after).answer();
        let wanted: Vec<(&str, Span)> = by.map(|by| ("sbx_box-06", by)).into_iter().collect();
        assert_eq!(extended(&scene), wanted, "{typed:?} {after}");
        match by {
            Some(_) => assert_shows(&scene, &["box-06 is extended"]),
            None if typed.is_empty() => assert!(!scene.shows("Give box-06")),
            None => assert_shows(&scene, &["That is no duration"]),
        }
    }
}

#[test]
fn extension_beyond_the_plan_is_explained() {
    let mut service = twenty();
    service.refuses = Some(|call| match call {
        Call::Extend(..) => Some(FailureKind::Status {
            status: 400,
            code: Some("sandbox_timeout_invalid".into()),
            message: Some("Timeout too long.".into()),
            request_id: None,
            retry_after: None,
        }),
        _ => None,
    });
    let mut scene = at_row(service, 6);
    scene.press("e tab enter").answer();
    assert_shows(
        &scene,
        &["box-06 was not extended", "the plan's longest session"],
    );
}

#[test]
fn a_command_gets_the_chosen_signal() {
    for (typed, keys, signal) in [
        ("", "enter", None),
        ("", "tab enter", Some(15)),
        ("", "down down down tab enter", Some(9)),
        ("usr1", "tab enter", Some(10)),
        ("SIGHUP", "tab enter", Some(1)),
        ("64", "tab enter", Some(64)),
        ("65", "tab enter", None),
        ("nonsense", "tab enter", None),
    ] {
        let mut service = twenty();
        service.runs("box-03", "cmd_1", "npm run dev", None);
        let mut scene = at_row(service, 3);
        scene.press("enter t").answer();
        assert_shows(
            &scene,
            &[
                "Send TERM to this command of box-03?",
                "npm run dev",
                "KILL",
            ],
        );
        scene.type_text(typed).press(keys).answer();
        assert_eq!(signals(&scene), Vec::from_iter(signal), "{typed:?} {keys}");
        if !typed.is_empty() && signal.is_none() {
            assert_shows(&scene, &["That is no signal"]);
        }
        if signal.is_some() {
            assert_shows(&scene, &["npm run dev in box-03 is signalled"]);
        }
    }
    let mut service = twenty();
    service.runs("box-03", "cmd_1", "true", Some(0));
    let mut scene = at_row(service, 3);
    scene.press("enter t").answer();
    assert_shows(&scene, &["No running command is chosen."]);
}

#[test]
fn command_that_ended_meanwhile_gets_no_signal() {
    let mut service = twenty();
    service.runs("box-03", "cmd_1", "npm run dev", None);
    let mut scene = at_row(service, 3);
    scene.press("enter t").answer();
    let key = CommandKey {
        session: sandtop::model::SessionId::new("sbx_box-03"),
        command: sandtop::model::CommandId::new("cmd_1"),
    };
    let commands = &mut scene.service.commands[0].1;
    commands[0].exit_code = Some(sandtop::model::Count(3));
    scene.press("tab enter").answer();
    assert!(scene.calls.contains(&Call::GetCommand(key)));
    assert_eq!(signals(&scene), [0; 0]);
    assert_shows(&scene, &["it ended already, with exit code 3"]);
}

#[test]
fn stopped_ones_are_resumed_and_told_from_what() {
    let mut service = twenty();
    for name in ["box-01", "box-02"] {
        service.get(name).status = Some(Status::Stopped);
    }
    service.get("box-01").current_snapshot_id = Some(sandtop::model::SnapshotId::new("snap_7"));
    let mut scene = at_row(service.clone(), 1);
    scene.press("w").answer();
    assert_shows(&scene, &["Resume box-01?", "snapshot snap_7", "billable"]);
    scene.press("y").answer();
    assert_shows(&scene, &["box-01 is running again"]);
    let mut scene = at_row(service, 1);
    scene.press("space space space w").answer();
    assert_shows(
        &scene,
        &[
            "Resume 2 sandboxes?",
            "no snapshot",
            "box-03 needs no resume",
        ],
    );
    scene.press("y").answer();
    let resumes = [
        Call::Resume(SandboxName::new("box-01")),
        Call::Resume(SandboxName::new("box-02")),
    ];
    assert_eq!(scene.changes(), resumes.iter().collect::<Vec<_>>());
}

fn undoable() -> Options {
    Options {
        config: Config::default(),
        ..options(120, 40)
    }
}

#[test]
fn stop_is_held_for_a_while_and_can_be_taken_back() {
    let mut scene = Scene::new(undoable(), twenty());
    scene.press("g space space x y");
    assert_shows(
        &scene,
        &[
            "stopping 2 sandboxes in 5 s · u takes it back",
            "stop in 5 s",
        ],
    );
    assert!(!scene.shows("stop requested"));
    scene.wait(2_000);
    assert_shows(&scene, &["stopping 2 sandboxes in 3 s", "stop in 3 s"]);
    scene.press("u");
    assert_shows(&scene, &["taken back: 2 sandboxes were not stopped"]);
    scene.wait(20_000);
    assert_eq!(scene.changes(), Vec::<&Call>::new());
    scene.press("u");
    assert_shows(&scene, &["There is nothing to take back."]);
    scene.press("esc esc x y").wait(4_999);
    assert_eq!(stops(&scene).len(), 0);
    scene.wait(1);
    assert_eq!(stops(&scene).len(), 1);
}

#[test]
fn leaving_while_a_stop_is_held_sends_nothing() {
    let mut scene = Scene::new(undoable(), twenty());
    scene.press("x y q");
    assert!(
        scene
            .effects
            .iter()
            .any(|effect| matches!(effect, sandtop::logic::Effect::Quit(_)))
    );
    assert_eq!(scene.answer().changes(), Vec::<&Call>::new());
}

#[test]
fn what_cannot_be_undone_is_held_and_the_rest_is_not() {
    let mut scene = Scene::new(undoable(), twenty());
    scene.press("e tab enter").answer();
    assert_eq!(extended(&scene).len(), 1, "an extension waits for nothing");
    scene
        .press("delete")
        .type_text("box-00")
        .press("tab enter")
        .answer();
    assert_shows(&scene, &["deleting box-00 in 5 s", "delete in 5 s"]);
    assert_eq!(deleted(&scene).len(), 0);
    scene.wait(5_000);
    assert_eq!(deleted(&scene), [("box-00", false)]);
}

#[test]
fn signal_is_not_sent_once_another_session_or_sandbox_is_known_there() {
    type Change = fn(&mut Scene);
    let changes: [(Change, &str); 3] = [
        (
            |scene| {
                let now = scene.now;
                let next = sandtop::model::SessionId::new("sbx_next");
                scene.service.get("box-03").current_session_id = Some(next);
                scene.service.set_status("box-03", Status::Running, now);
            },
            "another session",
        ),
        (
            |scene| {
                scene.service.remove("box-03");
                let other =
                    json!({"createdAt": super::scene::EPOCH + 5, "currentSessionId": "sbx_o"});
                scene.service.add("box-03", other);
            },
            "another sandbox of that name",
        ),
        (|scene| scene.service.remove("box-03"), "404"),
    ];
    for (change, why) in changes {
        let mut service = twenty();
        service.runs("box-03", "cmd_1", "npm run dev", None);
        // It is asked for, however long ago the list was read.
        for wait in [0, 400_000] {
            let mut scene = at_row(service.clone(), 3);
            scene.press("enter t").answer();
            change(&mut scene);
            scene.wait(wait);
            scene.press("tab enter").answer();
            assert_eq!(signals(&scene), [0; 0], "{why}");
            assert_shows(&scene, &["was not signalled", why]);
        }
    }
}
