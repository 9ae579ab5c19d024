//! What the kit decides: windows, widths, looks, input.

use super::super::columns::widths;
use super::super::runs::style;
use super::super::testing::{colourful, dump, plain, screen};
use super::super::{
    Column, Depth, Gauge, Glyphs, Hits, Looks, Prompt, ROLES, Role, Row, Table, Theme, scrollbar,
    text, window,
};
use super::{COLUMNS, word};
use crate::model::{Span, Status};
use crate::text::{Colour, RunStyle};
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use proptest::prelude::*;
use ratatui::buffer::CellWidth;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

#[test]
fn the_window_follows_the_selection_through_shrinking() {
    assert_eq!(window(10, Some(9), 0, 4), 6..10);
    assert_eq!(
        window(10, Some(7), 6, 4),
        6..10,
        "already in view: nothing moves"
    );
    assert_eq!(window(10, Some(2), 6, 4), 2..6);
    assert_eq!(window(1, Some(9), 6, 4), 0..1);
    assert_eq!(window(0, Some(9), 6, 4), 0..0);
    assert_eq!(window(10, Some(0), 0, 4), 0..4);
    assert_eq!(
        window(5, None, 4, 4),
        1..5,
        "no empty lines while rows are above"
    );
    assert!(window(5, Some(2), 0, 0).is_empty());
}

#[test]
fn columns_give_way_by_their_rank() {
    let shown = |available| widths(COLUMNS, available);
    assert_eq!(shown(64), [13, 20, 14, 7, 6]);
    assert_eq!(shown(72), [13, 26, 16, 7, 6], "what is left goes by weight");
    assert_eq!(shown(33), [9, 9, 6, 6, 0], "the least important goes first");
    assert_eq!(shown(25), [9, 8, 6, 0, 0]);
    assert_eq!(shown(10), [0, 10, 0, 0, 0]);
    assert_eq!(shown(5), [0, 5, 0, 0, 0], "the last one stays, cut");
    assert_eq!(shown(0), [0; 5]);
    assert_eq!(widths(&[], 9), Vec::<u16>::new());
    let mut spare = COLUMNS.to_vec();
    spare[2].keep = 0;
    let shown = |available| widths(&spare, available);
    assert_eq!(shown(64), [13, 20, 14, 7, 6]);
    assert_eq!(shown(56), [13, 20, 6, 7, 6]);
    assert_eq!(shown(55), [13, 26, 0, 7, 6], "others lack nothing first");
    assert_eq!(shown(47), [13, 20, 0, 6, 5]);
}

#[test]
fn a_click_finds_its_row() {
    let table = Table {
        columns: COLUMNS,
        len: 30,
        selected: Some(20),
        offset: 18,
        focused: true,
        titles: true,
    };
    let area = Rect::new(4, 2, 40, 6);
    assert_eq!(table.visible(area), 18..23);
    assert_eq!(table.row_at(area, (5, 3).into()), Some(18));
    assert_eq!(table.row_at(area, (5, 7).into()), Some(22));
    assert_eq!(table.row_at(area, (5, 2).into()), None, "the titles");
    assert_eq!(table.row_at(area, (5, 8).into()), None);
    assert_eq!(table.row_at(area, (50, 4).into()), None);
    assert_eq!(
        Table { len: 1, ..table }.row_at(area, (5, 4).into()),
        None,
        "below the last row"
    );
}

#[test]
fn a_scroll_bar_reaches_its_ends_only_at_the_ends() {
    let theme = plain();
    let bar = |len, visible| {
        dump(&screen(1, 5, |buffer, area| {
            scrollbar::draw(buffer, area, &theme, len, &visible);
        }))
        .replace('\n', "")
    };
    assert_eq!(bar(5, 0..5), "");
    assert_eq!(bar(100, 0..5), "#||||");
    assert_eq!(bar(100, 1..6), "|#|||");
    assert_eq!(bar(100, 94..99), "|||#|");
    assert_eq!(bar(100, 95..100), "||||#");
    assert_eq!(bar(6, 0..5), "####|");
    assert_eq!(bar(6, 1..6), "|####");
    assert_eq!(bar(0, 0..0), "");
}

