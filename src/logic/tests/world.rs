//! Taking answers in: identities, ages, what is gone, what was asked for.

use crate::logic::World;
use crate::logic::testing::{at, command, detail, name, running, sandbox, session};
use crate::model::{Page, Span, Status, Timestamp};

#[test]
fn a_name_made_anew_is_another_sandbox_and_the_former_is_gone() {
    let mut world = World::default();
    let old = running("box", 0);
    let new = running("box", 5_000);
    world.saw(old.clone(), at(0));
    world.saw(new.clone(), at(1));
    assert!(world.fact(&old.key()).unwrap().gone);
    assert!(!world.fact(&new.key()).unwrap().gone);
    assert_eq!(world.named(&name("box")).unwrap().0, &new.key());
    world.forget_gone(|_| false);
    assert!(world.fact(&old.key()).is_none());
}

#[test]
fn an_answer_that_was_overtaken_changes_nothing() {
    let mut world = World::default();
    let mut newer = sandbox("box", 0, Status::Stopped);
    newer.updated_at = newer.updated_at.map(|at| at + Span(10));
    newer.status_updated_at = newer.updated_at;
    let key = newer.key();
    world.saw(newer, at(5));
    assert!(!world.saw(running("box", 0), at(6)));
    let fact = world.fact(&key).unwrap();
    assert_eq!(fact.sandbox.status, Some(Status::Stopped));
    assert_eq!(
        fact.seen,
        at(5).mono,
        "the age is that of the telling that counts"
    );
}

#[test]
fn the_same_telling_renews_the_age_and_nothing_else() {
    let mut world = World::default();
    assert!(world.saw(running("box", 0), at(0)));
    let revision = world.revision;
    assert!(!world.saw(running("box", 0), at(500)));
    assert_eq!(world.revision, revision);
    assert_eq!(
        world.fact(&running("box", 0).key()).unwrap().seen,
        at(500).mono
    );
}

#[test]
fn a_request_stays_until_the_service_confirms_it_or_starts_anew() {
    let mut world = World::default();
    let key = running("box", 0).key();
    world.saw(running("box", 0), at(0));
    world.request(&key, session("sbx_box"), at(1));
    world.saw(running("box", 0), at(2));
    assert!(
        world.fact(&key).unwrap().requested.is_some(),
        "still running: not confirmed"
    );
    world.saw(sandbox("box", 0, Status::Stopping), at(3));
    assert!(world.fact(&key).unwrap().requested.is_none());
    world.saw(running("box", 0), at(4));
    world.request(&key, session("sbx_box"), at(5));
    let mut resumed = running("box", 0);
    resumed.current_session_id = Some(session("sbx_next"));
    world.saw(resumed, at(6));
    assert!(
        world.fact(&key).unwrap().requested.is_none(),
        "another session was never asked to stop"
    );
}

#[test]
fn a_list_of_commands_that_was_on_its_way_hides_no_command_that_just_began() {
    let mut world = World::default();
    let mut young = command("cmd_1", None);
    young.session_id = Some(session("sbx_a"));
    world.began(young);
    let none = Page {
        entries: vec![],
        skipped: 0,
        next: None,
    };
    world.told_commands(&session("sbx_a"), &none, at(10));
    let listing = &world.commands[&session("sbx_a")];
    assert_eq!(listing.value.entries.len(), 1);
    assert_eq!(listing.seen, at(0).mono, "asked for again at once");
    world.told_commands(&session("sbx_a"), &none, at(20));
    assert_eq!(
        world.commands[&session("sbx_a")].value.entries.len(),
        0,
        "once, not for ever"
    );
}

#[test]
fn only_what_runs_has_a_deadline_and_a_cost() {
    let mut world = World::default();
    let mut box_ = running("box", 0);
    box_.expires_at = Some(at(60_000).wall);
    let key = box_.key();
    world.saw(box_, at(0));
    let fact = world.fact(&key).unwrap();
    assert_eq!(fact.left(at(20_000).wall), Some(Span(40_000)));
    assert_eq!(
        fact.left(at(90_000).wall),
        Some(Span(-30_000)),
        "over time is negative, not nothing"
    );
    assert!(fact.cost(at(20_000).wall).is_some());
    world.saw(sandbox("box", 0, Status::Stopped), at(1));
    let fact = world.fact(&key).unwrap();
    assert_eq!(fact.left(at(20_000).wall), None);
    assert_eq!(fact.cost(at(20_000).wall), None);
}

#[test]
fn a_session_of_the_past_tells_nothing_about_the_current_one() {
    let mut world = World::default();
    let first = running("box", 0);
    world.saw_detail(detail(&first), at(0));
    let mut next = first.clone();
    next.current_session_id = Some(session("sbx_next"));
    next.updated_at = Some(Timestamp(first.updated_at.unwrap().0 + 1));
    world.saw(next, at(1));
    assert!(
        world
            .fact(&first.key())
            .unwrap()
            .current_session()
            .is_none()
    );
}

#[test]
fn ages_and_times_of_any_absurdity_are_taken() {
    let mut world = World::default();
    for (created, expires) in [
        (0, i64::MIN),
        (i64::MIN, 0),
        (9_000_000_000_000_000, i64::MAX),
        (-5, -6),
    ] {
        let mut odd = running("odd", 0);
        odd.created_at = Some(Timestamp(created));
        odd.expires_at = Some(Timestamp(expires));
        odd.status_updated_at = Some(Timestamp(created));
        let key = odd.key();
        world.saw(odd, at(0));
        let fact = world.fact(&key).unwrap();
        let _ = (fact.left(at(0).wall), fact.cost(at(0).wall));
    }
}

#[test]
fn what_was_deleted_has_no_time_left_and_no_growing_cost() {
    let mut world = World::default();
    let mut alive = running("box", 0);
    alive.expires_at = Some(Timestamp(at(60_000).wall.0));
    let key = alive.key();
    world.saw(alive, at(0));
    let told = |world: &World| {
        let fact = world.fact(&key).unwrap();
        (fact.left(at(0).wall), fact.cost(at(0).wall).is_some())
    };
    assert_eq!(told(&world), (Some(Span::minutes(1)), true));
    world.lost(&key);
    assert_eq!(told(&world), (None, false));
}

#[test]
fn a_command_that_began_is_known_at_once_and_once() {
    let mut world = World::default();
    let mut begun = command("c", None);
    begun.session_id = Some(session("sbx_a"));
    world.began(begun.clone());
    world.began(begun.clone());
    let known = &world.commands[&session("sbx_a")].value.entries;
    assert_eq!(known, &[begun]);
}
