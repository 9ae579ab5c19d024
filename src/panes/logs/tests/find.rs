//! Searching the log: what is found, where the view goes, and what is said of it.

use super::Stage;
use crate::logic::{Action, World};
use crate::model::{CommandKey, StreamName};
use crate::panes::logs::reading::Reading;
use crate::panes::logs::{key as press, paste};
use crate::panes::testing::{command, command_key};
use crate::ui::testing::dump_styled;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

impl Stage {
    pub(super) fn key(&mut self, code: KeyCode) {
        let event = KeyEvent::new(code, KeyModifiers::NONE);
        let (world, ctx) = (&self.scene.world, self.scene.ctx());
        press(&mut self.state, world, event, &ctx);
        self.search();
    }

    pub(super) fn types(&mut self, text: &str) {
        for c in text.chars() {
            self.key(KeyCode::Char(c));
        }
    }

    /// As the loop does: a slice after the other, as long as there is something to search.
    pub(super) fn search(&mut self) {
        self.settle();
        while self.state.is_searching(&self.scene.world) {
            self.state.search_on(&self.scene.world);
            self.settle();
        }
    }

    pub(super) fn does(&mut self, action: Action) {
        self.act(action);
        self.search();
    }

    /// The lowest row of the pane's inside.
    fn below(&self) -> String {
        let screen = self.screen();
        let lines: Vec<&str> = screen.lines().collect();
        lines[lines.len() - 2].to_owned()
    }
}

/// `count` lines, every tenth of which ends with `needle <number>`.
fn hay(count: usize) -> String {
    let line = |n: usize| match n % 10 {
        5 => format!("line {n} needle {n}\n"),
        _ => format!("line {n}\n"),
    };
    (0..count).map(line).collect()
}

fn searched(count: usize) -> (Stage, CommandKey) {
    let (mut stage, key) = Stage::reading(60, 11);
    stage.prints(&key, &hay(count));
    stage.does(Action::Search);
    (stage, key)
}

#[test]
fn a_search_shows_the_nearest_hit_while_it_is_typed() {
    let (mut stage, _) = searched(100);
    stage.types("needle 2");
    assert!(stage.rows().contains(&"line 25 needle 25".to_owned()));
    assert!(stage.below().contains("/needle 2"), "{}", stage.below());
    assert!(stage.below().contains("1 of 1"), "{}", stage.below());
    // Another text is looked for from where the typing began, not from there.
    stage.key(KeyCode::Backspace);
    assert!(stage.rows().contains(&"line 95 needle 95".to_owned()));
    assert!(stage.below().contains("10 of 10"), "{}", stage.below());
    stage.key(KeyCode::Enter);
    assert!(!stage.state.is_typing());
    assert!(stage.below().contains("/needle"));
}

#[test]
fn leaving_the_prompt_leads_back() {
    let (mut stage, key) = searched(100);
    let before = stage.rows();
    stage.types("needle 1");
    assert_ne!(stage.rows(), before);
    stage.key(KeyCode::Esc);
    assert_eq!(stage.state.reading(), Reading::Following);
    assert!(!stage.screen().contains("needle 1 "));
    stage.prints(&key, "news\n");
    assert!(stage.rows().contains(&"news".to_owned()));
    // The search before is the search again.
    stage.does(Action::Search);
    stage.types("news");
    stage.key(KeyCode::Enter);
    stage.does(Action::Search);
    stage.types("line");
    stage.key(KeyCode::Esc);
    assert!(stage.below().contains("/news"), "{}", stage.below());
}

