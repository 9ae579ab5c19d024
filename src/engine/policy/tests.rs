//! What requests may say, and how it is told.

use super::read;
use serde_json::{Value, json};

fn told(request: Value) -> Value {
    json!(read("networkPolicy", &request).unwrap_or_else(|refusal| panic!("{}", refusal.message)))
}

#[test]
fn modes_are_told_as_they_are() {
    for mode in ["allow-all", "deny-all"] {
        assert_eq!(told(json!({"mode": mode})), json!({"mode": mode}));
    }
}

#[test]
fn rules_are_told_without_the_values_of_their_headers() {
    let request = json!({
        "allow": {
            "api.example.com": [
                {
                    "match": {"method": ["POST"], "path": {"startsWith": "/v1/"}},
                    "transform": [{"headers": {"authorization": "Bearer s3cret", "X-One": "s3cret"}},
                                  {"headers": {"x-one": "s3cret"}}, {}],
                },
                {"response": {"statusCode": 403, "body": "blocked", "contentType": "text/plain"}},
            ],
            "proxy.example.com": [{"match": {}, "forwardURL": "https://other.example/in"}],
            "*.example.org": [],
        },
        "subnets": {"allow": [], "deny": ["10.0.0.0/8"]},
    });
    let told = told(request);
    let wanted = json!({
        "mode": "custom",
        "allowedDomains": ["*.example.org", "api.example.com", "proxy.example.com"],
        "deniedCIDRs": ["10.0.0.0/8"],
        "injectionRules": [{
            "domain": "api.example.com",
            "headerNames": ["X-One", "authorization"],
            "match": {"method": ["POST"], "path": {"startsWith": "/v1/"}},
        }],
        "forwardRules": [{"domain": "proxy.example.com", "forwardURL": "https://other.example/in", "match": {}}],
    });
    assert_eq!(told, wanted);
}

#[test]
fn lists_keep_their_order_and_empty_ones_are_left_out() {
    let request = json!({"allow": ["b.example", "*", "a.example"], "subnets": {"allow": ["192.0.2.0/24", "fd00::/8"]}});
    let wanted = json!({
        "mode": "custom", "allowedDomains": ["b.example", "*", "a.example"], "allowedCIDRs": ["192.0.2.0/24", "fd00::/8"],
    });
    assert_eq!(told(request), wanted);
}

#[test]
fn one_that_says_nothing_denies_all() {
    for request in [
        json!({}),
        json!({"allow": {}}),
        json!({"allow": []}),
        json!({"subnets": {}}),
        json!({"subnets": {"allow": []}}),
        json!({"mode": "custom"}),
        json!({"mode": "default-deny", "allowedDomains": []}),
    ] {
        assert_eq!(
            told(request.clone()),
            json!({"mode": "deny-all"}),
            "{request}"
        );
    }
}

#[test]
fn only_what_lets_something_out_does_not_deny_all() {
    let denies = |request: Value| read("", &request).unwrap().denies_all();
    assert!(denies(json!({"subnets": {"deny": ["10.0.0.0/8"]}})));
    assert!(denies(json!({"mode": "deny-all"})));
    for request in [
        json!({"mode": "allow-all"}),
        json!({"allow": ["example.com"]}),
        json!({"subnets": {"allow": ["10.0.0.0/8"]}}),
        json!({"mode": "default-allow", "deniedCIDRs": ["10.0.0.0/8"]}),
        json!({"mode": "custom", "injectionRules": [{"domain": "a.example", "headers": {}}]}),
    ] {
        assert!(!denies(request.clone()), "{request}");
    }
}

#[test]
fn the_older_form_is_told_in_the_same_way() {
    let request = json!({
        "mode": "custom", "allowedDomains": ["a.example"], "allowedCIDRs": ["10.0.0.0/8"], "deniedCIDRs": ["10.1.0.0/16"],
        "injectionRules": [{"domain": "a.example", "headers": {"cookie": "s3cret"}, "match": {"path": {"exact": "/"}}}],
    });
    let wanted = json!({
        "mode": "custom", "allowedDomains": ["a.example"], "allowedCIDRs": ["10.0.0.0/8"], "deniedCIDRs": ["10.1.0.0/16"],
        "injectionRules": [{"domain": "a.example", "headerNames": ["cookie"], "match": {"path": {"exact": "/"}}}],
    });
    assert_eq!(told(request), wanted);
    assert_eq!(
        told(json!({"mode": "default-allow"})),
        json!({"mode": "allow-all"})
    );
    assert_eq!(
        told(json!({"mode": "default-allow", "deniedCIDRs": ["10.0.0.0/8"]})),
        json!({"mode": "custom", "allowedDomains": ["*"], "deniedCIDRs": ["10.0.0.0/8"]})
    );
    assert_eq!(
        told(json!({"mode": "default-deny", "allowedDomains": ["a.example"]})),
        json!({"mode": "custom", "allowedDomains": ["a.example"]})
    );
}

