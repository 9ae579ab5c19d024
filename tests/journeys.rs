//! Journeys through the dashboard: keys, mouse and refreshes in, calls and screens out. The service is a value.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "journeys/agents.rs"]
mod agents;
#[path = "journeys/chance.rs"]
mod chance;
#[path = "journeys/columns.rs"]
mod columns;
#[path = "journeys/deeds.rs"]
mod deeds;
#[path = "journeys/launches.rs"]
mod launches;
#[path = "journeys/merging.rs"]
mod merging;
#[path = "journeys/mouse.rs"]
mod mouse;
#[path = "journeys/out.rs"]
mod out;
#[path = "journeys/palette.rs"]
mod palette;
#[path = "journeys/quiet.rs"]
mod quiet;
mod scene;
#[path = "journeys/shell_keys.rs"]
mod shell_keys;
#[path = "journeys/shells.rs"]
mod shells;
#[path = "journeys/stops.rs"]
mod stopping;
#[path = "journeys/watch.rs"]
mod watching;

use crossterm::event::{MouseButton, MouseEventKind};
use sandtop::logic::{Call, Effect, EngineFate, Event};
use sandtop::model::{Count, Status, Timestamp};
use scene::{EPOCH, Scene, Service, options};
use serde_json::json;

const LEFT: MouseEventKind = MouseEventKind::Down(MouseButton::Left);

/// `box-00` the newest to `box-19` the oldest.
fn twenty() -> Service {
    let names: Vec<String> = (0..20).map(|n| format!("box-{n:02}")).collect();
    Service::with(&names.iter().map(String::as_str).collect::<Vec<_>>())
}

fn at_row(service: Service, row: usize) -> Scene {
    let mut scene = Scene::new(options(120, 40), service);
    scene.press("g");
    (0..row).for_each(|_| {
        scene.press("j");
    });
    scene.answer();
    scene
}

fn stops(scene: &Scene) -> Vec<&str> {
    let stops = scene.calls.iter().filter_map(|call| match call {
        Call::Stop(session) => Some(session.as_raw()),
        _ => None,
    });
    stops.collect()
}

#[test]
fn selection_stays_with_its_sandbox_through_refreshes() {
    let mut scene = at_row(twenty(), 12);
    assert_eq!(scene.selected(), Some("box-12"));
    for gone in ["box-03", "box-07"] {
        scene.service.remove(gone);
    }
    (0..5).for_each(|n| scene.service.add(&format!("new-{n}"), json!({})));
    scene.wait(400_000);
    assert_eq!((scene.selected(), scene.rows().len()), (Some("box-12"), 23));
    scene.press("x y").answer();
    assert_eq!(stops(&scene), ["sbx_box-12"]);
}

#[test]
fn list_that_shrinks_to_nothing_and_grows_again() {
    for (filter, opened) in [("", ""), ("/", ""), ("", "enter"), ("", "x"), ("/", "x")] {
        let mut scene = at_row(twenty(), 0);
        if !filter.is_empty() {
            scene.press("/").type_text("box").press("enter");
        }
        scene.press("G").answer();
        opened
            .split(' ')
            .filter(|keys| !keys.is_empty())
            .for_each(|keys| {
                scene.press(keys);
            });
        let all = scene.service.sandboxes.clone();
        for left in [1, 0, 20] {
            scene.service.sandboxes = all.iter().take(left).cloned().collect();
            scene.wait(400_000);
            assert!(scene.screen().contains("Sandboxes"));
            assert_eq!(
                scene.selected(),
                Some("box-19"),
                "held while it is selected or asked about"
            );
        }
        assert_eq!(scene.rows().len(), 20);
    }
}