#[test]
fn next_and_previous_keep_lines_around_the_hit_and_do_not_jump_when_it_is_in_view() {
    let (mut stage, _) = searched(1000);
    stage.act(Action::Top);
    stage.types("needle");
    stage.key(KeyCode::Enter);
    stage.act(Action::Top);
    let top = stage.rows();
    assert_eq!(top[0], "line 0");
    stage.does(Action::NextHit);
    assert_eq!(stage.rows(), top, "line 5 is in view");
    stage.does(Action::NextHit);
    // 15 is not: lines before come along.
    assert_eq!(stage.rows()[0], "line 13");
    assert_eq!(stage.rows()[2], "line 15 needle 15");
    stage.does(Action::PreviousHit);
    assert!(stage.rows().contains(&"line 5 needle 5".to_owned()));
    assert!(stage.below().contains("1 of 100"), "{}", stage.below());
    stage.does(Action::PreviousHit);
    assert!(stage.rows().contains(&"line 995 needle 995".to_owned()));
    let below = stage.below();
    assert!(
        below.contains("100 of 100 · went on from the other end"),
        "{below}"
    );
    stage.does(Action::NextHit);
    assert!(
        stage.below().contains("1 of 100 · went on"),
        "{}",
        stage.below()
    );
}

/// The view stays where the hit is, whatever arrives, and what arrives is searched as well.
#[test]
fn what_arrives_is_searched_and_moves_nothing() {
    let (mut stage, key) = searched(100);
    stage.types("needle");
    stage.key(KeyCode::Enter);
    let before = stage.rows();
    stage.prints(&key, &hay(100));
    stage.search();
    assert_eq!(stage.rows(), before);
    assert!(stage.below().contains("10 of 20"), "{}", stage.below());
    stage.does(Action::Bottom);
    assert_eq!(stage.state.reading(), Reading::Following);
}

#[test]
fn a_broken_expression_is_searched_as_a_text_and_says_so() {
    let (mut stage, key) = Stage::reading(120, 10);
    stage.prints(&key, "call(1\ncall 2\n");
    stage.does(Action::Search);
    stage.types("call(");
    let below = stage.below();
    assert!(below.contains("/call("), "{below}");
    assert!(
        below.contains("1 of 1 · No regular expression (unclosed group)"),
        "{below}"
    );
    stage.key(KeyCode::Char('\\'));
    assert!(stage.below().contains("no lines"), "{}", stage.below());
}

#[test]
fn capitals_count_only_where_one_is_typed() {
    let (mut stage, key) = Stage::reading(60, 10);
    stage.prints(&key, "Error\nerror\nERROR\n");
    stage.does(Action::Search);
    stage.types("error");
    assert!(stage.below().contains("of 3"), "{}", stage.below());
    stage.key(KeyCode::Esc);
    stage.does(Action::Search);
    stage.types("Error");
    assert!(stage.below().contains("1 of 1"), "{}", stage.below());
}

/// A jump waits for the slices that it needs, and keys are served between them.
#[test]
fn a_long_log_is_searched_in_slices() {
    let (mut stage, key) = Stage::reading(60, 10);
    let long: String = (0..60_000).map(|n| format!("{n:0100}\n")).collect();
    stage.prints(&key, &format!("needle\n{long}"));
    stage.act(Action::Search);
    let (world, ctx) = (&stage.scene.world, stage.scene.ctx());
    paste(&mut stage.state, world, "needle\n", &ctx);
    assert!(stage.state.is_searching(&stage.scene.world));
    stage.state.search_on(&stage.scene.world);
    stage.settle();
    assert!(stage.below().contains("% searched"), "{}", stage.below());
    stage.search();
    assert_eq!(stage.rows()[0], "needle");
    assert!(stage.below().contains("1 of 1"));
    assert!(!stage.state.is_searching(&stage.scene.world));
}

