//! The pane at every size, with marks, a cursor and an end; and nothing raw in its cells.

use super::*;
use crate::logic::{Pane, ShellId, ShellNews, ShellStart, Site};
use crate::model::{SandboxKey, SessionId};
use crate::panes::testing::{HOSTILE, Scene, assert_harmless, at};
use crate::term::Size;
use crate::ui::testing::{dump as text, dump_styled};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use serde_json::json;

struct Sight {
    scene: Scene,
    state: State,
    key: SandboxKey,
}

impl Sight {
    fn new() -> Self {
        let mut scene = Scene::default();
        let key = scene.sandbox(
            "box",
            &json!({"expiresAt": crate::panes::testing::EPOCH + 900_000}),
        );
        scene.pane = Pane::Shell;
        Self {
            scene,
            state: State::default(),
            key,
        }
    }

    fn open(&mut self) -> ShellId {
        let site = Site::of(&self.key, &self.scene.world).unwrap();
        let start = ShellStart {
            session: SessionId::new("sbx_box"),
            command: None,
            args: Vec::new(),
            env: Vec::new(),
            cwd: None,
            sudo: false,
            columns: 0,
            rows: 0,
        };
        let shells = &mut self.scene.world.shells;
        let id = shells.open(site, start, at(90));
        let size = Size {
            columns: 80,
            rows: 24,
        };
        shells.resize(id, size, at(90));
        shells.news(id, &ShellNews::Open, at(90));
        id
    }

    fn prints(&mut self, id: ShellId, words: &str) {
        let news = ShellNews::Output(words.to_owned().into());
        self.scene.world.shells.news(id, &news, self.scene.now);
    }

    fn drawn(&mut self, width: u16, height: u16) -> Buffer {
        let area = Rect::new(0, 0, width, height);
        self.state.place(area);
        let mut buffer = Buffer::empty(area);
        let shown = self.state.shown(&self.scene.world.shells, Some(&self.key));
        if let Some((id, size)) = shown.map(|shell| shell.id).zip(self.state.size()) {
            self.scene.world.shells.resize(id, size, self.scene.now);
        }
        draw(
            &self.state,
            &self.scene.world,
            &self.scene.ctx(),
            area,
            &mut buffer,
        );
        assert_harmless(&buffer);
        buffer
    }
}

#[test]
fn looks() {
    let mut sight = Sight::new();
    let (first, second) = (sight.open(), sight.open());
    sight.prints(first, "\x07");
    sight.prints(
        second,
        "\x1b]0;vim notes\x07\x1b[1;32m~\x1b[0m $ \x1b[7mls\x1b[0m \x1b[4:3m\u{6f22}\u{5b57}\x1b[0m\r\nA 10%\r\n",
    );
    sight.scene.world.shells.watch(Some(second));
    insta::assert_snapshot!("open_60x8", text(&sight.drawn(60, 8)));
    let cursor = cursor(&sight.state, sight.scene.world.shells.get(second).unwrap());
    assert_eq!(cursor, Some(Position::new(1, 3)));
    sight.scene.pane = Pane::Stage;
    insta::assert_snapshot!("read_30x6", text(&sight.drawn(30, 6)));
    let lost = ShellNews::Lost {
        why: "no answer for 25 s".into(),
        unsent: 3,
    };
    sight.scene.world.shells.news(second, &lost, at(95));
    insta::assert_snapshot!("lost_100x8", text(&sight.drawn(100, 8)));
}

#[test]
fn a_sandbox_without_a_shell_says_how_to_open_one() {
    let mut sight = Sight::new();
    let drawn = text(&sight.drawn(60, 5));
    assert!(
        drawn.contains("No shell is open in box. s opens one."),
        "{drawn}"
    );
}

#[test]
fn whatever_is_printed_no_cell_holds_what_a_terminal_acts_on() {
    let mut sight = Sight::new();
    let id = sight.open();
    for (width, height) in [(1, 1), (2, 2), (3, 9), (20, 3), (61, 9)] {
        sight.prints(id, HOSTILE);
        sight.prints(id, "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}e\u{301}\u{1f1e6}\u{1f1e7}\u{ad}\u{200b}|\r\n");
        sight.drawn(width, height);
    }
}

#[test]
fn colours_are_the_programs_own() {
    let mut sight = Sight::new();
    let id = sight.open();
    sight.prints(id, "\x1b[31ma\x1b[38;2;1;2;3mb\x1b[0;48;5;200mc\x1b[0;8md");
    let drawn = dump_styled(&sight.drawn(20, 5));
    let looks = "1..=1 fg:1, 2..=2 fg:#010203, 3..=3 bg:200, ";
    assert!(drawn.contains(looks) && drawn.contains("abc "), "{drawn}");
}
