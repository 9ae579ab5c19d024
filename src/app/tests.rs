//! The whole, on ten thousand sandboxes, and what its parts compute.

use super::summary::Summary;
use super::{Options, report, start, update};
use crate::logic::settings::{Config, Remembered};
use crate::logic::{Backend, Event, Mono, Now, Pane, Tab, View, World};
use crate::model::{NanoDollars, Sandbox, Status, Timestamp};
use crate::ui::{Depth, Looks};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use serde_json::{Value, json};

const EPOCH: i64 = 1_790_000_000_000;

fn sandbox(fields: Value) -> Sandbox {
    serde_json::from_value(fields).unwrap()
}

fn many() -> Vec<Sandbox> {
    let many = (0..10_000_i64).map(|n| {
        sandbox(json!({
            "name": format!("project-{}-box-{n}", n % 97), "status": if n % 3 == 0 { "running" } else { "stopped" },
            "createdAt": EPOCH - n * 1000, "statusUpdatedAt": EPOCH - n * 900, "expiresAt": EPOCH + n * 100,
            "vcpus": 2, "memory": 4096, "region": "iad1", "tags": {"env": if n % 2 == 0 { "ci" } else { "dev" }},
            "currentSessionId": format!("sbx_{n}"),
        }))
    });
    many.collect()
}

fn options() -> Options {
    Options {
        read_only: false,
        sample: false,
        looks: Looks {
            depth: Depth::True,
            light: false,
            ascii: false,
        },
        zone: jiff::tz::TimeZone::UTC,
        config: Config::default(),
        remembered: Remembered::default(),
        backend: Backend::default(),
        size: Size::new(120, 40),
    }
}

fn now(ms: u64) -> Now {
    Now {
        mono: Mono(ms),
        wall: Timestamp(EPOCH + i64::try_from(ms).unwrap()),
    }
}

#[test]
fn ten_thousand_sandboxes_are_filtered_sorted_and_moved_through() {
    let (mut state, _) = start(options(), now(0));
    for sandbox in many() {
        state.world.saw(sandbox, now(1));
    }
    update(&mut state, now(2), Event::Due);
    assert_eq!(state.list.rows().len(), 10_000);
    let text = "/p5b77";
    let began = std::time::Instant::now();
    let mut keys = 0;
    let typed = text.chars().map(KeyCode::Char);
    let moves = [
        KeyCode::Enter,
        KeyCode::Char('o'),
        KeyCode::Char('O'),
        KeyCode::Char('j'),
        KeyCode::Esc,
    ];
    for code in typed
        .chain(moves)
        .chain([KeyCode::Char('G'), KeyCode::Char('k')])
    {
        keys += 1;
        let key = KeyEvent::new(code, KeyModifiers::NONE);
        update(&mut state, now(2 + keys), Event::Key(key));
    }
    eprintln!("{:?} a key", began.elapsed() / u32::try_from(keys).unwrap());
    let selected = state.list.selected().unwrap();
    assert_eq!(state.list.rows().len(), 10_000);
    assert_eq!(Some(selected), state.list.rows().get(9_998));
}

