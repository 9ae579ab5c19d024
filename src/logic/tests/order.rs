//! Filter and sort.

use crate::logic::testing::{at, running, sandbox};
use crate::logic::{Column, Filter, Order, World, rows};
use crate::model::{Bytes, Foreign, Sandbox, SandboxKey, Span, Status, Tags, Timestamp};
use proptest::prelude::*;

fn world(sandboxes: Vec<Sandbox>) -> World {
    let mut world = World::default();
    for sandbox in sandboxes {
        world.saw(sandbox, at(0));
    }
    world
}

fn names(world: &World, filter: &str, column: Column, reverse: bool) -> Vec<String> {
    let keys = rows(
        world,
        &Filter::parse(filter),
        Order { column, reverse },
        at(1_000),
    );
    keys.into_iter()
        .map(|key| key.name.as_raw().to_owned())
        .collect()
}

fn sized(name: &str, egress: Option<i64>) -> Sandbox {
    Sandbox {
        total_egress_bytes: egress.map(Bytes),
        ..running(name, 0)
    }
}

#[test]
fn columns_are_sorted_by_value_and_unknown_stays_last_both_ways() {
    let world = world(vec![
        sized("small", Some(900)),
        sized("unknown", None),
        sized("kilo", Some(1_000)),
        sized("big", Some(10_000_000)),
        sized("mid", Some(9_000_000)),
    ]);
    let down = names(&world, "", Column::Egress, false);
    assert_eq!(down, ["big", "mid", "kilo", "small", "unknown"]);
    let up = names(&world, "", Column::Egress, true);
    assert_eq!(up, ["small", "kilo", "mid", "big", "unknown"]);
}

#[test]
fn equal_values_keep_the_order_of_names() {
    let world = world(vec![running("c", 5), running("a", 5), running("b", 5)]);
    assert_eq!(names(&world, "", Column::Created, false), ["a", "b", "c"]);
    assert_eq!(names(&world, "", Column::Created, true), ["c", "b", "a"]);
}

#[test]
fn newest_first_by_default_and_running_before_stopped_by_status() {
    let world = world(vec![
        sandbox("old", 1, Status::Running),
        sandbox("new", 9, Status::Stopped),
        sandbox("odd", 5, Status::Other(Foreign::from("hibernating"))),
    ]);
    assert_eq!(
        names(&world, "", Column::Created, false),
        ["new", "odd", "old"]
    );
    assert_eq!(
        names(&world, "", Column::Status, false),
        ["old", "odd", "new"]
    );
}

#[test]
fn filter_terms_speak_of_facts_and_words_of_names_and_tags() {
    let mut web = running("web-frontend", 1);
    web.tags = Some(Tags::from([(Foreign::from("env"), Foreign::from("ci"))]));
    web.expires_at = Some(Timestamp(at(1_000).wall.0) + Span::minutes(3));
    let mut job = sandbox("job", 2, Status::Stopped);
    job.region = Some(Foreign::from("fra1"));
    let world = world(vec![web, job]);
    let shown = |filter: &str| names(&world, filter, Column::Name, false).join(" ");
    assert_eq!(shown(""), "job web-frontend");
    assert_eq!(shown("wfe"), "web-frontend");
    assert_eq!(shown("env=ci"), "web-frontend");
    assert_eq!(shown("status:run"), "web-frontend");
    assert_eq!(shown("status:stopped"), "job");
    assert_eq!(shown("tag:env"), "web-frontend");
    assert_eq!(shown("tag:env=ci web"), "web-frontend");
    assert_eq!(shown("tag:env=prod"), "");
    assert_eq!(shown("region:fra"), "job");
    assert_eq!(shown("region:iad1"), "web-frontend");
    assert_eq!(shown("left:<5m"), "web-frontend");
    assert_eq!(shown("left:>5m"), "");
    assert_eq!(shown("cost:<1"), "web-frontend");
    assert_eq!(shown("wfe"), "web-frontend");
    assert_eq!(shown("WEB"), "", "a capital letter means itself");
    assert_eq!(shown("nothing-like-it"), "");
}

#[test]
fn a_word_is_not_found_across_a_name_and_a_tag() {
    let mut other = running("worker-2", 1);
    other.tags = Some(Tags::from([(Foreign::from("zone"), Foreign::from("0"))]));
    let world = world(vec![running("worker-20", 0), other]);
    assert_eq!(
        names(&world, "worker-20", Column::Name, false),
        ["worker-20"]
    );
}

#[test]
fn a_term_without_sense_is_told_and_hides_nothing() {
    let filter = Filter::parse("left:soon");
    assert_eq!(
        filter.trouble.as_ref().map(|why| why.as_str()),
        Some("left: wants a time, as in <5m")
    );
    let world = world(vec![running("a", 0)]);
    assert_eq!(rows(&world, &filter, Order::default(), at(0)).len(), 1);
}

proptest! {
    #[test]
    fn any_filter_line_is_taken(line in "\\PC{0,40}") {
        let world = world(vec![running("a", 0)]);
        let _ = rows(&world, &Filter::parse(&line), Order::default(), at(0));
    }

    #[test]
    fn turning_the_order_around_turns_exactly_the_known_ones(
        sizes in proptest::collection::vec(proptest::option::of(0_i64..5), 0..20),
    ) {
        let boxes = sizes.iter().enumerate().map(|(n, size)| sized(&format!("s{n:02}"), *size)).collect();
        let world = world(boxes);
        let known = |keys: Vec<SandboxKey>| -> Vec<SandboxKey> {
            let known = |key: &SandboxKey| world.fact(key).unwrap().sandbox.total_egress_bytes.is_some();
            keys.into_iter().filter(known).collect()
        };
        let order = |reverse| rows(&world, &Filter::default(), Order { column: Column::Egress, reverse }, at(0));
        let mut turned = known(order(true));
        turned.reverse();
        prop_assert_eq!(known(order(false)), turned);
    }
}
