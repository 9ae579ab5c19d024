//! Filtering the log, and going to a time.

use super::Stage;
use crate::logic::{Action, Mono, TailState};
use crate::model::{CommandKey, Span, Timestamp};
use crate::panes::logs::moment::parsed;
use crate::panes::logs::reading::Reading;
use crate::panes::testing::{EPOCH, at};
use crate::ui::Role;
use crate::ui::testing::dump_styled;
use crossterm::event::KeyCode;
use jiff::tz::{Offset, TimeZone};
use proptest::prelude::*;

/// Of ten lines one is an error and one a health check.
fn log(count: usize) -> String {
    let line = |n: usize| match n % 10 {
        3 => format!("error {n}\n"),
        7 => format!("health error {n}\n"),
        _ => format!("line {n}\n"),
    };
    (0..count).map(line).collect()
}

fn filtered(count: usize, filter: &str) -> (Stage, CommandKey) {
    let (mut stage, key) = Stage::reading(100, 11);
    stage.prints(&key, &log(count));
    stage.search();
    stage.does(Action::FilterLines);
    stage.types(filter);
    stage.key(KeyCode::Enter);
    (stage, key)
}

#[test]
fn words_let_lines_through_and_keep_lines_out() {
    let (mut stage, key) = filtered(100, "error !health");
    let shown = |numbers: &[usize]| -> Vec<String> {
        numbers.iter().map(|n| format!("error {n}")).collect()
    };
    assert_eq!(stage.rows(), shown(&[13, 23, 33, 43, 53, 63, 73, 83, 93]));
    assert!(
        stage
            .screen()
            .contains("&error !health 10 of 100 lines · make"),
        "{}",
        stage.screen()
    );
    // It is followed and gone through as any log.
    stage.prints(&key, &log(10));
    stage.search();
    assert_eq!(stage.rows().last().map(String::as_str), Some("error 3"));
    stage.does(Action::Top);
    assert_eq!(stage.rows()[0], "error 3");
    stage.does(Action::Down);
    assert_eq!(stage.rows()[0], "error 13");
    stage.does(Action::Up);
    assert_eq!(stage.rows()[0], "error 3");
    stage.does(Action::Bottom);
    assert_eq!(stage.state.reading(), Reading::Following);
    assert!(stage.state.clear());
    stage.search();
    assert_eq!(stage.rows().len(), 9);
    assert!(stage.rows().contains(&"line 9".to_owned()));
}

#[test]
fn lines_around_come_along_and_several_words_are_alternatives() {
    let (stage, _) = filtered(40, "\"line 5\" error.23 +1");
    let rows = [
        "line 4", "line 5", "line 6", "line 22", "error 23", "line 24",
    ];
    assert_eq!(stage.rows(), rows);
}

#[test]
fn nothing_that_passes_is_said_and_escape_leads_back() {
    let (mut stage, _) = filtered(40, "absent");
    assert!(stage.screen().contains("The filter lets no line through"));
    stage.does(Action::FilterLines);
    assert!(stage.screen().contains("&absent"), "{}", stage.screen());
    stage.types("|line");
    assert!(stage.rows().contains(&"line 39".to_owned()));
    stage.key(KeyCode::Esc);
    assert!(stage.rows().is_empty());
    // An empty line is no filter.
    stage.does(Action::FilterLines);
    (0..6).for_each(|_| stage.key(KeyCode::Backspace));
    stage.key(KeyCode::Enter);
    assert_eq!(stage.rows().len(), 9);
}

#[test]
fn a_search_passes_over_what_is_filtered_out() {
    let (mut stage, _) = filtered(100, "!health");
    stage.does(Action::Top);
    stage.does(Action::Search);
    stage.types("error");
    stage.key(KeyCode::Enter);
    stage.does(Action::NextHit);
    stage.does(Action::NextHit);
    assert!(
        stage.rows().contains(&"error 23".to_owned()),
        "{:?}",
        stage.rows()
    );
    assert!(!stage.rows().iter().any(|row| row.starts_with("health")));
    // Of the twenty errors ten are hidden.
    assert!(stage.screen().contains("3 of 10"), "{}", stage.screen());
}

#[test]
fn what_is_there_for_its_neighbours_is_dim() {
    let (mut stage, key) = filtered(0, "error.23 +1");
    stage.prints(&key, "\u{1b}[31mline\u{1b}[0m\nerror 23\n");
    stage.search();
    let faint = |row: usize| {
        let mut pieces = stage.state.window.rows[row].pieces.iter();
        pieces.all(|piece| piece.is_in(Role::Dim))
    };
    assert!(faint(0) && !faint(1), "{:?}", stage.rows());
}

#[test]
fn hits_among_neighbours_count_too() {
    let (mut stage, _) = filtered(100, "error.23 +1");
    stage.does(Action::Search);
    stage.types("line|3");
    stage.key(KeyCode::Enter);
    stage.search();
    stage.does(Action::NextHit);
    assert!(stage.screen().contains("2 of 3"), "{}", stage.screen());
}

#[test]
fn what_is_read_through_a_filter_does_not_move() {
    let (mut stage, key) = filtered(400, "error");
    for _ in 0..20 {
        stage.does(Action::Up);
    }
    let read = stage.rows();
    for _ in 0..5 {
        stage.prints(&key, &log(300));
        stage.search();
        assert_eq!(stage.rows(), read);
    }
    assert!(
        stage.screen().contains("1500 new below"),
        "{}",
        stage.screen()
    );
}

#[test]
fn screens_of_a_filter() {
    for (width, height) in [(80, 24), (120, 40), (200, 50)] {
        let (mut stage, _) = filtered(100, "error !health +1");
        stage.place(width, height);
        stage.search();
        insta::assert_snapshot!(
            format!("filtered_{width}x{height}"),
            dump_styled(&stage.buffer())
        );
    }
}

