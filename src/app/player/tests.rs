//! Playing: times, keys, and what reaches the screen.

use super::*;
use crate::ui::testing::{colourful, dump};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

/// One letter a second, from 0 on.
fn letters() -> Player {
    let event = |second: u8| {
        let text = char::from(b'a' + second).to_string();
        (Span(i64::from(second) * 1000), CastEvent::Output(text))
    };
    player((0..=20).map(event).collect())
}

fn player(events: Vec<(Span, CastEvent)>) -> Player {
    let cast = Cast {
        columns: 30,
        rows: 4,
        events,
        unread: 0,
    };
    Player::new(cast, 1.0)
}

fn drawn(player: &Player, width: u16, height: u16) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    let theme = colourful();
    terminal.draw(|frame| view(player, &theme, frame)).unwrap();
    terminal.backend().buffer().clone()
}

fn shows(player: &Player) -> String {
    let text = dump(&drawn(player, 110, 6));
    text.lines().next().unwrap().to_owned()
}

fn press(player: &mut Player, code: KeyCode) -> Wish {
    player.key(KeyEvent::from(code))
}

fn types(player: &mut Player, keys: &str) {
    for key in keys.chars() {
        assert_eq!(press(player, KeyCode::Char(key)), Wish::Stay);
    }
}

#[test]
fn events_come_at_their_times() {
    let mut player = letters();
    assert_eq!(shows(&player), "a");
    assert_eq!(player.due(), Some(Span(1000)));
    player.advance(Span(999));
    assert_eq!(
        (shows(&player).as_str(), player.due()),
        ("a", Some(Span(1)))
    );
    player.advance(Span(1));
    assert_eq!(shows(&player), "ab");
    player.advance(Span(1_000_000));
    assert_eq!(shows(&player), "abcdefghijklmnopqrstu");
    assert_eq!(player.due(), None);
}

#[test]
fn speed_is_changed_within_bounds() {
    let mut player = letters();
    types(&mut player, "+");
    player.advance(Span(1000));
    assert_eq!(shows(&player), "abc");
    assert_eq!(player.due(), Some(Span(500)));
    types(&mut player, "--");
    player.advance(Span(2000));
    assert_eq!(shows(&player), "abcd");
    types(&mut player, &"-".repeat(100));
    assert_eq!(player.due(), Some(Span(16_000)));
    types(&mut player, &"+".repeat(100));
    player.advance(Span(1));
    assert_eq!(player.due(), Some(Span(15)));
}

#[test]
fn it_pauses_goes_back_and_forth_and_begins_anew() {
    let mut player = letters();
    types(&mut player, " ");
    player.advance(Span(60_000));
    assert_eq!((shows(&player).as_str(), player.due()), ("a", None));
    types(&mut player, "5");
    assert_eq!(shows(&player), "abcdefghijk");
    press(&mut player, KeyCode::Left);
    assert_eq!(shows(&player), "abcdef");
    press(&mut player, KeyCode::Right);
    press(&mut player, KeyCode::Right);
    press(&mut player, KeyCode::Right);
    press(&mut player, KeyCode::Right);
    assert_eq!(shows(&player), "abcdefghijklmnopqrstu");
    types(&mut player, " ");
    assert_eq!(
        (shows(&player).as_str(), player.due()),
        ("a", Some(Span(1000)))
    );
    press(&mut player, KeyCode::End);
    press(&mut player, KeyCode::Home);
    press(&mut player, KeyCode::Left);
    assert_eq!(shows(&player), "a");
}

#[test]
fn it_is_left_by_three_keys() {
    let mut player = letters();
    let control = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(player.key(control), Wish::Quit);
    assert_eq!(press(&mut player, KeyCode::Char('q')), Wish::Quit);
    assert_eq!(press(&mut player, KeyCode::Esc), Wish::Quit);
    types(&mut player, "cx");
}