#[test]
fn errors_and_lines_of_stderr_are_gone_to() {
    let (mut stage, key) = Stage::reading(60, 8);
    for n in 0..100 {
        let line = match n {
            20 | 70 => format!("ERROR: failed {n}\n"),
            _ => format!("line {n}\n"),
        };
        stage.prints(&key, &line);
        if n == 40 {
            stage.scene.prints(&key, &StreamName::Stderr, "of stderr\n");
        }
    }
    let shows = |stage: &Stage, line: &str| stage.rows().contains(&line.to_owned());
    stage.does(Action::PreviousError);
    assert!(shows(&stage, "ERROR: failed 70"), "{:?}", stage.rows());
    assert!(
        stage.below().contains("errors: 2 of 2"),
        "{}",
        stage.below()
    );
    stage.does(Action::PreviousStderr);
    assert!(shows(&stage, "of stderr"));
    stage.does(Action::PreviousError);
    assert!(shows(&stage, "ERROR: failed 20"));
    stage.does(Action::NextError);
    assert!(shows(&stage, "ERROR: failed 70"));
    assert!(stage.state.clear());
    assert!(!stage.state.clear());
}

/// LT12: a search belongs to the log it was made in; the pattern goes along.
#[test]
fn another_log_is_searched_anew() {
    let (mut stage, key) = searched(100);
    stage.types("needle");
    stage.key(KeyCode::Enter);
    stage.scene.commands(
        "web",
        &[
            command("c2", "other", 1, None),
            command("c1", "make", 5, None),
        ],
    );
    let other = command_key("web", "c2");
    stage.scene.open(&other);
    stage
        .scene
        .prints(&other, &StreamName::Stdout, "one needle\n");
    stage.scene.pane = crate::logic::Pane::Stage;
    stage.act(Action::Up);
    stage.scene.pane = crate::logic::Pane::Lines;
    stage.search();
    assert_eq!(stage.chosen(), Some("c2"));
    assert!(stage.below().contains("/needle"), "{}", stage.screen());
    assert!(stage.below().contains("found 1"), "{}", stage.screen());
    let World { tails, .. } = &stage.scene.world;
    assert!(tails.contains_key(&key));
}

#[test]
fn the_match_is_seen_in_any_row_of_a_wrapped_line() {
    let (mut stage, key) = Stage::reading(40, 8);
    let far = format!("{}漢字 needle é\n", "x".repeat(400));
    stage.prints(&key, &format!("{far}{}", hay(100)));
    stage.act(Action::Top);
    stage.does(Action::Search);
    stage.types("字 needle");
    assert!(stage.screen().contains("needle é"), "{}", stage.screen());
    insta::assert_snapshot!("found_wrapped_40x8", dump_styled(&stage.buffer()));
}

#[test]
fn what_is_typed_is_seen_while_the_log_is_empty() {
    let (mut stage, key) = Stage::reading(60, 12);
    stage.does(Action::Search);
    stage.types("needle");
    assert!(stage.below().contains("/needle"), "{}", stage.screen());
    assert!(stage.screen().contains("No output yet."));
    stage.prints(&key, "a needle\n");
    stage.search();
    assert!(stage.below().contains("1"), "{}", stage.screen());
}

/// LR10: lines with nothing in them.
#[test]
fn empty_lines_are_counted_and_gone_through() {
    for text in ["00:00 a\n\n\n\n\n\n", "\n\n\n", "  \n  \n", ""] {
        let (mut stage, key) = Stage::reading(60, 10);
        stage.prints(&key, text);
        stage.does(Action::Search);
        for pattern in ["a", "^$", " *"] {
            stage.types(pattern);
            for action in [
                Action::NextHit,
                Action::PreviousHit,
                Action::Top,
                Action::Bottom,
            ] {
                stage.does(action);
                assert_eq!(
                    stage.rows().len(),
                    text.lines().count(),
                    "{text:?} {pattern}"
                );
            }
        }
        stage.key(KeyCode::Esc);
    }
}

#[test]
fn screens_of_a_search() {
    for (width, height) in [(80, 24), (120, 40), (200, 50)] {
        let (mut stage, _) = searched(100);
        stage.place(width, height);
        stage.types("needle [37]");
        let name = format!("searching_{width}x{height}");
        insta::assert_snapshot!(name, dump_styled(&stage.buffer()));
    }
}