#[test]
fn megabytes_of_text_are_looked_at_no_further_than_the_screen() {
    let long = word(&"漢字 ".repeat(1 << 20));
    let row = Row {
        left: vec![long.clone()],
        right: vec![long.clone()],
    };
    let shown = dump(&screen(9, 1, |buffer, area| {
        text::draw_row(buffer, area, &plain(), &row);
    }));
    assert_eq!(shown, "漢字 漢~\n");
    assert!(text::wrap(&[long], 4).len() < 5000);
}

#[test]
fn the_last_hit_is_on_top() {
    let mut hits = Hits::default();
    hits.push(Rect::new(0, 0, 10, 10), "below");
    hits.push(Rect::new(2, 2, 2, 2), "above");
    assert_eq!(hits.at((3, 3).into()), Some(&"above"));
    assert_eq!(hits.at((4, 4).into()), Some(&"below"));
    assert_eq!(hits.at((10, 0).into()), None);
}

#[test]
fn a_bar_shrinks_and_warns() {
    let bar = |left, total, theme: &Theme| {
        let gauge = Gauge::time_left(Span(left), Span(total));
        dump(&screen(4, 1, |buffer, area| {
            gauge.draw(buffer, area, theme);
        }))
    };
    let colours = colourful();
    assert_eq!(bar(100, 100, &colours), "████\n");
    assert_eq!(bar(50, 100, &colours), "██░░\n");
    assert_eq!(bar(55, 100, &colours), "██▎░\n");
    assert_eq!(
        bar(1, i64::MAX, &colours),
        "▏░░░\n",
        "something left is not nothing"
    );
    assert_eq!(bar(0, 100, &colours), "░░░░\n");
    assert_eq!(bar(-5, 100, &colours), "░░░░\n");
    assert_eq!(bar(5, -100, &colours), "████\n");
    assert_eq!(bar(i64::MAX, i64::MIN, &colours), "████\n");
    assert_eq!(bar(50, 100, &plain()), "##..\n");
    let role = |left, total| Gauge::time_left(Span::minutes(left), Span::minutes(total)).role();
    assert_eq!(role(30, 45), Role::Text);
    assert_eq!(role(10, 45), Role::Warn);
    assert_eq!(role(4, 45), Role::Bad);
    assert_eq!(
        role(100, 24 * 60),
        Role::Text,
        "a small share of a long limit is time enough"
    );
    assert_eq!(
        role(4, 5),
        Role::Text,
        "little time of a short limit is no alarm"
    );
}

fn looks(pairs: &[(&str, &str)]) -> Looks {
    Looks::of(|name| {
        pairs
            .iter()
            .find(|pair| pair.0 == name)
            .map(|pair| pair.1.to_owned())
    })
}

#[test]
fn the_environment_decides_on_colour() {
    let term = ("TERM", "xterm-256color");
    assert_eq!(looks(&[term]).depth, Depth::Indexed);
    assert_eq!(
        looks(&[term, ("COLORTERM", "truecolor")]).depth,
        Depth::True
    );
    assert_eq!(looks(&[("TERM", "screen")]).depth, Depth::Sixteen);
    assert_eq!(looks(&[term, ("NO_COLOR", "1")]).depth, Depth::None);
    assert_eq!(
        looks(&[term, ("NO_COLOR", "")]).depth,
        Depth::Indexed,
        "empty is not set"
    );
    assert!(!looks(&[term, ("NO_COLOR", "1")]).ascii);
    for bare in ["linux", "dumb"] {
        assert_eq!(
            looks(&[("TERM", bare)]),
            Looks {
                depth: Depth::None,
                light: false,
                ascii: true
            }
        );
    }
    assert!(looks(&[]).ascii);
    assert!(looks(&[term, ("COLORFGBG", "0;15")]).light);
    assert!(!looks(&[term, ("COLORFGBG", "15;0")]).light);
    assert!(!looks(&[term, ("COLORFGBG", "nonsense")]).light);
}

