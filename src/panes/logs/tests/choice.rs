//! Which command is shown.

use super::{Stage, build};
use crate::logic::{Action, Effect, Pane, StreamNews, tail};
use crate::model::{Failure, FailureKind, Foreign, LogObject, StreamName};
use crate::panes::logs::{click, pane_at};
use crate::panes::testing::{Scene, at, command, command_key};
use ratatui::layout::Position;
use serde_json::json;

#[test]
fn the_newest_running_command_is_the_default() {
    let mut scene = Scene::default();
    scene.sandbox("web", &json!({}));
    scene.commands(
        "web",
        &[
            command("c3", "ls", 1, Some(0)),
            command("c2", "serve", 2, None),
            command("c1", "make", 3, None),
        ],
    );
    let mut stage = Stage::new(scene, 80, 20);
    assert_eq!(stage.chosen(), Some("c2"));

    // It stays while it runs, whatever else starts; when it has ended, the newest running one takes over.
    stage.scene.commands(
        "web",
        &[
            command("c4", "test", 0, None),
            command("c2", "serve", 2, None),
        ],
    );
    stage.settle();
    assert_eq!(stage.chosen(), Some("c2"));
    stage.scene.commands(
        "web",
        &[
            command("c4", "test", 0, None),
            command("c2", "serve", 2, Some(0)),
        ],
    );
    stage.settle();
    assert_eq!(stage.chosen(), Some("c4"));
    stage.scene.commands(
        "web",
        &[
            command("c4", "test", 0, Some(0)),
            command("c2", "serve", 2, Some(0)),
        ],
    );
    stage.settle();
    assert_eq!(stage.chosen(), Some("c4"));
}

#[test]
fn the_users_choice_stays_with_its_command() {
    let mut stage = Stage::new(build(), 80, 24);
    assert_eq!(stage.act(Action::Down), vec![]);
    assert_eq!(stage.chosen(), Some("c2"));
    // LI01: new ones above, old ones gone: the key acts on what it showed.
    stage.scene.commands(
        "web",
        &[
            command("c5", "a", 0, None),
            command("c4", "b", 0, None),
            command("c2", "npm run build", 60, Some(1)),
        ],
    );
    stage.settle();
    assert_eq!(stage.chosen(), Some("c2"));
    assert_eq!(
        stage.act(Action::Copy),
        vec![Effect::Copy("npm run build".into())]
    );
    stage.act(Action::Up);
    assert_eq!(stage.chosen(), Some("c4"));
}

#[test]
fn reading_a_log_is_a_choice() {
    let mut stage = Stage::new(build(), 80, 24);
    stage.act(Action::Open);
    stage.scene.commands(
        "web",
        &[
            command("c4", "new", 0, None),
            command("c3", "node", 1, Some(0)),
        ],
    );
    stage.settle();
    assert_eq!(stage.chosen(), Some("c3"));
}

#[test]
fn a_click_chooses_and_the_parts_are_told_apart() {
    let mut stage = Stage::new(build(), 120, 20);
    let ctx = stage.scene.ctx();
    click(
        &mut stage.state,
        &stage.scene.world,
        &ctx,
        Position::new(10, 4),
    );
    assert_eq!(
        pane_at(&stage.state, &ctx, Position::new(10, 4)),
        Some(Pane::Stage)
    );
    assert_eq!(
        pane_at(&stage.state, &ctx, Position::new(100, 4)),
        Some(Pane::Lines)
    );
    assert_eq!(pane_at(&stage.state, &ctx, Position::new(10, 20)), None);
    assert_eq!(stage.chosen(), Some("c1"));
}

#[test]
fn the_list_may_shrink_to_nothing_and_come_back() {
    let mut stage = Stage::new(build(), 80, 24);
    stage.act(Action::Bottom);
    assert_eq!(stage.chosen(), Some("c0"));
    for ids in [&["c9"][..], &[], &["c9", "c0"], &[], &["c9", "c8", "c7"]] {
        let commands: Vec<_> = ids.iter().map(|id| command(id, "x", 1, Some(0))).collect();
        stage.scene.commands("web", &commands);
        stage.settle();
        stage.screen();
        for action in [Action::Up, Action::PageDown, Action::Down, Action::PageUp] {
            stage.act(action);
            stage.screen();
        }
    }
    assert!(stage.chosen().is_some());
}

