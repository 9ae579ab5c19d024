//! Choosing, reading and drawing logs.

mod choice;
mod drawn;
mod filter;
mod find;
mod lines;
mod looks;
mod merged;
mod out;
mod spill;
mod streams;

use super::{State, draw, settle, update};
use crate::logic::{Action, Effect, Pane};
use crate::model::CommandKey;
use crate::model::StreamName::{Stderr, Stdout};
use crate::panes::testing::{Scene, assert_harmless, command, command_key};
use crate::ui::testing::{dump, screen};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use serde_json::json;

/// A pane in a world.
struct Stage {
    scene: Scene,
    state: State,
}

impl Stage {
    fn new(scene: Scene, width: u16, height: u16) -> Self {
        let mut stage = Self {
            scene,
            state: State::default(),
        };
        stage.place(width, height);
        stage
    }

    /// A sandbox `web` with one running command, whose log is open; the lines have the keys.
    fn reading(width: u16, height: u16) -> (Self, CommandKey) {
        let mut scene = Scene {
            pane: Pane::Lines,
            ..Scene::default()
        };
        scene.sandbox("web", &json!({}));
        scene.commands("web", &[command("c1", "make", 5, None)]);
        let key = command_key("web", "c1");
        scene.open(&key);
        (Self::new(scene, width, height), key)
    }

    fn place(&mut self, width: u16, height: u16) {
        self.state.place(Rect::new(0, 0, width, height));
        self.settle();
    }

    fn settle(&mut self) {
        settle(&mut self.state, &self.scene.world, &self.scene.ctx());
    }

    fn act(&mut self, action: Action) -> Vec<Effect> {
        update(
            &mut self.state,
            &self.scene.world,
            self.scene.pane,
            action,
            &self.scene.ctx(),
        )
    }

    fn prints(&mut self, key: &CommandKey, data: &str) {
        self.scene.prints(key, &Stdout, data);
        self.settle();
    }

    /// Numbered lines, in pieces that do not end with them.
    fn prints_lines(&mut self, key: &CommandKey, numbers: std::ops::Range<usize>) {
        for number in numbers {
            self.scene
                .prints(key, &Stdout, &format!("line {number:06}\n"));
        }
        self.settle();
    }

    fn buffer(&self) -> Buffer {
        let area = self.state.area;
        let buffer = screen(area.width, area.height, |buffer, area| {
            draw(
                &self.state,
                &self.scene.world,
                &self.scene.ctx(),
                area,
                buffer,
            );
        });
        assert_harmless(&buffer);
        buffer
    }

    fn screen(&self) -> String {
        dump(&self.buffer())
    }

    /// The texts of the rows in view.
    fn rows(&self) -> Vec<String> {
        let rows = &self.state.window.rows;
        rows.iter()
            .map(|row| row.pieces.iter().map(|piece| piece.as_str()).collect())
            .collect()
    }

    fn chosen(&self) -> Option<&str> {
        self.state.chosen().map(|key| key.command.as_raw())
    }
}

/// Commands in every state, and the log of the newest.
fn build() -> Scene {
    let mut scene = Scene::default();
    scene.sandbox("web", &json!({}));
    scene.commands(
        "web",
        &[
            command("c3", "node server.js --port 3000", 0, None),
            command("c2", "npm run build -- --mode production", 60, Some(1)),
            command("c1", "npm ci", 120, Some(0)),
            command("c0", "sleep 1000", 300, Some(137)),
        ],
    );
    let key = command_key("web", "c3");
    scene.open(&key);
    let long = "a line that is longer than the pane is wide and so has to be wrapped";
    scene.prints(
        &key,
        &Stdout,
        &format!("listening on http://0.0.0.0:3000\n\u{1b}[32mGET\u{1b}[0m / 200, {long}\n"),
    );
    scene.prints(&key, &Stderr, "warning: no cache\n");
    scene.prints(&key, &Stdout, "10%\r20%");
    scene
}
