//! The parts that send nothing; `tests/wire.rs` tests them together, against misbehaving servers.

mod credentials;
mod ndjson;

use super::address::Address;
use super::asked::{Asked, without_logins};
use super::call::Call;
use super::json::read;
use crate::model::{SandboxName, SessionId};
use reqwest::StatusCode;
use reqwest::header::HeaderMap;

#[test]
fn plain_http_is_for_this_machine() {
    for good in [
        "http://127.0.0.1:1/",
        "http://127.9.9.9",
        "http://localhost:80/api",
        "http://[::1]:9/x/y/",
        "https://example.com",
    ] {
        assert!(Address::parse(good).is_ok(), "{good}");
    }
    for bad in [
        "http://example.com",
        "http://128.0.0.1",
        "http://localhost.example.com",
        "http://127.0.0.1.example.com",
        "http://0.0.0.0",
        "ftp://127.0.0.1",
        "vercel.com/api",
        "",
        "https://user:pass@vercel.com",
        "https://vercel.com/api?x=1",
    ] {
        assert!(Address::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn the_service_is_two_hosts_and_nothing_like_them() {
    let service = |text: &str| Address::parse(text).unwrap().is_service();
    assert!(service("https://vercel.com/api"));
    assert!(service("https://api.vercel.com"));
    assert!(service("https://VERCEL.com:443/api"));
    assert!(!service("https://vercel.com:8443/api"));
    assert!(!service("https://vercel.com.example.org/api"));
    assert!(!service("https://notvercel.com"));
    assert!(!service("https://x.vercel.com"));
    assert!(!service("http://127.0.0.1"));
}

#[test]
fn no_path_step_gets_through() {
    let address = Address::parse("https://vercel.com/api/").unwrap();
    let url = address.join("/v2/sandboxes/box").unwrap();
    assert_eq!(url.as_str(), "https://vercel.com/api/v2/sandboxes/box");
    for path in [
        "/v2/sandboxes/..",
        "/v2/sandboxes/.",
        "/v2/a/%2E%2E/b",
        "/v2/%2e/b",
        "/v2/a?b",
        "/v2/a#b",
    ] {
        assert!(address.join(path).is_err(), "{path}");
    }
    assert!(address.join("/v2/sandboxes/%252E%252E").is_ok());
}

#[test]
fn no_password_is_told() {
    for (given, told) in [
        (
            "proxy http://user:p4ss@proxy.example:3128/x failed",
            "proxy http://…@proxy.example:3128/x failed",
        ),
        ("via (user:p@ss@host)", "via (…@host)"),
        ("user:p4ss@host", "…@host"),
        ("mail me@example.com", "mail me@example.com"),
        ("https://host/path@1", "https://…@1"),
        ("plain é漢😀", "plain é漢😀"),
    ] {
        assert_eq!(without_logins(given), told);
    }
}

#[test]
fn no_token_is_told() {
    let asked = Asked {
        call: "list sandboxes",
        request: "GET /v2/sandboxes".into(),
        token: "tok_s3cret".into(),
    };
    let body = br#"{"error":{"code":"forbidden","message":"bad tok_s3cret here"}}"#;
    let failure = asked.status(StatusCode::FORBIDDEN, &HeaderMap::new(), body);
    assert!(!format!("{failure:?}").contains("s3cret"));
    assert_eq!(failure.code(), Some("forbidden"));
}

#[test]
fn a_name_is_one_segment() {
    let path = |name: &str| {
        let call = Call::get("x", "/v2/sandboxes").name(&SandboxName::new(name));
        (call.path, call.refused.is_some())
    };
    assert_eq!(
        path("a b/ü?&"),
        ("/v2/sandboxes/a%20b%2F%C3%BC%3F%26".into(), false)
    );
    assert_eq!(path("%2e%2e"), ("/v2/sandboxes/%252e%252e".into(), false));
    assert_eq!(path("..."), ("/v2/sandboxes/...".into(), false));
    for bad in ["", ".", "..", "sessions", "snapshots", "drives"] {
        assert!(path(bad).1, "{bad:?}");
    }
}

#[test]
fn a_hostile_id_is_refused() {
    let refused = |id: &str| {
        let call = Call::get("x", "/v2/sandboxes/sessions").id(&SessionId::new(id));
        call.then("/stop").refused.is_some()
    };
    assert!(!refused("sbx_7Qk2mVx0aBc"));
    assert!(!refused("a.b:c-d"));
    for bad in [
        "", ".", "..", "a/../..", "a?b", "a#b", "a%2e", "a b", "ü", "a\\b", "a\n",
    ] {
        assert!(refused(bad), "{bad:?}");
    }
}

#[test]
fn half_a_pair_costs_one_character() {
    for (json, text) in [
        (r#""a\ud83db""#, "a\u{fffd}b"),
        (r#""\ud83d\ud83d\ude00""#, "\u{fffd}😀"),
        (r#""\ude00""#, "\u{fffd}"),
        (r#""\\ud83d""#, r"\ud83d"),
        (r#""\ud83d\\ude00""#, "\u{fffd}\\ude00"),
    ] {
        assert_eq!(read(json.as_bytes()).unwrap(), text, "{json}");
    }
    assert_eq!(read(b"\"a\xffb\"").unwrap(), "a\u{fffd}b");
    assert!(read(b"\"\\ud8").is_err());
    assert!(read(b"{").is_err());
}
