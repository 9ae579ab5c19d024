//! Reading: following, scrolling back, wrapping, copying.

use super::Stage;
use crate::logic::Action;
use crate::model::StreamName;
use crate::panes::logs::line::Kind;
use crate::panes::logs::reading::Reading;
use proptest::prelude::*;

fn numbered(numbers: std::ops::Range<usize>) -> Vec<String> {
    numbers.map(|number| format!("line {number:06}")).collect()
}

#[test]
fn the_end_is_followed() {
    let (mut stage, key) = Stage::reading(40, 10);
    stage.prints_lines(&key, 0..100);
    assert_eq!(stage.rows(), numbered(92..100));
    stage.prints(&key, "no line break yet");
    assert_eq!(
        stage.rows().last().map(String::as_str),
        Some("no line break yet")
    );
    stage.prints(&key, ", and more\n");
    assert_eq!(
        stage.rows().last().map(String::as_str),
        Some("no line break yet, and more")
    );
}

/// LR08: 5 000 lines arrive and the old ones are dropped; what is read does not move.
#[test]
fn what_is_read_does_not_move() {
    let (mut stage, key) = Stage::reading(40, 10);
    stage.scene.world.tails.get_mut(&key).unwrap().store = crate::text::LogStore::new(64 * 1024);
    stage.prints_lines(&key, 0..1000);
    for _ in 0..200 {
        stage.act(Action::Up);
    }
    let read = numbered(792..800);
    assert_eq!(stage.rows(), read);
    assert!(stage.screen().contains("scrolled back · G follows"));
    for start in (1000..6000).step_by(500) {
        stage.prints_lines(&key, start..start + 500);
        assert_eq!(stage.rows(), read);
    }
    let store = &stage.scene.world.tails[&key].store;
    assert!(
        store.first() > 800,
        "the lines in view are dropped: {}",
        store.first()
    );
    assert!(stage.state.window.rows.iter().all(|row| row.evicted));
    let screen = stage.screen();
    assert!(screen.contains("5000 new below"), "{screen}");
    assert!(screen.contains("x line 000792"), "{screen}");

    // A resize keeps them as well.
    stage.place(60, 8);
    assert_eq!(stage.rows(), numbered(792..798));

    // Further up is nothing but the place of what is gone; further down what is held.
    stage.act(Action::Top);
    assert_eq!(stage.state.window.rows[0].kind, Kind::Gap);
    stage.act(Action::Bottom);
    assert_eq!(stage.rows(), numbered(5994..6000));
    assert_eq!(stage.state.reading(), Reading::Following);
    assert!(!stage.screen().contains("new below"));
}

#[test]
fn the_top_tells_what_is_gone() {
    let (mut stage, key) = Stage::reading(60, 10);
    stage.scene.world.tails.get_mut(&key).unwrap().store = crate::text::LogStore::new(64 * 1024);
    stage.prints_lines(&key, 0..9000);
    stage.act(Action::Top);
    let first = usize::try_from(stage.scene.world.tails[&key].store.first()).unwrap();
    let rows = stage.rows();
    assert_eq!(
        rows[0],
        format!("-- {first} older lines were dropped to stay within memory --")
    );
    assert_eq!(rows[1..], numbered(first..first + 7));
    stage.act(Action::Up);
    assert_eq!(stage.rows(), rows);
    stage.act(Action::Down);
    assert_eq!(stage.rows(), numbered(first..first + 8));
    stage.act(Action::Up);
    assert_eq!(stage.rows(), rows);
}

#[test]
fn scrolling_down_to_the_end_follows_again() {
    let (mut stage, key) = Stage::reading(40, 10);
    stage.prints_lines(&key, 0..100);
    stage.act(Action::PageUp);
    assert_eq!(stage.rows(), numbered(85..93));
    stage.prints_lines(&key, 100..103);
    assert!(stage.screen().contains("3 new below"), "{}", stage.screen());
    stage.act(Action::PageDown);
    assert_eq!(stage.rows(), numbered(92..100));
    stage.act(Action::Down);
    stage.act(Action::Down);
    assert!(stage.screen().contains("1 new below"), "{}", stage.screen());
    stage.act(Action::Down);
    assert_eq!(stage.state.reading(), Reading::Following);
    stage.prints_lines(&key, 103..104);
    assert_eq!(stage.rows(), numbered(96..104));
    // Up in a log that fits has nowhere to go.
    let (mut stage, key) = Stage::reading(40, 10);
    stage.prints_lines(&key, 0..3);
    stage.act(Action::Up);
    assert_eq!(stage.state.reading(), Reading::Following);
}

#[test]
fn following_can_be_switched_off_and_on() {
    let (mut stage, key) = Stage::reading(40, 10);
    stage.prints_lines(&key, 0..100);
    stage.act(Action::Follow);
    stage.prints_lines(&key, 100..200);
    assert_eq!(stage.rows(), numbered(92..100));
    stage.act(Action::Follow);
    assert_eq!(stage.rows(), numbered(192..200));
}

