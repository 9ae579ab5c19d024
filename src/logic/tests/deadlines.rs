//! Warnings of near ends: one a deadline, and only where something is at stake.

use crate::logic::testing::{EPOCH, at, command, running, session};
use crate::logic::{Aged, Deadlines, Listing, World};
use crate::model::{Sandbox, SandboxKey, Span, Status, Timestamp};

const MINUTE: u64 = 60_000;

/// Ends ten minutes after the start; a command runs in it.
fn busy(world: &mut World, name: &str) -> SandboxKey {
    let sandbox = ending(name, 10 * MINUTE);
    let key = sandbox.key();
    world.saw(sandbox, at(0));
    tell_commands(world, name, None);
    key
}

fn ending(name: &str, after: u64) -> Sandbox {
    Sandbox {
        expires_at: Some(Timestamp(EPOCH + i64::try_from(after).unwrap())),
        ..running(name, 0)
    }
}

fn tell_commands(world: &mut World, name: &str, exit: Option<i64>) {
    let listing = Listing {
        entries: vec![command("cmd_1", exit)],
        ..Listing::default()
    };
    let listing = Aged::new(listing, at(0));
    world
        .commands
        .insert(session(&format!("sbx_{name}")), listing);
}

fn watching(world: &mut World, names: &[&str]) -> (Deadlines, Vec<SandboxKey>) {
    let keys: Vec<SandboxKey> = names.iter().map(|name| busy(world, name)).collect();
    let mut deadlines = Deadlines::default();
    keys.iter().for_each(|key| deadlines.watch(key));
    (deadlines, keys)
}

#[test]
fn one_warning_five_minutes_before_the_end() {
    let mut world = World::default();
    let (mut deadlines, keys) = watching(&mut world, &["box"]);
    assert_eq!(deadlines.check(&world, at(5 * MINUTE)), []);
    let due = deadlines.next_due(&world, at(5 * MINUTE)).unwrap();
    assert_eq!(due, at(5 * MINUTE + 1).mono, "it wakes by itself");
    let warned = deadlines.check(&world, at(5 * MINUTE + 1));
    assert_eq!(warned, [(keys[0].clone(), Span(299_999))]);
    assert_eq!(deadlines.check(&world, at(6 * MINUTE)), []);
    assert_eq!(deadlines.next_due(&world, at(6 * MINUTE)), None);
    // Extended: that is another deadline.
    world.saw(ending("box", 30 * MINUTE), at(7 * MINUTE));
    assert_eq!(deadlines.check(&world, at(7 * MINUTE)), []);
    assert_eq!(deadlines.check(&world, at(26 * MINUTE)).len(), 1);
}

#[test]
fn nothing_at_stake_is_no_warning() {
    let soon = at(8 * MINUTE);
    type Change = fn(&mut World, &SandboxKey);
    let changes: [Change; 4] = [
        |world, _| tell_commands(world, "box", Some(0)),
        |world, key| world.lost(key),
        |world, _| {
            let stopped = Sandbox {
                status: Some(Status::Stopped),
                ..ending("box", 10 * MINUTE)
            };
            world.saw(stopped, at(MINUTE));
        },
        |world, _| {
            world.saw(ending("box", 60 * MINUTE), at(MINUTE));
        },
    ];
    for (at, change) in changes.into_iter().enumerate() {
        let mut world = World::default();
        let (mut deadlines, keys) = watching(&mut world, &["box"]);
        change(&mut world, &keys[0]);
        assert_eq!(deadlines.check(&world, soon), [], "{at}");
        assert_eq!(deadlines.offered(&world, soon), None, "{at}");
    }
    let mut world = World::default();
    busy(&mut world, "box");
    assert_eq!(
        Deadlines::default().check(&world, soon),
        [],
        "its commands were not read"
    );
    let (mut deadlines, _) = watching(&mut world, &["box"]);
    assert_eq!(deadlines.check(&world, at(11 * MINUTE)), [], "it is over");
}

#[test]
fn the_offer_is_for_the_first_that_ends() {
    let mut world = World::default();
    let (mut deadlines, keys) = watching(&mut world, &["early", "late"]);
    world.saw(ending("late", 11 * MINUTE), at(1));
    let now = at(9 * MINUTE);
    assert_eq!(
        deadlines.offered(&world, now),
        None,
        "nobody was warned yet"
    );
    assert_eq!(deadlines.check(&world, now).len(), 2);
    assert_eq!(deadlines.offered(&world, now), Some(&keys[0]));
    world.saw(ending("early", 60 * MINUTE), now);
    assert_eq!(deadlines.offered(&world, now), Some(&keys[1]));
    assert_eq!(deadlines.offered(&world, at(12 * MINUTE)), None);
}