#[test]
fn the_line_below_says_how_far_it_is_and_what_is_missing() {
    let mut player = letters();
    types(&mut player, "1");
    let status = |player: &Player, width| {
        let text = dump(&drawn(player, width, 6));
        text.lines().last().unwrap().to_owned()
    };
    let line = status(&player, 110);
    assert!(
        line.starts_with("playing  2.0 s of 20 s") && line.ends_with("q quit"),
        "{line}"
    );
    types(&mut player, " +");
    player.cast.unread = 3;
    let line = status(&player, 110);
    assert!(
        line.starts_with("paused  2.0 s of 20 s  2x  3 lines unreadable"),
        "{line}"
    );
    assert!(
        status(&player, 29).starts_with("paused"),
        "no room for all of it"
    );
    let line = status(&player, 60);
    assert!(
        line.starts_with("paused  2.0 s of 20 s  2x") && line.ends_with("q quit"),
        "{line}"
    );
    press(&mut player, KeyCode::End);
    assert!(status(&player, 110).starts_with("end"));
    for (width, height) in [(0, 0), (1, 1), (1, 9), (200, 1)] {
        drawn(&player, width, height);
    }
}

#[test]
fn a_recording_as_high_as_the_terminal_has_all_of_it_while_it_plays() {
    let last = CastEvent::Output("\x1b[4;1Hlast row".into());
    let end = CastEvent::Output(String::new());
    let mut player = player(vec![(Span(0), last), (Span(9000), end)]);
    let below = |player: &Player| {
        dump(&drawn(player, 60, 4))
            .lines()
            .last()
            .unwrap()
            .to_owned()
    };
    assert_eq!(below(&player), "last row");
    types(&mut player, " ");
    assert!(below(&player).starts_with("paused"), "{}", below(&player));
}

#[test]
fn sizes_follow_the_recording() {
    let wide = CastEvent::Resize {
        columns: 300,
        rows: 2,
    };
    let mut player = player(vec![(Span(10), wide)]);
    player.advance(Span(10));
    let text = dump(&drawn(&player, 110, 6));
    assert!(text.contains("cut: it is 300x2"), "{text}");
}

/// Law 4: whatever is in the file, only cells reach the screen.
#[test]
fn hostile_output_is_drawn_and_not_obeyed() {
    let tricks = "\x1b]0;title\x07\x1b]52;c;aGk=\x07\x1b[6n\x1b[c\x07\x1b[?1003h\x1b[?1049h\x1bP+q544e\x1b\\\u{202e}x\u{9b}31m";
    let mut events = vec![(Span(0), CastEvent::Output(tricks.into()))];
    let mut noise = 7_u32;
    for ms in 0..500 {
        let text = (0..40).map(|_| {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from((noise >> 24) as u8 % 0x60 + if noise & 3 == 0 { 0 } else { 0x1b })
        });
        events.push((Span(ms), CastEvent::Output(text.collect())));
    }
    let mut player = player(events);
    player.advance(Span(500));
    for cell in drawn(&player, 40, 8).content {
        let symbol = cell.symbol();
        assert!(
            !symbol.chars().any(|c| c.is_control() || c == '\u{202e}'),
            "{symbol:?}"
        );
    }
}

#[test]
fn a_screen_that_is_held_back_for_long_is_shown() {
    let held = "\x1b[?2026hhidden";
    let mut player = player(vec![
        (Span(0), CastEvent::Output("first ".into())),
        (Span(100), CastEvent::Output(held.into())),
        (Span(150), CastEvent::Output(" more\x1b[?2026l".into())),
        (Span(300), CastEvent::Output(held.into())),
        (Span(9000), CastEvent::Output(String::new())),
    ]);
    player.advance(Span(120));
    assert_eq!(shows(&player), "first");
    player.advance(Span(40));
    assert_eq!(shows(&player), "first hidden more");
    player.advance(Span(200));
    assert_eq!(shows(&player), "first hidden morehidden");
}
