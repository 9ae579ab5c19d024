//! Rules as they are written, and when they strike.

use super::pattern::Pattern;
use super::*;
use axum::http::StatusCode;
use std::time::Duration;

fn rule(text: &str) -> FaultRule {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn a_pattern_is_for_whole_parts_of_a_path() {
    let table = [
        ("/v2/sandboxes", "/v2/sandboxes", true),
        ("/v2/sandboxes", "/api/v2/sandboxes", true),
        ("/api/v2/sandboxes", "/v2/sandboxes", true),
        ("/v2/sandboxes", "/v2/sandboxes/box", false),
        ("/v2/sandboxes/*", "/v2/sandboxes/box", true),
        ("/v2/sandboxes/*", "/v2/sandboxes", false),
        ("/v2/sandboxes/*", "/v2/sandboxes/a/b", false),
        ("/**", "/", true),
        ("/**", "/v2/sandboxes/a/b", true),
        ("/**/logs", "/v2/sandboxes/sessions/s/cmd/c/logs", true),
        ("/**/logs", "/logs", true),
        ("/**/logs", "/v2/logs/x", false),
        ("/**/cmd/**/logs", "/a/cmd/logs/cmd/b/logs", true),
        ("/**/cmd/*/logs", "/a/cmd/logs/cmd/b/logs", true),
        ("/**/cmd/*/logs", "/a/cmd/b/c/logs", false),
        ("/apiary", "/apiary", true),
        ("/v2", "/apiv2", false),
    ];
    for (pattern, path, wanted) in table {
        let parsed = Pattern::parse(pattern).unwrap();
        assert_eq!(parsed.is_for(path), wanted, "{pattern} {path}");
    }
}

#[test]
fn a_rule_is_read_word_by_word() {
    let read = rule(
        r#"post /**/stop delay=1500ms status=429 code=slow message="no, not now" retry-after=7 chance=0.5 count=3 skip=1"#,
    );
    let refused = Refused {
        status: StatusCode::TOO_MANY_REQUESTS,
        code: Some("slow".into()),
        message: Some("no, not now".into()),
        retry_after: Some(7),
    };
    let wanted = Fault {
        delay: Duration::from_millis(1500),
        answer: Some(Answer::Refused(refused)),
    };
    assert_eq!(read.fault, wanted);
    let limits = (read.limits.chance, read.limits.count, read.limits.skip);
    assert_eq!(limits, (Some(0.5), Some(3), 1));
    let broken = |after, by| Some(Answer::Broken { after, by });
    assert_eq!(rule("GET / cut").fault.answer, broken(0, Break::Cut));
    assert_eq!(rule("* / stall=9").fault.answer, broken(9, Break::Stall));
    assert_eq!(rule("* / garbage").fault.answer, broken(0, Break::Garbage));
}

#[test]
fn what_is_wrong_is_told_with_its_place_and_the_word_that_was_meant() {
    let table = [
        ("", 1, "a method is missing"),
        ("GET", 4, "a path is missing"),
        ("GET /x", 7, "what goes wrong is missing"),
        ("GET /x count=2", 15, "what goes wrong is missing"),
        ("GTE /x cut", 1, "did you mean `GET`?"),
        ("FETCHED /x cut", 1, "GET, POST, PUT, PATCH, DELETE, *"),
        ("GET x cut", 5, "begins with `/`"),
        ("GET /a*b cut", 5, "a whole part"),
        ("GET /a?b=c cut", 5, "without a query"),
        ("GET /x stauts=503", 8, "did you mean `status`?"),
        ("GET /x cut chanse=1", 12, "did you mean `chance`?"),
        ("GET /x nonsense", 8, "status, code, message"),
        ("GET /x status", 8, "from 400 to 599"),
        ("GET /x status=200", 8, "from 400 to 599"),
        ("GET /x status=abc", 8, "from 400 to 599"),
        ("GET /x cut=-1", 8, "`cut` is a number"),
        ("GET /ü delay=2", 8, "a time with its unit"),
        ("GET /x delay=-2s", 8, "a time with its unit"),
        ("GET /x cut chance=2", 12, "from 0 to 1"),
        ("GET /x cut chance=NaN", 12, "from 0 to 1"),
        ("GET /x cut count", 12, "`count` is a number"),
        ("GET /x cut stall", 12, "two rules"),
        ("GET /x code=a", 8, "goes with `status=…`"),
        ("GET /x cut code=a", 12, "goes with `status=…`"),
        ("GET /x status=500 code=", 19, "`code` is a text"),
        ("GET /x status=500 message=\"a b", 27, "not closed"),
    ];
    for (text, at, what) in table {
        let error = text.parse::<FaultRule>().expect_err(text);
        assert_eq!(error.at, at, "{text}: {error}");
        assert!(error.to_string().contains(what), "{text}: {error}");
    }
}

fn struck(drill: &Drill, times: usize) -> Vec<bool> {
    let strike = |_| drill.strikes(&Method::GET, "/v2/sandboxes").is_some();
    (0..times).map(strike).collect()
}

#[test]
fn a_rule_strikes_as_often_as_it_says() {
    let drill = |text| Drill::new(vec![rule(text)], 1);
    assert_eq!(
        struck(&drill("GET /** cut skip=1 count=2"), 5),
        [false, true, true, false, false]
    );
    assert_eq!(struck(&drill("POST /** cut"), 2), [false, false]);
    assert_eq!(struck(&drill("* /** cut chance=0"), 3), [false; 3]);
    assert_eq!(struck(&drill("* /** cut chance=1"), 3), [true; 3]);
}

#[test]
fn the_same_seed_is_the_same_drill_whatever_other_rules_do() {
    let chance = "GET /** cut chance=0.5";
    let alone = |seed| struck(&Drill::new(vec![rule(chance)], seed), 64);
    assert_eq!(alone(7), alone(7));
    assert_ne!(alone(7), alone(8));
    let beside = Drill::new(vec![rule(chance), rule("POST /** stall chance=0.5")], 7);
    let mut mixed = Vec::new();
    for _ in 0..64 {
        beside.strikes(&Method::POST, "/x");
        mixed.extend(struck(&beside, 1));
    }
    assert_eq!(mixed, alone(7));
    let share = alone(7).iter().filter(|struck| **struck).count();
    assert!((16..48).contains(&share), "{share} of 64");
}

#[test]
fn the_first_rule_that_strikes_counts() {
    let drill = Drill::new(vec![rule("GET /** cut count=1"), rule("* /** stall")], 0);
    let by = |_| match drill
        .strikes(&Method::GET, "/x")
        .map(|(fault, _)| fault.answer)
    {
        Some(Some(Answer::Broken { by, .. })) => by,
        other => panic!("{other:?}"),
    };
    let three: Vec<Break> = (0..3).map(by).collect();
    assert_eq!(three, [Break::Cut, Break::Stall, Break::Stall]);
}
