//! Answers that are not as documented: nothing is lost but what cannot be read.

use crate::model::*;
use proptest::prelude::*;
use serde_json::{Value, json};

#[test]
fn one_unknown_word_breaks_no_list() {
    let mut rows: Vec<Value> = (0..10)
        .map(|n| json!({"name": format!("box-{n}"), "status": "running"}))
        .collect();
    rows[3]["status"] = json!("hibernating");
    rows[4]["image"] = Value::Null;
    rows[5]["unknownField"] = json!({"deep": [1, 2]});
    rows[6] = json!({"name": "bare"});
    rows[7]["tags"] = json!(["not", "a", "map"]);
    let page = Page::<Sandbox>::read(
        json!({"sandboxes": rows, "pagination": {"next": null}}),
        "sandboxes",
    );
    assert_eq!((page.entries.len(), page.skipped), (10, 0));
    assert_eq!(
        page.entries[3].status,
        Some(Status::Other(Foreign::from("hibernating")))
    );
    assert_eq!(
        page.entries[3].status.as_ref().unwrap().word(),
        "hibernating"
    );
    assert_eq!(page.entries[6].status, None, "unknown is not a word");
    assert_eq!(page.entries[7].tags, None);
}

#[test]
fn an_entry_without_a_name_is_counted_and_costs_no_other() {
    let page = Page::<Sandbox>::read(
        json!({"sandboxes": [{"status": "running"}, {"name": "b"}, 7, null]}),
        "sandboxes",
    );
    assert_eq!((page.entries.len(), page.skipped), (1, 3));
}

#[test]
fn unknown_words_are_written_as_they_came() {
    for word in ["expiring", "", "Running", "run ning"] {
        let status: Status = serde_json::from_value(json!(word)).unwrap();
        assert_eq!(serde_json::to_value(&status).unwrap(), json!(word));
    }
    let mode: PolicyMode = serde_json::from_value(json!("default-allow")).unwrap();
    assert_eq!(mode, PolicyMode::Other(Foreign::from("default-allow")));
    let mode: MountMode = serde_json::from_value(json!("read-only")).unwrap();
    assert_eq!(mode, MountMode::ReadOnly);
}

#[test]
fn numbers_of_every_kind_survive() {
    let size = |text: &str| {
        serde_json::from_str::<Bytes>(text)
            .ok()
            .map(|bytes| bytes.0)
    };
    assert_eq!(size("9223372036854771712"), Some(9_223_372_036_854_771_712));
    assert_eq!(
        size("9007199254740993"),
        Some(9_007_199_254_740_993),
        "beyond 2^53"
    );
    assert_eq!(size("18446744073709551615"), Some(i64::MAX));
    assert_eq!(size("1.5e300"), Some(i64::MAX));
    assert_eq!(size("-1.5e300"), Some(i64::MIN));
    assert_eq!(size("-1"), Some(-1));
    assert_eq!(size("1e3"), Some(1_000));
    assert_eq!(size("\"123\""), Some(123));
    assert_eq!(size("\" 4.6 \""), Some(5));
    for nothing in [
        "\"soon\"", "\"\"", "null", "true", "[]", "{}", "\"NaN\"", "\"inf\"",
    ] {
        assert_eq!(size(nothing), None, "{nothing}");
    }
}

#[test]
fn a_field_of_the_wrong_type_is_unknown_and_costs_no_other() {
    let odd = json!({
        "name": "box", "status": 7, "createdAt": "yesterday", "vcpus": [2], "timeout": -5, "persistent": "yes",
        "networkPolicy": "allow-all", "keepLastSnapshots": {"count": "3"}, "memory": "4096",
    });
    let sandbox: Sandbox = serde_json::from_value(odd).unwrap();
    assert_eq!(
        (
            sandbox.status,
            sandbox.created_at,
            sandbox.vcpus,
            sandbox.persistent
        ),
        (None, None, None, None)
    );
    assert_eq!(
        sandbox.timeout,
        Some(Span(-5)),
        "a negative duration is what was said"
    );
    assert_eq!(sandbox.memory, Some(Count(4096)));
    assert_eq!(sandbox.keep_last_snapshots.unwrap().count, Count(3));
}

#[test]
fn times_saturate_and_differences_never_wrap() {
    let (low, high) = (Timestamp(i64::MIN), Timestamp(i64::MAX));
    assert_eq!(high.since(low), Span(i64::MAX));
    assert_eq!(low.since(high), Span(i64::MIN));
    assert_eq!(high + Span(1), high);
    assert_eq!(Span::minutes(i64::MAX), Span(i64::MAX));
}

#[test]
fn what_retry_after_says_is_told_apart() {
    assert_eq!(RetryAfter::parse("20"), RetryAfter::Wait(20_000));
    assert_eq!(RetryAfter::parse(" 1.5 "), RetryAfter::Wait(1_500));
    assert_eq!(
        RetryAfter::parse("Sun, 06 Nov 1994 08:49:37 GMT"),
        RetryAfter::At(Timestamp(784_111_777_000))
    );
    for nonsense in [
        "-3",
        "",
        "NaN",
        "inf",
        "soon",
        "Sun, 99 Nov 1994 08:49:37 GMT",
    ] {
        assert_eq!(
            RetryAfter::parse(nonsense),
            RetryAfter::Nonsense,
            "{nonsense:?}"
        );
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 12, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map("[a-z]{1,6}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_value_in_any_field_leaves_the_name_readable(
        field in proptest::sample::select(FIELDS), value in any_json(),
    ) {
        let mut odd = json!({"name": "box"});
        odd[field] = value;
        let sandbox: Sandbox = serde_json::from_value(odd).unwrap();
        prop_assert_eq!(sandbox.name.as_raw(), "box");
        let again = serde_json::to_value(&sandbox).unwrap();
        prop_assert_eq!(serde_json::from_value::<Sandbox>(again).unwrap(), sandbox);
    }

    #[test]
    fn any_answer_at_all_makes_a_page(value in any_json()) {
        let page = Page::<Session>::read(json!({"sessions": value, "pagination": 7}), "sessions");
        prop_assert_eq!(page.next, None);
        prop_assert!(page.entries.is_empty());
    }
}

const FIELDS: &[&str] = &[
    "persistent",
    "status",
    "statusUpdatedAt",
    "createdAt",
    "updatedAt",
    "expiresAt",
    "currentSessionId",
    "currentSnapshotId",
    "region",
    "failoverRegions",
    "networkId",
    "vcpus",
    "memory",
    "runtime",
    "image",
    "timeout",
    "cwd",
    "networkPolicy",
    "tags",
    "mounts",
    "snapshotExpiration",
    "keepLastSnapshots",
    "totalActiveCpuDurationMs",
    "totalDurationMs",
    "totalIngressBytes",
    "totalEgressBytes",
];