#[test]
fn every_theme_shows_every_role() {
    for depth in [Depth::None, Depth::Sixteen, Depth::Indexed, Depth::True] {
        for light in [false, true] {
            let theme = Theme::choose(Looks {
                depth,
                light,
                ascii: false,
            });
            for (role, name) in ROLES {
                let style = theme.style(*role);
                let fits = match style.fg {
                    None => true,
                    Some(Color::Rgb(..)) => depth == Depth::True,
                    Some(Color::Indexed(index)) => depth == Depth::Indexed && index >= 16,
                    Some(_) => depth == Depth::Sixteen,
                };
                assert!(fits, "{name} is {:?} at {depth:?}", style.fg);
            }
            assert!(
                theme
                    .style(Role::Selected)
                    .add_modifier
                    .contains(Modifier::REVERSED)
            );
            assert!(
                theme
                    .style(Role::ButtonFocus)
                    .add_modifier
                    .contains(Modifier::REVERSED)
            );
        }
    }
}

/// Foreground and background of what a program printed in these colours, and bold.
fn shown(
    depth: Depth,
    light: bool,
    fg: Option<Colour>,
    bg: Option<Colour>,
) -> (Option<Color>, Option<Color>) {
    let theme = Theme::choose(Looks {
        depth,
        light,
        ascii: false,
    });
    let run = RunStyle {
        fg,
        bg,
        bold: true,
        ..RunStyle::default()
    };
    let style = style(&theme, run, Role::Stdout);
    assert!(style.add_modifier.contains(Modifier::BOLD));
    (style.fg, style.bg)
}

#[test]
fn printed_colours_stay_readable() {
    let (black, white, red) = (
        Some(Colour::Index(0)),
        Some(Colour::Index(15)),
        Some(Colour::Index(1)),
    );
    let orange = Some(Colour::Rgb(255, 135, 0));
    let index = |index| Some(Color::Indexed(index));
    assert_eq!(shown(Depth::True, false, red, None), (index(1), None));
    assert_eq!(
        shown(Depth::True, false, orange, None),
        (Some(Color::Rgb(255, 135, 0)), None)
    );
    assert_eq!(
        shown(Depth::Indexed, false, orange, None),
        (index(208), None)
    );
    assert_eq!(shown(Depth::Sixteen, false, orange, None), (index(3), None));
    assert_eq!(shown(Depth::None, false, orange, white), (None, None));
    assert_eq!(
        shown(Depth::Sixteen, false, black, None),
        (Some(Color::DarkGray), None),
        "black on dark"
    );
    assert_eq!(
        shown(Depth::Sixteen, true, white, None),
        (Some(Color::DarkGray), None),
        "white on light"
    );
    assert_eq!(
        shown(Depth::Sixteen, false, black, white),
        (index(0), index(15)),
        "the program chose both"
    );
    assert_eq!(
        shown(Depth::Sixteen, false, None, white),
        (Some(Color::Black), index(15))
    );
    assert_eq!(
        shown(Depth::True, false, Some(Colour::Index(232)), None).0,
        Some(Color::Rgb(0x8a, 0x8f, 0x98))
    );
}

/// LR06: text in the colour of its background says what it says.
#[test]
fn printed_colours_hide_nothing() {
    let (black, white) = (Some(Colour::Index(0)), Some(Colour::Index(15)));
    for light in [false, true] {
        let hidden = (Some(Color::White), Some(Color::Indexed(0)));
        assert_eq!(shown(Depth::Sixteen, light, black, black), hidden);
        let hidden = (Some(Color::Black), Some(Color::Indexed(15)));
        assert_eq!(shown(Depth::True, light, white, white), hidden);
        let dark_red = Some(Colour::Rgb(40, 0, 0));
        let (fg, bg) = shown(Depth::True, light, dark_red, black);
        assert_eq!((fg, bg), (Some(Color::White), Some(Color::Indexed(0))));
    }
}

