//! Forms: the way through the fields, what is wrong beside them, and that they break at no size.

use super::super::testing::{colourful, dump, plain, screen};
use super::super::{Field, Form, FormBox, FormNews, Role, Theme, label};
use super::sizes::{Draw, hold_at_every_small_size, hold_beside_the_screen};
use crate::logic::Class;
use crate::text::clean_str;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

fn form() -> Form {
    let fields = vec![
        Field::text("name", "letters and digits", ""),
        Field::toggle("persistent", "space: keep its files", true),
        Field::choice(
            "runtime",
            "left, right: another one",
            &["none", "node24", "python3.13"],
        ),
        Field::text("environment", "NAME=value", "A=1"),
    ];
    Form::new(fields, &["Cancel", "Create"])
}

fn press(form: &mut Form, code: KeyCode) -> FormNews {
    form.key(KeyEvent::new(code, KeyModifiers::NONE), false)
}

fn draw(form: &Form, buffer: &mut Buffer, area: Rect, theme: &Theme) -> super::super::Hits<usize> {
    let lead = [vec![label(
        "It boots at once, and is billed while it runs.",
        Role::Warn,
    )]];
    FormBox {
        title: &[label("Create", Role::Title)],
        class: Class::Billable,
        lead: &lead,
        form,
    }
    .draw(buffer, area, theme)
}

#[test]
fn drawn() {
    let mut form = form();
    for c in "a b".chars() {
        press(&mut form, KeyCode::Char(c));
    }
    form.judge(vec![
        (0, "letters and digits only, not \" \"".into()),
        (3, "not told yet".into()),
    ]);
    let wide = screen(80, 16, |buffer, area| {
        draw(&form, buffer, area, &colourful());
    });
    insta::assert_snapshot!(dump(&wide));
    form.insist();
    let narrow = screen(40, 9, |buffer, area| {
        draw(&form, buffer, area, &plain());
    });
    insta::assert_snapshot!(dump(&narrow));
}

#[test]
fn keys_lead_through_fields_and_answers() {
    let mut form = form();
    let mut places = vec![form.field()];
    for _ in 0..6 {
        press(&mut form, KeyCode::Tab);
        places.push(form.field());
    }
    assert_eq!(
        places,
        [Some(0), Some(1), Some(2), Some(3), None, None, Some(0)]
    );
    press(&mut form, KeyCode::BackTab);
    assert_eq!(
        press(&mut form, KeyCode::Enter),
        FormNews::Send,
        "the last answer sends"
    );
    press(&mut form, KeyCode::Up);
    assert_eq!(press(&mut form, KeyCode::Enter), FormNews::Cancel);
    press(&mut form, KeyCode::Up);
    assert_eq!(
        (form.field(), press(&mut form, KeyCode::Enter)),
        (Some(3), FormNews::Send)
    );
    assert_eq!(press(&mut form, KeyCode::Esc), FormNews::Cancel);
}

#[test]
fn entries_are_filled_in() {
    let mut form = form();
    assert_eq!(press(&mut form, KeyCode::Char('é')), FormNews::Changed);
    assert_eq!(form.paste("漢\n\u{1b}[31m😀"), FormNews::Changed);
    assert!(form.text(0).starts_with("é漢") && !form.text(0).contains('\u{1b}'));
    press(&mut form, KeyCode::Enter);
    assert!(form.is_on(1));
    press(&mut form, KeyCode::Char(' '));
    assert!(!form.is_on(1));
    assert_eq!(form.paste("x"), FormNews::Nothing);
    press(&mut form, KeyCode::Down);
    press(&mut form, KeyCode::Left);
    assert_eq!(form.chosen(2), 2);
    press(&mut form, KeyCode::Right);
    press(&mut form, KeyCode::Right);
    assert_eq!(form.chosen(2), 1);
    assert!(
        !format!("{form:?}").contains("A=1"),
        "what was typed may be secret"
    );
}

#[test]
fn a_held_enter_sends_nothing() {
    let enter = KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE);
    let control = KeyEvent::new(KeyCode::Char('s'), KeyModifiers::CONTROL);
    let mut form = form();
    for _ in 0..20 {
        assert_eq!(form.key(enter, true), FormNews::Nothing);
    }
    assert_eq!(form.key(control, true), FormNews::Nothing);
    // Terminals that tell no repeats: the Enter that opened it comes again and again.
    form.disarm();
    for _ in 0..20 {
        assert_eq!(form.key(enter, false), FormNews::Nothing);
    }
    press(&mut form, KeyCode::Char('x'));
    assert_eq!(form.key(enter, false), FormNews::Send);
    assert_eq!(form.key(control, false), FormNews::Send);
    let alt = KeyEvent::new(KeyCode::Enter, KeyModifiers::ALT);
    assert_eq!(form.key(alt, false), FormNews::Send);
}

#[test]
fn clicks_reach_what_they_hit() {
    let mut form = form();
    let mut hits = super::super::Hits::default();
    let drawn = dump(&screen(80, 16, |buffer, area| {
        hits = draw(&form, buffer, area, &colourful());
    }));
    let at = |words: &str| {
        let (y, line) = drawn
            .lines()
            .enumerate()
            .find(|(_, line)| line.contains(words))
            .unwrap();
        let x = line[..line.find(words).unwrap()].chars().count();
        Position::new(u16::try_from(x).unwrap(), u16::try_from(y).unwrap())
    };
    let place = |words: &str| hits.at(at(words)).copied();
    assert_eq!(form.click(place("environment").unwrap()), FormNews::Nothing);
    assert_eq!(form.field(), Some(3));
    assert_eq!(form.click(place("[x] yes").unwrap()), FormNews::Changed);
    assert!(!form.is_on(1));
    assert_eq!(form.click(place("Cancel").unwrap()), FormNews::Cancel);
    assert_eq!(form.click(place("Create ]").unwrap()), FormNews::Send);
    assert_eq!(place("It boots"), None);
}

/// The words stand in a field, and in what is wrong with every field; each place has the keys once.
fn drawn_with(buffer: &mut Buffer, area: Rect, theme: &Theme, words: &str) {
    let mut form = form();
    form.paste(words);
    form.judge((0..4).map(|at| (at, clean_str(words))).collect());
    form.insist();
    for _ in 0..6 {
        draw(&form, buffer, area, theme);
        press(&mut form, KeyCode::Tab);
    }
}

#[test]
fn every_size_is_drawn() {
    let form: &[(&str, Draw)] = &[("form", drawn_with)];
    hold_at_every_small_size(form);
    hold_beside_the_screen(form);
}

#[test]
fn the_field_with_the_keys_is_in_view_on_a_small_screen() {
    let mut form = form();
    for _ in 0..4 {
        let small = dump(&screen(24, 6, |buffer, area| {
            draw(&form, buffer, area, &plain());
        }));
        let name = form.fields[form.field().unwrap()].name;
        assert!(
            small.contains(&name[..8.min(name.len())]),
            "{name}: {small}"
        );
        press(&mut form, KeyCode::Tab);
    }
}
