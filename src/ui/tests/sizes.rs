//! Every widget at every small size, with long and wide text: no panic, and nothing drawn outside its area.

use super::super::layout::{self, Slot, Wants};
use super::super::testing::{colourful, plain};
use super::super::{Panel, Prompt, Role, Row, Table, Theme, label, text};
use super::{COLUMNS, table_row, word};
use proptest::prelude::*;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;

pub(super) type Draw = fn(&mut Buffer, Rect, &Theme, &str);

const WIDGETS: &[(&str, Draw)] = &[
    ("text", |buffer, area, theme, words| {
        text::draw(buffer, area, theme, &[word(words), label("end", Role::Bad)]);
        text::draw_from(buffer, area, theme, &[word(words)], words.len() / 3);
        text::draw_right(buffer, area, theme, &[word(words)]);
    }),
    ("rows", |buffer, area, theme, words| {
        let row = Row {
            left: vec![word(words)],
            right: vec![word("12 s"), word(words)],
        };
        text::draw_rows(buffer, area, theme, &vec![row; 20]);
        for (line, pieces) in area
            .rows()
            .zip(text::wrap(&[word(words), word(words)], area.width))
        {
            text::draw(buffer, line, theme, &pieces);
        }
    }),
    ("panel", |buffer, area, theme, words| {
        let panel = Panel {
            title: vec![word(words)],
            state: vec![word(words)],
            hint: vec![word(words)],
            focused: words.len() % 2 == 0,
        };
        panel.draw(buffer, area, theme);
    }),
    ("table", |buffer, area, theme, words| {
        for (len, selected, offset) in [
            (0, Some(9), 9),
            (1, None, 5),
            (10, Some(9), 0),
            (1000, Some(500), 990),
        ] {
            let table = Table {
                columns: COLUMNS,
                len,
                selected,
                offset,
                focused: true,
                titles: len % 2 == 0,
            };
            table.draw(buffer, area, theme, |index| {
                let mut row = table_row(index % 10);
                row.cells[1] = word(words).into();
                row
            });
        }
    }),
    ("prompt", |buffer, area, theme, words| {
        for focused in [false, true] {
            Prompt::with(words).draw(buffer, area, theme, &[word(words)], focused);
        }
    }),
    ("too small", |buffer, area, theme, _| {
        layout::draw_too_small(buffer, area, theme);
    }),
];

/// Draws in the middle of a marked screen and looks for marks that are gone around the area.
pub(super) fn stays_inside(
    name: &str,
    draw: Draw,
    width: u16,
    height: u16,
    theme: &Theme,
    words: &str,
) {
    let screen = Rect::new(0, 0, width + 4, height + 4);
    let area = Rect::new(2, 2, width, height);
    let mut buffer = Buffer::filled(screen, Cell::new("#"));
    draw(&mut buffer, area, theme, words);
    for position in screen
        .positions()
        .filter(|position| !area.contains(*position))
    {
        assert_eq!(
            buffer[position].symbol(),
            "#",
            "{name} at {width}x{height} drew at {position} with {words:?}"
        );
    }
}

/// The long name has wide, joined and combined characters.
pub(super) fn hold_at_every_small_size(widgets: &[(&str, Draw)]) {
    let long = "a-very-long-name-with-漢字-😀-⚠\u{fe0f}-1\u{fe0f}\u{20e3}-e\u{301} and some words"
        .repeat(4);
    for words in ["", "x", "漢漢漢漢", &long] {
        for (name, draw) in widgets {
            for (width, height) in
                (0..=30).flat_map(|width| (0..=10).map(move |height| (width, height)))
            {
                stays_inside(name, *draw, width, height, &plain(), words);
            }
        }
    }
}

/// Areas that are partly or wholly outside the screen, on screens of odd sizes.
pub(super) fn hold_beside_the_screen(widgets: &[(&str, Draw)]) {
    for (_, draw) in widgets {
        for (width, height) in [(0, 0), (1, 1), (40, 10), (10, 3), (1, 200), (500, 1)] {
            let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
            for area in [
                Rect::new(5, 2, 30, 8),
                Rect::new(0, 0, 600, 300),
                Rect::new(u16::MAX - 3, 9, 3, 90),
            ] {
                draw(&mut buffer, area, &colourful(), "a name 漢字");
            }
        }
    }
}

#[test]
fn every_widget_at_every_small_size() {
    hold_at_every_small_size(WIDGETS);
    hold_beside_the_screen(WIDGETS);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_words_at_any_small_size(
        words in "[a-z é漢😀\u{301}\u{200d}🇩👩⚠ﾞ]{0,60}",
        width in 0u16..=30,
        height in 0u16..=10,
    ) {
        for (name, draw) in WIDGETS {
            stays_inside(name, *draw, width, height, &colourful(), &words);
        }
    }

    #[test]
    fn wrapped_lines_fit_and_lose_only_blanks(words in "[a-c 漢é😀]{0,60}", columns in 2u16..20) {
        let lines = text::wrap(&[word(&words), label(" and more", Role::Text)], columns);
        for line in &lines {
            prop_assert!(text::width(line) <= usize::from(columns));
        }
        let kept: String = lines.iter().flatten().map(|piece| piece.as_str().replace(' ', "")).collect();
        prop_assert_eq!(kept, (words + " and more").replace(' ', ""));
    }

    #[test]
    fn slots_lie_within_the_screen_and_beside_each_other(
        width in 0u16..220, height in 0u16..80, upper in 0u16..=200, most in 0u16..80, zoom: bool, side: bool, focus in 0usize..3,
    ) {
        let focus = [Slot::List, Slot::Side, Slot::Stage][focus];
        let screen = Rect::new(0, 0, width, height);
        if let Ok(places) = layout::arrange(screen, Wants { focus, zoom, side, upper, most }) {
            let shown = [Some(places.header), places.list, places.side, places.stage, Some(places.footer)];
            let shown: Vec<Rect> = shown.into_iter().flatten().collect();
            let cells: u32 = shown.iter().map(|place| place.area()).sum();
            prop_assert_eq!(cells, screen.area(), "{:?}", places);
            for (at, a) in shown.iter().enumerate() {
                prop_assert_eq!(a.intersection(screen), *a);
                prop_assert!(shown[at + 1..].iter().all(|b| !a.intersects(*b)), "{:?}", places);
            }
            let seen = if focus == Slot::Side && !side { Slot::List } else { focus };
            prop_assert!(places.of(seen).is_some());
        } else {
            prop_assert!(width < layout::USABLE.0 || height < layout::USABLE.1);
        }
    }
}