#[test]
fn times_are_read_as_they_are_said() {
    let berlin = TimeZone::fixed(Offset::constant(2));
    // 2026-09-21 14:13:20 UTC
    let now = Timestamp(EPOCH);
    let ago = |typed: &str, zone: &TimeZone| parsed(typed, now, zone).map(|at| now.since(at));
    let utc = |typed: &str| ago(typed, &TimeZone::UTC);
    let minutes = |n| Some(Span::minutes(n));
    assert_eq!(utc("-5m"), minutes(5));
    assert_eq!(utc(" -90s "), Some(Span::seconds(90)));
    assert_eq!(utc("-2h"), minutes(120));
    assert_eq!(utc("-1d"), minutes(24 * 60));
    let moment = jiff::Timestamp::from_millisecond(EPOCH).unwrap();
    let hour = |zone: &TimeZone| {
        moment
            .to_zoned_datetime(zone.clone())
            .strftime("%H:%M:%S")
            .to_string()
    };
    assert_eq!(utc(&hour(&TimeZone::UTC)), Some(Span(0)));
    assert_eq!(ago(&hour(&berlin), &berlin), Some(Span(0)));
    // What is not yet today was yesterday.
    let later = (moment + std::time::Duration::from_secs(20)).strftime("%H:%M:%S");
    assert_eq!(utc(&later.to_string()), Some(Span::seconds(24 * 3600 - 20)));
    for wrong in [
        "", "-", "-m", "-5", "-5y", "25:00", "noon", "-é", "--5m", "1:2:3:4",
    ] {
        assert_eq!(utc(wrong), None, "{wrong}");
    }
}

/// A line each second from 1000 s on.
fn timed(lines: u64) -> Stage {
    let (mut stage, key) = Stage::reading(60, 11);
    stage.prints(&key, "a replayed line\n");
    let tail = stage.scene.world.tails.get_mut(&key).unwrap();
    tail.follow.state = TailState::Live;
    for n in 0..lines {
        stage.scene.now = at(1000 + n);
        stage.prints(&key, &format!("at {n}\n"));
    }
    stage
}

#[test]
fn the_first_line_of_a_time_comes_to_the_top() {
    for (typed, first) in [("-90s", "at 109"), ("-1m", "at 139"), ("-1h", "at 0")] {
        let mut stage = timed(200);
        stage.does(Action::GoToTime);
        stage.types(typed);
        stage.key(KeyCode::Enter);
        assert_eq!(stage.rows()[0], first, "{typed}");
    }
    let mut stage = timed(200);
    stage.does(Action::Top);
    stage.scene.now.wall = stage.scene.now.wall + Span::minutes(10);
    stage.does(Action::GoToTime);
    stage.types("-5m");
    stage.key(KeyCode::Enter);
    assert_eq!(stage.state.reading(), Reading::Following);
    stage.does(Action::GoToTime);
    stage.types("noon");
    stage.key(KeyCode::Enter);
    assert!(
        stage.screen().contains("No time: 14:03"),
        "{}",
        stage.screen()
    );
}

#[test]
fn a_replay_tells_no_times() {
    let (mut stage, key) = Stage::reading(120, 11);
    stage.prints(&key, &log(100));
    let tail = stage.scene.world.tails.get_mut(&key).unwrap();
    (tail.follow.state, tail.follow.last_piece) = (TailState::Live, Some(Mono(0)));
    let before = stage.rows();
    stage.does(Action::GoToTime);
    stage.types("-5m");
    stage.key(KeyCode::Enter);
    assert_eq!(stage.rows(), before);
    assert!(
        stage.screen().contains("a replay, which tells no times"),
        "{}",
        stage.screen()
    );
}

const KEYS: &str = "/&@ne +!(\"1-m\u{8}\n\u{1b}";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever is typed, chosen, printed and resized: the rows are of the log, in order, and drawn.
    #[test]
    fn any_keys_are_sound(steps in prop::collection::vec((0..24_usize, 0..KEYS.len(), 0..30_usize, 5..90_u16, 3..14_u16), 1..40)) {
        use Action::*;
        const ACTIONS: &[Action] = &[
            Search, FilterLines, GoToTime, NextHit, PreviousHit, NextError, PreviousStderr, Wrap, LineNumbers,
            ArrivalTimes, StreamMarks, LevelColours, PrettyJson, Up, Down, PageUp, Top, Bottom, Left, Right, Follow,
        ];
        let (mut stage, key) = Stage::reading(60, 11);
        stage.scene.world.tails.get_mut(&key).unwrap().store = crate::text::LogStore::new(16 * 1024);
        for (action, typed, lines, width, height) in steps {
            stage.prints(&key, &log(lines));
            stage.prints(&key, "{\"level\":\"error\",\"é\":[1,{\"漢\":\"😀\"}]}\n");
            match (stage.state.is_typing(), KEYS.chars().nth(typed)) {
                (true, Some('\n')) => stage.key(KeyCode::Enter),
                (true, Some('\u{1b}')) => stage.key(KeyCode::Esc),
                (true, Some('\u{8}')) => stage.key(KeyCode::Backspace),
                (true, Some(c)) => stage.key(KeyCode::Char(c)),
                _ => stage.does(*ACTIONS.get(action).unwrap_or(&Up)),
            }
            if lines % 5 == 0 {
                stage.place(width, height);
                stage.search();
            }
            stage.buffer();
            let rows = &stage.state.window.rows;
            prop_assert!(rows.windows(2).all(|pair| pair[0].spot < pair[1].spot));
            prop_assert!(rows.iter().all(|row| row.spot.line < stage.scene.world.tails[&key].store.end()));
        }
    }
}
