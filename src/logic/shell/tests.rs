//! A shell from the wish to its end, without a socket.

use super::*;
use crate::logic::testing::{at, refusal};
use crate::logic::{Effect, Site};
use crate::model::{SandboxKey, SandboxName};

fn site() -> Site {
    Site {
        key: SandboxKey {
            name: SandboxName::new("box"),
            created_at: None,
        },
        session: SessionId::new("sbx_box"),
    }
}

fn start() -> ShellStart {
    ShellStart {
        session: SessionId::new("sbx_box"),
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
    let id = shells.open(site(), start(), at(0));
    shells.resize(id, 80, 24, at(0));
    id
}

fn opened(shells: &mut Shells) -> ShellId {
    let id = asked(shells);
    shells.news(id, &ShellNews::Open, at(1));
    id
}

#[test]
fn the_first_order_carries_the_size_of_the_pane() {
    let mut shells = Shells::default();
    let id = shells.open(site(), start(), at(0));
    let Some(Effect::Shell(_, ShellOrder::Open(start))) = shells.resize(id, 61, 0, at(5)) else {
        panic!("nothing is opened");
    };
    assert_eq!((start.columns, start.rows), (61, 1));
    assert_eq!(shells.get(id).unwrap().state, ShellState::Asking);
    assert_eq!(
        shells.resize(id, 61, 1, at(6)),
        None,
        "the size is the same"
    );
    let resize = ShellOrder::Resize {
        columns: 60,
        rows: 1,
    };
    assert_eq!(
        shells.resize(id, 60, 1, at(7)),
        Some(Effect::Shell(id, resize))
    );
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
    for (ms, (news, state)) in (1..).zip(steps) {
        assert_eq!(shells.news(id, &news, at(ms)), [], "{news:?}");
        assert_eq!(shells.get(id).unwrap().state, state, "{news:?}");
    }
    assert_eq!(shells.get(id).unwrap().since, at(5).mono);
}

#[test]
fn an_end_is_the_last_word() {
    let lost = ShellNews::Lost {
        why: "reset".into(),
        unsent: 7,
    };
    let refused = ShellNews::Failed(refusal(410, Some("session_stopped"), None));
    for end in [lost, refused, ShellNews::Closed] {
        let mut shells = Shells::default();
        let id = asked(&mut shells);
        shells.news(id, &end, at(1));
        let state = shells.get(id).unwrap().state.clone();
        assert!(state.is_over(), "{end:?}");
        shells.news(id, &ShellNews::Open, at(2));
        assert_eq!(shells.get(id).unwrap().state, state, "{end:?}");
        assert_eq!(shells.type_in(id, b"ls".to_vec()), None, "{end:?}");
        assert_eq!(shells.resize(id, 10, 10, at(3)), None, "{end:?}");
    }
}

#[test]
fn a_session_that_is_gone_is_told_apart_from_a_fault() {
    for (status, gone) in [(410, true), (404, true), (401, false), (500, false)] {
        let mut shells = Shells::default();
        let id = asked(&mut shells);
        shells.news(id, &ShellNews::Failed(refusal(status, None, None)), at(1));
        let ShellState::Refused { gone: told, .. } = shells.get(id).unwrap().state else {
            panic!("{status} is no refusal");
        };
        assert_eq!(told, gone, "{status}");
    }
}

#[test]
fn what_is_typed_too_early_waits_in_its_order() {
    let mut shells = Shells::default();
    let id = asked(&mut shells);
    assert_eq!(shells.type_in(id, b"ls".to_vec()), None);
    assert_eq!(shells.type_in(id, b"\r".to_vec()), None);
    let typed = |bytes: &[u8]| Effect::Shell(id, ShellOrder::Input(Typed(bytes.to_vec())));
    assert_eq!(shells.news(id, &ShellNews::Open, at(9)), [typed(b"ls\r")]);
    assert_eq!(shells.type_in(id, b"x".to_vec()), Some(typed(b"x")));
}

#[test]
fn a_closed_shell_is_ordered_to_end_and_hears_nothing() {
    let mut shells = Shells::default();
    let id = opened(&mut shells);
    assert_eq!(shells.close(id), Some(Effect::Shell(id, ShellOrder::Close)));
    assert_eq!(shells.news(id, &ShellNews::Closed, at(2)), []);
    assert_eq!(shells.iter().count(), 0);
    let never = shells.open(site(), start(), at(3));
    assert_eq!(shells.close(never), None, "nothing was sent of it");
    assert_ne!(never, id, "a number is never used twice");
}

#[test]
fn what_is_typed_is_not_printed() {
    let typed = Typed(b"hunter2".to_vec());
    assert_eq!(format!("{typed:?}"), "Typed(7 bytes)");
}
