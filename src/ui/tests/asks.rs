//! Dialogs and key bars: what they show, and that they break at no size.

use super::super::testing::{colourful, dump, dump_styled, plain, screen};
use super::super::{Buttons, Dialog, KeyHint, Prompt, Role, Theme, draw_keys, label, text};
use super::sizes::{Draw, hold_at_every_small_size, hold_beside_the_screen};
use super::{said, word};
use crate::logic::Class;
use crate::ui::Piece;

fn stop_dialog(
    width: u16,
    height: u16,
    theme: &Theme,
    move_focus: bool,
) -> ratatui::buffer::Buffer {
    let mut buttons = Buttons::new(&["Cancel", "Stop"]);
    if move_focus {
        buttons.next();
    }
    let body = [vec![
        label("Its file system is lost: the sandbox is ", Role::Text),
        label("not persistent", Role::Bad),
    ]];
    let facts: [(&'static str, Vec<Piece>); 2] = [
        ("sandbox", vec![word("build-漢字-😀")]),
        (
            "running",
            vec![word(
                "npm run dev, npm test -- --watch --reporter=verbose and one more",
            )],
        ),
    ];
    screen(width, height, |buffer, area| {
        for line in area.rows() {
            text::draw(buffer, line, theme, &[word(&"漢".repeat(100))]);
        }
        let title = [label("Stop ", Role::Title), word("build-漢字-😀")];
        let class = Some(Class::Destructive);
        let dialog = Dialog {
            title: &title,
            class,
            body: &body,
            facts: &facts,
            scroll: 0,
            prompt: None,
            buttons: &buttons,
        };
        dialog.draw(buffer, area, theme);
    })
}

#[test]
fn dialogs() {
    insta::assert_snapshot!(dump(&stop_dialog(80, 12, &colourful(), false)), @r#"
    漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢…
    漢漢┏▸Stop build-漢字-😀 ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ destructive ┓漢…
    漢漢┃ Its file system is lost: the sandbox is not persistent               ┃漢…
    漢漢┃                                                                      ┃漢…
    漢漢┃ sandbox  build-漢字-😀                                               ┃漢…
    漢漢┃ running  npm run dev, npm test -- --watch --reporter=verbose and one ┃漢…
    漢漢┃          more                                                        ┃漢…
    漢漢┃                                                                      ┃漢…
    漢漢┃                                                  [▸Cancel ] [ Stop ] ┃漢…
    漢漢┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛漢…
    漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢…
    漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢…
    "#);
    insta::assert_snapshot!(dump(&stop_dialog(50, 12, &plain(), true)), @r#"
    漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢~
     #>Stop build-漢字-😀 ============ destructive #~
     # Its file system is lost: the sandbox is not #~
     # persistent                                  #~
     #                                             #~
     # sandbox  build-漢字-😀                      #~
     # running  npm run dev, npm test -- --watch   #~
     #          --reporter=verbose and one more    #~
     #                                             #~
     #                         [ Cancel ] [>Stop ] #~
     #=============================================#~
    漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢漢~
    "#);
    insta::assert_snapshot!(dump(&stop_dialog(20, 5, &colourful(), false)), @r#"
    ┏▸Stop build-漢字-…┓
    ┃ …                ┃
    ┃                  ┃
    ┃       [▸Cancel ] ┃
    ┗━━━━━━━━━━━━━━━━━━┛
    "#);
    insta::assert_snapshot!(dump(&stop_dialog(12, 2, &colourful(), true)), @r#"
    ▸Stop build…
        [▸Stop ]
    "#);
    insta::assert_snapshot!(dump(&stop_dialog(1, 1, &colourful(), true)), @r#"
    …
    "#);
}

#[test]
fn a_dialog_that_asks_for_a_name() {
    let buttons = Buttons::new(&["Cancel", "Delete"]);
    let mut prompt = Prompt::default();
    prompt.paste("build\n");
    let label = [label("type the name: ", Role::Text)];
    let title = [word("Delete build")];
    let body = [vec![word("Three snapshots stay.")]];
    let dialog = Dialog {
        title: &title,
        class: Some(Class::Destructive),
        body: &body,
        facts: &[],
        scroll: 0,
        prompt: Some((&label, &prompt)),
        buttons: &buttons,
    };
    let drawn = screen(60, 9, |buffer, area| {
        let hits = dialog.draw(buffer, area, &colourful());
        assert_eq!(hits.at((50, 6).into()), Some(&1));
        assert_eq!(hits.at((0, 0).into()), None);
    });
    insta::assert_snapshot!(dump(&drawn), @r#"

    ┏▸Delete build ━━━━━━━━━━━━━━━━━━━━━━ destructive ┓
    ┃ Three snapshots stay.                           ┃
    ┃                                                 ┃
    ┃ type the name: build                            ┃
    ┃                                                 ┃
    ┃                           [▸Cancel ] [ Delete ] ┃
    ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
    "#);
}

#[test]
fn key_bars() {
    let hint = |key: &str, title, class, keep| KeyHint {
        key: said(key),
        title,
        class,
        keep,
    };
    let hints = [
        hint("enter", "open", Class::Free, 5),
        hint("/", "filter", Class::Free, 4),
        hint("x", "stop", Class::Destructive, 6),
        hint("n", "sample", Class::Billable, 3),
        hint("?", "help", Class::Free, 9),
        hint("q", "quit", Class::Free, 8),
    ];
    let bar = |width, theme: &Theme| {
        screen(width, 1, |buffer, area| {
            draw_keys(buffer, area, theme, &hints);
        })
    };
    insta::assert_snapshot!(dump(&bar(80, &colourful())), @r#"
    enter open  / filter  x stop!  n sample$  ? help  q quit
    "#);
    insta::assert_snapshot!(dump(&bar(40, &colourful())), @r#"
    enter open  x stop!  ? help  q quit
    "#);
    insta::assert_snapshot!(dump(&bar(9, &colourful())), @r#"
    ? help
    "#);
    insta::assert_snapshot!(dump_styled(&bar(30, &plain())), @r#"
    x stop!  ? help  q quit  | 0..=0 bold, 2..=6 bold, 9..=9 bold, 17..=17 bold
    "#);
}

const WIDGETS: &[(&str, Draw)] = &[
    ("dialog", |buffer, area, theme, words| {
        let buttons = Buttons::new(&["Cancel", "Stop", "Leave it running"]);
        let prompt = Prompt::with(words);
        let (title, label) = ([word(words)], [word(words)]);
        let body = [vec![word(words), word(words)], vec![]];
        let facts = [("fact", vec![word(words)]), ("漢字", vec![])];
        let prompts = [None, Some((&label[..], &prompt))];
        for prompt in prompts {
            let class = Some(Class::Billable);
            Dialog {
                title: &title,
                class,
                body: &body,
                facts: &facts,
                scroll: 1,
                prompt,
                buttons: &buttons,
            }
            .draw(buffer, area, theme);
        }
    }),
    ("keys", |buffer, area, theme, words| {
        let hint = KeyHint {
            key: said(words),
            title: "stop",
            class: Class::Destructive,
            keep: 1,
        };
        draw_keys(buffer, area, theme, &vec![hint; 4]);
    }),
];

#[test]
fn dialogs_and_key_bars_at_every_small_size() {
    hold_at_every_small_size(WIDGETS);
    hold_beside_the_screen(WIDGETS);
}

#[test]
fn buttons_start_harmless_and_go_round() {
    let mut buttons = Buttons::new(&["Cancel", "Stop"]);
    assert_eq!(buttons.focus(), 0);
    buttons.previous();
    assert_eq!(buttons.focus(), 1);
    buttons.next();
    assert_eq!(buttons.focus(), 0);
    buttons.set_focus(7);
    assert_eq!(buttons.focus(), 0);
    let mut none = Buttons::new(&[]);
    none.next();
    none.previous();
    assert_eq!(none.focus(), 0);
}
