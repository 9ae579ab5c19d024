//! The activity view: following, selecting, copying, drawing.

use super::{State, click, draw, settle, update};
use crate::logic::{Action, Budgets, Call, Effect, Outcome, Pane};
use crate::model::{SandboxName, Span};
use crate::panes::testing::{HOSTILE, Scene, assert_harmless, at};
use crate::text::clean;
use crate::ui::testing::{dump, screen};
use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

const BUDGETS: Budgets = Budgets {
    list: (3, 20),
    detail: (12, 40),
    looks: (2, 120),
};

struct View {
    scene: Scene,
    state: State,
}

impl View {
    fn new(scene: Scene, width: u16, height: u16) -> Self {
        let mut view = Self {
            scene,
            state: State::default(),
        };
        view.state.place(Rect::new(0, 0, width, height));
        view.settle();
        view
    }

    fn settle(&mut self) {
        settle(&mut self.state, &self.scene.world, &self.scene.ctx());
    }

    fn act(&mut self, action: Action) -> Vec<Effect> {
        update(
            &mut self.state,
            &self.scene.world,
            action,
            &self.scene.ctx(),
        )
    }

    fn buffer(&self) -> Buffer {
        let area = self.state.area;
        let buffer = screen(area.width, area.height, |buffer, area| {
            draw(
                &self.state,
                &self.scene.world,
                BUDGETS,
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

    /// A call that was answered well.
    fn reads(&mut self, name: &str) {
        reads(&mut self.scene, name);
        self.settle();
    }

    fn copied(&mut self) -> String {
        match self.act(Action::Copy).as_slice() {
            [Effect::Copy(text)] => text.as_str().to_owned(),
            other => panic!("{other:?}"),
        }
    }
}

fn reads(scene: &mut Scene, name: &str) -> u64 {
    let number = scene
        .world
        .activity
        .sent(&Call::GetSandbox(SandboxName::new(name)), scene.now);
    scene.world.activity.finished(
        number,
        Outcome::Done { took: Span(34) },
        Some(&"iad1::x7-1790000".into()),
    );
    number
}

fn scene(subject: &str, why: &str) -> Scene {
    let mut scene = Scene {
        pane: Pane::Activity,
        ..Scene::default()
    };
    reads(&mut scene, subject);
    scene.now = at(105);
    let number = reads(&mut scene, subject);
    let why = clean(&why.into());
    scene
        .world
        .activity
        .finished(number, Outcome::Failed { why }, None);
    scene.world.activity.note(
        "the clock jumped: reading everything again".into(),
        scene.now,
    );
    scene
        .world
        .activity
        .sent(&Call::GetSandbox(SandboxName::new(subject)), scene.now);
    scene
}

const LONG: &str = "read sandbox: 500 server fault: something went wrong in a place that takes many words to describe, and it will \
                    go on like this until somebody reads it to the end";

#[test]
fn entries_are_drawn() {
    for (width, height) in [(120, 14), (80, 12), (40, 10)] {
        let mut view = View::new(scene("build-agent-7", LONG), width, height);
        view.act(Action::Top);
        view.act(Action::Down);
        insta::assert_snapshot!(format!("activity_{width}x{height}"), view.screen());
    }
    assert!(
        View::new(Scene::default(), 60, 8)
            .screen()
            .contains("Nothing was asked of the service yet.")
    );
}

#[test]
fn the_newest_is_followed_until_another_is_selected() {
    let mut view = View::new(scene("web", "no"), 80, 10);
    view.reads("api");
    assert!(view.copied().contains("api"));
    view.act(Action::Up);
    let before = view.copied();
    for _ in 0..1500 {
        view.reads("new");
    }
    // It was dropped, being the oldest: what stands in its place is taken, and stays.
    assert_ne!(view.copied(), before);
    view.act(Action::PageUp);
    let before = view.copied();
    view.reads("newer");
    assert_eq!(view.copied(), before);
    assert!(view.screen().contains("older dropped"));
    assert!(view.screen().contains("newer below"));
    view.act(Action::Bottom);
    view.reads("last");
    assert!(
        view.copied()
            .contains("read sandbox last done 34 ms request iad1::x7-1790000")
    );
    assert!(!view.screen().contains("newer below"));
}

#[test]
fn a_click_selects_and_stops_following() {
    let mut view = View::new(scene("web", "no"), 80, 12);
    click(
        &mut view.state,
        &view.scene.world,
        &view.scene.ctx(),
        Position::new(10, 3),
    );
    assert!(view.copied().ends_with("web failed: no"));
    view.reads("x");
    assert!(view.copied().ends_with("web failed: no"));
}

#[test]
fn hostile_text_is_harmless() {
    let mut view = View::new(scene(HOSTILE, HOSTILE), 100, 14);
    for action in [Action::Top, Action::Down, Action::Down] {
        view.act(action);
        view.screen();
        assert!(!view.copied().contains(char::is_control));
    }
}

proptest! {
    /// RS05.
    #[test]
    fn any_size_is_safe(width in 0..30_u16, height in 0..12_u16, up in 0..5_usize) {
        let mut view = View::new(scene(HOSTILE, HOSTILE), width, height);
        for _ in 0..up {
            view.act(Action::Up);
        }
        let buffer = screen(40, 14, |buffer, _| {
            let area = Rect::new(3, 2, width, height);
            draw(&view.state, &view.scene.world, BUDGETS, &view.scene.ctx(), area, buffer);
        });
        assert_harmless(&buffer);
        for y in 0..14 {
            for x in 0..40 {
                let inside = (3..3 + width).contains(&x) && (2..2 + height).contains(&y);
                prop_assert!(inside || buffer[(x, y)].symbol() == " ", "{x} {y}");
            }
        }
    }
}