#[test]
fn each_sandbox_keeps_its_choice_and_its_place() {
    let mut scene = build();
    let web = scene.subject.clone();
    scene.sandbox("api", &json!({}));
    scene.commands(
        "api",
        &[
            command("a2", "go", 1, None),
            command("a1", "vet", 2, Some(0)),
        ],
    );
    let api = std::mem::replace(&mut scene.subject, web.clone());
    let mut stage = Stage::new(scene, 100, 10);
    stage.act(Action::Down);
    assert_eq!(stage.chosen(), Some("c2"));

    stage.scene.subject = api;
    stage.settle();
    assert_eq!(stage.chosen(), Some("a2"));
    stage.act(Action::Down);

    stage.scene.subject = web;
    stage.settle();
    assert_eq!(stage.chosen(), Some("c2"));
    stage.scene.subject = None;
    stage.settle();
    assert_eq!(stage.chosen(), None);
    assert!(stage.screen().contains("No sandbox is selected."));
}

/// LT12: switching ten times as fast as it should be, while both print.
#[test]
fn switching_shows_only_the_chosen_log() {
    let mut scene = Scene {
        pane: Pane::Stage,
        ..Scene::default()
    };
    scene.sandbox("web", &json!({}));
    scene.commands(
        "web",
        &[
            command("a", "first", 1, None),
            command("b", "second", 2, None),
        ],
    );
    let (a, b) = (command_key("web", "a"), command_key("web", "b"));
    let mut stage = Stage::new(scene, 100, 30);
    let mut printed = [Vec::new(), Vec::new()];
    for round in 0..20 {
        let (key, other) = if round % 2 == 0 { (&a, &b) } else { (&b, &a) };
        stage.act(if round % 2 == 0 {
            Action::Top
        } else {
            Action::Bottom
        });
        assert_eq!(stage.state.chosen(), Some(key));
        let left = stage
            .scene
            .world
            .tails
            .get(other)
            .map(|tail| tail.follow.stream.clone());
        stage.scene.open(key);
        // The service replays all from the start.
        printed[round % 2].push(format!("{} {round}", key.command.as_raw()));
        let whole = printed[round % 2].join("\n") + "\n";
        stage.prints(key, &whole);
        // What still arrives of the one that was left is dropped.
        if let Some(left) = left {
            let late = vec![LogObject::Piece {
                stream: StreamName::Stdout,
                data: "LATE\n".to_owned(),
            }];
            let scene = &mut stage.scene;
            tail::news(
                &mut scene.world,
                &mut scene.calls,
                &left,
                StreamNews::Objects(late),
                scene.now,
            );
        }
        stage.settle();
        assert_eq!(stage.rows(), printed[round % 2]);
    }
}

/// Nothing seen is lost: the session is over, the service answers 410, the list and the lines stay.
#[test]
fn a_stopped_session_keeps_its_commands_and_lines() {
    let mut stage = Stage::new(build(), 80, 24);
    let web = stage.scene.subject.clone().unwrap();
    stage.scene.now = at(160);
    stage.scene.sandbox(
        "web",
        &json!({"status": "stopped", "updatedAt": 1_790_000_150_000_i64}),
    );
    let listing = stage
        .scene
        .world
        .commands
        .get_mut(&command_key("web", "c3").session)
        .unwrap();
    listing.trouble("list commands: 410 gone".into(), stage.scene.now);
    stage
        .scene
        .news(&command_key("web", "c3"), StreamNews::Failed(gone()));
    stage.settle();
    insta::assert_snapshot!(stage.screen());

    // Resumed: the new session's commands come first, the old ones stay readable.
    let more = json!({"currentSessionId": "sbx_new", "updatedAt": 1_790_000_155_000_i64});
    stage.scene.sandbox("web", &more);
    let new = serde_json::from_value(command("n1", "fresh", 0, None)).unwrap();
    let session = crate::model::SessionId::new("sbx_new");
    stage
        .scene
        .world
        .commands
        .entry(session)
        .or_default()
        .renew(vec![new], false, stage.scene.now);
    assert_eq!(stage.scene.subject, Some(web));
    stage.settle();
    assert_eq!(stage.chosen(), Some("n1"));
    stage.act(Action::Down);
    assert_eq!(stage.chosen(), Some("c3"));
    assert!(stage.screen().contains("listening on"));
}

fn gone() -> Failure {
    let kind = FailureKind::Status {
        status: 410,
        code: Some(Foreign::from("sandbox_stopped")),
        message: Some(Foreign::from("The session is stopped.")),
        request_id: None,
        retry_after: None,
    };
    Failure {
        call: "read logs",
        request: Foreign::from("GET /x"),
        kind,
        causes: Vec::new(),
    }
}