/// Keys, and where they lead: view, pane, tab, zoom.
#[test]
fn keys_lead_through_views_panes_and_tabs() {
    use Pane::{Activity, Lines, List, Stage};
    use Tab::{Agent, Info, Logs};
    let (dashboard, activity) = (View::Dashboard, View::Activity);
    let table = [
        ("", (dashboard, List, Logs, false)),
        ("\t", (dashboard, Stage, Logs, false)),
        ("\t\t", (dashboard, Lines, Logs, false)),
        ("\t\t\t", (dashboard, List, Logs, false)),
        ("\n", (dashboard, Stage, Logs, false)),
        ("\n\n", (dashboard, Lines, Logs, false)),
        ("\n\n\u{1b}", (dashboard, Stage, Logs, false)),
        ("\n\n\u{1b}\u{1b}\u{1b}", (dashboard, List, Logs, false)),
        ("]", (dashboard, List, Agent, false)),
        ("]]]]]", (dashboard, List, Logs, false)),
        ("[", (dashboard, List, Info, false)),
        ("\n\n]", (dashboard, Pane::Agent, Agent, false)),
        ("]\t", (dashboard, Pane::Agent, Agent, false)),
        ("]\t]", (dashboard, Stage, Tab::Shell, false)),
        ("]\t\t", (dashboard, List, Agent, false)),
        ("z", (dashboard, List, Logs, true)),
        ("z\t", (dashboard, Stage, Logs, true)),
        ("z]", (dashboard, Pane::Agent, Agent, true)),
        ("\nz\u{1b}", (dashboard, Stage, Logs, false)),
        ("\n6", (activity, Activity, Logs, false)),
        ("\n61", (dashboard, Stage, Logs, false)),
        ("\n6\u{1b}", (dashboard, Stage, Logs, false)),
        ("\n2", (View::Runs, Pane::Runs, Logs, false)),
        ("\n261", (dashboard, Stage, Logs, false)),
        ("2\u{1b}", (dashboard, List, Logs, false)),
        ("6zz6", (activity, Activity, Logs, false)),
        ("z6", (activity, Activity, Logs, false)),
        ("?j?", (dashboard, List, Logs, false)),
        ("?\u{1b}]", (dashboard, List, Agent, false)),
    ];
    for (keys, place) in table {
        let (mut state, _) = start(options(), now(0));
        state
            .world
            .saw(sandbox(json!({"name": "a", "status": "running"})), now(0));
        update(&mut state, now(1), Event::Due);
        for c in keys.chars() {
            let code = match c {
                '\t' => KeyCode::Tab,
                '\n' => KeyCode::Enter,
                '\u{1b}' => KeyCode::Esc,
                c => KeyCode::Char(c),
            };
            update(
                &mut state,
                now(2),
                Event::Key(KeyEvent::new(code, KeyModifiers::NONE)),
            );
        }
        assert_eq!(
            (state.view, state.pane, state.tab, state.zoom),
            place,
            "{keys:?}"
        );
    }
}

#[test]
fn summary_counts_states_and_adds_up_what_runs() {
    let mut world = World::default();
    let boxes = [
        json!({"name": "a", "status": "running", "memory": 1024}),
        json!({"name": "b", "status": "running", "vcpus": 1}),
        json!({"name": "c", "status": "stopped", "memory": 4096}),
        json!({"name": "d", "status": "hibernating"}),
        json!({"name": "e"}),
    ];
    for fields in boxes {
        world.saw(sandbox(fields), now(0));
    }
    let mut summary = Summary::default();
    summary.follow(&world);
    let counts: Vec<(&str, usize)> = summary
        .counts
        .iter()
        .map(|(status, count)| (status.word(), *count))
        .collect();
    assert_eq!(counts, [("running", 2), ("stopped", 1), ("hibernating", 1)]);
    assert_eq!(summary.unknown, 1);
    // One and two GB, at $0.0212 a GB-hour.
    assert_eq!(summary.per_hour, Some(NanoDollars(3 * 21_200_000)));
    // One whose memory nobody told: the sum is not known, and not too small.
    world.saw(sandbox(json!({"name": "f", "status": "running"})), now(0));
    summary.follow(&world);
    assert_eq!(
        (summary.per_hour, &summary.counts[0]),
        (None, &(Status::Running, 3))
    );
}

#[test]
fn table_has_the_columns_of_the_official_list() {
    let boxes = [
        sandbox(json!({
            "name": "web", "status": "running", "createdAt": EPOCH - 7_200_000, "expiresAt": EPOCH + 300_000,
            "region": "sfo1", "memory": 4096, "vcpus": 2, "tags": {"env": "ci", "team": "a"},
            "image": format!("vercel/sandbox@sha256:{}", "ab12".repeat(16)), "currentSnapshotId": "snap_1",
            "mounts": {"/data": {"drive": "d1", "mode": "snapshot"}},
            "totalActiveCpuDurationMs": 93_000, "totalEgressBytes": 1536, "totalIngressBytes": 0,
        })),
        sandbox(json!({"name": "b\u{1b}[31m漢", "runtime": "node22"})),
    ];
    let lines = |totals| {
        let table = report::table(&boxes, totals, Timestamp(EPOCH));
        table
            .iter()
            .map(|line| line.as_str().to_owned() + "\n")
            .collect::<String>()
    };
    insta::assert_snapshot!(lines(false) + "\n" + &lines(true));
}

#[test]
fn json_is_what_the_service_said() {
    let told = json!([{"name": "a", "status": "hibernating", "totalEgressBytes": 9_007_199_254_740_993_i64}]);
    let boxes: Vec<Sandbox> = serde_json::from_value(told.clone()).unwrap();
    let written: Value = serde_json::from_str(&report::json(&boxes).unwrap()).unwrap();
    assert_eq!(written, told, "no field more, none less");
}