#[test]
fn deleted_sandbox_is_told_as_such_until_left() {
    let mut scene = at_row(twenty(), 4);
    scene.service.remove("box-04");
    scene.wait(400_000);
    assert!(scene.shows("deleted"), "{}", scene.screen());
    scene.press("x");
    assert!(scene.shows("box-04 is deleted"), "{}", scene.screen());
    scene.press("j").answer();
    assert_eq!(scene.selected(), Some("box-05"));
    assert!(!scene.rows().contains(&"box-04"));
}

#[test]
fn way_back_from_the_stage_leads_to_the_same_row() {
    let mut scene = at_row(twenty(), 17);
    scene.press("enter enter").answer();
    scene.service.remove("box-02");
    scene.service.add("new", json!({}));
    scene.refresh().press("esc esc");
    assert_eq!(scene.selected(), Some("box-17"));
    scene.press("down").answer();
    assert_eq!(scene.selected(), Some("box-18"));
}

#[test]
fn filter_moves_nothing_that_it_does_not_hide() {
    let mut scene = at_row(twenty(), 7);
    scene.press("/").type_text("07");
    assert_eq!((scene.selected(), scene.rows().len()), (Some("box-07"), 1));
    assert!(scene.shows("1 of 20"));
    scene.press("esc");
    assert_eq!((scene.selected(), scene.rows().len()), (Some("box-07"), 20));
    // Hidden by what is typed: the first that is shown, and back.
    scene.press("/").type_text("12");
    assert_eq!(scene.selected(), Some("box-12"));
    scene.press("esc");
    assert_eq!(scene.selected(), Some("box-07"));
    // Kept by Enter.
    scene
        .press("/")
        .type_text("status:running 1")
        .press("enter j")
        .answer();
    let held = scene.selected().unwrap().to_owned();
    scene.service.set_status(&held, Status::Stopped, scene.now);
    scene.refresh();
    assert_eq!(
        scene.selected(),
        Some(held.as_str()),
        "it does not match any more, but nobody moved on"
    );
    scene.press("k").answer();
    assert!(!scene.rows().contains(&held.as_str()));
}

#[test]
fn columns_sort_by_value_with_missing_ones_last() {
    let mut service = Service::default();
    for (name, left) in [
        ("ten-m", Some(600)),
        ("nine-s", Some(9)),
        ("none", None),
        ("two-h", Some(7200)),
    ] {
        let ends = left.map(|seconds| EPOCH + seconds * 1000 + 3_600_000);
        service.add(name, json!({"expiresAt": ends, "timeout": null}));
    }
    let mut scene = Scene::new(options(120, 40), service);
    let session_less = scene.service.get("none");
    session_less.current_session_id = None;
    scene.refresh();
    while !scene.screen().contains("by left") {
        scene.press("o");
    }
    assert_eq!(scene.rows(), ["nine-s", "ten-m", "two-h", "none"]);
    scene.press("O");
    assert_eq!(scene.rows(), ["two-h", "ten-m", "nine-s", "none"]);
}

#[test]
fn mouse_selects_rows_opens_tabs_and_is_given_away() {
    let mut scene = at_row(twenty(), 0);
    let (column, row) = scene.find("box-06").unwrap();
    scene.mouse(LEFT, column, row).answer();
    assert_eq!(scene.selected(), Some("box-06"));
    scene
        .mouse(MouseEventKind::ScrollDown, column, row)
        .answer();
    assert_eq!(scene.selected(), Some("box-09"));
    let (column, row) = scene.find("Info").unwrap();
    scene.mouse(LEFT, column, row).answer();
    assert!(scene.shows("[Info]"), "{}", scene.screen());
    scene.press("m");
    assert_eq!(scene.effects.last(), Some(&Effect::MouseCapture(false)));
    scene.press("m");
    assert_eq!(scene.effects.last(), Some(&Effect::MouseCapture(true)));
}

