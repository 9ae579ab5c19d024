//! What is shown of lines beside their text, and what becomes of hostile and long ones.

use super::Stage;
use crate::logic::{Action, LineTimes, LogLooks, TailState};
use crate::model::StreamName;
use crate::panes::testing::{HOSTILE, at};
use crate::ui::testing::{dump_styled, plain};
use crate::ui::{Depth, Looks, Theme};
use proptest::prelude::*;

const TOGGLES: [Action; 5] = [
    Action::LineNumbers,
    Action::ArrivalTimes,
    Action::StreamMarks,
    Action::LevelColours,
    Action::PrettyJson,
];

/// Replayed and live lines of all kinds.
fn mixed(width: u16, height: u16) -> Stage {
    let (mut stage, key) = Stage::reading(width, height);
    stage.prints(&key, "replayed\nINFO: it starts\n");
    let tail = stage.scene.world.tails.get_mut(&key).unwrap();
    tail.follow.state = TailState::Live;
    stage.scene.now = at(3700);
    stage.prints(&key, "WARN: slow\nERROR: failed\nDEBUG: detail\n");
    stage.scene.prints(&key, &StreamName::Stderr, "of stderr\n");
    stage.scene.now = at(3725);
    stage.prints(
        &key,
        "{\"level\":\"error\",\"code\":1.50,\"at\":{\"é\":[1,2]},\"none\":[],\"s\":\"a,\\\"b\"}\n",
    );
    stage
}

#[test]
fn json_is_laid_out_on_demand() {
    let mut stage = mixed(60, 30);
    assert!(
        stage
            .rows()
            .iter()
            .any(|row| row.starts_with("{\"level\":\"error\""))
    );
    stage.act(Action::PrettyJson);
    let rows = stage.rows();
    let json = [
        "{",
        "  \"level\": \"error\",",
        "  \"code\": 1.50,",
        "  \"at\": {",
        "    \"é\": [",
        "      1,",
        "      2",
        "    ]",
        "  },",
        "  \"none\": [],",
        "  \"s\": \"a,\\\"b\"",
        "}",
    ];
    assert_eq!(rows[rows.len() - json.len()..], json);
    // Its rows are gone through one by one, also where lines are cut.
    stage.place(60, 9);
    for wrap in [true, false] {
        stage.state.wrap(wrap);
        stage.act(Action::Bottom);
        assert_eq!(stage.rows().last().map(String::as_str), Some("}"));
        stage.act(Action::Up);
        assert_eq!(
            stage.rows().last().map(String::as_str),
            Some("  \"s\": \"a,\\\"b\"")
        );
    }
}

#[test]
fn times_of_a_replay_are_unknown_and_others_are_told_in_four_ways() {
    let mut stage = mixed(80, 11);
    let mut firsts = Vec::new();
    for _ in 0..4 {
        stage.act(Action::ArrivalTimes);
        let screen = stage.screen();
        let line = |text: &str| {
            let line = screen.lines().find(|line| line.contains(text)).unwrap();
            line.trim_start_matches(['┃', ' ']).to_owned()
        };
        firsts.push((line("replayed"), line("WARN")));
    }
    let [relative, local, utc, off] = firsts.as_slice() else {
        panic!()
    };
    assert!(relative.0.starts_with("–   replayed"), "{relative:?}");
    assert!(relative.1.starts_with("25 s   WARN"), "{relative:?}");
    assert!(local.1.contains(":"), "{local:?}");
    assert_eq!(local, utc, "the machine of the tests stands in UTC");
    assert!(off.1.starts_with("WARN"), "{off:?}");
    assert_eq!(stage.state.looks().times, LineTimes::Off);
}

#[test]
fn each_is_shown_and_hidden_again() {
    let mut stage = mixed(80, 11);
    let before = dump_styled(&stage.buffer());
    for toggle in [
        Action::LineNumbers,
        Action::StreamMarks,
        Action::LevelColours,
        Action::PrettyJson,
    ] {
        stage.act(toggle);
        assert_ne!(dump_styled(&stage.buffer()), before, "{toggle:?}");
        stage.act(toggle);
        assert_eq!(dump_styled(&stage.buffer()), before, "{toggle:?}");
    }
    assert_eq!(stage.state.looks(), LogLooks::default());
    stage.act(Action::Wrap);
    assert!(!stage.state.wraps());
    stage.act(Action::Right);
    stage.act(Action::Left);
    stage.act(Action::Left);
    assert!(stage.screen().contains("not wrapped"));
    stage.act(Action::Wrap);
    assert!(!stage.screen().contains("not wrapped"));
}

