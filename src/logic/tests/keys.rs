//! The tables of actions and keys.

use crate::logic::{ACTIONS, Action, Class, Key, Pane, Valid, View, action_for, applies, keys_of};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::collections::HashSet;

const VIEWS: [View; 2] = [View::Dashboard, View::Activity];
const PANES: [Pane; 4] = [Pane::List, Pane::Stage, Pane::Lines, Pane::Activity];

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
fn every_action_has_a_key_and_no_key_asks_for_two_at_one_place() {
    for row in ACTIONS {
        let keys: Vec<Key> = keys_of(row.action).collect();
        assert!(!keys.is_empty(), "{} has no key", row.id);
        for (view, pane) in places().filter(|(view, pane)| applies(row.action, *view, *pane)) {
            for key in &keys {
                assert_eq!(
                    action_for(*key, view, pane),
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
    let destructive = ACTIONS.iter().filter(|row| row.class == Class::Destructive);
    for key in destructive.flat_map(|row| keys_of(row.action)) {
        let KeyCode::Char(c) = key.code else { continue };
        let other: char = if c.is_uppercase() {
            c.to_ascii_lowercase()
        } else {
            c.to_ascii_uppercase()
        };
        for (view, pane) in places() {
            let shifted = Key {
                code: KeyCode::Char(other),
                ..key
            };
            assert_eq!(action_for(shifted, view, pane), None, "{other} beside {c}");
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
fn an_action_of_one_pane_is_not_found_in_another() {
    let slash = Key::plain(KeyCode::Char('/'));
    assert_eq!(
        action_for(slash, View::Dashboard, Pane::List),
        Some(Action::Filter)
    );
    assert_eq!(action_for(slash, View::Dashboard, Pane::Stage), None);
    assert_eq!(Action::Filter.row().valid, Valid::List);
}

fn places() -> impl Iterator<Item = (View, Pane)> {
    VIEWS
        .into_iter()
        .flat_map(|view| PANES.into_iter().map(move |pane| (view, pane)))
}
