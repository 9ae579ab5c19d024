//! Whole screens, as people see them, at the sizes and looks that count.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "screens/dialogs.rs"]
mod dialogs;
mod scene;
#[path = "screens/settings.rs"]
mod settings;

use insta::assert_snapshot;
use sandtop::ui::{Depth, Looks};
use scene::{EPOCH, Scene, Service, options};
use serde_json::json;

fn three() -> Service {
    let mut service = Service::with(&["web", "worker"]);
    service.add("nightly", json!({
        "status": "failed", "expiresAt": null, "tags": {"env": "ci"}, "totalEgressBytes": 1_500_000,
        "totalIngressBytes": 900, "totalActiveCpuDurationMs": 93_000, "statusUpdatedAt": EPOCH - 600_000,
    }));
    service.runs("web", "cmd_1", "npm run dev", None);
    service.runs("web", "cmd_2", "npm ci", Some(0));
    service
}

#[test]
fn dashboard_at_80x24() {
    assert_snapshot!(Scene::new(options(80, 24), three()).screen());
}

#[test]
fn dashboard_at_120x40() {
    assert_snapshot!(Scene::new(options(120, 40), three()).screen());
}

#[test]
fn dashboard_at_200x50() {
    assert_snapshot!(Scene::new(options(200, 50), three()).screen());
}

#[test]
fn dashboard_without_colour_in_ascii() {
    let looks = Looks {
        depth: Depth::None,
        light: false,
        ascii: true,
    };
    let scene = Scene::new(
        sandtop::app::Options {
            looks,
            ..options(80, 24)
        },
        three(),
    );
    assert!(scene.screen().is_ascii(), "{}", scene.screen());
    assert_snapshot!(scene.screen());
}

#[test]
fn small_terminal_shows_one_pane_at_a_time() {
    let mut scene = Scene::new(options(40, 12), three());
    let list = scene.screen();
    scene.press("tab");
    assert_snapshot!(list + "\n" + &scene.screen());
}

#[test]
fn too_small_is_a_sentence() {
    let sizes = [(20, 5), (1, 1)]
        .map(|(width, height)| Scene::new(options(width, height), three()).screen());
    assert_snapshot!(sizes.join("----\n"));
}

#[test]
fn help() {
    let mut scene = Scene::new(options(100, 30), three());
    scene.press("?");
    let first = scene.screen();
    scene.press("G");
    assert_snapshot!(first + "\n" + &scene.screen());
}

#[test]
fn stop_question() {
    let mut scene = Scene::new(options(80, 24), three());
    scene.press("x").answer();
    assert_snapshot!(scene.screen());
}

#[test]
fn forms_and_palette() {
    for (width, height) in [(80, 24), (120, 40), (200, 50)] {
        let mut scene = Scene::new(options(width, height), three());
        scene.press("!").type_text("make 'all").press("tab tab tab");
        let run = scene.screen();
        scene
            .press("esc n")
            .type_text("a name")
            .press("tab tab")
            .type_text("3");
        let create = scene.screen();
        scene.press("esc .");
        let again = scene.screen();
        scene.press("esc :").type_text("st");
        let all = [run, create, again, scene.screen()].join("\n");
        assert_snapshot!(format!("forms_and_palette_at_{width}x{height}"), all);
    }
}

#[test]
fn choosing_columns() {
    let screens = [(40, 12), (80, 24), (120, 40)].map(|(width, height)| {
        let mut scene = Scene::new(options(width, height), three());
        scene.press("C j space j h");
        scene.screen()
    });
    assert_snapshot!(screens.join("\n"));
}

#[test]
fn filter_line() {
    let mut scene = Scene::new(options(80, 24), three());
    scene.press("/").type_text("wr status:run");
    let typing = scene.screen();
    scene.press("enter").refresh();
    let kept = scene.screen();
    scene.press("/").type_text(" left:soon");
    assert_snapshot!([typing, kept, scene.screen()].join("\n"));
}

#[test]
fn nothing_to_list() {
    let local = Scene::new(options(80, 24), Service::default()).screen();
    let mut cloud = options(80, 24);
    cloud.backend = sandtop::logic::Backend {
        name: "vercel.com".into(),
        team: Some("acme".into()),
        project: Some("shop".into()),
        ..Default::default()
    };
    let empty = Scene::new(cloud.clone(), Service::default()).screen();
    let loading = Scene::unanswered(cloud, Service::default()).screen();
    let mut hidden = Scene::new(options(80, 24), three());
    hidden.press("/").type_text("zzz");
    assert_snapshot!([local, empty, loading, hidden.screen()].join("\n"));
}

#[test]
fn activity() {
    let mut scene = Scene::new(options(100, 20), three());
    scene.press("6");
    assert_snapshot!(scene.screen());
}

#[test]
fn sessions_and_info() {
    let mut scene = Scene::new(options(100, 30), three());
    scene.press("[ [").answer();
    let sessions = scene.screen();
    scene.press("]").answer();
    assert_snapshot!(sessions + "\n" + &scene.screen());
}

