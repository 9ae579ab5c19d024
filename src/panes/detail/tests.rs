//! Facts and sessions: moving, copying, opening, drawing.

use super::facts::facts;
use super::{State, click, draw, settle, update};
use crate::logic::{Action, Effect, Link, Mono, Tab};
use crate::panes::testing::{EPOCH, HOSTILE, Scene, assert_harmless, at};
use crate::ui::testing::{dump, screen};
use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use serde_json::{Value, json};

struct Stage {
    scene: Scene,
    state: State,
    tab: Tab,
}

impl Stage {
    fn new(scene: Scene, tab: Tab, width: u16, height: u16) -> Self {
        let mut stage = Self {
            scene,
            state: State::default(),
            tab,
        };
        stage.state.place(Rect::new(0, 0, width, height));
        stage.settle();
        stage
    }

    fn settle(&mut self) {
        settle(
            &mut self.state,
            &self.scene.world,
            self.tab,
            &self.scene.ctx(),
        );
    }

    fn act(&mut self, action: Action) -> Vec<Effect> {
        update(
            &mut self.state,
            &self.scene.world,
            self.tab,
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
                self.tab,
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

    /// Moves to the fact of that label.
    fn select(&mut self, section: &str, label: &str) {
        self.act(Action::Top);
        for _ in 0..100 {
            let chosen = self.state.facts.chosen().unwrap();
            if (chosen.section, chosen.label) == (section, label) {
                return;
            }
            self.act(Action::Down);
        }
        panic!("no fact {label}");
    }
}

fn full() -> Value {
    json!({
        "persistent": true, "expiresAt": EPOCH + 1_800_000, "currentSnapshotId": "snap_4Tn1pLw9dEf", "region": "iad1",
        "failoverRegions": ["cle1", "sfo1"], "vcpus": 2, "memory": 4096, "timeout": 1_800_000,
        "image": "vercel/sandbox/universal@sha256:9f2c41d07be3aa5510c8e6d2f4b7913a6c0d5e8f9a1b2c3d4e5f60718293a4b5",
        "cwd": "/vercel/sandbox", "networkPolicy": {"mode": "custom", "allowedDomains": ["api.example.com", "*.example.org"]},
        "tags": {"env": "staging", "team": "web"}, "mounts": {"/cache": {"drive": "deps", "mode": "read-write"}},
        "snapshotExpiration": 604_800_000, "keepLastSnapshots": {"count": 2, "deleteEvicted": true},
        "totalActiveCpuDurationMs": 482_133, "totalDurationMs": 5_402_210,
        "totalIngressBytes": 734_003_200, "totalEgressBytes": 1_294_336,
    })
}

fn web() -> Scene {
    let mut scene = Scene::default();
    let key = scene.sandbox("web", &full());
    let session = json!({
        "id": "sbx_web", "status": "running", "startedAt": EPOCH - 60_000, "createdAt": EPOCH - 61_000, "timeout": 1_800_000,
        "region": "cle1", "sourceSnapshotId": "snap_1Za0", "interactivePort": 43117,
    });
    let routes = json!([
        {"url": "https://sb-k2v9x1.vercel.run", "subdomain": "sb-k2v9x1", "port": 3000},
        {"url": "https://sb-p0q8z4.vercel.run", "subdomain": "sb-p0q8z4", "port": 43117, "system": true},
        {"url": "https://sb-t.vercel.run", "subdomain": "sb-t", "port": 43117},
        {"url": "https://sb-aaa.vercel.run", "subdomain": "sb-aaa", "port": 8080},
    ]);
    scene.detail(&key, session, routes);
    scene.now = at(112);
    scene
}

fn sessions() -> Value {
    json!([
        {"id": "sbx_web", "status": "running", "createdAt": EPOCH - 61_000, "startedAt": EPOCH - 60_000, "region": "iad1",
         "memory": 4096, "vcpus": 2, "runtime": "node24", "sourceSnapshotId": "snap_1Za0"},
        {"id": "sbx_7Qk2mVx0aBc", "status": "stopped", "createdAt": EPOCH - 7_200_000, "duration": 201_260, "region": "cle1",
         "memory": 2048, "vcpus": 1, "activeCpuDurationMs": 17_342, "networkTransfer": {"ingress": 20_971_520, "egress": 40_960}},
        {"id": "sbx_odd", "status": "hibernating", "createdAt": 9e15, "duration": -5, "memory": -1, "vcpus": 9_223_372_036_854_771_712_i64},
        {"id": "sbx_bare"},
    ])
}

#[test]
fn a_policy_says_what_the_local_engine_does_not_enforce_of_it() {
    let custom = json!({"mode": "custom", "allowedDomains": ["a.example"]});
    let denies = json!({"mode": "custom", "deniedCIDRs": ["10.0.0.0/8"]});
    let cases = [
        (false, "root", &custom, "custom: a.example"),
        (
            true,
            "root",
            &custom,
            "custom: a.example (custom rules: the local engine does not enforce them)",
        ),
        (true, "root", &denies, "custom"),
        (true, "userns", &json!({"mode": "deny-all"}), "deny all"),
        (
            true,
            "plain",
            &json!({"mode": "deny-all"}),
            "deny all (the local engine does not enforce it at level plain)",
        ),
        (true, "plain", &json!({"mode": "allow-all"}), "allow all"),
    ];
    for (local, level, policy, wanted) in cases {
        let mut scene = Scene::default();
        scene.sandbox("web", &json!({"networkPolicy": policy}));
        scene.world.backend.local = local;
        scene.world.backend.isolation = Some(level.into());
        let facts = facts(&scene.world, &scene.ctx());
        let fact = facts.iter().find(|fact| fact.key.label == "network policy");
        let value = fact.unwrap().value.as_ref().unwrap();
        assert_eq!(value.as_str(), wanted);
    }
}

#[test]
fn facts_are_drawn() {
    insta::assert_snapshot!(
        "info_120x30",
        Stage::new(web(), Tab::Info, 120, 30).screen()
    );
    let mut stage = Stage::new(web(), Tab::Info, 120, 30);
    stage.act(Action::Bottom);
    insta::assert_snapshot!("info_120x30_end", stage.screen());
    insta::assert_snapshot!("info_80x20", Stage::new(web(), Tab::Info, 80, 20).screen());
    insta::assert_snapshot!("info_40x10", Stage::new(web(), Tab::Info, 40, 10).screen());
}

#[test]
fn unknown_facts_are_a_dash() {
    let mut scene = Scene::default();
    scene.sandbox("bare", &json!({"status": "stopped"}));
    insta::assert_snapshot!("info_bare", Stage::new(scene, Tab::Info, 60, 46).screen());
}

#[test]
fn routes_are_copied_and_opened() {
    let mut stage = Stage::new(web(), Tab::Info, 80, 20);
    stage.select("Routes", "port");
    assert_eq!(
        stage.act(Action::Copy),
        vec![Effect::Copy("https://sb-k2v9x1.vercel.run".into())]
    );
    assert_eq!(
        stage.act(Action::OpenUrl),
        vec![Effect::OpenUrl("https://sb-k2v9x1.vercel.run".into())]
    );
    // The system's own routes are not shown: the next one is the user's.
    stage.act(Action::Down);
    assert_eq!(
        stage.act(Action::OpenUrl),
        vec![Effect::OpenUrl("https://sb-aaa.vercel.run".into())]
    );
    stage.select("Settings", "memory");
    assert_eq!(stage.act(Action::Copy), vec![Effect::Copy("4 GB".into())]);
    assert_eq!(stage.act(Action::OpenUrl), vec![]);
    stage.select("Settings", "network");
    assert_eq!(stage.act(Action::Copy), vec![]);
}

#[test]
fn the_selected_fact_stays_when_others_come() {
    let mut stage = Stage::new(web(), Tab::Info, 80, 20);
    stage.select("Routes", "port");
    stage.act(Action::Down);
    let mut more = full();
    more["tags"] = json!({"a": "1", "b": "2", "c": "3", "env": "x"});
    more["updatedAt"] = json!(EPOCH + 1);
    stage.scene.sandbox("web", &more);
    stage.settle();
    assert_eq!(
        stage.act(Action::Copy),
        vec![Effect::Copy("https://sb-aaa.vercel.run".into())]
    );
}

#[test]
fn requested_and_gone_are_said() {
    let mut stage = Stage::new(web(), Tab::Info, 80, 20);
    let key = stage.scene.subject.clone().unwrap();
    stage
        .scene
        .world
        .request(&key, crate::model::SessionId::new("sbx_web"), at(112));
    assert!(stage.screen().contains("running, stop requested"));
    stage.scene.world.lost(&key);
    assert!(
        stage
            .screen()
            .contains("gone: the service does not know it any more")
    );
}

#[test]
fn sessions_are_drawn() {
    for (width, height) in [(120, 12), (80, 12), (40, 10)] {
        let mut scene = web();
        let key = scene.subject.clone().unwrap();
        scene.sessions(&key, sessions());
        scene.now = at(130);
        let stage = Stage::new(scene, Tab::Sessions, width, height);
        insta::assert_snapshot!(format!("sessions_{width}x{height}"), stage.screen());
    }
}

#[test]
fn sessions_are_selected_by_id_and_for_each_sandbox() {
    let mut scene = web();
    let key = scene.subject.clone().unwrap();
    scene.sessions(&key, sessions());
    let mut stage = Stage::new(scene, Tab::Sessions, 80, 12);
    stage.act(Action::Down);
    assert_eq!(
        stage.act(Action::Copy),
        vec![Effect::Copy("sbx_7Qk2mVx0aBc".into())]
    );
    stage.scene.sessions(
        &key,
        json!([{"id": "sbx_n2"}, {"id": "sbx_n1"}, {"id": "sbx_web"}, {"id": "sbx_7Qk2mVx0aBc"}]),
    );
    stage.settle();
    assert_eq!(
        stage.act(Action::Copy),
        vec![Effect::Copy("sbx_7Qk2mVx0aBc".into())]
    );
    // Another sandbox, and back.
    let other = stage.scene.sandbox("api", &json!({}));
    stage.scene.sessions(&other, json!([{"id": "sbx_api"}]));
    stage.settle();
    assert_eq!(
        stage.act(Action::Copy),
        vec![Effect::Copy("sbx_api".into())]
    );
    stage.scene.subject = Some(key.clone());
    stage.settle();
    assert_eq!(
        stage.act(Action::Copy),
        vec![Effect::Copy("sbx_7Qk2mVx0aBc".into())]
    );
    // LI03: down to one, to none, and back.
    for list in [json!([{"id": "sbx_n2"}]), json!([]), sessions()] {
        stage.scene.sessions(&key, list);
        stage.settle();
        for action in [Action::Down, Action::PageUp, Action::Bottom, Action::Copy] {
            stage.act(action);
            stage.screen();
        }
    }
}

#[test]
fn a_click_selects_what_it_hits() {
    let mut scene = web();
    let key = scene.subject.clone().unwrap();
    scene.sessions(&key, sessions());
    let mut stage = Stage::new(scene, Tab::Sessions, 80, 12);
    click(
        &mut stage.state,
        &stage.scene.world,
        Tab::Sessions,
        &stage.scene.ctx(),
        Position::new(5, 4),
    );
    assert_eq!(
        stage.act(Action::Copy),
        vec![Effect::Copy("sbx_odd".into())]
    );
    stage.tab = Tab::Info;
    stage.settle();
    click(
        &mut stage.state,
        &stage.scene.world,
        Tab::Info,
        &stage.scene.ctx(),
        Position::new(5, 2),
    );
    assert_eq!(stage.act(Action::Copy), vec![Effect::Copy("web".into())]);
}

#[test]
fn empty_states_say_why() {
    let stage = Stage::new(Scene::default(), Tab::Info, 60, 8);
    assert!(stage.screen().contains("No sandbox is selected."));
    let mut stage = Stage::new(web(), Tab::Sessions, 60, 8);
    assert!(stage.screen().contains("Reading the sessions…"));
    let key = stage.scene.subject.clone().unwrap();
    let listing = stage.scene.world.sessions.entry(key.clone()).or_default();
    listing.trouble("list sessions: 500 server fault".into(), stage.scene.now);
    stage.scene.world.link = Link::Retrying {
        at: Mono(114_000),
        attempt: 3,
        why: "500".into(),
        offline: false,
    };
    let screen = stage.screen();
    assert!(
        screen.contains("The sessions could not be read"),
        "{screen}"
    );
    assert!(
        screen.contains("retry in 2 s · 500 · list sessions: 500"),
        "{screen}"
    );
    stage.scene.sessions(&key, json!([]));
    stage.settle();
    assert!(stage.screen().contains("No sessions yet."));
}

fn hostile(tab: Tab, width: u16, height: u16) -> Stage {
    let mut scene = Scene::default();
    let key = scene.sandbox(
        HOSTILE,
        &json!({
            "status": HOSTILE, "region": HOSTILE, "image": HOSTILE, "runtime": HOSTILE, "cwd": HOSTILE,
            "failoverRegions": [HOSTILE], "tags": {HOSTILE: HOSTILE}, "currentSnapshotId": HOSTILE,
            "mounts": {HOSTILE: {"drive": HOSTILE, "mode": HOSTILE}},
            "networkPolicy": {"mode": HOSTILE, "allowedDomains": [HOSTILE]},
        }),
    );
    let id = format!("sbx_{HOSTILE}");
    let session =
        json!({"id": id, "status": HOSTILE, "region": HOSTILE, "sourceSnapshotId": HOSTILE});
    scene.detail(&key, session.clone(), json!([{"url": HOSTILE, "port": 1}]));
    scene.sessions(&key, json!([session, {"id": HOSTILE, "runtime": HOSTILE}]));
    Stage::new(scene, tab, width, height)
}

#[test]
fn hostile_text_is_harmless() {
    for tab in [Tab::Info, Tab::Sessions] {
        let mut stage = hostile(tab, 100, 50);
        stage.screen();
        stage.act(Action::Bottom);
        let screen = stage.screen();
        assert!(
            !screen.contains("[31m") && !screen.contains("52;c"),
            "{screen}"
        );
    }
    let mut stage = hostile(Tab::Info, 100, 50);
    stage.select("Routes", "port");
    let copied = stage.act(Action::Copy);
    let [Effect::Copy(text)] = copied.as_slice() else {
        panic!("{copied:?}")
    };
    assert!(!text.as_str().contains(char::is_control));
}

proptest! {
    /// RS05.
    #[test]
    fn any_size_is_safe(width in 0..30_u16, height in 0..12_u16, info in any::<bool>(), down in 0..50_usize) {
        let tab = if info { Tab::Info } else { Tab::Sessions };
        let mut stage = hostile(tab, width, height);
        for _ in 0..down {
            stage.act(Action::Down);
        }
        let buffer = screen(40, 14, |buffer, _| {
            let area = Rect::new(3, 2, width, height);
            draw(&stage.state, &stage.scene.world, tab, &stage.scene.ctx(), area, buffer);
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
