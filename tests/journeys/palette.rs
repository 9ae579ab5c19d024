//! The palette: it lists what applies, acts like a key, and never on anything else than it showed.

use super::scene::{Scene, Service, options};
use super::{LEFT, at_row, twenty};
use sandtop::logic::{ACTIONS, Action, ActionRow, Call, Class};
use sandtop::model::SessionId;
use serde_json::json;

fn pick(scene: &mut Scene, typed: &str) {
    scene.press(":").type_text(typed).press("enter").answer();
}

#[test]
fn actions_and_sandboxes_are_found_by_a_part_of_their_name() {
    let mut scene = at_row(twenty(), 4);
    scene.press(":");
    assert!(
        scene.shows("Palette") && scene.shows("on box-04"),
        "{}",
        scene.screen()
    );
    assert!(
        scene.shows("destructive") && scene.shows("Stop the marked"),
        "{}",
        scene.screen()
    );
    scene.type_text("bx13");
    assert!(
        scene.shows("box-13") && scene.shows("Go to this sandbox."),
        "{}",
        scene.screen()
    );
    scene.press("enter").answer();
    assert_eq!(scene.selected(), Some("box-13"));
    pick(&mut scene, "activity");
    assert!(scene.shows("Activity"), "{}", scene.screen());
    // The last picks on top, the latest first.
    scene.press("1 :");
    let row = |words: &str| scene.find(words).map(|(_, row)| row);
    let (_, title) = scene.find("Palette").unwrap();
    assert_eq!(
        row("Open the activity"),
        Some(title + 2),
        "{}",
        scene.screen()
    );
    assert_eq!(
        row("Go to this sandbox."),
        Some(title + 3),
        "{}",
        scene.screen()
    );
    scene.press("esc esc 6 :");
    scene.type_text("zzzz");
    assert!(scene.shows("Nothing of that name"), "{}", scene.screen());
    scene.press("enter esc");
    assert_eq!(scene.changes().len(), 0);
}

#[test]
fn a_pick_is_guarded_like_its_key() {
    let mut scene = at_row(twenty(), 4);
    pick(&mut scene, "stop");
    assert!(scene.shows("Stop box-04 now?"), "{}", scene.screen());
    // Enter, still held, answers with Cancel.
    scene.press("enter enter").answer();
    pick(&mut scene, "create");
    for _ in 0..30 {
        scene.press("enter").answer();
    }
    assert!(scene.shows("Create a sandbox"), "{}", scene.screen());
    scene.press("esc");
    pick(&mut scene, "Run a command in");
    scene.type_text("make").press("ctrl-s").answer();
    assert!(
        matches!(scene.changes()[..], [Call::RunCommand(..)]),
        "{:?}",
        scene.changes()
    );
}

/// Whether the palette lists it when its name is typed.
fn lists(scene: &mut Scene, row: &ActionRow) -> bool {
    scene.press(":").type_text(row.title);
    let listed = scene.shows(&row.help[..20]);
    scene.press("esc");
    listed
}

#[test]
fn what_does_not_apply_is_not_listed() {
    let read_only = sandtop::app::Options {
        read_only: true,
        ..options(120, 40)
    };
    let mut service = Service::with(&["box"]);
    service.runs("box", "cmd_1", "npm test", Some(1));
    let mut reading = Scene::new(read_only, service.clone());
    let mut all = Scene::new(options(120, 40), service);
    let mut asleep = Service::default();
    asleep.add("asleep", json!({"status": "stopped"}));
    let mut asleep = Scene::new(options(120, 40), asleep);
    for row in ACTIONS.iter().filter(|row| row.class > Class::Free) {
        assert!(!lists(&mut reading, row), "{} while reading", row.id);
    }
    for action in [Action::Run, Action::RunAgain, Action::EditRun, Action::Stop] {
        assert!(lists(&mut all, action.row()), "{}", all.screen());
        assert!(!lists(&mut asleep, action.row()), "{action:?}");
    }
    assert!(!lists(&mut all, Action::Dashboard.row()), "it is open");
}

#[test]
fn a_pick_for_what_has_changed_does_nothing() {
    let mut scene = at_row(twenty(), 4);
    scene.press(":").type_text("stop");
    scene.service.get("box-04").current_session_id = Some(SessionId::new("sbx_next"));
    scene.service.get("box-04").updated_at = Some(scene.now.wall);
    scene.refresh().press("enter").answer();
    assert!(scene.shows("nothing was done"), "{}", scene.screen());
    scene.press(":").type_text("box-09");
    scene.service.remove("box-09");
    scene.wait(400_000).press("enter").answer();
    assert!(scene.shows("box-09 is deleted"), "{}", scene.screen());
    assert_eq!(scene.selected(), Some("box-04"));
    assert_eq!(scene.changes().len(), 0);
}

#[test]
fn a_row_is_picked_by_a_click_and_the_wheel_moves() {
    let mut scene = at_row(twenty(), 4);
    scene.press(":").type_text("box-1");
    let (column, row) = scene.find("box-12 ").unwrap();
    scene.mouse(crossterm::event::MouseEventKind::ScrollDown, column, row);
    let (column, row) = scene.find("box-15").unwrap();
    scene.mouse(LEFT, column, row).answer();
    assert_eq!(scene.selected(), Some("box-15"), "{}", scene.screen());
}
