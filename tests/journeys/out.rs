//! Lines leave the dashboard: by keys and the mouse, after a question where something would be lost.

use super::LEFT;
use super::scene::{Scene, Service, options};
use crossterm::event::{MouseButton, MouseEventKind};
use sandtop::logic::{Amount, CopyWay, Effect, Event, Export, Outlet, Pane, StreamNews, Told};
use sandtop::model::{LogObject, StreamName};

const DRAG: MouseEventKind = MouseEventKind::Drag(MouseButton::Left);
const UP: MouseEventKind = MouseEventKind::Up(MouseButton::Left);

/// A sandbox whose command has printed `line 1` to `line 5`; the list has the keys.
fn printed() -> Scene {
    let mut service = Service::with(&["web"]);
    service.runs("web", "c1", "make", None);
    let mut scene = Scene::new(options(120, 40), service);
    let opened = scene.effects.iter().rev().find_map(|effect| match effect {
        Effect::OpenStream(stream) => Some(stream.clone()),
        _ => None,
    });
    let stream = opened.expect("the log is open");
    let data = (1..=5).map(|n| format!("line {n}\n")).collect();
    let piece = LogObject::Piece {
        stream: StreamName::Stdout,
        data,
    };
    for news in [StreamNews::Opened, StreamNews::Objects(vec![piece])] {
        let stream = stream.clone();
        scene.send(Event::Stream { stream, news });
    }
    assert!(scene.shows("line 5"), "{}", scene.screen());
    scene
}

fn exported(scene: &Scene) -> &Export {
    match scene.effects.last() {
        Some(Effect::Export(export)) => export,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_search_begins_in_the_commands_as_well() {
    let mut scene = printed();
    scene.press("enter");
    assert_eq!(scene.state.pane, Pane::Stage);
    scene.press("/").type_text("line 2").wait(1000);
    assert_eq!(scene.state.pane, Pane::Lines);
    assert!(scene.shows("/line 2"), "{}", scene.screen());
    assert!(scene.shows("1 of 1"), "{}", scene.screen());
    scene.press("enter esc esc");
    assert_eq!(scene.state.pane, Pane::Stage);
    // Beside no log there is nothing to be searched.
    scene.press("[ /");
    assert_eq!(scene.state.pane, Pane::Stage);
}

#[test]
fn a_file_that_is_there_is_overwritten_after_a_yes_only() {
    let mut scene = printed();
    scene.press("enter enter o s enter");
    let first = exported(&scene).clone();
    let file = |export: &Export| match &export.to {
        Outlet::File {
            path, overwrite, ..
        } => (path.clone(), *overwrite),
        other => panic!("{other:?}"),
    };
    assert_eq!(file(&first), ("web.log".to_owned(), false));
    let Outlet::File { path, form, .. } = first.to.clone() else {
        unreachable!()
    };
    let to = Outlet::File {
        path,
        form,
        overwrite: true,
    };
    let again = Export { to, ..first };
    let before = scene.effects.len();
    scene.send(Event::Told(Told::Exists(Box::new(again.clone()))));
    assert!(
        scene.shows("web.log is there already"),
        "{}",
        scene.screen()
    );
    scene.press("enter");
    assert!(!scene.shows("is there already"));
    let exports = |scene: &Scene, from: usize| {
        let exports = scene.effects[from..].iter();
        exports
            .filter(|effect| matches!(effect, Effect::Export(_)))
            .count()
    };
    assert_eq!(exports(&scene, before), 0, "the first answer is no");
    scene.send(Event::Told(Told::Exists(Box::new(again.clone()))));
    scene.press("y");
    assert_eq!(exported(&scene), &again);
}

#[test]
fn the_mouse_drags_over_lines_and_gives_them_out() {
    let mut scene = printed();
    let (column, second) = scene.find("line 2").unwrap();
    scene
        .mouse(LEFT, column, second)
        .mouse(DRAG, column + 9, second + 2)
        .mouse(UP, column + 9, second + 2);
    assert!(scene.shows("3 lines selected"), "{}", scene.screen());
    scene.mouse(DRAG, column, second + 3);
    assert!(scene.shows("3 lines selected"), "let go: that is no drag");
    scene.press("y");
    assert_eq!(exported(&scene).excerpt.lines, 1..4);
    assert!(!scene.shows("selected"));
}

#[test]
fn it_is_said_which_way_lines_went_and_how_many() {
    let mut scene = printed();
    let amount = |lines, bytes, missing| Amount {
        lines,
        bytes,
        missing,
    };
    let table = [
        (
            Told::Copied(CopyWay::Terminal, amount(1, 7, 0)),
            "Copied 1 line, 7 B, through the terminal (OSC 52).",
        ),
        (
            Told::Copied(CopyWay::Program("wl-copy"), amount(12, 2048, 0)),
            "Copied 12 lines, 2.0 KiB, with wl-copy.",
        ),
        (
            Told::Copied(CopyWay::Tmux, amount(2, 10, 3)),
            "Copied 2 lines, 10 B, without 3 that are not held any more, into tmux's buffer.",
        ),
        (
            Told::Copied(
                CopyWay::File("/c/copied\u{1b}[2J.txt".into()),
                amount(2, 10, 0),
            ),
            "Copied 2 lines, 10 B, into /c/copied.txt, since no clipboard took it.",
        ),
        (
            Told::Saved("/h/web.log".into(), amount(5, 35, 0)),
            "Saved 5 lines, 35 B, as /h/web.log.",
        ),
        (
            Told::Visited {
                line: "wc -l".into(),
                exit: 1,
                given: amount(5, 35, 0),
            },
            "wc -l: exit 1, given 5 lines, 35 B.",
        ),
    ];
    for (told, sentence) in table {
        scene.send(Event::Told(told));
        assert!(scene.shows(sentence), "{sentence}\n{}", scene.screen());
    }
}
