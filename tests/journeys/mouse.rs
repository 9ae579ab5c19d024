//! The mouse: titles sort, the divider is dragged, clicks choose in every pane.

use super::scene::{Scene, Service, options};
use super::{LEFT, at_row, twenty};
use crossterm::event::{MouseButton, MouseEventKind};
use sandtop::app::Options;
use sandtop::logic::settings::Remembered;

const DRAG: MouseEventKind = MouseEventKind::Drag(MouseButton::Left);
const UP: MouseEventKind = MouseEventKind::Up(MouseButton::Left);

#[test]
fn a_click_on_a_title_sorts_and_a_second_one_turns_it_around() {
    let mut scene = at_row(twenty(), 4);
    let (column, row) = scene.find("NAME").unwrap();
    scene.mouse(LEFT, column, row);
    assert!(scene.shows("by name up"), "{}", scene.screen());
    assert_eq!(scene.rows()[0], "box-00");
    scene.mouse(LEFT, column, row);
    assert_eq!(
        (scene.rows()[0], scene.selected()),
        ("box-19", Some("box-04"))
    );
    let (column, row) = scene.find("MEMORY").unwrap();
    scene.mouse(LEFT, column, row);
    assert!(scene.shows("by memory"), "{}", scene.screen());
    // Between the titles, and where there is no list: nothing.
    scene.mouse(LEFT, 0, row);
    let mut empty = Scene::new(options(120, 40), Service::default());
    empty.mouse(LEFT, 6, 2);
}

#[test]
fn the_line_between_list_and_stage_is_dragged() {
    let mut scene = at_row(twenty(), 0);
    let divider = |scene: &Scene| scene.find("[Logs]").unwrap().1 - 1;
    let before = divider(&scene);
    for to in [before + 5, before - 3, before] {
        let from = divider(&scene);
        scene
            .mouse(LEFT, 30, from)
            .mouse(DRAG, 31, to)
            .mouse(UP, 31, to);
        assert_eq!(divider(&scene), to, "{}", scene.screen());
        // Let go: what moves now is no drag.
        scene.mouse(DRAG, 31, to + 2);
        assert_eq!(divider(&scene), to);
    }
    // It is where it was left at the next start.
    let from = divider(&scene);
    scene
        .mouse(LEFT, 30, from)
        .mouse(DRAG, 31, from - 2)
        .mouse(UP, 31, from - 2);
    let remembered = Remembered::parse(&scene.state.remembered().to_text());
    let next = Options {
        remembered,
        ..options(120, 40)
    };
    assert_eq!(divider(&Scene::new(next, twenty())), from - 2);
    // As far as both have room.
    scene
        .mouse(LEFT, 30, before)
        .mouse(DRAG, 30, 0)
        .mouse(DRAG, 30, 39);
    assert!(
        scene.shows("Sandboxes") && scene.shows("[Logs]"),
        "{}",
        scene.screen()
    );
    // A drag that began elsewhere, or over a dialog, moves nothing.
    scene.mouse(UP, 30, 39);
    let at = divider(&scene);
    scene
        .mouse(LEFT, 30, at - 2)
        .mouse(DRAG, 30, at + 1)
        .mouse(UP, 30, at + 1);
    scene
        .press("?")
        .mouse(LEFT, 30, at)
        .mouse(DRAG, 30, at - 4)
        .mouse(UP, 30, at - 4);
    scene.press("esc");
    assert_eq!(divider(&scene), at);
    scene.resize(40, 10).mouse(LEFT, 3, 9).mouse(DRAG, 3, 2);
}

#[test]
fn clicks_choose_commands_sessions_and_entries() {
    let mut service = Service::with(&["box"]);
    service.runs("box", "cmd_1", "first one", Some(0));
    service.runs("box", "cmd_2", "second one", Some(1));
    let mut scene = Scene::new(options(120, 40), service);
    let (column, row) = scene.find("first one").unwrap();
    scene.mouse(LEFT, column, row).answer();
    assert_eq!(scene.state.logs.chosen().unwrap().command.as_raw(), "cmd_1");
    assert_eq!(scene.state.pane, sandtop::logic::Pane::Stage);
    scene.press("6");
    let (column, row) = scene.find("list sandboxes").unwrap();
    scene.mouse(LEFT, column, row);
    assert_eq!(scene.state.pane, sandtop::logic::Pane::Activity);
    scene.press("1 ] ] ]").answer();
    let (column, row) = scene.find("sbx_box").unwrap();
    scene.mouse(LEFT, column, row).press("y");
    assert!(
        scene
            .effects
            .contains(&sandtop::logic::Effect::Copy("sbx_box".into())),
        "{:?}",
        scene.screen()
    );
}
