//! A run on screen: what is drawn of it, what moves and what stays, folding, jumps, search, copies.

use super::{State, click, draw, key, settle, update, wheel};
use crate::agents::Format;
use crate::logic::tail::TailState;
use crate::logic::{Action, Effect, Pane, agents};
use crate::model::{CommandKey, StreamName};
use crate::panes::testing::{HOSTILE, Scene, assert_harmless, at, command, command_key};
use crate::ui::testing::{dump, screen};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use serde_json::{Value, json};

struct View {
    scene: Scene,
    state: State,
    key: CommandKey,
    count: usize,
}

impl View {
    fn new(width: u16, height: u16) -> Self {
        let mut scene = Scene::default();
        scene.sandbox("box", &json!({}));
        let line = "claude -p go --output-format stream-json";
        scene.commands("box", &[command("c", line, 60, None)]);
        let key = command_key("box", "c");
        agents::settle(&mut scene.world, scene.now);
        scene.open(&key);
        scene.pane = Pane::Agent;
        let mut view = Self {
            scene,
            state: State::default(),
            key,
            count: 0,
        };
        view.state.place(Rect::new(0, 0, width, height));
        view.prints(
            &json!({"type": "system", "subtype": "init", "session_id": "s", "tools": [],
            "model": "claude-kite-1", "claude_code_version": "2.2.7"}),
        );
        view
    }

    fn settle(&mut self) {
        agents::settle(&mut self.scene.world, self.scene.now);
        let (world, ctx) = (&self.scene.world, self.scene.ctx());
        settle(&mut self.state, world, Some(&self.key), &ctx);
    }

    fn prints(&mut self, line: &Value) {
        let line = format!("{line}\n");
        self.scene.prints(&self.key, &StreamName::Stdout, &line);
        self.settle();
    }

    /// An answer of the model, a turn of its own.
    fn says(&mut self, content: &Value) {
        self.count += 1;
        let id = format!("m{}", self.count);
        self.prints(&json!({"type": "assistant", "session_id": "s", "message":
            {"id": id, "model": "claude-kite-1", "content": [content],
             "usage": {"input_tokens": 1200, "output_tokens": 30}}}));
    }

    fn text(&mut self, text: &str) {
        self.says(&json!({"type": "text", "text": text}));
    }

    fn calls(&mut self, id: &str, name: &str, input: &Value) {
        self.says(&json!({"type": "tool_use", "id": id, "name": name, "input": input}));
    }

    fn answers(&mut self, id: &str, output: &str, failed: bool) {
        self.prints(
            &json!({"type": "user", "session_id": "s", "message": {"role": "user", "content":
            [{"type": "tool_result", "tool_use_id": id, "content": output, "is_error": failed}]}}),
        );
    }

    /// A run with something of everything.
    fn filled(width: u16, height: u16) -> Self {
        let mut view = Self::new(width, height);
        view.text("I look at **the tests** first.\n\n- one\n- two");
        view.calls("t1", "Bash", &json!({"command": "make test"}));
        view.answers("t1", "ok 1\nok 2\nnot ok 3 needle\n", false);
        view.calls(
            "t2",
            "Edit",
            &json!({"file_path": "/app/src/lib.rs", "old_string": "one\ntwo\nthree", "new_string": "one\n2\nthree"}),
        );
        view.answers("t2", "done", false);
        view.calls(
            "t3",
            "TodoWrite",
            &json!({"todos": [{"content": "read", "status": "completed", "activeForm": "reading"},
                {"content": "write", "status": "in_progress", "activeForm": "writing"}]}),
        );
        view.answers("t3", "noted", false);
        view.calls("t4", "Bash", &json!({"command": "make lint"}));
        view.answers("t4", "boom", true);
        view.text("Two of three pass.");
        view
    }

    fn act(&mut self, action: Action) -> Vec<Effect> {
        let effects = update(
            &mut self.state,
            &self.scene.world,
            action,
            &self.scene.ctx(),
        );
        self.settle();
        effects
    }

