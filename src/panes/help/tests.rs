//! Help shows every action, its keys and its class, at any width.

use super::State;
use crate::logic::{ACTIONS, Action, Class, Keymap, Pane, View};
use ratatui::layout::Rect;

fn written(state: &mut State, width: u16) -> String {
    // High enough to show all at once.
    state.place(Rect::new(0, 0, width, 1000));
    let words = state.visible().iter().flatten();
    words
        .map(|piece| piece.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn every_action_is_there_with_its_class() {
    for width in [24, 60, 200] {
        let mut state = State::new(View::Dashboard, Pane::List, false, Keymap::default());
        let all = written(&mut state, width);
        for row in ACTIONS {
            assert!(all.contains(row.title), "{} at {width}", row.id);
        }
        assert!(all.contains("destructive") && all.contains("billable"));
    }
}

#[test]
fn read_only_leaves_what_only_reads() {
    let mut state = State::new(View::Dashboard, Pane::List, true, Keymap::default());
    let all = written(&mut state, 200);
    for row in ACTIONS {
        assert_eq!(
            all.contains(row.help),
            row.class == Class::Free,
            "{}",
            row.id
        );
    }
}

#[test]
fn keys_of_the_pane_come_first() {
    let first = |pane| {
        let mut state = State::new(View::Dashboard, pane, false, Keymap::default());
        let all = written(&mut state, 200);
        let at = |words: &str| all.find(words).unwrap();
        at("In the log") < at("In the list")
    };
    assert!(first(Pane::Lines));
    assert!(!first(Pane::List));
}

#[test]
fn scrolling_stays_within_the_lines() {
    let mut state = State::new(View::Dashboard, Pane::List, false, Keymap::default());
    state.place(Rect::new(0, 0, 60, 12));
    let lines = |state: &State| state.visible().len();
    let full = lines(&state);
    for action in [
        Action::Up,
        Action::Bottom,
        Action::Down,
        Action::PageDown,
        Action::PageDown,
    ] {
        state.update(action);
        assert_eq!(lines(&state), full, "{action:?}");
    }
    state.update(Action::Top);
    state.place(Rect::new(0, 0, 200, 1000));
    assert!(state.is_all_visible());
    state.place(Rect::ZERO);
    assert_eq!(lines(&state), 0);
}
