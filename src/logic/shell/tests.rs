//! A shell from the wish to its end, without a socket.

use super::*;
use crate::logic::testing::{at, refusal};
use crate::logic::{Effect, Now, Site};
use crate::model::{SandboxKey, SandboxName, Span};
use crate::term::Size;

const SIZE: Size = Size {
    columns: 80,
    rows: 24,
};

fn site(session: &str) -> Site {
    Site {
        key: SandboxKey {
            name: SandboxName::new("box"),
            created_at: None,
        },
        session: SessionId::new(session),
    }
}

fn start() -> ShellStart {
    ShellStart {
        session: SessionId::new("sbx_1"),
        command: None,
        args: Vec::new(),
        env: Vec::new(),
        cwd: None,
        sudo: false,
        columns: 0,
        rows: 0,
    }
}

/// A shell whose opening is ordered.
fn asked(shells: &mut Shells) -> ShellId {
    let id = shells.open(site("sbx_1"), start(), at(0));
    shells.resize(id, SIZE, at(0));
    id
}

fn opened(shells: &mut Shells) -> ShellId {
    let id = asked(shells);
    shells.news(id, &ShellNews::Open, at(1));
    id
}

fn prints(shells: &mut Shells, id: ShellId, text: &str, now: Now) -> Vec<Effect> {
    shells.news(id, &ShellNews::Output(text.to_owned().into()), now)
}

fn state(shells: &Shells, id: ShellId) -> ShellState {
    shells.get(id).unwrap().state.clone()
}

fn typed(id: ShellId, bytes: &[u8]) -> Effect {
    Effect::Shell(id, ShellOrder::Input(Typed(bytes.to_vec())))
}

#[test]
fn the_first_order_carries_the_size_of_the_pane() {
    let mut shells = Shells::default();
    let id = shells.open(site("sbx_1"), start(), at(0));
    let size = Size {
        columns: 61,
        rows: 0,
    };
    let Some(Effect::Shell(_, ShellOrder::Open(start))) = shells.resize(id, size, at(5)) else {
        panic!("nothing is opened");
    };
    assert_eq!((start.columns, start.rows), (61, 1));
    assert_eq!(state(&shells, id), ShellState::Asking);
    assert_eq!(shells.resize(id, size, at(6)), None);
}

#[test]
fn of_many_sizes_the_last_one_is_ordered_once() {
    let mut shells = Shells::default();
    let id = opened(&mut shells);
    for (ms, columns) in (100..).zip([90, 70, 50, 40, 60]) {
        let size = Size { columns, ..SIZE };
        assert_eq!(shells.resize(id, size, at(ms)), None);
        assert_eq!(
            shells.get(id).unwrap().emulator.size(),
            size,
            "at once here"
        );
    }
    let due = shells.next_due().expect("an order is due");
    assert_eq!(shells.tick(at(due.0 - 1)), []);
    let order = ShellOrder::Resize {
        columns: 60,
        rows: 24,
    };
    assert_eq!(shells.tick(at(due.0)), [Effect::Shell(id, order)]);
    assert_eq!(shells.next_due(), None);
    // What is typed after it waits for no size, and comes after it.
    shells.resize(
        id,
        Size {
            columns: 50,
            ..SIZE
        },
        at(400),
    );
    let order = ShellOrder::Resize {
        columns: 50,
        rows: 24,
    };
    let both = [Effect::Shell(id, order), typed(id, b"x")];
    assert_eq!(shells.type_in(id, b"x".to_vec()), both);
    // There and back again is no change.
    for columns in [61, 50] {
        shells.resize(id, Size { columns, ..SIZE }, at(500));
    }
    assert_eq!((shells.tick(at(9_000)), shells.next_due()), (vec![], None));
}

#[test]
fn a_size_from_before_the_opening_is_ordered_after_it() {
    let mut shells = Shells::default();
    let id = asked(&mut shells);
    shells.resize(id, Size { rows: 9, ..SIZE }, at(10));
    assert_eq!(shells.tick(at(1_000)), [], "there is nobody to tell");
    assert_eq!(shells.next_due(), None);
    shells.news(id, &ShellNews::Open, at(2_000));
    let order = ShellOrder::Resize {
        columns: 80,
        rows: 9,
    };
    assert_eq!(shells.tick(at(2_000)), [Effect::Shell(id, order)]);
}

#[test]
fn a_shell_goes_through_its_states_and_tells_since_when() {
    let mut shells = Shells::default();
    let id = asked(&mut shells);
    let steps = [
        (ShellNews::Asked, ShellState::Checking),
        (ShellNews::Healthy, ShellState::Connecting),
        (ShellNews::Open, ShellState::Open),
        (ShellNews::Answered, ShellState::Open),
        (ShellNews::Exited(Some(3)), ShellState::Exited(Some(3))),
        (ShellNews::Closed, ShellState::Exited(Some(3))),
    ];
    for (ms, (news, after)) in (1..).zip(steps) {
        assert_eq!(shells.news(id, &news, at(ms)), [], "{news:?}");
        assert_eq!(state(&shells, id), after, "{news:?}");
    }
    assert_eq!(shells.get(id).unwrap().since, at(5).mono);
}

