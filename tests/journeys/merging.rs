//! Several logs read as one, by keys.

use super::scene::{Scene, Service, options};
use sandtop::logic::{Call, Effect, StreamId};
use serde_json::json;

fn opened(scene: &Scene) -> Vec<&StreamId> {
    let opened = scene.effects.iter().filter_map(|effect| match effect {
        Effect::OpenStream(stream) => Some(stream),
        _ => None,
    });
    opened.collect()
}

fn begin(scene: &mut Scene, name: &str, id: &str) {
    scene.service.begins(name, id, scene.now);
}

#[test]
fn what_runs_in_marked_sandboxes_is_read_as_one() {
    let mut service = Service::with(&["one", "two"]);
    service.add("three", json!({"status": "stopped"}));
    let mut scene = Scene::new(options(120, 40), service);
    for (name, id) in [("one", "cmd_a"), ("two", "cmd_b")] {
        begin(&mut scene, name, id);
    }
    scene.wait(20_000);
    scene.press("a M").answer().wait(10_000);
    assert!(scene.shows("running in 3 sandboxes"), "{}", scene.screen());
    assert!(scene.shows("Sources 2"), "{}", scene.screen());
    let sessions: Vec<&str> = opened(&scene)
        .iter()
        .map(|id| id.command.session.as_raw())
        .collect();
    assert!(sessions.contains(&"sbx_one") && sessions.contains(&"sbx_two"));
    assert!(scene.calls.iter().all(Call::is_read), "looking is free");
    // What begins later joins; esc leads back to the sandbox's own commands.
    begin(&mut scene, "two", "cmd_c");
    scene.wait(20_000);
    assert!(scene.shows("Sources 3"), "{}", scene.screen());
    scene.press("esc esc");
    assert!(scene.shows("Commands"), "{}", scene.screen());
    scene.wait(10_000);
    let closed = scene
        .effects
        .iter()
        .filter(|effect| matches!(effect, Effect::CloseStream(_)));
    assert!(closed.count() >= 2);
}

#[test]
fn what_begins_anywhere_is_read_as_one() {
    let mut scene = Scene::new(options(120, 40), Service::with(&["one", "two"]));
    begin(&mut scene, "one", "cmd_before");
    scene.wait(20_000);
    scene.press("W");
    assert!(scene.shows("everything new"), "{}", scene.screen());
    scene.wait(20_000);
    assert!(scene.shows("Sources 0"), "{}", scene.screen());
    begin(&mut scene, "two", "cmd_new");
    scene.wait(20_000);
    assert!(scene.shows("Sources 1"), "{}", scene.screen());
    // Within its budget: 40 readings of details a minute, whatever is followed.
    let before = scene.calls.len();
    scene.wait(60_000);
    let lists = |call: &&Call| matches!(call, Call::ListCommands(_));
    assert!(scene.calls[before..].iter().filter(lists).count() <= 40);
}

#[test]
fn marked_commands_are_muted_and_heard_alone() {
    let mut scene = Scene::new(options(120, 40), Service::with(&["one"]));
    for id in ["cmd_a", "cmd_b", "cmd_c"] {
        begin(&mut scene, "one", id);
    }
    scene.wait(20_000);
    scene.press("enter g space space M");
    assert!(scene.shows("2 logs merged"), "{}", scene.screen());
    scene.press("- m");
    assert!(scene.shows("is not shown."), "{}", scene.screen());
    scene.press("- o");
    assert!(
        scene.shows("Only ") && scene.shows(" only "),
        "{}",
        scene.screen()
    );
    // A key for a command that nobody sees does nothing.
    scene.press("t");
    assert!(
        scene.shows("No running command is chosen."),
        "{}",
        scene.screen()
    );
}