#[test]
fn key_bar_is_clicked() {
    let mut scene = at_row(twenty(), 4);
    let (column, row) = scene.find("x stop!").unwrap();
    scene.mouse(LEFT, column + 3, row).answer();
    assert!(scene.shows("Stop box-04 now?"), "{}", scene.screen());
    // Under a dialog the bar tells the dialog's keys, and a click beside its buttons does nothing.
    assert!(scene.shows("y stop!") && !scene.shows("q quit"));
    scene.mouse(LEFT, column, row).answer();
    assert!(scene.shows("Stop box-04 now?"));
    assert_eq!(stops(&scene).len(), 0);
    scene.press("esc");
    let (column, row) = scene.find(": palette").unwrap();
    scene.mouse(LEFT, column, row);
    assert!(scene.shows("Palette"), "{}", scene.screen());
    scene.press("esc /");
    assert!(scene.shows("enter keep the filter"), "{}", scene.screen());
}

#[test]
fn samples_are_made_on_the_local_engine_only() {
    let mut local = Scene::new(options(120, 40), Service::default());
    assert!(local.shows("Press + for three samples"));
    local.press("+ +");
    assert!(local.shows("being created already"));
    assert_eq!(
        local.changes().len(),
        3,
        "three sandboxes, however often the key came"
    );
    local.service.fault = Some(Service::status(501));
    local.answer();
    assert!(local.shows("sample sandboxes: "), "{}", local.screen());
    let mut cloud = options(120, 40);
    cloud.backend.local = false;
    let mut cloud = Scene::new(cloud, Service::default());
    assert!(!cloud.shows("sample$"));
    cloud.press("+").answer();
    assert!(cloud.shows("Samples are made only on the local engine"));
    assert_eq!(cloud.changes().len(), 0);
    let demo = Scene::unanswered(
        sandtop::app::Options {
            sample: true,
            ..options(120, 40)
        },
        Service::default(),
    );
    assert_eq!(demo.changes().len(), 3);
}

#[test]
fn name_is_copied_clean() {
    let mut scene = Scene::new(options(120, 40), Service::with(&["a\u{1b}[31mb"]));
    scene.press("y");
    assert_eq!(
        scene.effects.last(),
        Some(&Effect::Copy(sandtop::text::clean_str("ab")))
    );
}

#[test]
fn faults_of_the_service_are_told_and_nothing_is_lost() {
    let cases = [
        (Service::unreachable(), "offline · retrying in"),
        (Service::throttled(30_000), "s · 429"),
        (Service::status(401), "not signed in"),
        (Service::status(500), "500"),
        (
            sandtop::model::FailureKind::Unreadable,
            "list sandboxes: the answer is not what",
        ),
    ];
    for (fault, words) in cases {
        let mut scene = at_row(twenty(), 4);
        scene.service.fault = Some(fault);
        let mut told = false;
        for _ in 0..20 {
            scene.wait(1_000);
            told |= scene.shows(words);
        }
        assert!(told, "{words}\n{}", scene.screen());
        assert_eq!((scene.selected(), scene.rows().len()), (Some("box-04"), 20));
        let calls = scene.calls.len();
        scene.wait(60_000);
        assert!(scene.calls.len() - calls <= 60, "{words}: no hammering");
        scene.service.fault = None;
        scene.press("r").answer();
        scene.wait(61_000);
        assert!(scene.shows("live"), "{words}\n{}", scene.screen());
    }
}

#[test]
fn refused_credentials_are_read_again() {
    let mut scene = at_row(twenty(), 0);
    scene.service.fault = Some(Service::status(401));
    scene.wait(10_000);
    assert!(scene.effects.contains(&Effect::RereadCredentials));
}

#[test]
fn engine_that_ended_is_told() {
    let mut scene = at_row(twenty(), 0);
    scene.send(Event::EngineEnded("panic at \u{1b}[2J".into()));
    assert!(
        scene.shows("The local engine ended by itself"),
        "{}",
        scene.screen()
    );
    scene.press("enter");
    assert!(!scene.shows("The local engine ended by itself"));
    assert_eq!(scene.selected(), Some("box-00"));
}