#[test]
fn an_end_is_the_last_word_and_the_screen_stays() {
    let lost = ShellNews::Lost {
        why: "reset".into(),
        unsent: 7,
    };
    let refused = ShellNews::Failed(refusal(410, Some("session_stopped"), None));
    for end in [lost, refused, ShellNews::Closed] {
        let mut shells = Shells::default();
        let id = asked(&mut shells);
        prints(&mut shells, id, "kept", at(1));
        shells.news(id, &end, at(1));
        let after = state(&shells, id);
        assert!(after.is_over(), "{end:?}");
        shells.news(id, &ShellNews::Open, at(2));
        assert_eq!(state(&shells, id), after, "{end:?}");
        assert_eq!(shells.type_in(id, b"ls".to_vec()), [], "{end:?}");
        shells.resize(id, Size { rows: 9, ..SIZE }, at(3));
        assert_eq!(shells.next_due(), None, "{end:?}");
        let shell = shells.get(id).unwrap();
        assert_eq!(row(shell, 0), "kept", "{end:?}");
    }
}

fn row(shell: &Shell, row: u16) -> String {
    let mut text = String::new();
    shell
        .emulator
        .screen()
        .row(row)
        .for_each(|cell| cell.write(&mut text));
    text.trim_end().to_owned()
}

#[test]
fn a_session_that_is_gone_is_told_apart_from_a_fault() {
    for (status, gone) in [(410, true), (404, true), (401, false), (500, false)] {
        let mut shells = Shells::default();
        let id = asked(&mut shells);
        shells.news(id, &ShellNews::Failed(refusal(status, None, None)), at(1));
        let ShellState::Refused { gone: told, .. } = state(&shells, id) else {
            panic!("{status} is no refusal");
        };
        assert_eq!(told, gone, "{status}");
    }
}

#[test]
fn what_is_typed_too_early_waits_in_its_order() {
    let mut shells = Shells::default();
    let id = asked(&mut shells);
    assert_eq!(shells.type_in(id, b"ls".to_vec()), []);
    assert_eq!(shells.type_in(id, b"\r".to_vec()), []);
    assert_eq!(
        shells.news(id, &ShellNews::Open, at(9)),
        [typed(id, b"ls\r")]
    );
    assert_eq!(shells.type_in(id, b"x".to_vec()), [typed(id, b"x")]);
    assert_eq!(shells.type_in(id, Vec::new()), [], "no empty frame");
}

#[test]
fn a_closed_shell_is_ordered_to_end_and_hears_nothing() {
    let mut shells = Shells::default();
    let id = opened(&mut shells);
    assert_eq!(shells.close(id), Some(Effect::Shell(id, ShellOrder::Close)));
    assert_eq!(shells.news(id, &ShellNews::Closed, at(2)), []);
    assert_eq!(shells.iter().count(), 0);
    let never = shells.open(site("sbx_1"), start(), at(3));
    assert_eq!(shells.close(never), None, "nothing was sent of it");
    assert_ne!(never, id, "a number is never used twice");
}

#[test]
fn a_shell_that_was_lost_begins_again_in_its_place_below_what_was() {
    let mut shells = Shells::default();
    let (first, other) = (opened(&mut shells), opened(&mut shells));
    assert_eq!(shells.reopen(first, site("sbx_2"), at(3)), None, "it lives");
    prints(
        &mut shells,
        first,
        "before\x1b[?1049h\x1b[?2004h\x1b[?1000hvim",
        at(4),
    );
    let lost = ShellNews::Lost {
        why: "reset".into(),
        unsent: 0,
    };
    shells.news(first, &lost, at(5));
    let again = shells.reopen(first, site("sbx_2"), at(6)).unwrap();
    let ids: Vec<ShellId> = shells.iter().map(|shell| shell.id).collect();
    assert_eq!(ids, [again, other]);
    let Some(Effect::Shell(_, ShellOrder::Open(start))) = shells.resize(again, SIZE, at(7)) else {
        panic!("nothing is opened");
    };
    assert_eq!(start.session, SessionId::new("sbx_2"));
    let shell = shells.get(again).unwrap();
    assert_eq!(row(shell, 0), "before");
    let modes = shell.emulator.modes();
    assert!(!modes.bracketed_paste && !modes.alternate_screen);
    assert_eq!(modes.mouse, crate::term::Mouse::Off);
    assert_eq!(
        shells.news(first, &ShellNews::Open, at(8)),
        [],
        "of the former"
    );
    assert_eq!(state(&shells, again), ShellState::Asking);
}