    fn types(&mut self, text: &str) -> Option<Format> {
        let mut told = None;
        for c in text.chars() {
            let code = if c == '\n' {
                KeyCode::Enter
            } else {
                KeyCode::Char(c)
            };
            let event = KeyEvent::new(code, KeyModifiers::NONE);
            let (world, ctx) = (&self.scene.world, self.scene.ctx());
            told = key(&mut self.state, world, event, &ctx);
            self.settle();
        }
        told
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

    fn drawn(&self) -> String {
        dump(&self.buffer())
    }

    fn has(&self, words: &str) -> bool {
        self.drawn().contains(words)
    }

    /// The row where the reader is.
    fn row(&self) -> String {
        let drawn = self.drawn();
        let row = drawn.lines().find(|line| line.contains("┃▸ "));
        row.map(|row| {
            row[row.find("▸ ").unwrap() + 4..]
                .trim_end_matches('┃')
                .trim()
                .to_owned()
        })
        .unwrap_or_default()
    }
}

fn copied(effects: &[Effect]) -> &str {
    match effects {
        [Effect::CopyText(text)] => text.as_raw(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn looks() {
    for (width, height) in [(80, 30), (140, 30)] {
        let mut view = View::filled(width, height);
        view.scene.now = at(130);
        view.settle();
        insta::assert_snapshot!(format!("run_{width}x{height}"), view.drawn());
    }
}

#[test]
fn what_is_read_does_not_move_and_the_end_is_followed_again() {
    let mut view = View::new(80, 12);
    for n in 0..30 {
        view.text(&format!("answer {n}"));
    }
    assert!(view.has("answer 29") && view.row().ends_with("answer 29"));
    view.act(Action::PageUp);
    let before: Vec<String> = view
        .drawn()
        .lines()
        .skip(1)
        .take(10)
        .map(str::to_owned)
        .collect();
    view.text("later\n\nmuch later");
    let after: Vec<String> = view
        .drawn()
        .lines()
        .skip(1)
        .take(10)
        .map(str::to_owned)
        .collect();
    assert_eq!(before, after);
    assert!(view.has("1 new below · G follows"), "{}", view.drawn());
    view.act(Action::Bottom);
    assert!(view.has("much later") && !view.has("new below"));
    view.text("at last");
    assert!(view.row().ends_with("at last"), "{}", view.drawn());
}

#[test]
fn the_answer_is_seen_while_it_is_written() {
    let mut view = View::new(80, 20);
    let event = |event: Value| json!({"type": "stream_event", "session_id": "s", "event": event});
    view.prints(&event(
        json!({"type": "message_start", "message": {"id": "m1", "content": [], "usage": {}}}),
    ));
    view.prints(&event(json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}})));
    for part in ["It is ", "half"] {
        let delta = json!({"type": "text_delta", "text": part});
        view.prints(&event(
            json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        ));
    }
    assert!(view.row().ends_with("It is half"), "{}", view.drawn());
}

#[test]
fn steps_and_turns_fold() {
    let mut view = View::filled(100, 40);
    assert!(!view.has("not ok 3"), "output is collapsed");
    assert!(
        view.has("- 2") || view.has("+ 2"),
        "an edit is open: {}",
        view.drawn()
    );
    view.act(Action::Top);
    while !view.row().contains("Bash") {
        view.act(Action::Down);
    }
    view.act(Action::Open);
    assert!(view.has("not ok 3") && view.row().contains("Bash"));
    view.act(Action::Open);
    assert!(!view.has("not ok 3"));
    view.act(Action::FoldTurn);
    let folded = "turn 2 · 1 step · Bash make test";
    assert!(view.row().contains(folded), "{}", view.row());
    assert!(!view.has("+ Bash make test"));
    view.act(Action::FoldTurns);
    assert!(
        view.has("+ Bash make test"),
        "one was folded: all are open now"
    );
    view.act(Action::FoldTurns);
    assert!(
        !view.has("+ Bash") && view.has("turn 6"),
        "{}",
        view.drawn()
    );
    view.act(Action::NextError);
    assert!(
        view.row().contains("make lint"),
        "a jump unfolds: {}",
        view.drawn()
    );
}

#[test]
fn of_a_tool_that_failed_its_output_is_in_view_and_its_input_on_demand() {
    let mut view = View::new(100, 30);
    view.calls("t", "Fetch", &json!({"url": "http://a", "retries": 3}));
    view.answers("t", "refused", true);
    assert!(
        view.has("refused") && !view.has("retries"),
        "{}",
        view.drawn()
    );
    view.act(Action::NextError);
    view.act(Action::Open);
    assert!(
        view.has("refused") && view.has("retries"),
        "{}",
        view.drawn()
    );
    view.act(Action::Open);
    assert!(!view.has("refused"), "{}", view.drawn());
}

#[test]
fn jumps_lead_to_turns_edits_errors_and_files() {
    let mut view = View::filled(100, 20);
    view.act(Action::Top);
    for (action, words) in [
        (Action::NextEdit, "/app/src/lib.rs"),
        (Action::NextError, "make lint"),
        (Action::PreviousEdit, "/app/src/lib.rs"),
        (Action::NextFile, "/app/src/lib.rs"),
    ] {
        view.act(action);
        assert!(view.row().contains(words), "{action:?}: {}", view.row());
    }
    view.act(Action::NextTurn);
    assert!(view.row().contains("TodoWrite"), "{}", view.row());
    view.act(Action::PreviousTurn);
    view.act(Action::PreviousTurn);
    assert!(view.row().contains("make test"), "{}", view.row());
    view.act(Action::NextQuestion);
    assert!(view.has("no question in this run"));
    view.act(Action::NextError);
    view.act(Action::NextError);
    assert!(view.has("went on from the other end") && view.row().contains("make lint"));
}

#[test]
fn a_search_finds_what_is_folded() {
    let mut view = View::filled(100, 20);
    view.act(Action::Search);
    assert!(view.state.is_typing());
    view.types("needle");
    assert!(view.row().contains("not ok 3 needle"), "{}", view.drawn());
    assert!(view.has("1 of 1 steps"));
    view.types("x");
    assert!(view.has("found nowhere") && view.row().contains("Two of three"));
    view.state.end_typing();
    assert!(view.state.clear() && !view.state.clear());
}

#[test]
fn kinds_are_chosen_and_esc_shows_all() {
    let mut view = View::filled(100, 40);
    view.act(Action::Kinds);
    assert!(view.has("&talk") && view.has("Two of three") && !view.has("Bash"));
    view.act(Action::Kinds);
    assert!(view.has("&tools") && !view.has("Two of three") && view.has("Bash"));
    view.act(Action::Kinds);
    assert!(view.has("lib.rs") && !view.has("Bash"));
    view.act(Action::Kinds);
    assert!(
        view.has("make lint") && !view.has("make test"),
        "{}",
        view.drawn()
    );
    assert!(view.state.clear());
    view.settle();
    assert!(view.has("make test") && view.has("Two of three"));
}

#[test]
fn step_answer_path_and_all_are_copied() {
    let mut view = View::filled(100, 40);
    assert_eq!(copied(&view.act(Action::CopyAnswer)), "Two of three pass.");
    view.act(Action::NextEdit);
    assert_eq!(copied(&view.act(Action::CopyPath)), "/app/src/lib.rs");
    let step = view.act(Action::Copy);
    assert!(
        copied(&step).contains("```diff\n one\n-two\n+2\n three\n```"),
        "{step:?}"
    );
    let all = view.act(Action::CopyAll);
    let all = copied(&all);
    assert!(
        all.starts_with("# claude-code · 2.2.7 · claude-kite-1"),
        "{all}"
    );
    assert!(all.contains("## Turn 6\n\nTwo of three pass.") && all.contains("- [x] read"));
    assert!(all.contains("not ok 3 needle"), "folded or not: {all}");
}

#[test]
fn a_fence_in_an_output_ends_no_block() {
    let mut view = View::new(80, 20);
    view.calls("t", "Bash", &json!({"command": "cat a.md"}));
    view.answers("t", "```\ncode\n```", false);
    let step = view.act(Action::Copy);
    assert!(
        copied(&step).contains("````\n```\ncode\n```\n````"),
        "{step:?}"
    );
}

#[test]
fn the_mouse_chooses_opens_and_scrolls() {
    let mut view = View::filled(100, 40);
    let drawn = view.drawn();
    let row = drawn
        .lines()
        .position(|line| line.contains("Bash make test"))
        .unwrap();
    let position = Position::new(20, u16::try_from(row).unwrap());
    for wanted in [false, true] {
        let (world, ctx) = (&view.scene.world, view.scene.ctx());
        click(&mut view.state, world, position, &ctx);
        assert_eq!(view.has("not ok 3"), wanted);
    }
    let mut view = View::filled(60, 8);
    let before = view.drawn();
    for action in [Action::Up, Action::Down] {
        let (world, ctx) = (&view.scene.world, view.scene.ctx());
        wheel(&mut view.state, world, action, 3, &ctx);
        assert_eq!(view.drawn() == before, action == Action::Down);
    }
}

#[test]
fn a_plain_log_says_so_and_is_read_as_what_it_is_told_to_be() {
    let mut view = View::new(100, 12);
    let line = "make";
    view.scene.commands("box", &[command("p", line, 60, None)]);
    view.key = command_key("box", "p");
    view.scene.open(&view.key.clone());
    let printed = "gcc -c a.c\n".repeat(60);
    view.scene
        .prints(&view.key.clone(), &StreamName::Stdout, &printed);
    view.settle();
    assert!(view.has("no agent's stream"), "{}", view.drawn());
    view.act(Action::ReadAs);
    assert_eq!(view.types("c\n"), None);
    assert!(view.has("Which one: claude"), "{}", view.drawn());
    assert_eq!(view.types("odex\n"), Some(Format::Codex));
}

#[test]
fn a_run_that_only_complained_says_what_it_ended_with() {
    let mut view = View::new(70, 8);
    assert!(view.drawn().contains("nothing yet"));
    let line = "claude -p go --output-format stream-json";
    view.scene
        .commands("box", &[command("c", line, 60, Some(1))]);
    let complaint = "no key was found\n";
    view.scene.prints(&view.key, &StreamName::Stderr, complaint);
    let tail = view.scene.world.tails.get_mut(&view.key).unwrap();
    tail.follow.state = TailState::Ended { exit: 1 };
    view.settle();
    let shown = view.drawn();
    assert!(
        shown.contains("no key was found – it told nothing"),
        "{shown}"
    );
}

#[test]
fn a_frame_costs_only_what_is_in_view() {
    let mut view = View::new(100, 30);
    for n in 0..3_000 {
        view.text(&format!("answer {n}"));
    }
    view.state.book.clear();
    view.act(Action::Top);
    view.act(Action::PageDown);
    assert!(view.state.book.len() < 100, "{}", view.state.book.len());
}

#[test]
fn hostile_text_stays_text_at_every_size() {
    for (width, height) in [(0, 0), (1, 1), (3, 2), (9, 4), (30, 9), (140, 20)] {
        let mut view = View::new(width, height);
        view.text(HOSTILE);
        view.calls(
            "t",
            HOSTILE,
            &json!({"file_path": HOSTILE, "old_string": HOSTILE, "new_string": "x"}),
        );
        view.answers("t", HOSTILE, true);
        view.act(Action::Top);
        for action in [
            Action::Open,
            Action::Down,
            Action::Open,
            Action::PageDown,
            Action::FoldTurns,
        ] {
            view.act(action);
            view.buffer();
        }
        view.act(Action::Search);
        view.buffer();
        assert!(!copied(&view.act(Action::CopyAll)).is_empty());
    }
}