#[test]
fn absurd_times_and_numbers_are_drawn() {
    let mut service = Service::default();
    let absurd = [
        0,
        -1,
        -9_000_000_000_000_000,
        9_000_000_000_000_000,
        i64::MAX,
        i64::MIN,
    ];
    for (n, value) in absurd.into_iter().enumerate() {
        service.add(&format!("absurd-{n}"), json!({
            "createdAt": value, "updatedAt": value, "statusUpdatedAt": value, "expiresAt": value, "timeout": value,
            "memory": value, "vcpus": value, "totalEgressBytes": value, "totalIngressBytes": value,
            "totalActiveCpuDurationMs": value,
        }));
    }
    let mut scene = Scene::new(options(200, 50), service);
    scene.service.get("absurd-0").vcpus = Some(Count(1));
    scene.service.get("absurd-1").created_at = Some(Timestamp(EPOCH + 600_000));
    scene.wait(400_000);
    for keys in ["o", "o", "o", "o", "o", "o", "O", "]", "]"] {
        scene.press(keys).answer();
        assert!(scene.rows().len() >= 6);
        assert!(
            !scene.shows("-5 m") && !scene.shows("NaN"),
            "{}",
            scene.screen()
        );
    }
}

#[test]
fn messages_go_by_themselves() {
    let mut scene = at_row(twenty(), 0);
    scene.press("m");
    assert!(scene.shows("The mouse is the terminal's"));
    scene.wait(9_000);
    assert!(!scene.shows("The mouse is the terminal's") && scene.shows("q quit"));
}

#[test]
fn nothing_is_due_between_polls_of_an_unfocused_terminal() {
    let mut scene = at_row(twenty(), 0);
    scene.send(Event::Focus(false)).wait(30_000);
    let due = sandtop::app::next_due(&scene.state).unwrap();
    assert!(
        due.0 - scene.now.mono.0 > 2_000,
        "no countdown: {due:?} at {:?}",
        scene.now.mono
    );
    scene.send(Event::Focus(true)).answer();
    let due = sandtop::app::next_due(&scene.state).unwrap();
    assert!(due.0 - scene.now.mono.0 <= 1_000);
}

/// What would end with an engine of ours is told first; another's engine is nothing to ask about.
#[test]
fn quitting_asks_where_the_engine_would_take_something_with_it() {
    let quits = |scene: &Scene| -> Vec<Effect> {
        let quits = |effect: &&Effect| matches!(effect, Effect::Quit(_));
        scene.effects.iter().filter(quits).cloned().collect()
    };
    let owned = || {
        let mut options = options(120, 40);
        options.backend.owned = true;
        Scene::new(options, twenty())
    };
    let mut scene = owned();
    scene.press("q");
    assert!(scene.shows("Leave it serving") && scene.shows("End it"));
    assert!(scene.shows("would end with it"), "{}", scene.screen());
    assert_eq!(quits(&scene), []);
    scene.press("esc");
    assert!(!scene.shows("Leave it serving"));
    assert_eq!(quits(&scene), []);
    scene.press("q").press("tab").press("enter");
    assert_eq!(quits(&scene), [Effect::Quit(EngineFate::Leave)]);

    let mut scene = owned();
    scene.press("q").press("tab").press("tab").press("enter");
    assert_eq!(quits(&scene), [Effect::Quit(EngineFate::End)]);

    let mut scene = owned();
    scene.press("ctrl-c");
    assert_eq!(quits(&scene), []);
    scene.press("ctrl-c");
    assert_eq!(quits(&scene), [Effect::Quit(EngineFate::End)]);

    let mut others = Scene::new(options(120, 40), twenty());
    others.press("q");
    assert_eq!(quits(&others).len(), 1);

    let mut options = options(120, 40);
    options.backend.owned = true;
    let mut idle = Scene::new(options, Service::default());
    idle.press("q");
    assert_eq!(quits(&idle), [Effect::Quit(EngineFate::End)]);
}