#[test]
fn zoomed_stage() {
    let mut scene = Scene::new(options(100, 20), three());
    scene.press("enter z");
    assert_snapshot!(scene.screen());
}

/// Every dialog, help and the filter line, at sizes that nobody uses, down to nothing and back.
#[test]
fn no_size_is_a_panic() {
    let sizes = [
        (40, 10),
        (10, 3),
        (1, 1),
        (0, 0),
        (1, 200),
        (500, 1),
        (23, 6),
        (24, 5),
        (24, 6),
        (80, 24),
    ];
    for opened in [
        "1",
        "x",
        "?",
        "/",
        "6",
        "enter",
        "enter enter",
        "] ]",
        "] tab",
        "m",
        "z",
        "x right",
        "space space x",
        "delete",
        "a delete",
        "e",
        "w",
        "enter t",
    ] {
        let mut scene = Scene::new(options(80, 24), hostile());
        scene.press(opened).answer();
        if opened == "/" {
            scene.type_text("漢字 e\u{301} status:");
        }
        for (width, height) in sizes {
            scene.resize(width, height).answer();
            let (width, height) = (usize::from(width), usize::from(height));
            let screen = scene.screen();
            assert_eq!(
                screen.lines().count(),
                if width == 0 { 0 } else { height },
                "{opened}"
            );
            scene.press("down right tab shift-tab left up").answer();
            scene.screen();
        }
    }
}

/// Between a change of the terminal's size and the event that tells it, a frame may have another size.
#[test]
fn frame_of_another_size_is_drawn() {
    for opened in ["1", "x", "?", "/", "6", "] ]"] {
        let mut scene = Scene::new(options(120, 40), hostile());
        scene.press(opened).answer();
        for (width, height) in [(80, 24), (10, 3), (1, 1), (0, 0), (200, 60)] {
            let backend = ratatui::backend::TestBackend::new(width, height);
            let mut terminal = ratatui::Terminal::new(backend).unwrap();
            terminal
                .draw(|frame| sandtop::app::view(&scene.state, frame))
                .unwrap();
        }
    }
}

#[test]
fn every_small_size_is_drawn() {
    for opened in ["1", "x", "?", "/", "6", "enter", "] ]"] {
        let mut scene = Scene::new(options(80, 24), hostile());
        scene.press(opened).answer();
        for width in 0..=40 {
            for height in 0..=12 {
                scene.resize(width, height);
                scene.screen();
            }
        }
    }
}

/// Names and tags that want to move the cursor, take more room than they have characters, or look like others.
fn hostile() -> Service {
    let mut service = Service::default();
    let names = [
        "\u{1b}[2J\u{1b}]0;title\u{7}",
        "⚠️ ℹ️ ⚙️ 1️⃣ ♻️",
        "漢字漢字漢字漢字漢字漢字",
        "e\u{301}漢😀é",
        "a\u{202e}b",
        "👨‍👩‍👧‍👦 family",
    ];
    for name in names {
        service.add(
            name,
            json!({"tags": {"k\nk": name}, "image": name.repeat(40), "region": name}),
        );
    }
    service
}

#[test]
fn hostile_names_reach_no_cell_raw() {
    let mut scene = Scene::new(options(160, 40), hostile());
    scene.press("x").answer();
    let raw = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{fe0f}');
    for cell in &scene.buffer().content {
        assert!(!cell.symbol().contains(raw), "{:?}", cell.symbol());
    }
    // Every row's right border stands in the same column.
    let list: Vec<usize> = scene
        .screen()
        .lines()
        .skip(2)
        .take(6)
        .map(sandtop::text::width)
        .collect();
    assert!(list.iter().all(|width| *width == 160), "{list:?}");
}

/// Which row is selected shows without colour, on any background.
#[test]
fn selection_shows_without_colour() {
    for looks in [
        Looks {
            depth: Depth::None,
            light: false,
            ascii: false,
        },
        Looks {
            depth: Depth::Sixteen,
            light: true,
            ascii: false,
        },
    ] {
        let scene = Scene::new(
            sandtop::app::Options {
                looks,
                ..options(80, 24)
            },
            three(),
        );
        let (_, row) = scene.find("▸ web").unwrap();
        let buffer = scene.buffer();
        let reversed = |x| {
            buffer[(x, row)]
                .modifier
                .contains(ratatui::style::Modifier::REVERSED)
        };
        assert!((2..70).all(reversed), "{}", scene.screen());
    }
}

#[test]
fn nothing_is_coloured_without_colour() {
    let looks = Looks {
        depth: Depth::None,
        light: false,
        ascii: false,
    };
    let mut scene = Scene::new(
        sandtop::app::Options {
            looks,
            ..options(120, 40)
        },
        three(),
    );
    for keys in ["1", "x", "esc ?", "esc 6", "1 /"] {
        scene.press(keys).answer();
        let reset = ratatui::style::Color::Reset;
        assert!(
            scene
                .buffer()
                .content
                .iter()
                .all(|cell| cell.fg == reset && cell.bg == reset)
        );
    }
}