/// Policies, and the place in each that is wrong.
const WRONG: &[(&str, &str)] = &[
    (r##""allow-all""##, ""),
    (r##"{"mode": "sometimes"}"##, ".mode"),
    (r##"{"mode": null}"##, ".mode"),
    (r##"{"mode": "deny-all", "allow": []}"##, ".allow"),
    (r##"{"alow": ["example.com"]}"##, ".alow"),
    (r##"{"allow": "example.com"}"##, ".allow"),
    (r##"{"allow": ["a.example", 7]}"##, ".allow[1]"),
    (r##"{"allow": {"a_b..c": []}}"##, ".allow.a_b..c"),
    (r##"{"allow": {"a.example": {}}}"##, ".allow.a.example"),
    (r##"{"subnets": []}"##, ".subnets"),
    (
        r##"{"subnets": {"deny": ["10.0.0.0"]}}"##,
        ".subnets.deny[0]",
    ),
    (r##"{"subnets": {"block": []}}"##, ".subnets.block"),
    (
        r##"{"mode": "custom", "allowedCIDRs": "x"}"##,
        ".allowedCIDRs",
    ),
    (
        r##"{"mode": "custom", "injectionRules": [{"domain": "a"}]}"##,
        ".injectionRules[0]",
    ),
    (
        r##"{"mode": "custom", "injectionRules": [{"headers": {}}]}"##,
        ".injectionRules[0]",
    ),
];

/// Rules for a domain, likewise.
const WRONG_RULES: &[(&str, &str)] = &[
    (r##"{}"##, ""),
    (r##"{"transform": [], "forwardURL": "https://a"}"##, ""),
    (r##"{"transform": {}}"##, ".transform"),
    (
        r##"{"transform": [{"header": {}}]}"##,
        ".transform[0].header",
    ),
    (
        r##"{"transform": [{"headers": {"a": 1}}]}"##,
        ".transform[0].headers.a",
    ),
    (
        r##"{"transform": [{"headers": {"a b": "s3cret"}}]}"##,
        ".transform[0].headers.a b",
    ),
    (
        r##"{"transform": [{"headers": {"a": "s3cret\nb: c"}}]}"##,
        ".transform[0].headers.a",
    ),
    (r##"{"forwardURL": "http://a"}"##, ".forwardURL"),
    (r##"{"forwardURL": "https://u:s3cret@a"}"##, ".forwardURL"),
    (r##"{"forwardURL": "https://a/?s3cret"}"##, ".forwardURL"),
    (r##"{"forwardURL": "https://a/#s3cret"}"##, ".forwardURL"),
    (r##"{"response": {}}"##, ".response"),
    (
        r##"{"response": {"statusCode": 199}}"##,
        ".response.statusCode",
    ),
    (
        r##"{"response": {"statusCode": 204, "body": "", "contentType": "a"}}"##,
        ".response.body",
    ),
    (
        r##"{"response": {"statusCode": 200, "body": "s3cret"}}"##,
        ".response",
    ),
    (
        r##"{"response": {"statusCode": 200, "headers": {"Connection": "x"}}}"##,
        ".response.headers",
    ),
    (
        r##"{"response": {"statusCode": 200, "headers": {"A": "1", "a": "2"}}}"##,
        ".response.headers",
    ),
    (
        r##"{"transform": [], "match": {"host": {}}}"##,
        ".match.host",
    ),
    (
        r##"{"transform": [], "match": {"path": "/"}}"##,
        ".match.path",
    ),
    (
        r##"{"transform": [], "match": {"path": {"exact": "/", "regex": "/"}}}"##,
        ".match.path",
    ),
    (
        r##"{"transform": [], "match": {"method": "GET"}}"##,
        ".match.method",
    ),
    (
        r##"{"transform": [], "match": {"method": ["GET", ""]}}"##,
        ".match.method[1]",
    ),
    (
        r##"{"transform": [], "match": {"queryString": [{}]}}"##,
        ".match.queryString[0]",
    ),
    (
        r##"{"transform": [], "match": {"headers": [{"key": {"exact": 1}}]}}"##,
        ".match.headers[0].key.exact",
    ),
];

#[test]
fn what_is_wrong_is_named_by_its_place() {
    let rules = WRONG_RULES.iter().map(|(rule, place)| {
        let policy = format!(r#"{{"allow": {{"a.example": [{rule}]}}}}"#);
        (policy, format!(".allow.a.example[0]{place}"))
    });
    let whole = WRONG
        .iter()
        .map(|(policy, place)| ((*policy).to_owned(), (*place).to_owned()));
    for (policy, place) in whole.chain(rules) {
        let refusal = read("networkPolicy", &serde_json::from_str(&policy).unwrap()).unwrap_err();
        let message = &refusal.message;
        let named = format!("`networkPolicy{place}` ");
        assert!(message.starts_with(&named), "{policy}: {message}");
        assert!(!message.contains("s3cret"), "{message}");
        assert_eq!(refusal.status, 400);
    }
}

#[test]
fn the_body_itself_is_named_where_the_policy_is_all_of_it() {
    for (request, named) in [(json!([]), "`body`"), (json!({"mode": 1}), "`mode`")] {
        let message = read("", &request).unwrap_err().message;
        assert!(message.starts_with(named), "{message}");
    }
}

#[test]
fn patterns_of_domains_and_ranges_of_addresses() {
    let domain = |name: &str| read("", &json!({"allow": [name]})).is_ok();
    for name in [
        "example.com",
        "*",
        "*.example.com",
        "www.*.com",
        "localhost",
        "a-b_c.example",
    ] {
        assert!(domain(name), "{name}");
    }
    for name in [
        "",
        ".",
        "a..b",
        "a.example.",
        "w*.example.com",
        "**",
        "https://a",
        "a/b",
        "a:80",
        "a b",
        "é.example",
    ] {
        assert!(!domain(name), "{name}");
    }
    let network = |range: &str| read("", &json!({"subnets": {"allow": [range]}})).is_ok();
    for range in ["0.0.0.0/0", "10.1.2.3/32", "::/0", "fd00::1/128"] {
        assert!(network(range), "{range}");
    }
    for range in [
        "",
        "10.0.0.0",
        "10.0.0.0/",
        "10.0.0.0/33",
        "10.0.0/8",
        "fd00::/129",
        "10.0.0.0/+8",
        "a/8",
    ] {
        assert!(!network(range), "{range}");
    }
}
