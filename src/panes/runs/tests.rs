//! The runs on screen: order, filter, selection, and what is drawn of each state.

use super::{State, click, draw, key, paste, settle, update};
use crate::logic::{Action, Effect, Pane, StreamNews, agents, tail};
use crate::model::{CommandKey, LogObject, StreamName};
use crate::panes::testing::{HOSTILE, Scene, assert_harmless, at, command, command_key};
use crate::ui::testing::{dump, screen};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use serde_json::json;

const INIT: &str = r#"{"type":"system","subtype":"init","session_id":"s","tools":[],"model":"claude-kite-1","claude_code_version":"2.2.7"}"#;
const WORKS: &str = r#"{"type":"assistant","message":{"id":"m1","model":"claude-kite-1","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make test"}}],"usage":{"input_tokens":1200,"output_tokens":1}},"session_id":"s"}"#;
const ASKS: &str = r#"{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","tool_name":"Bash","tool_use_id":"t1","input":{"command":"make test"}}}"#;
const LIMITED: &str = r#"{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1790000400,"rateLimitType":"five_hour"},"session_id":"s"}"#;
const DONE: &str = r#"{"type":"result","subtype":"success","is_error":false,"num_turns":3,"result":"All pass.","total_cost_usd":0.1234,"usage":{"input_tokens":1300,"output_tokens":210},"session_id":"s"}"#;
const FAILED: &str = r#"{"type":"result","subtype":"error_max_turns","is_error":true,"num_turns":9,"errors":["9 turns are the most"],"total_cost_usd":0.5,"usage":{"input_tokens":1300,"output_tokens":210},"session_id":"s"}"#;

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
        view.scene.pane = Pane::Runs;
        view.state.place(Rect::new(0, 0, width, height));
        view.settle();
        view
    }

    fn settle(&mut self) {
        agents::settle(&mut self.scene.world, self.scene.now);
        settle(&mut self.state, &self.scene.world, &self.scene.ctx());
    }

    fn act(&mut self, action: Action) -> Vec<Effect> {
        let (world, ctx) = (&self.scene.world, self.scene.ctx());
        let effects = update(&mut self.state, world, action, &ctx);
        self.settle();
        effects
    }

    fn types(&mut self, text: &str) {
        self.act(Action::Filter);
        for c in text.chars() {
            let event = KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE);
            key(&mut self.state, event);
            self.settle();
        }
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

    fn selected(&self) -> &CommandKey {
        self.state.selected().unwrap()
    }
}

/// A sandbox whose one command printed these lines, live, and ended so.
fn run(scene: &mut Scene, name: &str, line: &str, printed: &[&str], exit: Option<i64>) {
    scene.sandbox(
        name,
        &json!({"expiresAt": crate::panes::testing::EPOCH + 700_000}),
    );
    scene.commands(name, &[command("c", line, 60, exit)]);
    agents::settle(&mut scene.world, scene.now);
    let key = command_key(name, "c");
    scene.open(&key);
    for line in printed {
        scene.prints(&key, &StreamName::Stdout, &format!("{line}\n"));
    }
    if let Some(exit) = exit {
        let told = serde_json::from_value(command("c", line, 60, Some(exit))).unwrap();
        let told = LogObject::Command(Box::new(told));
        scene.news(&key, StreamNews::Objects(vec![told]));
        scene.news(&key, StreamNews::Ended);
    }
    agents::settle(&mut scene.world, scene.now);
}

fn all() -> Scene {
    let mut scene = Scene::default();
    let claude = "claude -p go --output-format stream-json";
    run(&mut scene, "done", claude, &[INIT, WORKS, DONE], Some(0));
    run(
        &mut scene,
        "failed",
        claude,
        &[INIT, WORKS, FAILED],
        Some(1),
    );
    run(&mut scene, "killed", claude, &[INIT, WORKS], Some(137));
    run(&mut scene, "limited", claude, &[INIT, WORKS, LIMITED], None);
    run(&mut scene, "working", claude, &[INIT, WORKS], None);
    run(&mut scene, "waiting", claude, &[INIT, WORKS, ASKS], None);
    run(&mut scene, "starting", "codex exec --json go", &[], None);
    scene.sandbox("unread", &json!({}));
    scene.commands("unread", &[command("c", "gemini -p go", 600, Some(0))]);
    scene.sandbox("other", &json!({}));
    scene.commands("other", &[command("c", "make", 600, None)]);
    scene.now = at(130);
    scene
}

