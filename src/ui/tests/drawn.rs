//! What is drawn, as text.

use super::super::layout::{self, Slot, Wants};
use super::super::testing::{colourful, dump, dump_styled, plain, screen};
use super::super::{Panel, Prompt, Role, Row, Table, Theme, label, tab_at, tabs, text};
use super::{COLUMNS, table_row, word};

fn panel(focused: bool) -> Panel {
    Panel {
        title: vec![label("Sandboxes", Role::Title), label(" 3", Role::Dim)],
        state: vec![label("12 s old", Role::Stale)],
        hint: vec![label("enter open", Role::Dim)],
        focused,
    }
}

fn panel_at(width: u16, height: u16, focused: bool, theme: &Theme) -> String {
    dump(&screen(width, height, |buffer, area| {
        let inner = panel(focused).draw(buffer, area, theme);
        text::draw(
            buffer,
            inner,
            theme,
            &[word("content that is longer than its place")],
        );
    }))
}

fn table_at(
    width: u16,
    height: u16,
    selected: usize,
    focused: bool,
    theme: &Theme,
) -> ratatui::buffer::Buffer {
    screen(width, height, |buffer, area| {
        let table = Table {
            columns: COLUMNS,
            len: 12,
            selected: Some(selected),
            offset: 0,
            focused,
            titles: true,
        };
        table.draw(buffer, area, theme, table_row);
    })
}

