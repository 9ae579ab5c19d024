//! What is typed, pasted, pointed at and copied in shells, and what is answered about them.

use super::at_row;
use super::scene::Scene;
use super::shells::{open, prints, typed};
use super::twenty;
use crossterm::event::{MouseButton, MouseEventKind};
use sandtop::logic::{Effect, EngineFate, Event, Pane};

#[test]
fn every_key_but_one_is_the_programs() {
    let mut scene = at_row(twenty(), 3);
    open(&mut scene);
    scene.press("q ctrl-c ctrl-z esc 6 ? : x ctrl-k ctrl-l tab ctrl-q ctrl-s");
    assert_eq!(
        typed(&mut scene),
        b"q\x03\x1a\x1b6?:x\x0b\x0c\t\x11\x13",
        "in their order"
    );
    assert_eq!(scene.state.pane, Pane::Shell);
    assert!(!scene.effects.contains(&Effect::Quit(EngineFate::End)));
    // The escape key waits; twice it is the program's; with another it is sandtop's.
    scene.press("ctrl-]");
    assert!(scene.shows("ctrl-] …"), "{}", scene.screen());
    assert!(scene.shows("background"), "{}", scene.screen());
    assert_eq!(typed(&mut scene), b"");
    scene.press("ctrl-]");
    assert_eq!(typed(&mut scene), b"\x1d");
    scene.press("ctrl-] esc a");
    assert_eq!(typed(&mut scene), b"a", "esc leaves the popup");
    scene.press("ctrl-] ctrl-c b");
    assert_eq!(typed(&mut scene), b"b", "an unknown key does nothing");
    scene.press("ctrl-] q");
    assert_eq!(scene.state.pane, Pane::Stage);
    scene.press("j");
    assert_eq!(typed(&mut scene), b"");
    // As terminals without the newer protocol report it.
    scene.press("enter").press("ctrl-5 q");
    assert_eq!(scene.state.pane, Pane::Stage);
}

#[test]
fn every_dialog_about_shells_bears_every_size() {
    let dialogs = ["c", "S", ",", "x", "y", "[", "/", "?"];
    for dialog in dialogs {
        let mut scene = at_row(twenty(), 3);
        let id = open(&mut scene);
        prints(&mut scene, id, "\x1b]52;c;aGVsbG8=\x07\u{6f22}\u{5b57}");
        scene.press("ctrl-]").press(dialog);
        let sizes = (0..30)
            .step_by(3)
            .flat_map(|width| (0..10).map(move |height| (width, height)));
        let odd = [
            (40, 10),
            (10, 3),
            (1, 1),
            (0, 0),
            (1, 200),
            (500, 1),
            (120, 40),
        ];
        for (width, height) in sizes.chain(odd) {
            scene.resize(width, height);
            scene.buffer();
        }
        assert_eq!(typed(&mut scene), b"", "{dialog}");
    }
}

#[test]
fn pastes_and_the_wheel_go_where_the_program_wants_them() {
    let mut scene = at_row(twenty(), 3);
    let id = open(&mut scene);
    scene.send(Event::Paste("a\nb".to_owned()));
    assert_eq!(typed(&mut scene), b"a\rb");
    prints(&mut scene, id, "\x1b[?2004h");
    scene.send(Event::Paste("x\x1b[201~\x03y".to_owned()));
    let pasted = typed(&mut scene);
    assert!(pasted.starts_with(b"\x1b[200~x") && pasted.ends_with(b"y\x1b[201~"));
    assert!(!pasted.contains(&3) && pasted.iter().filter(|byte| **byte == 27).count() == 2);
    let million = "0123456789".repeat(100_000);
    scene.send(Event::Paste(million.clone()));
    let pasted = typed(&mut scene);
    assert_eq!(&pasted[6..pasted.len() - 6], million.as_bytes());
    // Without mouse reports the wheel moves over what was printed; typing comes back to the end.
    for line in 0..200 {
        prints(&mut scene, id, &format!("line {line}\r\n"));
    }
    let inner = scene.state.shell.inner();
    scene.mouse(MouseEventKind::ScrollUp, inner.x + 4, inner.y + 2);
    assert!(scene.shows("3 lines up"), "{}", scene.screen());
    scene.press("a");
    assert!(!scene.shows("lines up"), "{}", scene.screen());
    typed(&mut scene);
    prints(&mut scene, id, "\x1b[?1000h\x1b[?1006h");
    scene.mouse(MouseEventKind::ScrollUp, inner.x + 4, inner.y + 2);
    assert_eq!(typed(&mut scene), b"\x1b[<64;5;3M");
}