#[test]
fn every_state_is_drawn_and_who_waits_comes_first() {
    for (width, height) in [(80, 18), (120, 18), (200, 18)] {
        let view = View::new(all(), width, height);
        insta::assert_snapshot!(format!("runs_{width}x{height}"), dump(&view.buffer()));
    }
    let view = View::new(all(), 120, 20);
    let order: Vec<&str> = view
        .state
        .rows
        .iter()
        .map(|key| key.session.as_raw())
        .collect();
    assert_eq!(order[..2], ["sbx_waiting", "sbx_limited"]);
    assert_eq!(order[order.len() - 1], "sbx_unread");
    assert_eq!(view.scene.world.agent_runs.waiting(), 1);
    let nothing = View::new(Scene::default(), 80, 10);
    assert!(dump(&nothing.buffer()).contains("Reading the sandboxes"));
}

#[test]
fn the_same_run_stays_selected_when_the_order_changes() {
    let mut view = View::new(all(), 120, 20);
    view.act(Action::Bottom);
    view.act(Action::Up);
    let before = view.selected().clone();
    let working = command_key("working", "c");
    view.scene.open(&working);
    view.scene.now = at(140);
    tail::settle(&mut view.scene.world, Some(&working), view.scene.now);
    for line in [INIT, WORKS, ASKS] {
        view.scene
            .prints(&working, &StreamName::Stdout, &format!("{line}\n"));
    }
    view.settle();
    assert_eq!(view.selected(), &before);
    assert_eq!(view.scene.world.agent_runs.waiting(), 2);
}

#[test]
fn the_filter_takes_words_of_any_column() {
    let mut view = View::new(all(), 120, 20);
    view.types("Kite make");
    assert_eq!(view.state.rows.len(), 2, "{:?}", view.state.rows);
    assert!(dump(&view.buffer()).contains("Agent runs 2 of 8"));
    key(
        &mut view.state,
        KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE),
    );
    view.settle();
    assert_eq!(view.state.rows.len(), 8);
    view.act(Action::Filter);
    paste(&mut view.state, "no such run");
    view.settle();
    assert!(dump(&view.buffer()).contains("No run matches the filter."));
    assert!(view.state.clear_filter() && !view.state.is_typing());
}

#[test]
fn a_click_selects_and_a_run_is_copied_in_a_sentence() {
    let mut view = View::new(all(), 120, 20);
    click(&mut view.state, Position::new(20, 3));
    view.settle();
    assert_eq!(view.selected().session.as_raw(), "sbx_limited");
    view.act(Action::Top);
    let copied = view.act(Action::Copy);
    let [Effect::Copy(text)] = copied.as_slice() else {
        panic!("{copied:?}")
    };
    assert!(text.as_str().contains("waiting"), "{text:?}");
    assert!(
        text.as_str().contains("claude-code 2.2.7 in waiting"),
        "{text:?}"
    );
}

#[test]
fn hostile_text_is_harmless() {
    let mut scene = Scene::default();
    let said = json!({"type": "assistant", "message": {"id": "m", "model": HOSTILE, "content": [
        {"type": "tool_use", "id": "t", "name": HOSTILE, "input": {"command": HOSTILE}}]}, "session_id": "s"});
    let line = format!("claude -p {HOSTILE}");
    run(&mut scene, HOSTILE, &line, &[INIT, &said.to_string()], None);
    let mut view = View::new(scene, 100, 14);
    assert_eq!(view.state.rows.len(), 1);
    view.buffer();
    view.types("claude");
    view.buffer();
}

proptest! {
    /// RS05.
    #[test]
    fn any_size_is_safe(width in 0..40_u16, height in 0..14_u16, filtered in any::<bool>()) {
        let mut view = View::new(all(), width, height);
        if filtered {
            view.types("e");
        }
        let buffer = screen(50, 16, |buffer, _| {
            let area = Rect::new(3, 2, width, height);
            view.state.place(area);
            draw(&view.state, &view.scene.world, &view.scene.ctx(), area, buffer);
        });
        assert_harmless(&buffer);
        for y in 0..16 {
            for x in 0..50 {
                let inside = (3..3 + width).contains(&x) && (2..2 + height).contains(&y);
                prop_assert!(inside || buffer[(x, y)].symbol() == " ", "{x} {y}");
            }
        }
    }
}
