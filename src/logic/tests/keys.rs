//! The tables of actions and keys.

use crate::logic::{ACTIONS, Action, Chord, Class, Key, Keymap, Pane, Valid, View, applies};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::collections::HashSet;

#[test]
fn rows_stand_in_the_order_of_the_enumeration_and_names_are_unique() {
    let mut ids = HashSet::new();
    for row in ACTIONS {
        assert!(std::ptr::eq(row.action.row(), row), "{}", row.id);
        assert!(ids.insert(row.id), "{} twice", row.id);
        assert!(row.help.ends_with('.'), "{}", row.help);
    }
}

#[test]
fn the_default_keys_are_a_table_without_a_fault() {
    let (keymap, complaints) = Keymap::defaults();
    assert_eq!(complaints, []);
    assert_eq!(keymap, Keymap::default());
}

#[test]
fn every_action_has_a_key_and_no_key_asks_for_two_at_one_place() {
    let keymap = Keymap::default();
    for row in ACTIONS {
        let keys: Vec<Chord> = keymap.keys_of(row.action).collect();
        assert!(!keys.is_empty(), "{} has no key", row.id);
        for (view, pane) in places().filter(|(view, pane)| applies(row.action, *view, *pane)) {
            for key in &keys {
                assert_eq!(
                    keymap.action_for(*key, view, pane),
                    Some(row.action),
                    "{} by {key:?}",
                    row.id
                );
            }
        }
    }
}

#[test]
fn a_destructive_key_is_not_one_shift_away_from_another() {
    let keymap = Keymap::default();
    let destructive = ACTIONS.iter().filter(|row| row.class == Class::Destructive);
    for key in destructive.flat_map(|row| keymap.keys_of(row.action)) {
        let Some(other) = key.first.shifted() else {
            continue;
        };
        for (view, pane) in places() {
            let found = keymap.action_for(other, view, pane);
            assert_eq!(found, None, "{} beside {}", other.label(), key.label());
        }
    }
}

#[test]
fn capital_letters_and_back_tab_have_one_form() {
    let key = |code, modifiers| Key::of(&KeyEvent::new(code, modifiers));
    let shift = KeyModifiers::SHIFT;
    assert_eq!(
        key(KeyCode::Char('G'), shift),
        key(KeyCode::Char('G'), KeyModifiers::NONE)
    );
    assert_eq!(key(KeyCode::Tab, shift), key(KeyCode::BackTab, shift));
    assert_eq!(key(KeyCode::BackTab, shift).label(), "shift-tab");
    assert_eq!(Key::ctrl('c').label(), "ctrl-c");
    assert_eq!(Key::plain(KeyCode::Char(' ')).label(), "space");
    assert_eq!(Key::plain(KeyCode::PageDown).label(), "pgdn");
}

#[test]
fn what_is_shown_of_a_key_reads_as_that_key() {
    let shown = Keymap::default();
    for chord in ACTIONS.iter().flat_map(|row| shown.keys_of(row.action)) {
        assert_eq!(Chord::parse(&chord.label()), Ok(chord), "{}", chord.label());
    }
    for name in [
        "ö",
        "ctrl-alt-x",
        "alt-G",
        "-",
        "ctrl--",
        "f24",
        "space",
        "g g",
        "ctrl-x delete",
    ] {
        assert_eq!(Chord::parse(name).unwrap().label(), name);
    }
}

#[test]
fn an_action_of_one_pane_is_not_found_in_another() {
    let keymap = Keymap::default();
    let asked = |c, pane| keymap.action_for(Key::plain(KeyCode::Char(c)), View::Dashboard, pane);
    assert_eq!(asked('/', Pane::List), Some(Action::Filter));
    assert_eq!(asked('/', Pane::Stage), Some(Action::Search));
    assert_eq!(asked('v', Pane::Lines), Some(Action::SelectLines));
    assert_eq!(asked('v', Pane::Stage), None);
    assert_eq!(Action::Filter.row().valid, Valid::Rows);
}

fn places() -> impl Iterator<Item = (View, Pane)> {
    View::ALL
        .into_iter()
        .flat_map(|view| Pane::ALL.into_iter().map(move |pane| (view, pane)))
}