#[test]
fn panels() {
    insta::assert_snapshot!(panel_at(40, 4, true, &colourful()), @r#"
    ┏▸Sandboxes 3 ━━━━━━━━━━━━━━━ 12 s old ┓
    ┃content that is longer than its place ┃
    ┃                                      ┃
    ┗━enter open━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
    "#);
    insta::assert_snapshot!(panel_at(40, 4, false, &colourful()), @r#"
    ┌ Sandboxes 3 ─────────────── 12 s old ┐
    │content that is longer than its place │
    │                                      │
    └─enter open───────────────────────────┘
    "#);
    insta::assert_snapshot!(panel_at(40, 4, true, &plain()), @r#"
    #>Sandboxes 3 =============== 12 s old #
    #content that is longer than its place #
    #                                      #
    #=enter open===========================#
    "#);
    insta::assert_snapshot!(panel_at(40, 4, false, &plain()), @r#"
    + Sandboxes 3 --------------- 12 s old +
    |content that is longer than its place |
    |                                      |
    +-enter open---------------------------+
    "#);
    insta::assert_snapshot!(panel_at(18, 4, true, &colourful()), @r#"
    ┏▸Sandboxes 3 ━━━┓
    ┃content that is…┃
    ┃                ┃
    ┗━enter open━━━━━┛
    "#);
    insta::assert_snapshot!(panel_at(30, 2, true, &colourful()), @r#"
    ▸Sandboxes 3         12 s old
    content that is longer than i…
    "#);
    insta::assert_snapshot!(panel_at(30, 1, true, &colourful()), @r#"
    content that is longer than i…
    "#);
}

#[test]
fn tables() {
    insta::assert_snapshot!(dump(&table_at(80, 8, 2, true, &colourful())), @r#"
      status        name▲                         left                     $    age
      ● running     web                           ░░░░░░░░░░░    0 m  0.0123   12 m█
     ◆● running     build-漢字-😀-with-a-long-na… ██▎░░░░░░░░    9 m  0.0123   12 m█
    ▸ ● running     été                           ████▌░░░░░░   18 m  0.0123   12 m█
      ● running     x                             ██████▋░░░░   27 m  0.0123   12 m█
      ● running     web                           ████████▉░░   36 m  0.0123   12 m│
      ● running     build-漢字-😀-with-a-long-na… ███████████   45 m  0.0123   12 m│
      ● running     été                           ███████████   54 m  0.0123   12 m│
    "#);
    insta::assert_snapshot!(dump(&table_at(80, 5, 11, true, &plain())), @r#"
      status        name^                         left                     $    age
      ● running     web                           ###########   72 m  0.0123   12 m|
      ● running     build-漢字-😀-with-a-long-na~ ###########   81 m  0.0123   12 m|
      ● running     été                           ###########   90 m  0.0123   12 m|
    > ● running     x                             ###########   99 m  0.0123   12 m#
    "#);
    insta::assert_snapshot!(dump(&table_at(40, 6, 1, false, &colourful())), @r#"
      status    name▲         left        $
      ● running web              0 m 0.0123█
    ▸◆● running build-漢字-…     9 m 0.0123█
      ● running été             18 m 0.0123│
      ● running x               27 m 0.0123│
      ● running web             36 m 0.0123│
    "#);
    insta::assert_snapshot!(dump(&table_at(14, 6, 1, true, &colourful())), @r#"
      name▲
      web        █
    ▸◆build-漢字…█
      été        │
      x          │
      web        │
    "#);
}

#[test]
fn the_selected_row_shows_with_and_without_colour() {
    insta::assert_snapshot!(dump_styled(&table_at(40, 4, 1, true, &colourful())), @r#"
      status    name▲         left        $  | 2..=7 fg:#8A8F98+bold, 12..=16 fg:#8A8F98+bold, 26..=29 fg:#8A8F98+bold, 38..=38 fg:#8A8F98+bold
      ● running web              0 m 0.0123█  | 2..=2 fg:#6BC46D, 29..=31 fg:#F47067+bold, 39..=39 fg:#8A8F98
    ▸◆● running build-漢字-…     9 m 0.0123│  | 0..=38 reverse, 39..=39 fg:#8A8F98
      ● running été             18 m 0.0123│  | 2..=2 fg:#6BC46D, 39..=39 fg:#8A8F98
    "#);
    insta::assert_snapshot!(dump_styled(&table_at(40, 4, 1, true, &plain())), @r#"
      status    name^         left        $  | 2..=7 bold, 12..=16 bold, 26..=29 bold, 38..=38 bold
      ● running web              0 m 0.0123#  | 29..=31 bold
    >*● running build-漢字-~     9 m 0.0123|  | 0..=38 reverse, 39..=39 dim
      ● running été             18 m 0.0123|  | 39..=39 dim
    "#);
    insta::assert_snapshot!(dump_styled(&table_at(40, 4, 1, false, &plain())), @r#"
      status    name^         left        $  | 2..=7 bold, 12..=16 bold, 26..=29 bold, 38..=38 bold
      ● running web              0 m 0.0123#  | 29..=31 bold
    >*● running build-漢字-~     9 m 0.0123|  | 0..=22 bold, 23..=23 bold+dim, 24..=38 bold, 39..=39 dim
      ● running été             18 m 0.0123|  | 39..=39 dim
    "#);
}

#[test]
fn prompts() {
    let drawn = |text: &str, focused| {
        let prompt = Prompt::with(text);
        let label = [label("/", Role::Key)];
        screen(16, 1, |buffer, area| {
            prompt.draw(buffer, area, &colourful(), &label, focused);
        })
    };
    insta::assert_snapshot!(dump_styled(&drawn("web", true)), @r#"
    /web  | 0..=0 fg:#6CB6FF+bold, 4..=4 reverse
    "#);
    insta::assert_snapshot!(dump(&drawn("web", false)), @r#"
    /web
    "#);
    insta::assert_snapshot!(dump_styled(&drawn("status:running tag:env=ci", true)), @r#"
    /ing tag:env=ci  | 0..=0 fg:#6CB6FF+bold, 15..=15 reverse
    "#);
    insta::assert_snapshot!(dump(&drawn("status:running tag:env=ci", false)), @r#"
    /status:running…
    "#);
}

#[test]
fn tab_strips() {
    let names = ["Logs", "Info", "Sessions"];
    let strip = |width, theme: &Theme| {
        screen(width, 1, |buffer, area| {
            _ = text::draw(buffer, area, theme, &tabs(&names, 1));
        })
    };
    insta::assert_snapshot!(dump_styled(&strip(40, &plain())), @r#"
     Logs [Info] Sessions  | 0..=5 dim, 6..=11 bold, 12..=21 dim
    "#);
    insta::assert_snapshot!(dump(&strip(14, &colourful())), @r#"
     Logs [Info] …
    "#);
    let under: Vec<_> = (0..24).map(|column| tab_at(&names, column)).collect();
    assert_eq!(under[1..7], [Some(0); 6]);
    assert_eq!(under[7..13], [Some(1); 6]);
    assert_eq!(under[13..23], [Some(2); 10]);
    assert_eq!((under[0], under[23]), (None, None));
}

#[test]
fn text_is_cut_between_characters() {
    let line = [label("a ", Role::Text), word("漢字😀é漢")];
    let cut = |width| {
        dump(&screen(width, 1, |buffer, area| {
            _ = text::draw(buffer, area, &colourful(), &line);
        }))
    };
    let all: String = (0..13).map(cut).collect();
    insta::assert_snapshot!(all, @r#"
    …
    a…
    a …
    a …
    a 漢…
    a 漢…
    a 漢字…
    a 漢字…
    a 漢字😀…
    a 漢字😀é…
    a 漢字😀é漢
    a 漢字😀é漢
    "#);
    let shifted = |skip| {
        dump(&screen(6, 1, |buffer, area| {
            _ = text::draw_from(buffer, area, &colourful(), &line, skip);
        }))
    };
    let all: String = (0..12).map(shifted).collect();
    insta::assert_snapshot!(all, @r#"
    a 漢…
     漢字…
    漢字…
     字😀…
    字😀é…
    …😀é漢
    … é漢
    …é漢
    …漢
    …
    …
    "#);
}

#[test]
fn the_right_part_of_a_row_keeps_its_place() {
    let row = Row {
        left: vec![word("a long name here")],
        right: vec![word("12 s")],
    };
    let drawn = |width| {
        dump(&screen(width, 1, |buffer, area| {
            text::draw_row(buffer, area, &colourful(), &row);
        }))
    };
    let all: String = [24, 16, 12, 9, 8, 4].map(drawn).concat();
    insta::assert_snapshot!(all, @r#"
    a long name here    12 s
    a long nam… 12 s
    a long… 12 s
    a l… 12 s
    a long …
    a l…
    "#);
}

fn arranged(width: u16, height: u16, wants: Wants) -> String {
    let drawn = screen(width, height, |buffer, area| {
        let theme = colourful();
        let Ok(places) = layout::arrange(area, wants) else {
            layout::draw_too_small(buffer, area, &theme);
            return;
        };
        text::draw(
            buffer,
            places.header,
            &theme,
            &[label("header", Role::Text)],
        );
        text::draw(
            buffer,
            places.footer,
            &theme,
            &[label("footer", Role::Text)],
        );
        for (slot, name) in [
            (Slot::List, "list"),
            (Slot::Side, "side"),
            (Slot::Stage, "stage"),
        ] {
            if let Some(place) = places.of(slot) {
                let title = vec![label(name, Role::Title)];
                Panel {
                    title,
                    focused: wants.focus == slot,
                    ..Panel::default()
                }
                .draw(buffer, place, &theme);
            }
        }
    });
    dump(&drawn)
}

const WANTS: Wants = Wants {
    focus: Slot::List,
    zoom: false,
    side: true,
    upper: 45,
    most: u16::MAX,
};

#[test]
fn a_wide_screen_has_the_side_beside_the_list() {
    insta::assert_snapshot!(arranged(120, 20, WANTS), @r#"
    header
    ┏▸list ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓┌ side ────────────────────────────────┐
    ┃                                                                              ┃│                                      │
    ┃                                                                              ┃│                                      │
    ┃                                                                              ┃│                                      │
    ┃                                                                              ┃│                                      │
    ┃                                                                              ┃│                                      │
    ┃                                                                              ┃│                                      │
    ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛└──────────────────────────────────────┘
    ┌ stage ───────────────────────────────────────────────────────────────────────────────────────────────────────────────┐
    │                                                                                                                      │
    │                                                                                                                      │
    │                                                                                                                      │
    │                                                                                                                      │
    │                                                                                                                      │
    │                                                                                                                      │
    │                                                                                                                      │
    │                                                                                                                      │
    └──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────┘
    footer
    "#);
}

#[test]
fn a_narrow_one_shows_the_side_in_place_of_the_list() {
    insta::assert_snapshot!(arranged(40, 18, WANTS), @r#"
    header
    ┏▸list ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
    ┃                                      ┃
    ┃                                      ┃
    ┃                                      ┃
    ┃                                      ┃
    ┃                                      ┃
    ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
    ┌ stage ───────────────────────────────┐
    │                                      │
    │                                      │
    │                                      │
    │                                      │
    │                                      │
    │                                      │
    │                                      │
    └──────────────────────────────────────┘
    footer
    "#);
    insta::assert_snapshot!(arranged(40, 18, Wants { focus: Slot::Side, ..WANTS }), @r#"
    header
    ┏▸side ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
    ┃                                      ┃
    ┃                                      ┃
    ┃                                      ┃
    ┃                                      ┃
    ┃                                      ┃
    ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
    ┌ stage ───────────────────────────────┐
    │                                      │
    │                                      │
    │                                      │
    │                                      │
    │                                      │
    │                                      │
    │                                      │
    └──────────────────────────────────────┘
    footer
    "#);
}

#[test]
fn a_low_one_shows_the_slot_with_the_keys() {
    insta::assert_snapshot!(arranged(40, 10, Wants { focus: Slot::Stage, ..WANTS }), @r#"
    header
    ┏▸stage ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
    ┃                                      ┃
    ┃                                      ┃
    ┃                                      ┃
    ┃                                      ┃
    ┃                                      ┃
    ┃                                      ┃
    ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
    footer
    "#);
}

#[test]
fn a_zoomed_slot_takes_all() {
    insta::assert_snapshot!(arranged(40, 18, Wants { zoom: true, ..WANTS }), @r#"
    header
    ┏▸list ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
    ┃                                      ┃
    ┃                                      ┃
    ┃                                      ┃
    ┃                                      ┃
    ┃                                      ┃
    ┃                                      ┃
    ┃                                      ┃
    ┃                                      ┃
    ┃                                      ┃
    ┃                                      ┃
    ┃                                      ┃
    ┃                                      ┃
    ┃                                      ┃
    ┃                                      ┃
    ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
    footer
    "#);
}

#[test]
fn an_unusable_one_gets_a_sentence() {
    insta::assert_snapshot!(arranged(23, 6, WANTS), @r#"
    Too small for sandtop:
    it needs 24x6.
    "#);
}
