//! Every dialog at the sizes that count, and readable on dark and on light.

use super::scene::{Scene, Service, options};
use super::three;
use insta::assert_snapshot;
use ratatui::style::Color;
use sandtop::app::Options;
use sandtop::logic::Call;
use sandtop::logic::settings::Config;
use sandtop::ui::{Depth, Looks};
use serde_json::json;

/// What opens each, from the row of `web`.
const DIALOGS: &[(&str, &str)] = &[
    ("stop one", "x"),
    ("stop many", "a x"),
    ("delete one", "delete w e"),
    (
        "its snapshots too, and mistyped",
        "delete tab tab enter shift-tab enter",
    ),
    ("delete many", "a delete"),
    ("extend one", "e"),
    ("extend many, mistyped", "a e s o o n enter"),
    ("resume one", "g w"),
    ("resume many", "a w"),
    ("signal", "enter t down"),
    ("signal by name", "enter t h u p"),
    ("results", "a x y"),
    ("nothing to do", "space space w"),
    ("quit", "q"),
    ("run", "! m a k e"),
    ("run again", "."),
    ("create", "n"),
    ("palette", ": s t o"),
];

fn scene(width: u16, height: u16, light: bool, keys: &str) -> Scene {
    let mut options = options(width, height);
    options.backend.owned = true;
    options.looks = Looks {
        depth: Depth::True,
        light,
        ascii: false,
    };
    let mut service = three();
    service.add(
        "asleep",
        json!({"status": "stopped", "currentSnapshotId": "snap_1"}),
    );
    service.get("worker").persistent = Some(false);
    service.get("web").mounts =
        serde_json::from_value(json!({"/data": {"drive": "models"}})).unwrap();
    service.refuses = Some(|call| match call {
        Call::Stop(session) if session.as_raw() == "sbx_worker" => Some(Service::status(403)),
        _ => None,
    });
    let mut scene = Scene::new(options, service);
    scene.press("g j j").answer();
    scene.press(keys).answer();
    scene.wait(2_000);
    scene
}

/// The lines of the dialog, and the footer.
fn lines_of_dialog(scene: &Scene) -> String {
    let screen = scene.screen();
    let lines: Vec<&str> = screen.lines().collect();
    let title = |line: &&str| {
        let of_pane =
            |title: &&str| title.starts_with("Sandboxes") || title.starts_with("Commands");
        let mut titles = line.match_indices("┏▸");
        let found = titles.find(|(at, sign)| !of_pane(&&line[at + sign.len()..]));
        found.map(|(at, _)| line[..at].chars().count())
    };
    let top = lines.iter().position(|line| title(line).is_some());
    let top = top.expect("a dialog");
    let left = title(&lines[top]).unwrap();
    let is_bottom = |line: &&str| line.chars().nth(left) == Some('┗');
    let height = lines[top..].iter().position(is_bottom);
    let bottom = top + height.expect("its lower border");
    [&lines[top..=bottom], &lines[lines.len() - 1..]]
        .concat()
        .join("\n")
}

#[test]
fn every_dialog() {
    for (width, height) in [(80, 24), (120, 40), (200, 50)] {
        let drawn = DIALOGS.iter().map(|(name, keys)| {
            let scene = scene(width, height, false, keys);
            format!("# {name}\n{}\n", lines_of_dialog(&scene))
        });
        let all: Vec<String> = drawn.collect();
        assert_snapshot!(format!("every_dialog_at_{width}x{height}"), all.join("\n"));
    }
}

#[test]
fn time_to_take_it_back() {
    for (width, height) in [(80, 24), (120, 40), (200, 50)] {
        let options = Options {
            config: Config::default(),
            ..options(width, height)
        };
        let mut scene = Scene::new(options, three());
        scene.press("g j x y").wait(2_000);
        let screen = scene.screen();
        let row = screen.lines().find(|line| line.contains("web")).unwrap();
        let footer = screen.lines().last().unwrap();
        assert!(row.contains("stop in 3 s"), "{screen}");
        assert_eq!(footer, "stopping web in 3 s · u takes it back");
    }
}

fn luminance(red: u8, green: u8, blue: u8) -> f64 {
    let linear = [red, green, blue].map(|value| (f64::from(value) / 255.0).powf(2.2));
    0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
}

/// The same words on both, and no colour that is lost on the terminal's own background.
#[test]
fn every_dialog_is_readable_on_dark_and_on_light() {
    for (name, keys) in DIALOGS {
        let on_dark = scene(120, 40, false, keys);
        let on_light = scene(120, 40, true, keys);
        assert_eq!(on_dark.screen(), on_light.screen(), "{name}");
        for (scene, background) in [(&on_dark, 0.0), (&on_light, 1.0)] {
            let buffer = scene.buffer();
            let shown = buffer.content.iter().filter(|cell| cell.symbol() != " ");
            let mut coloured = 0;
            for cell in shown {
                assert_eq!(cell.bg, Color::Reset, "{name}: the terminal's own");
                let Color::Rgb(red, green, blue) = cell.fg else {
                    assert_eq!(cell.fg, Color::Reset, "{name}");
                    continue;
                };
                coloured += 1;
                let distance = (luminance(red, green, blue) - background).abs();
                assert!(distance > 0.15, "{name}: {:?} {}", cell.fg, cell.symbol());
            }
            assert!(coloured > 100, "{name}: {coloured}");
        }
    }
}
