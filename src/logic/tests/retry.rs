//! Which failures are tried again, when, and what the link says meanwhile.

use crate::logic::testing::{
    answer, at, calls_of, name, network, refusal, running, session, status,
};
use crate::logic::{Call, Calls, Link, Mono, Now, Purpose, Reply, Settled, World, retry};
use crate::model::request::ListSandboxes;
use crate::model::{Page, RetryAfter, Span, Timestamp};

const LIST: fn() -> Call = || Call::ListSandboxes(ListSandboxes::default());

fn run() -> Call {
    Call::RunCommand(session("sbx_a"), Box::default())
}

#[test]
fn a_post_that_may_have_run_is_not_sent_twice() {
    for (failure, again) in [
        (network(true), false),
        (network(false), true),
        (status(500), false),
        (status(429), true),
        (status(422), false),
    ] {
        assert_eq!(
            retry::may_repeat(&run(), &failure, 1),
            again,
            "run after {failure:?}"
        );
    }
    assert!(retry::may_repeat(
        &Call::GetSandbox(name("a")),
        &network(true),
        1
    ));
    assert!(retry::may_repeat(
        &Call::Stop(session("sbx_a")),
        &status(502),
        1
    ));
    assert!(
        !retry::may_repeat(&Call::Stop(session("sbx_a")), &status(502), 3),
        "three tries at most"
    );
}

#[test]
fn what_retry_after_asks_for_is_bounded_and_never_nothing() {
    let now = Timestamp(1_000_000);
    for (text, wait) in [
        ("4", Some(4_000)),
        ("1.5", Some(1_500)),
        ("0", None),
        ("-3", None),
        ("", None),
        ("soon", None),
        ("1e300", Some(300_000)),
        ("99999999999", Some(300_000)),
        ("Thu, 01 Jan 1970 00:16:50 GMT", Some(10_000)),
        ("Thu, 01 Jan 1970 00:00:00 GMT", None),
        ("Tue, 31 Dec 2999 23:59:59 GMT", Some(300_000)),
    ] {
        let asked = retry::asked_wait(Some(RetryAfter::parse(text)), now);
        assert_eq!(asked, wait.map(Span), "{text:?}");
    }
    assert_eq!(retry::asked_wait(None, now), None);
}

#[test]
fn a_date_is_read_by_the_services_own_clock() {
    let mut world = World::default();
    let service = Timestamp(at(0).wall.0 - 600_000);
    let date = RetryAfter::At(service + Span::seconds(20));
    retry::failed(
        &mut world,
        &LIST(),
        &refusal(429, None, Some(date)),
        Some(service),
        at(0),
    );
    assert_eq!(world.link.wait(at(0)), Some(Span::seconds(20)));
}

#[test]
fn waits_double_up_to_a_minute_and_differ_by_chance() {
    for (attempt, least) in [
        (1, 1_000),
        (2, 2_000),
        (3, 4_000),
        (7, 60_000),
        (60, 60_000),
    ] {
        let wait = retry::backoff(attempt, at(7)).0;
        assert!(
            (least..=least + least / 4).contains(&wait),
            "{attempt}: {wait}"
        );
    }
    let waits: std::collections::HashSet<i64> =
        (0..50).map(|ms| retry::backoff(5, at(ms)).0).collect();
    assert!(waits.len() > 10);
}

#[test]
fn one_link_for_all_calls_with_a_visible_wait() {
    let mut world = World::default();
    let mut calls = Calls::default();
    let limited = refusal(429, None, Some(RetryAfter::Wait(4_000)));
    let sent = calls.send(LIST(), Purpose::Page(1), &mut world, at(0));
    answer(&sent, Err(limited), &mut calls, &mut world, at(0));
    assert!(
        matches!(&world.link, Link::Retrying { why, offline: false, .. } if why.as_str() == "429")
    );
    assert_eq!(retry::open_at(&world), Mono(4_000));
    let sent = calls.send(LIST(), Purpose::Page(1), &mut world, at(100));
    answer(&sent, Err(network(false)), &mut calls, &mut world, at(100));
    assert!(
        retry::open_at(&world) >= Mono(4_000),
        "a later fault does not shorten the wait"
    );
    let sent = calls.send(LIST(), Purpose::Page(1), &mut world, at(5_000));
    let page = Page {
        entries: vec![running("a", 0)],
        skipped: 0,
        next: None,
    };
    answer(
        &sent,
        Ok(Reply::Sandboxes(page)),
        &mut calls,
        &mut world,
        at(5_000),
    );
    assert!(world.link.is_live());
    assert_eq!(world.attempts, 0);
}

#[test]
fn refused_credentials_are_tried_quietly_once_and_then_slowly() {
    let mut world = World::default();
    let first = retry::failed(&mut world, &LIST(), &status(401), None, at(0));
    assert_eq!(first, Some(Span(500)));
    let second = retry::failed(&mut world, &LIST(), &status(401), None, at(500));
    assert_eq!(second, Some(Span::seconds(30)));
    assert!(matches!(world.link, Link::Unauthorized { .. }));
}

#[test]
fn a_failure_of_one_thing_says_that_the_service_answers() {
    for code in [400, 403, 404, 409, 410, 422, 501] {
        let mut world = World::default();
        let wait = retry::failed(
            &mut world,
            &Call::GetSandbox(name("a")),
            &status(code),
            None,
            at(0),
        );
        assert_eq!(wait, None, "{code}");
        assert!(world.link.is_live(), "{code}");
    }
}

#[test]
fn an_action_goes_out_again_by_itself_when_that_is_safe() {
    let (mut world, mut calls) = (World::default(), Calls::default());
    let stop = Call::Stop(session("sbx_a"));
    let sent = calls.send(
        stop.clone(),
        Purpose::Act {
            operation: 1,
            target: 0,
        },
        &mut world,
        at(0),
    );
    assert_eq!(
        answer(&sent, Err(status(503)), &mut calls, &mut world, at(0)),
        Settled::Again
    );
    let due = calls.next_due().unwrap();
    assert_eq!(calls.due(&mut world, at(due.0 - 1)), []);
    let again = calls.due(&mut world, at(due.0));
    assert_eq!(calls_of(&again).collect::<Vec<_>>(), [&stop]);
    assert_eq!(
        answer(
            &again[0],
            Err(status(503)),
            &mut calls,
            &mut world,
            at(due.0)
        ),
        Settled::Again
    );
    let last = calls.due(&mut world, at(calls.next_due().unwrap().0));
    let settled = answer(
        &last[0],
        Err(status(503)),
        &mut calls,
        &mut world,
        Now::default(),
    );
    assert_eq!(
        settled,
        Settled::For(Purpose::Act {
            operation: 1,
            target: 0
        })
    );
    assert_eq!(calls.next_due(), None);
}

#[test]
fn an_answer_nobody_waits_for_is_dropped() {
    let (mut world, mut calls) = (World::default(), Calls::default());
    let sent = calls.send(LIST(), Purpose::Page(1), &mut world, at(0));
    answer(&sent, Err(status(404)), &mut calls, &mut world, at(0));
    assert_eq!(
        answer(&sent, Err(status(404)), &mut calls, &mut world, at(1)),
        Settled::Nobody
    );
}