#[test]
fn long_lines_wrap_or_scroll_sideways() {
    let (mut stage, key) = Stage::reading(40, 8);
    stage.prints(
        &key,
        "0123456789abcdefghij0123456789abcdefghij0123456789\nshort\n",
    );
    assert_eq!(
        stage.rows(),
        [
            "0123456789abcdefghij0123456789abcdef",
            "ghij0123456789",
            "short"
        ]
    );
    stage.act(Action::Right);
    assert_eq!(stage.rows().len(), 2);
    assert!(
        stage.screen().contains("  0123456789"),
        "{}",
        stage.screen()
    );
    stage.act(Action::Right);
    let screen = stage.screen();
    assert!(screen.contains("  89abcdefghij"), "{screen}");
    stage.act(Action::Left);
    stage.act(Action::Left);
    assert_eq!(stage.rows().len(), 3);
}

#[test]
fn rows_of_a_wrapped_line_scroll_one_by_one() {
    let (mut stage, key) = Stage::reading(40, 4);
    let line: String = (0..10).map(|n| format!("{n}{}", "-".repeat(35))).collect();
    stage.prints(&key, &format!("{line}\nend\n"));
    let heads = |stage: &Stage| -> String { stage.rows().iter().map(|row| &row[..1]).collect() };
    let height = stage.rows().len();
    assert_eq!(heads(&stage), ["e", "9e", "89e"][height - 1]);
    for _ in 0..20 {
        stage.act(Action::Up);
    }
    assert_eq!(heads(&stage), &"0123456789"[..height]);
    for expected in ["1", "2", "3"] {
        stage.act(Action::Down);
        assert!(heads(&stage).starts_with(expected));
    }
}

/// LR04, PF01: a progress bar of megabytes shows its last state, a line of megabytes its beginning.
#[test]
fn very_long_lines_are_laid_out_in_part() {
    let (mut stage, key) = Stage::reading(40, 8);
    let bar: String = (0..200_000).map(|n| format!("\r{n:6} of 200000")).collect();
    stage.prints(&key, &bar);
    assert_eq!(stage.rows(), ["199999 of 200000"]);
    stage.prints(&key, "\n");
    stage.prints(&key, &format!("{}\n", "x".repeat(3_000_000)));
    stage.act(Action::Top);
    assert_eq!(stage.rows()[0], "199999 of 200000");
    stage.act(Action::Bottom);
    let rows = stage.rows();
    let end = rows[rows.len() - 2..].join(" ");
    assert!(end.contains("more bytes: copy to have all"), "{rows:?}");
    assert_eq!(stage.copies(Action::Copy).len(), 3_000_001);
}

#[test]
fn copying_gives_the_last_line_in_view_as_text() {
    let (mut stage, key) = Stage::reading(40, 6);
    stage.prints(
        &key,
        "end\n\u{1b}[1;31mred\u{1b}[0m\tcell\u{1b}]52;c;aGk=\u{7}\n",
    );
    assert_eq!(stage.copies(Action::Copy), "red\tcell\n");
    stage.prints_lines(&key, 0..20);
    stage.act(Action::Top);
    assert_eq!(stage.copies(Action::Copy), "line 000001\n");
}

/// Makes nothing anew that cannot have changed: the rows keep their place in memory.
#[test]
fn still_rows_are_not_made_again() {
    let (mut stage, key) = Stage::reading(40, 10);
    stage.prints_lines(&key, 0..100);
    stage.act(Action::PageUp);
    let before = stage.state.window.rows.as_ptr();
    stage.prints_lines(&key, 100..2000);
    assert_eq!(stage.state.window.rows.as_ptr(), before);
}

#[test]
fn a_log_that_begins_anew_is_followed() {
    let (mut stage, key) = Stage::reading(40, 10);
    stage.prints_lines(&key, 0..100);
    stage.act(Action::Up);
    stage.scene.world.tails.remove(&key);
    stage.settle();
    assert!(stage.rows().is_empty());
    stage.scene.open(&key);
    stage.prints_lines(&key, 0..5);
    assert_eq!(stage.rows(), numbered(0..5));
}

const MOVES: &[Action] = &[
    Action::Up,
    Action::Down,
    Action::PageUp,
    Action::PageDown,
    Action::Top,
    Action::Bottom,
    Action::Follow,
    Action::Left,
    Action::Right,
    Action::Copy,
    Action::SelectLines,
    Action::CopyAll,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever arrives, is dropped, is pressed and is resized: the rows fit, stay in order and are never beyond the log.
    #[test]
    fn any_reading_is_sound(steps in prop::collection::vec((0..MOVES.len(), 0..60_usize, 0..40_u16, 0..14_u16), 1..60)) {
        let (mut stage, key) = Stage::reading(40, 10);
        stage.scene.world.tails.get_mut(&key).unwrap().store = crate::text::LogStore::new(16 * 1024);
        let mut at = 0;
        for (action, lines, width, height) in steps {
            stage.prints_lines(&key, at..at + lines);
            at += lines;
            if lines % 7 == 0 {
                stage.scene.prints(&key, &StreamName::Stderr, &"漢字 é ".repeat(lines));
            }
            if lines % 5 == 0 {
                stage.place(width, height);
            }
            stage.act(MOVES[action]);
            stage.buffer();
            let rows = &stage.state.window.rows;
            prop_assert!(rows.windows(2).all(|pair| pair[0].spot < pair[1].spot));
            prop_assert!(rows.iter().all(|row| row.spot.line < stage.scene.world.tails[&key].store.end()));
        }
    }
}