#[test]
fn queries_are_answered_to_the_program_and_only_while_it_lives() {
    let mut shells = Shells::default();
    let id = opened(&mut shells);
    let effects = prints(&mut shells, id, "\x1b[6n\x1b[5n", at(2));
    assert_eq!(effects, [typed(id, b"\x1b[1;1R\x1b[0n")]);
    shells.news(id, &ShellNews::Exited(Some(0)), at(3));
    assert_eq!(prints(&mut shells, id, "\x1b[6n", at(4)), []);
}

#[test]
fn what_happens_unseen_leaves_a_mark_until_it_is_seen() {
    let mut shells = Shells::default();
    let (seen, unseen) = (opened(&mut shells), opened(&mut shells));
    shells.watch(Some(seen));
    for id in [seen, unseen] {
        let effects = prints(&mut shells, id, "a\x07b\x07", at(2));
        assert_eq!(effects, [Effect::Bell], "one is enough");
    }
    let marks = |shells: &Shells, id| {
        let shell: &Shell = shells.get(id).unwrap();
        (shell.activity, shell.bell)
    };
    assert_eq!(marks(&shells, seen), (false, false));
    assert_eq!(marks(&shells, unseen), (true, true));
    shells.watch(Some(unseen));
    assert_eq!(marks(&shells, unseen), (false, false));
}

#[test]
fn a_copy_from_inside_is_asked_about_and_reading_is_not_answered() {
    let mut shells = Shells::default();
    let id = opened(&mut shells);
    let store = "\x1b]52;c;aGk=\x07\x1b]52;c;?\x07";
    assert_eq!(prints(&mut shells, id, store, at(2)), []);
    let shell = shells.get_mut(id).unwrap();
    assert_eq!(shell.copying, Copying::Asked("hi".into()));
    shell.copying = Copying::Allowed;
    assert_eq!(
        prints(&mut shells, id, store, at(3)),
        [Effect::CopyText("hi".into())]
    );
}

#[test]
fn a_screen_that_is_held_back_for_long_is_shown_all_the_same() {
    let mut shells = Shells::default();
    let id = opened(&mut shells);
    prints(&mut shells, id, "\x1b[?2026hnow", at(100));
    assert_eq!(row(shells.get(id).unwrap(), 0), "");
    let due = shells.next_due().expect("it is held");
    prints(&mut shells, id, " and then", at(120));
    assert_eq!(shells.next_due(), Some(due), "more does not hold it longer");
    shells.tick(at(due.0));
    assert_eq!(row(shells.get(id).unwrap(), 0), "now and then");
    assert_eq!(shells.next_due(), None);
}

#[test]
fn shells_of_a_sandbox_are_counted_and_a_free_number_is_taken() {
    let mut shells = Shells::default();
    let ids = [0; 3].map(|_| opened(&mut shells));
    shells.close(ids[1]);
    let again = opened(&mut shells);
    assert_eq!(shells.get(again).unwrap().number, 2);
    prints(&mut shells, again, "\x1b]0;vi\x1b[31mm\x07", at(2));
    assert_eq!(shells.get(ids[2]).unwrap().called().as_str(), "3");
}

#[test]
fn more_time_is_asked_for_seldom_and_within_bounds() {
    let minutes = |count: i64| Some(Span::minutes(count));
    let at = |minutes: u64| at(minutes * 60_000);
    let mut keep = KeepAlive::default();
    assert!(!keep.asks(minutes(1), minutes(9), at(0)), "it is off");
    keep.toggle();
    assert!(!keep.asks(minutes(4), minutes(9), at(0)), "there is time");
    assert!(!keep.asks(None, minutes(9), at(0)), "nothing is known");
    assert!(!keep.asks(minutes(1), None, at(0)), "its age is not known");
    assert!(keep.asks(minutes(2), minutes(9), at(1)));
    assert!(!keep.asks(minutes(2), minutes(9), at(1)), "once a minute");
    assert!(keep.asks(minutes(2), minutes(9), at(2)));
    keep.toggle();
    keep.toggle();
    assert!(
        !keep.asks(minutes(2), minutes(9), at(2)),
        "off and on is no way around"
    );
    assert!(!keep.asks(minutes(2), minutes(24 * 60 - 6), at(9)));
    assert!(!keep.on && keep.ended.is_some(), "no plan has more");
    keep.toggle();
    let times = (10..5_000).filter(|minute| keep.asks(minutes(1), minutes(9), at(*minute)));
    assert_eq!(times.count(), 144);
    assert!(!keep.on);
}

#[test]
fn what_is_typed_is_not_printed() {
    let typed = Typed(b"hunter2".to_vec());
    assert_eq!(format!("{typed:?}"), "Typed(7 bytes)");
}
