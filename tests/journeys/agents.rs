//! Agents at work in several sandboxes: found, followed, told of, and opened from their view.

use super::scene::{Scene, Service, options};
use crossterm::event::{MouseButton, MouseEventKind};
use sandtop::app::Options;
use sandtop::logic::notices::{Notices, Quiet, Ways};
use sandtop::logic::{Effect, Event, Pane, StreamId, StreamNews, Tab, View};
use sandtop::model::{LogObject, StreamName};

const INIT: &str = r#"{"type":"system","subtype":"init","session_id":"s","tools":[],"model":"claude-kite-1","claude_code_version":"2.2.7"}"#;
const CALLS: &str = r#"{"type":"assistant","message":{"id":"m1","model":"claude-kite-1","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make test"}}],"usage":{"input_tokens":1200,"output_tokens":1}},"session_id":"s"}"#;
const ASKS: &str = r#"{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","tool_name":"Bash","tool_use_id":"t1","input":{"command":"make test"}}}"#;
const RESULT: &str = r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]},"session_id":"s"}"#;
const DONE: &str = r#"{"type":"result","subtype":"success","is_error":false,"num_turns":3,"result":"All pass.","total_cost_usd":0.1234,"usage":{"input_tokens":1300,"output_tokens":210},"session_id":"s"}"#;

/// Agents work in `one` and `two`, and nothing in `web`.
fn scene(options: Options) -> Scene {
    let mut service = Service::with(&["web", "one", "two"]);
    for name in ["one", "two"] {
        service.runs(
            name,
            "cmd_a",
            "claude -p go --output-format stream-json",
            None,
        );
    }
    let mut scene = Scene::new(options, service);
    scene.press("g").wait(40_000);
    for name in ["one", "two"] {
        let stream = opened(&scene, name);
        scene.send(Event::Stream {
            stream,
            news: StreamNews::Opened,
        });
        prints(&mut scene, name, &[INIT, CALLS]);
    }
    scene.wait(2_000);
    scene
}

fn opened(scene: &Scene, name: &str) -> StreamId {
    let session = format!("sbx_{name}");
    let mut opened = scene
        .effects
        .iter()
        .rev()
        .filter_map(|effect| match effect {
            Effect::OpenStream(stream) => Some(stream),
            _ => None,
        });
    let found = opened.find(|stream| stream.command.session.as_raw() == session);
    found
        .cloned()
        .unwrap_or_else(|| panic!("{name} is not open"))
}

fn prints(scene: &mut Scene, name: &str, lines: &[&str]) {
    let stream = opened(scene, name);
    let objects = lines.iter().map(|line| LogObject::Piece {
        stream: StreamName::Stdout,
        data: format!("{line}\n"),
    });
    scene.send(Event::Stream {
        stream,
        news: StreamNews::Objects(objects.collect()),
    });
}

fn told(scene: &Scene) -> Vec<&str> {
    let told = scene.effects.iter().filter_map(|effect| match effect {
        Effect::Notify(_, text) => Some(text.as_str()),
        _ => None,
    });
    told.collect()
}

#[test]
fn who_waits_is_told_once_and_stays_so_until_later_activity() {
    let mut scene = scene(options(160, 40));
    assert!(
        scene.calls.iter().all(sandtop::logic::Call::is_read),
        "looking is free"
    );
    assert!(scene.shows("● working"), "{}", scene.screen());
    assert_eq!(told(&scene), [""; 0], "it was at work before");
    prints(&mut scene, "one", &[ASKS]);
    let waits = "claude-code in one waits for you: permission for Bash: make test";
    assert_eq!(told(&scene), [waits]);
    assert!(scene.shows("1 agent waits"), "{}", scene.screen());
    assert!(scene.shows(waits), "{}", scene.screen());
    assert!(scene.effects.contains(&Effect::Bell));
    scene.wait(20_000);
    assert_eq!(told(&scene).len(), 1, "once a change");
    // AG13: it stays so until later activity.
    assert!(scene.shows("◀ waiting"), "{}", scene.screen());
    prints(&mut scene, "one", &[RESULT]);
    assert!(!scene.shows("agent waits"), "{}", scene.screen());
    prints(&mut scene, "one", &[DONE]);
    let last = told(&scene)[1];
    assert!(last.starts_with("claude-code in one is done"), "{last}");
}

#[test]
fn runs_are_a_view_who_waits_first_and_one_key_leads_to_the_run() {
    let mut scene = scene(options(160, 40));
    scene.press("2");
    assert_eq!(
        (scene.state.view, scene.state.pane),
        (View::Runs, Pane::Runs)
    );
    assert!(scene.shows("Agent runs 2"), "{}", scene.screen());
    prints(&mut scene, "two", &[ASKS]);
    assert_eq!(told(&scene), [""; 0], "it is on screen");
    assert!(scene.shows("1 waits for you"), "{}", scene.screen());
    scene.press("g");
    scene.press("enter").answer();
    assert_eq!(
        (scene.state.view, scene.state.pane),
        (View::Dashboard, Pane::Agent)
    );
    assert_eq!(scene.selected(), Some("two"));
    assert!(
        scene.shows("waits for you permission for Bash"),
        "{}",
        scene.screen()
    );
    scene.press("2 /").type_text("web");
    assert!(scene.shows("No run matches"), "{}", scene.screen());
    scene.press("esc esc");
    assert_eq!(scene.state.view, View::Dashboard);
}

#[test]
fn one_key_leads_from_a_step_to_its_raw_line_and_back() {
    let mut scene = scene(options(160, 40));
    let (x, y) = scene.find(" two ").unwrap();
    scene.mouse(MouseEventKind::Down(MouseButton::Left), x, y);
    scene.press("] tab").answer();
    assert_eq!(scene.state.pane, Pane::Agent);
    assert!(scene.shows("Bash make test"), "{}", scene.screen());
    scene.press("R");
    assert_eq!(
        (scene.state.tab, scene.state.pane),
        (Tab::Logs, Pane::Lines)
    );
    assert!(scene.shows("\"tool_use\""), "{}", scene.screen());
    scene.press("R");
    assert_eq!(scene.state.pane, Pane::Agent);
    scene.press("V").type_text("codex").press("enter");
    assert!(scene.shows("Read as codex"), "{}", scene.screen());
    scene.press("esc");
    assert_eq!(scene.state.pane, Pane::List);
}

#[test]
fn ways_and_quiet_hours_are_the_users() {
    let mut chosen = options(160, 40);
    chosen.config.settings.notices = Notices {
        waiting: Ways {
            desktop: true,
            ..Ways::default()
        },
        ..Notices::default()
    };
    let mut quiet = chosen.clone();
    let mut scene = scene(chosen);
    prints(&mut scene, "one", &[ASKS]);
    let waits = "claude-code in one waits for you: permission for Bash: make test";
    assert!(scene.effects.contains(&Effect::Desktop(waits.into())));
    assert!(!scene.shows("waits for you"), "{}", scene.screen());
    assert_eq!(
        (told(&scene).len(), scene.effects.contains(&Effect::Bell)),
        (0, false)
    );
    quiet.config.settings.notices.quiet = Some(Quiet { from: 0, to: 1439 });
    quiet.config.settings.notices.waiting.app = true;
    let mut scene = self::scene(quiet);
    prints(&mut scene, "one", &[ASKS]);
    assert!(scene.shows("waits for you"), "{}", scene.screen());
    let is_loud = |effect: &Effect| matches!(effect, Effect::Desktop(_) | Effect::Notify(..));
    assert!(!scene.effects.iter().any(is_loud));
}