#[test]
fn screens_with_everything_shown() {
    for (width, height) in [(80, 24), (120, 40), (200, 50)] {
        let mut stage = mixed(width, height);
        TOGGLES
            .into_iter()
            .filter(|toggle| *toggle != Action::StreamMarks && *toggle != Action::LevelColours)
            .for_each(|toggle| {
                stage.act(toggle);
            });
        insta::assert_snapshot!(
            format!("looks_{width}x{height}"),
            dump_styled(&stage.buffer())
        );
    }
    let mut stage = mixed(80, 24);
    stage.scene.theme = plain();
    stage.act(Action::LineNumbers);
    stage.settle();
    insta::assert_snapshot!("looks_plain_80x24", dump_styled(&stage.buffer()));
}

/// LR06: what one line sets ends with it, never reaches the frame, and hides nothing, on dark and on light.
#[test]
fn colours_do_not_leak_and_hide_nothing() {
    for light in [false, true] {
        let (mut stage, key) = Stage::reading(40, 11);
        stage.scene.theme = Theme::choose(Looks {
            depth: Depth::True,
            light,
            ascii: false,
        });
        let long = "漢".repeat(40);
        stage.prints(
            &key,
            &format!(
                "\u{1b}[47;30m{long}\nplain\n\u{1b}[8mhidden\u{1b}[0m\n\u{1b}[40;30mblack\n\u{1b}[107;97mwhite\n\
                 \u{1b}[30mdark\u{1b}[97mlight\n"
            ),
        );
        let buffer = stage.buffer();
        let area = buffer.area;
        let background = buffer[(0, 0)].bg;
        for y in 0..area.height {
            for x in [0, area.width - 1] {
                let cell = &buffer[(x, y)];
                assert_eq!(cell.bg, background, "the frame at {x}, {y}");
            }
        }
        let screen = stage.screen();
        let row = |text: &str| {
            let row = screen.lines().position(|line| line.contains(text));
            u16::try_from(row.unwrap_or_else(|| panic!("{text}: {screen}"))).unwrap()
        };
        for x in 0..area.width {
            assert_eq!(buffer[(x, row("plain"))].bg, background, "column {x}");
        }
        row("hidden");
        for text in ["black", "white", "dark"] {
            let cell = &buffer[(4, row(text))];
            assert_ne!(cell.fg, cell.bg, "{text}");
        }
        let name = if light { "light" } else { "dark" };
        insta::assert_snapshot!(format!("colours_on_{name}_40x11"), dump_styled(&buffer));
    }
}

/// The whole of a long line is reached by scrolling aside.
#[test]
fn long_lines_are_reached_to_their_end() {
    let (mut stage, key) = Stage::reading(60, 8);
    stage.prints(&key, &format!("{}end\n", "x".repeat(20_000)));
    stage.act(Action::Wrap);
    for _ in 0..(20_000 - 40) / 8 {
        stage.act(Action::Right);
    }
    assert!(stage.screen().contains("xend"), "{}", stage.screen());
}

#[test]
fn a_hit_far_aside_is_brought_into_view() {
    let (mut stage, key) = Stage::reading(60, 8);
    stage.prints(
        &key,
        &format!("short\n{}needle{}\n", "x".repeat(3000), "y".repeat(3000)),
    );
    stage.act(Action::Wrap);
    stage.does(Action::Search);
    stage.types("needle");
    assert!(stage.screen().contains("xneedley"), "{}", stage.screen());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// UW01, UW03: wide, joined and hostile text in every look, at every width, scrolled by any column.
    #[test]
    fn any_text_in_any_look(
        text in prop::collection::vec(prop::sample::select(vec![HOSTILE, "é漢😀é", "⚠\u{fe0f}ℹ\u{fe0f}♻\u{fe0f}1\u{fe0f}\u{20e3}", "{\"é\":\"漢\"}\n", "\n", "👩\u{200d}👩\u{200d}👧"]), 1..30),
        width in 1..70_u16,
        height in 1..14_u16,
        toggles in 0..32_usize,
        aside in 0..12_usize,
    ) {
        let (mut stage, key) = Stage::reading(width, height);
        stage.prints(&key, &text.concat());
        for (at, toggle) in TOGGLES.into_iter().enumerate() {
            if toggles >> at & 1 == 1 {
                stage.act(toggle);
            }
        }
        stage.does(Action::Search);
        stage.types("é");
        (0..aside).for_each(|_| { stage.act(Action::Right); });
        stage.buffer();
    }
}