#[test]
fn a_program_that_wants_to_copy_is_asked_about() {
    let mut scene = at_row(twenty(), 3);
    let id = open(&mut scene);
    let copies = |scene: &mut Scene| {
        let effects = std::mem::take(&mut scene.effects);
        let copies = effects
            .iter()
            .filter(|effect| matches!(effect, Effect::CopyText(_)));
        copies.count()
    };
    prints(&mut scene, id, "\x1b]52;c;aGVsbG8=\x07");
    assert!(
        scene.shows("ctrl-] y answers: a program wants 5 bytes"),
        "{}",
        scene.screen()
    );
    scene.press("y");
    assert_eq!(copies(&mut scene), 0, "what is typed answers nothing");
    scene.press("ctrl-] y");
    assert!(scene.shows("hello"), "{}", scene.screen());
    scene.press("esc");
    assert_eq!(copies(&mut scene), 0);
    prints(&mut scene, id, "\x1b]52;c;aGVsbG8=\x07");
    scene.press("ctrl-] y tab tab enter");
    assert_eq!(copies(&mut scene), 1);
    prints(&mut scene, id, "\x1b]52;c;aGVsbG8=\x07");
    assert_eq!(copies(&mut scene), 1, "from now on always");
    assert_eq!(typed(&mut scene), b"", "and it is told nothing");
}

#[test]
fn what_was_printed_is_read_searched_and_copied_while_more_comes() {
    let mut scene = at_row(twenty(), 3);
    let id = open(&mut scene);
    for line in 0..300 {
        prints(&mut scene, id, &format!("line {line}\r\n"));
    }
    scene.press("ctrl-] /");
    scene.type_text("line 17\u{32}").press("enter");
    assert!(scene.shows("copy mode"), "{}", scene.screen());
    prints(&mut scene, id, "more\r\n");
    assert!(!scene.shows("more"), "the picture stands still");
    scene.press("n V y");
    let copied = Effect::CopyText("line 172".into());
    assert!(scene.effects.contains(&copied), "{:?}", scene.effects);
    assert!(
        scene.shows("more") && !scene.shows("copy mode"),
        "{}",
        scene.screen()
    );
    assert_eq!(typed(&mut scene), b"", "none of it was typed");
    scene.press("ctrl-] ]");
    assert_eq!(typed(&mut scene), b"line 172");
    // With the mouse: a drag copies when the button goes up, a double click a word.
    let (x, y) = scene.find("line 299").unwrap();
    let left = MouseButton::Left;
    scene
        .mouse(MouseEventKind::Down(left), x + 5, y)
        .mouse(MouseEventKind::Drag(left), x + 7, y)
        .mouse(MouseEventKind::Up(left), x + 7, y);
    assert!(
        scene.effects.contains(&Effect::CopyText("299".into())),
        "{:?}",
        scene.effects
    );
    for _ in 0..2 {
        scene
            .mouse(MouseEventKind::Down(left), x + 1, y)
            .mouse(MouseEventKind::Up(left), x + 1, y);
    }
    assert!(
        scene.effects.contains(&Effect::CopyText("line".into())),
        "{:?}",
        scene.effects
    );
    assert_eq!(scene.state.pane, Pane::Shell);
}

#[test]
fn keys_that_look_alike_are_told_apart_while_a_program_wants_them() {
    let mut scene = at_row(twenty(), 3);
    let id = open(&mut scene);
    let told = |scene: &mut Scene| -> Vec<bool> {
        let effects = std::mem::take(&mut scene.effects).into_iter();
        effects
            .filter_map(|effect| match effect {
                Effect::TellKeysApart(on) => Some(on),
                _ => None,
            })
            .collect()
    };
    assert_eq!(told(&mut scene), Vec::<bool>::new());
    prints(&mut scene, id, "\x1b[>1u");
    assert_eq!(told(&mut scene), [true]);
    scene.press("ctrl-] q");
    assert_eq!(told(&mut scene), [false]);
    scene.press("enter");
    assert_eq!(told(&mut scene), [true]);
    prints(&mut scene, id, "\x1b[<u");
    assert_eq!(told(&mut scene), [false]);
}

#[test]
fn focus_is_told_to_programs_that_ask() {
    let mut scene = at_row(twenty(), 3);
    let id = open(&mut scene);
    prints(&mut scene, id, "\x1b[?1004h");
    scene.send(Event::Focus(false)).answer();
    assert_eq!(typed(&mut scene), b"\x1b[O");
    scene.send(Event::Focus(true)).answer();
    assert_eq!(typed(&mut scene), b"\x1b[I");
    scene.press("ctrl-] q");
    assert_eq!(typed(&mut scene), b"\x1b[O");
}