#[test]
fn signs_are_one_cell_and_tell_states_apart() {
    let states = [
        Status::Running,
        Status::Pending,
        Status::Stopped,
        Status::Failed,
        Status::Aborted,
    ];
    for glyphs in [&Glyphs::UNICODE, &Glyphs::ASCII] {
        let signs: Vec<&str> = states
            .iter()
            .map(|state| glyphs.status(Some(state)).0)
            .collect();
        let mut different = signs.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), states.len());
        let borders = [&glyphs.plain, &glyphs.focus]
            .map(|b| [b.top_left, b.across, b.down])
            .concat();
        for sign in signs.iter().chain(glyphs.bar).chain(&borders).chain(&[
            glyphs.pointer,
            glyphs.mark,
            glyphs.ellipsis,
        ]) {
            assert_eq!(sign.cell_width(), 1, "{sign}");
        }
        assert_ne!(glyphs.plain, glyphs.focus);
    }
    let ascii = format!("{:?}", Glyphs::ASCII);
    assert!(ascii.is_ascii(), "{ascii}");
}

fn press(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, KeyModifiers::NONE)
}

#[test]
fn a_prompt_stays_one_line() {
    let mut prompt = Prompt::default();
    for c in "ab".chars() {
        assert!(prompt.key(press(KeyCode::Char(c))));
    }
    for code in [
        KeyCode::Enter,
        KeyCode::Tab,
        KeyCode::Esc,
        KeyCode::Char('\n'),
        KeyCode::Char('\r'),
        KeyCode::Char('\u{1b}'),
    ] {
        assert!(!prompt.key(press(code)), "{code:?}");
    }
    for c in ['m', 'j', 'y'] {
        assert!(!prompt.key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL)));
    }
    assert_eq!(prompt.text(), "ab");
    let release = KeyEvent {
        kind: KeyEventKind::Release,
        ..press(KeyCode::Char('c'))
    };
    assert!(!prompt.key(release));
    assert!(prompt.key(press(KeyCode::Backspace)));
    assert!(!prompt.key(press(KeyCode::Left)), "moving is no change");
    assert!(prompt.key(press(KeyCode::Char('漢'))));
    assert_eq!(prompt.text(), "漢a");
    assert!(prompt.paste("x\r\ny\tz\u{1b}[31mred\r\n"));
    assert_eq!(prompt.text(), "漢x y zreda");
    assert!(!prompt.paste("\n\n"));
    let clear = KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL);
    let mut typed = Prompt::with("5m");
    assert!(typed.key(clear) && typed.text().is_empty());
    assert!(!typed.key(clear), "nothing to clear");
    assert!(Prompt::with(&"x".repeat(1 << 20)).text().len() < 5000);
    let mut full = Prompt::with(&"x".repeat(1 << 20));
    assert!(!full.key(press(KeyCode::Char('y'))));
    assert!(!full.paste("y"));
    assert!(full.key(press(KeyCode::Backspace)));
}

proptest! {
    #[test]
    fn the_window_is_always_within_the_list(len in 0usize..50, selected: Option<u8>, offset in 0usize..80, height in 0usize..20) {
        let selected = selected.map(usize::from);
        let shown = window(len, selected, offset, height);
        prop_assert!(shown.end <= len && shown.len() == height.min(len));
        if let Some(selected) = selected.filter(|_| len > 0 && height > 0) {
            prop_assert!(shown.contains(&selected.min(len - 1)));
        }
        prop_assert_eq!(window(len, selected, shown.start, height), shown, "once more changes nothing");
    }

    #[test]
    fn columns_never_exceed_their_room(
        columns in proptest::collection::vec((0u16..40, 0u16..60, 0u16..5, 0u8..4), 0..9),
        available in 0u16..200,
    ) {
        let columns: Vec<Column> = columns
            .into_iter()
            .map(|(min, wish, weight, keep)| Column { min, wish, weight, keep, ..COLUMNS[0] })
            .collect();
        let widths = widths(&columns, available);
        let shown = widths.iter().filter(|width| **width > 0).count();
        let total = widths.iter().sum::<u16>() + u16::try_from(shown.saturating_sub(1)).unwrap();
        prop_assert!(total <= available, "{widths:?}");
    }
}
